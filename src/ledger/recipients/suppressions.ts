/**
 * The suppression list: recipients who get no messages.
 *
 * SUPPRESS-1 A chat is suppressed for a message while an entry applies: it is not removed, is for the message's
 *    instance or for all, and its scope covers the message's category. `marketing` covers only marketing, `all` also
 *    transactional messages. A status has no single recipient and is never suppressed.
 * SUPPRESS-2 The claim checks the list. A claim that begins after an entry was committed takes no message to its chat:
 *    the message ends `suppressed`, with the entry as evidence. A message that was claimed before is sent, and gets its
 *    outcome.
 * SUPPRESS-3 The result does not depend on the order of notifications. Each STOP word is an entry with the gateway's
 *    time; the first later START of the same chat and instance closes it. Repeated, late and reordered notifications
 *    give the same result. The gateway's time has whole seconds; within one second STOP wins.
 * SUPPRESS-4 A START closes only entries of STOP words. Entries of an operator or a file stay, and record the START.
 * SUPPRESS-5 Nothing is deleted. A closed entry records when it was closed, and by which word or caller.
 * SUPPRESS-6 All ids of a recipient are matched: every form of the number that the network uses, and the known lids
 *    (LID-1, LID-2).
 * SUPPRESS-7 A pending message to a suppressed chat ends when the later of message and entry is written, even if the
 * message waits for something else.
 */
import { sql } from 'kysely';
import type {
  CampaignId,
  MessageCategory,
  Suppression,
  SuppressionScope,
  SuppressionSource,
} from '../../contract/index.js';
import { isOfInstances, type ListFilter, newestFirst, pageOf, cursorsByAge } from '../storage/pages.js';
import { formsOf, formsOfEach, keepLids } from './known-lids.js';
import { LedgerPart, type Tx } from '../storage/store.js';
import { decideByWord } from './possible-opt-outs.js';
import {
  isToOneOf,
  lockOptOuts,
  suppressPending,
  activeEntries,
  addEntry,
  closeByStartWords,
  isOfChats,
  newSuppressionId,
  suppressionOf,
  suppressionRows,
} from './suppression-row.js';

interface NewEntry {
  /** Absent: for all instances. */
  readonly instance?: string;
  readonly scope: SuppressionScope;
  readonly nowMs: number;
}

/** A message that means STOP or START. */
export interface OptOutMessage {
  readonly what: 'stop' | 'start';
  readonly instance: string;
  /** The direct chat of the message. */
  readonly chatId: string;
  /** As written. */
  readonly word: string;
  readonly idMessage: string;
  /** The gateway's time, milliseconds since the epoch. */
  readonly atMs: number;
  readonly nowMs: number;
}

/** `instance`: its own entries, and those for all. `instances`: entries for one of these alone. */
interface SuppressionFilter extends ListFilter {
  /** In any form. */
  readonly chatId?: string;
  readonly source?: SuppressionSource;
  readonly scope?: SuppressionScope;
  /** @default false: only entries that apply */
  readonly withRemoved?: boolean;
}

const CURSORS = cursorsByAge('suppressions');

/**
 * Like all methods of the ledger, they throw AppError LEDGER_UNAVAILABLE, and may be called again with the same
 * arguments.
 */
export class Suppressions extends LedgerPart {
  /**
   * For an operator. A repeated request gives the same entry, also in another form of the recipient. Adding never
   * removes an entry.
   */
  add(input: NewEntry & { readonly chatId: string; readonly note?: string }) {
    const { chatId, instance, scope, note, nowMs } = input;
    const now = new Date(nowMs);
    return this.database.transaction(async (tx) => {
      await keepLids(tx);
      const chatIds = await formsOf(tx, chatId);
      const kind = { instance: instance ?? null, scope, source: 'operator' } as const;
      const known = await entryLike(tx, kind, chatIds);
      const entry = { ...kind, chat_id: chatId, since: now, recorded_at: now, note: note ?? null };
      const isListed = known !== undefined && known.removed_at === null;
      const id = isListed ? undefined : await addEntry(tx, entry, chatIds);
      await suppressPending(tx, isToOneOf(chatIds), nowMs);
      const row = isListed ? known : await entryLike(tx, kind, chatIds);
      return { entry: suppressionOf(row!), isNew: id !== undefined };
    });
  }

