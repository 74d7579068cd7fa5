import { sql } from 'kysely';
import { canonicalJson, type EventType, type MessageSnapshot } from '../../contract/index.js';
import type { Oddity } from '../storage/column-types.js';
import { lockIdMessage, ownerOfId } from '../messages/message-ids.js';
import { existingMessage, snapshotOf } from '../messages/message-row.js';
import { isOfErased } from '../privacy/late-notifications.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { keyedUuid } from '../storage/keyed-hash.js';
import { jsonText } from '../storage/statements.js';
import { hideTextsIn } from '../sensitive/hidden-json.js';
import { TextPart, type Texts } from '../sensitive/texts.js';
import type { Db } from '../storage/store.js';
import { applyReceipt, park, type Receipt, subjectOf, withoutText } from '../messages/receipts/apply-receipt.js';
import { applyTogether } from '../messages/receipts/apply-together.js';
import {
  type NotificationColumns,
  recordOutcomes,
  storedNotification,
  type StoredNotification,
} from './notifications.js';

/** Facts about a notification that are known before it is applied. */
export interface NotificationFacts {
  /** Its `typeWebhook`. */
  readonly kind?: string;
  readonly oddity?: Oddity;
  /** The `typeMessage` of an unknown type. */
  readonly oddType?: string;
  /** The chat of a message or a call that a timeline shows. */
  readonly chatId?: string;
  /** The event for event endpoints. @default none: the notification is not an event */
  readonly event?: NotificationEvent;
}

export interface NotificationEvent {
  readonly type: EventType;
  /** Its ordering key: events with the same key are delivered in order. */
  readonly key: string;
  /** The raw body, if it differs from the JSON of its body. */
  readonly raw?: Uint8Array;
  /** @default application/json */
  readonly contentType?: string;
}

/** A notification's id. */
interface StoredId {
  readonly id: string;
  /** The same notification had arrived before. */
  readonly duplicate: boolean;
  /** An event was recorded for this notification, or for another one of the same commit. */
  readonly hasEvents: boolean;
}

interface Arrived extends NotificationFacts {
  readonly instance: string;
  readonly hash: string;
  readonly body: unknown;
  readonly received_at: Date;
}

/** The inbox of stored notifications, and the changes by the receipts in them. */
export class Receipts extends TextPart {
  readonly #write = groupedWrites((group: readonly Arrived[]) =>
    this.database.run((db) => storeTogether(db, this.texts, group)),
  );

  /**
   * Stores a raw notification before the response is sent. The same body for the same instance is stored once and
   * counted. Notifications that arrive during a commit share the next one.
   */
  async store(instance: string, body: unknown, nowMs: number, facts: NotificationFacts = {}): Promise<StoredId> {
    return this.#write({
      instance,
      // Also by the key of the hashes of texts, since a body may contain a text that can be guessed.
      hash: this.texts.hash(`${instance}\0${canonicalJson(body)}`),
      body,
      received_at: new Date(nowMs),
      ...facts,
    });
  }

  /** JSON of the gateway about the instance's messages, e.g. its journal or queue, without texts of sensitive ones. */
  async hideTexts(instance: string, json: unknown): Promise<unknown> {
    const [hidden] = await this.database.run((db) => hideTextsIn(db, this.texts, [{ instance, json }]));
    return hidden?.json;
  }

  /** Notifications not applied yet, oldest first, except those with these ids. */
  async unapplied(limit: number, except: readonly string[] = []): Promise<StoredNotification[]> {
    const rows = await this.database.rows(sql<NotificationColumns>`/* unapplied_notifications */
        select n.id, n.instance, n.body, n.received_at, n.oddity, n.about, n.hidden
        from (
          select notification_id from pending_notifications where notification_id <> all(${except}::bigint[])
          order by notification_id limit ${limit}) p
        cross join lateral (
          select id, instance, body, received_at, oddity, about, hidden from notifications where id = p.notification_id limit 1) n
        order by n.id`);
    return rows.map((row) => storedNotification(row, this.texts));
  }

  /**
   * Records the results of notifications, by their ids. A notification that could not be applied is set aside; a replay
   * applies it again.
   */
  readonly markApplied = this.statement(recordOutcomes);

  /**
   * Applies or parks one receipt: see {@link Messages} LEDGER-6. A `sent` fixes `editableUntil` from the gateway
   * clock's offset.
   * @returns the current state of its message, also if it was applied before; undefined if it was parked
   */
  async apply(instance: string, given: Receipt, nowMs: number): Promise<MessageSnapshot | undefined> {
    return this.database.transaction(async (tx) => {
      const idMessage = subjectOf(given);
      const receipt = withoutText(given, this.texts);
      await lockIdMessage(tx, instance, idMessage);
      const owner = await ownerOfId(tx, instance, idMessage);
      if (owner === undefined) {
        await park(tx, [{ instance, receipt }], nowMs);
        return undefined;
      }
      await applyReceipt(tx, owner, receipt, nowMs);
      return snapshotOf(await existingMessage(tx, owner.message_id));
    });
  }

  /**
   * Applies or parks statuses of many messages, with the same result as {@link apply} one by one in order. The same
   * commit marks them applied. It skips a message with any receipt other than a status, and one
   * whose edits may have caused a failure.
   */
  readonly applyTogether = this.statement(applyTogether);
}

/** One commit. A repetition, in this group or of a stored notification, is only counted. */
async function storeTogether(db: Db, texts: Texts, group: readonly Arrived[]): Promise<StoredId[]> {
  const byHash = new Map<string, { readonly first: Arrived; repeats: number }>();
  for (const one of group) {
    const same = byHash.get(one.hash);
    if (same === undefined) byHash.set(one.hash, { first: one, repeats: 0 });
    else same.repeats += 1;
  }
  const arrived = [...byHash.values()];
  const stored = await hideTextsIn(
    db,
    texts,
    arrived.map(({ first: { instance, body } }) => ({ instance, json: body })),
  );
  const entries = arrived.map(({ first: { event, oddType, chatId, ...first }, repeats }, at) => ({
    ...first,
    body: stored[at]?.json,
    about: stored[at]?.about,
    hidden: stored[at]?.hidden,
    odd_type: oddType,
    chat_id: chatId,
    repeats,
    ...(event && {
      event_type: event.type,
      event_key: event.key,
      // The raw bytes of a hidden text are not delivered.
      raw: event.raw && stored[at]?.json === first.body ? Buffer.from(event.raw).toString('base64') : undefined,
      content_type: event.contentType,
    }),
  }));
  const { rows } = await sql<{
    id: string | number;
    hash: string;
    is_new: boolean;
    has_events: boolean;
  }>`/* store_notifications */
    with arrived as materialized (
      select a.*, ${keyedUuid(sql`a.hash`)} as keyed from rows from (json_to_recordset(${jsonText(entries)}::json) as (
        instance text, hash text, received_at timestamptz, kind text, oddity text, odd_type text, repeats integer, body json,
        event_type text, event_key text, raw text, content_type text, about text, hidden text,
        chat_id text))
        with ordinality as a(instance, hash, received_at, kind, oddity, odd_type, repeats, body, event_type, event_key, raw,
          content_type, about, hidden, chat_id, place)
    ), stored as (
      insert into notifications as known (
        instance, hash, received_at, kind, oddity, odd_type, repeats, body, about, hidden, chat_id)
      select instance, keyed, received_at, kind, oddity, odd_type, repeats, coalesce(body, 'null'), about, hidden, chat_id
      from arrived order by place
      on conflict (hash) do update set repeats = known.repeats + 1 + excluded.repeats
      returning id, hash, repeats
    ), result as (
      select s.id, a.*, s.repeats = a.repeats as is_new from stored s join arrived a on a.keyed = s.hash
    ), pending as (
      insert into pending_notifications (notification_id) select id from result where is_new
    ), event as (
      insert into events (instance, type, ordering_key, at, data, raw, content_type, notification_id)
      select r.instance, r.event_type, r.event_key, r.received_at, coalesce(r.body, 'null'), decode(r.raw, 'base64'),
        r.content_type, r.id
      from result r
      where r.is_new and not ${isOfErased(sql`r`)} and exists (
        select from event_endpoints e where e.instance = r.instance and wants_event(e, r.event_type, true))
      order by r.id
      returning 1
    )
    select id, hash, is_new, exists (select from event) as has_events
    from result`.execute(db);
  const byRow = new Map(rows.map((row) => [row.hash, row]));
  return group.map((one) => {
    const row = byRow.get(one.hash)!;
    const duplicate = !row.is_new || byHash.get(one.hash)?.first !== one;
    return { id: String(row.id), duplicate, hasEvents: row.has_events };
  });
}