  /**
   * Many numbers at once, from a file.
   * @returns the chats that had no entry of an import with this scope, one for each recipient
   */
  async import(input: NewEntry & { readonly chatIds: readonly string[] }): Promise<ReadonlySet<string>> {
    const { chatIds, instance, scope, nowMs } = input;
    if (chatIds.length === 0) return new Set();
    const now = new Date(nowMs);
    return this.database.transaction(async (tx) => {
      await keepLids(tx);
      const formsOfChats = await formsOfEach(tx, chatIds);
      // The first chat of each recipient; all its forms give the same set.
      const byRecipient = new Map(
        [...formsOfChats].toReversed().map(([chatId, forms]) => [forms.toSorted()[0], { chatId, forms }]),
      );
      const entries = [...byRecipient.values()].map(({ chatId, forms }) => ({ id: newSuppressionId(), chatId, forms }));
      const forms = entries.flatMap((entry) => entry.forms.map((form) => ({ id: entry.id, form })));
      const { rows } = await sql<{ chat_id: string }>`/* import_suppressions */
        with form as materialized (
          select * from rows from (
            string_to_table(${forms.map(({ id }) => id).join('\n')}::text, chr(10)),
            string_to_table(${forms.map(({ form }) => form).join('\n')}::text, chr(10))
          ) as f (id, chat_id)
        ), listed as materialized (
          select distinct f.id from form f cross join lateral (
            select suppression_id from suppressed_chats where chat_id = f.chat_id offset 0) x
          cross join lateral (select * from suppressions where id = x.suppression_id offset 0) s
          where s.source = 'import' and s.scope = ${scope} and s.removed_at is null
            and s.instance is not distinct from ${instance ?? null}::text
        ), added as (
          insert into suppressions (id, instance, chat_id, scope, source, since, recorded_at)
          select id, ${instance ?? null}::text, chat_id, ${scope}::text,
            'import', ${now}::timestamptz, ${now}::timestamptz
          from rows from (
            string_to_table(${entries.map(({ id }) => id).join('\n')}::text, chr(10)),
            string_to_table(${entries.map(({ chatId }) => chatId).join('\n')}::text, chr(10))
          ) as g (id, chat_id)
          where id not in (select id from listed)
          on conflict do nothing
          returning id, chat_id
        ), known as (
          insert into suppressed_chats (chat_id, suppression_id)
          select f.chat_id, f.id from form f join added a on a.id = f.id
        )
        select chat_id from added`.execute(tx);
      const added = new Set(rows.map(({ chat_id }) => chat_id));
      await suppressPending(tx, isToOneOf([...added].flatMap((chatId) => formsOfChats.get(chatId) ?? [])), nowMs);
      return added;
    });
  }

  /**
   * SUPPRESS-3, SUPPRESS-4. The words of an instance are applied one at a time, since two concurrent ones would not see
   * each other.
   * @returns how many entries it opened or closed, and the ids of those that still apply after a START
   */
  applyWord(message: OptOutMessage): Promise<{ changed: number; left: readonly string[] }> {
    const { what, instance, chatId, idMessage, word, atMs, nowMs } = message;
    return this.database.transaction(async (tx) => {
      await lockOptOuts(tx, instance);
      await keepLids(tx);
      const chatIds = await formsOf(tx, chatId);
      if (what === 'stop') {
        const kind = { chat_id: chatId, instance, scope: 'marketing', source: 'stop_word' } as const;
        const times = { since: new Date(atMs), recorded_at: new Date(nowMs) };
        const id = await addEntry(tx, { ...kind, ...times, word, id_message: idMessage }, chatIds);
        if (id !== undefined) {
          await closeByStartWords(tx, chatIds);
          await suppressPending(tx, isToOneOf(chatIds), nowMs);
        }
        await decideByWord(tx, message);
        return { changed: id === undefined ? 0 : 1, left: [] };
      }
      await sql`
        insert into start_words (instance, id_message, chat_id, word, at)
        select ${instance}, ${idMessage}, unnest(${chatIds}::text[]), ${word}, ${new Date(atMs)}::timestamptz
        on conflict do nothing`.execute(tx);
      const changed = await closeByStartWords(tx, chatIds);
      const { rows: left } = await sql<{ id: string }>`
        select s.id from suppressions s
        where ${isOfChats(chatIds)} and s.removed_at is null and ${isForInstance(instance)}`.execute(tx);
      await decideByWord(tx, message);
      return { changed, left: left.map(({ id }) => id) };
    });
  }

  /**
   * For an operator: closes every entry of the chat, of any source. With an instance, only entries of that instance.
   */
  remove(which: {
    readonly chatId: string;
    readonly instance?: string;
    /** Only entries of these instances are closed and returned. */
    readonly instances?: readonly string[];
    readonly nowMs: number;
  }): Promise<{ readonly removed: readonly Suppression[]; readonly left: readonly Suppression[] }> {
    const { chatId, instance, instances, nowMs } = which;
    const isVisible = instances === undefined ? sql<boolean>`true` : isOfInstances('s.instance', instances);
    return this.database.transaction(async (tx) => {
      await keepLids(tx);
      const chatIds = await formsOf(tx, chatId);
      const { rows } = await sql<{ id: string }>`
        update suppressions s set removed_at = ${new Date(nowMs)}, removed_by = 'operator'
        where s.removed_at is null and ${isOfChats(chatIds)} and ${isVisible} and s.chat_id not like 'erased:%'
          and ${instance === undefined ? sql`true` : sql`s.instance = ${instance}`}
        returning s.id`.execute(tx);
      const closed = new Set(rows.map(({ id }) => id));
      const entries = await suppressionRows(tx)
        .where(
          sql<boolean>`${isOfChats(chatIds)} and ${isVisible}
          and (s.removed_at is null or s.id = any(${[...closed]}::text[]))`,
        )
        .orderBy('s.since')
        .orderBy('s.id')
        .execute();
      return {
        removed: entries.filter(({ id }) => closed.has(id)).map(suppressionOf),
        left: entries.filter(({ id }) => !closed.has(id)).map(suppressionOf),
      };
    });
  }

  /** Newest first. */
  async list({ chatId, instance, source, scope, withRemoved = false, ...page }: SuppressionFilter) {
    const by = { instance: 's.instance', time: 's.recorded_at', id: 's.id', cursors: CURSORS };
    const rows = await this.database.run(async (db) => {
      let query = newestFirst(suppressionRows(db), page, by);
      if (chatId !== undefined) query = query.where(isOfChats(await formsOf(db, chatId)));
      if (instance !== undefined) query = query.where(isForInstance(instance));
      if (source !== undefined) query = query.where('s.source', '=', source);
      if (scope !== undefined) query = query.where('s.scope', '=', scope);
      if (!withRemoved) query = query.where('s.removed_at', 'is', null);
      return query.execute();
    });
    return pageOf(rows, page.limit, suppressionOf, ({ recorded_at, id }) => CURSORS.write(recorded_at, id));
  }

  /** The chats that are suppressed for such a message, of a campaign if one is given. */
  async among(
    chatIds: readonly string[],
    {
      instance,
      category,
      campaignId,
    }: { readonly instance: string; readonly category: MessageCategory; readonly campaignId?: CampaignId },
  ): Promise<ReadonlySet<string>> {
    const rows = await this.database.rows(sql<{ chat_id: string }>`/* suppressed_among */
      select c.chat_id
      from (select unnest(${chatIds}::text[]) as chat_id, ${instance}::text as instance, ${category}::text as category,
        ${campaignId ?? null}::text as campaign_id) c
      where exists (select from ${activeEntries('c')})`);
    return new Set(rows.map(({ chat_id }) => chat_id));
  }
}

/** The operator's entry of this kind that applies to a recipient, else the last one that applied. */
function entryLike(
  tx: Tx,
  { instance, scope, source }: { instance: string | null; scope: SuppressionScope; source: 'operator' },
  chatIds: readonly string[],
) {
  return suppressionRows(tx)
    .where(
      sql<boolean>`${isOfChats(chatIds)} and s.instance is not distinct from ${instance}::text
        and s.scope = ${scope} and s.source = ${source}`,
    )
    .orderBy(sql`s.removed_at is null`, 'desc')
    .orderBy('s.recorded_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Entries of the instance, and those for all. */
function isForInstance(instance: string) {
  return sql<boolean>`(s.instance is null or s.instance = ${instance})`;
}
