/**
 * Deletes data that is no longer needed, in bounded parts. docs/guarantees.md lists every table with what bounds it.
 *
 * RETENTION-1 An unresolved message needs the evidence that was observed within {@link EVIDENCE_WINDOW_MS} of its
 *    claim; no later evidence is possible. Only that evidence is kept for it, up to `keptSinceMs`.
 * RETENTION-2 Records of finished work are deleted once they are older than `keptSinceMs`, and never within that
 *    window.
 *
 * Messages that ended long ago are deleted if the operator configured an age.
 *
 * RETENTION-3 A message is deleted with all its data in one transaction, once its last change is older than the age and
 *    no run has to start and no edit is open. An unresolved message waits for an operator at any
 *    age.
 * RETENTION-4 A campaign's messages are deleted with its audience, once it ended before the age. One transaction
 *    removes the audience; from then on no recipient can be reported, retried or requested by id. Its row stays, with
 *    its counts, so that it never starts again.
 * RETENTION-5 Nothing is deleted within {@link EVIDENCE_WINDOW_MS}, nor while a frequency cap counts it.
 */
import { type RawBuilder, sql } from 'kysely';
import { type CampaignId, EVIDENCE_WINDOW_MS, type MessageId } from '../contract/index.js';
import { discardAudiences, removeDiscarded } from './campaigns/audiences/audience-rows.js';
import { lockCampaign, changeCampaign } from './campaigns/campaign-row.js';
import { fileIsNeeded } from './privacy/still-needed.js';
import { stateList } from './storage/state-lists.js';
import { removeTexts } from './privacy/remove-texts.js';
import type { Schema } from './storage/schema.js';
import { LedgerPart, forgetInParts, type Store, type Tx } from './storage/store.js';

interface Ages {
  readonly nowMs: number;
  /** Records of finished work from before it are deleted. */
  readonly keptSinceMs: number;
}

/** The longest `stickyFor`. */
const LONGEST_STICKY_MS = 365 * 24 * 60 * 60_000;

export class Retention extends LedgerPart {
  /**
   * Deletes what is no longer needed, in bounded parts. Observations and parked receipts that could belong to an
   * unresolved message are kept for it, but not those from before `keptSinceMs`.
   * @returns how many rows of each table were deleted
   */
  async removeOld({ nowMs, ...ages }: Ages): Promise<Readonly<Record<string, number>>> {
    const windowSinceMs = nowMs - EVIDENCE_WINDOW_MS;
    const keptSinceMs = Math.min(ages.keptSinceMs, windowSinceMs);
    const [kept, evidence] = [time(keptSinceMs), time(windowSinceMs)];
    const newer = (table: string, also: RawBuilder<unknown>) => sql`exists (
      select from ${sql.table(table)} newer where newer.instance = t.instance and ${also})`;
    const old: { readonly [Table in keyof Schema]?: RawBuilder<unknown> } = {
      observations: unneeded('seen_at', evidence, kept),
      parked_receipts: unneeded('parked_at', evidence, kept),
      commands: sql`t.asked_at < ${kept}`,
      conversations: sql`t.received_at < ${time(nowMs - LONGEST_STICKY_MS)}`,
      operations: sql`t.ended_at < ${kept}`,
      stories: sql`t.seen_at < ${kept} and t.at < ${kept}`,
      group_snapshots: sql`t.seen_until < ${kept}
        and ${newer('group_snapshots', sql`newer.group_id = t.group_id and newer.seq > t.seq`)}`,
      files: sql`t.expires_at < ${time(nowMs)} and not ${fileIsNeeded(sql`t.id`)}`,
      file_links: sql`t.expires_at < ${time(nowMs)}`,
      replays: sql`t.ended_at < ${kept}`,
      daily_caps: sql`t.day_ends_at < ${kept}`,
      instance_pauses: sql`t.resumed_at < ${kept}`,
      instance_states: sql`t.seen_until < ${kept}
        and ${newer('instance_states', sql`(newer.since, newer.seq) > (t.since, t.seq) and newer.since < ${kept}`)}`,
      known_lids: sql`t.seen_at < ${kept}
        and not exists (select from messages m where m.recipient_key = t.recipient_key)`,
      possible_opt_outs: sql`t.recorded_at < ${kept} and t.state <> 'open'`,
      start_words: sql`t.at < ${kept}
        and ${newer('start_words', sql`newer.chat_id = t.chat_id and newer.at > t.at`)}`,
    };
    const removed: Record<string, number> = {};
    for (const [table, isOld] of Object.entries(old)) removed[table] = await this.#remove(table, isOld);
    await this.database.rows(sql`
      update possible_opt_outs set text = null
      where state = 'open' and text is not null and recorded_at < ${kept}`);
    return { ...removed, audiences: await this.#removeAbandonedImports(keptSinceMs) };
  }

  /** Deletes messages and the recipients of campaigns that ended before `keptSinceMs`: RETENTION-3 to RETENTION-5. */
  async removeMessages({ nowMs, keptSinceMs }: Ages) {
    const store = this.database;
    // RETENTION-5
    const [longestCap] = await store.rows(sql<{ ms: number }>`
      select coalesce(max(frequency_days), 0) * 86400000::double precision as ms from streams`);
    const before = new Date(Math.min(keptSinceMs, nowMs - EVIDENCE_WINDOW_MS, nowMs - (longestCap?.ms ?? 0)));
    let messages = await removeSingles(store, before);
    const campaigns = await takeAudiences(store, before, nowMs);
    // With rows left: some were under way, or an earlier round was interrupted.
    const withoutAudience = await store.rows(sql<{ id: CampaignId }>`
      select c.id from campaigns c where c.recipients_removed_at is not null and (
        exists (select from messages m where m.campaign_id = c.id) or exists (select from audiences a where a.campaign_id = c.id))
      order by c.id`);
    for (const { id } of withoutAudience) {
      messages += await removeOfCampaign(store, id, before);
      await removeDiscarded(store, id);
    }
    return { campaigns, messages };
  }

  /** Removes the texts of sensitive messages that nothing needs (SECRET-3). @returns how many messages */
  readonly removeTexts = removeTexts.bind(undefined, this.database);

  #remove(table: string, isOld: RawBuilder<unknown>): Promise<number> {
    return forgetInParts(async (limit) => {
      const { numAffectedRows = 0n } = await this.database.run((db) =>
        sql`with doubt as materialized (${IN_DOUBT})
          delete from ${sql.table(table)} where ctid in (
            select t.ctid from ${sql.table(table)} t where ${isOld} limit ${limit})`.execute(db),
      );
      return Number(numAffectedRows);
    });
  }

  /** Imports that were interrupted and never restarted, and the rest of an interrupted removal. */
  async #removeAbandonedImports(keptSinceMs: number): Promise<number> {
    await this.database.rows(sql`
      update audiences set discarded = true where finished_at is null and begun_at < ${new Date(keptSinceMs)}`);
    const abandoned = await this.database.rows(sql<{ campaign_id: CampaignId }>`
      select campaign_id from audiences where discarded`);
    const campaigns = new Set(abandoned.map(({ campaign_id }) => campaign_id));
    for (const id of campaigns) await removeDiscarded(this.database, id);
    return abandoned.length;
  }
}

/** The attempts in doubt, read once for all rows of a part. */
const IN_DOUBT = sql`
  select m.instance, a.seq, a.claimed_at from messages m join attempts a on a.token = m.attempt_token
  where m.state in ${stateList('in_flight', 'unresolved')}`;

/** RETENTION-1: no evidence that arrived after the claim of an attempt in doubt, early enough to be about it. */
function unneeded(cameAt: 'seen_at' | 'parked_at', evidence: RawBuilder<unknown>, kept: RawBuilder<unknown>) {
  const came = sql.ref(`t.${cameAt}`);
  return sql`${came} < ${evidence} and (${came} < ${kept} or not exists (
    select from doubt where doubt.instance = t.instance and doubt.seq < t.seq
      and ${came} < doubt.claimed_at + ${EVIDENCE_WINDOW_MS} * interval '1 millisecond'))`;
}

function time(ms: number): RawBuilder<unknown> {
  return sql`${new Date(ms)}::timestamptz`;
}

/** With the embedded ledger a send waits until the transaction ends. */
const AT_ONCE = 200;

/** Goes from the oldest message to the newest one that may be old enough, and visits each once. */
async function removeSingles(store: Store, before: Date): Promise<number> {
  return inParts(store, { at: '-infinity', id: '' }, async (tx, after) => {
    // The time as text: a Date has no microseconds.
    const { rows } = await sql<{ id: MessageId; at: string; is_single: boolean }>`/* old_messages */
      select m.id, m.created_at::text as at, m.campaign_id is null as is_single from messages m
      where (m.created_at, m.id) > (${after.at}::timestamptz, ${after.id}::text) and m.created_at < ${before}::timestamptz
      order by m.created_at, m.id limit ${AT_ONCE}`.execute(tx);
    const singles = rows.filter(({ is_single }) => is_single).map(({ id }) => id);
    return { removed: await remove(tx, singles, before), last: rows.length < AT_ONCE ? undefined : rows.at(-1) };
  });
}

async function removeOfCampaign(store: Store, id: CampaignId, before: Date): Promise<number> {
  return inParts(store, { state: '', line: 0 }, async (tx, after) => {
    const { rows } = await sql<{ id: MessageId; state: string; line: number }>`/* old_messages_of_campaign */
      select id, state, line from messages
      where campaign_id = ${id} and (state, line) > (${after.state}::text, ${after.line}::integer)
      order by state, line limit ${AT_ONCE}`.execute(tx);
    const ids = rows.map((row) => row.id);
    return { removed: await remove(tx, ids, before), last: rows.length < AT_ONCE ? undefined : rows.at(-1) };
  });
}

/** @param part  processes the rows after a position. @returns how many messages all parts removed */
async function inParts<Position>(
  store: Store,
  first: Position,
  part: (tx: Tx, after: Position) => Promise<{ readonly removed: number; readonly last: Position | undefined }>,
): Promise<number> {
  let total = 0;
  for (let after: Position | undefined = first; after !== undefined;) {
    const from: Position = after;
    const { removed, last } = await store.transaction((tx) => part(tx, from));
    total += removed;
    after = last;
  }
  return total;
}

/** RETENTION-3. @returns how many were deleted */
async function remove(tx: Tx, ids: readonly MessageId[], before: Date): Promise<number> {
  if (ids.length === 0) return 0;
  const { rows } = await sql<{ id: MessageId }>`
    select m.id from messages m
    where m.id = any(${ids}::text[]) and m.run <> 'wanted'
      and (m.state in ${stateList('taken', 'undeliverable', 'unsent')} or m.state in ${stateList('accepted')} and m.ended_at is not null)
      and greatest(m.created_at, m.ended_at, m.accepted_at, m.sent_seen_at, m.delivered_seen_at, m.read_seen_at) < ${before}::timestamptz
      and not exists (
        select from edits e where e.message_id = m.id and (e.ended_at is null or e.ended_at >= ${before}::timestamptz))
    for update of m skip locked`.execute(tx);
  const old = rows.map(({ id }) => id);
  if (old.length === 0) return 0;
  for (const table of ['attempts', 'evidence', 'message_ids', 'edits', 'outbox', 'campaign_responses']) {
    await sql`delete from ${sql.table(table)} where message_id = any(${old}::text[])`.execute(tx);
  }
  await sql`delete from messages where id = any(${old}::text[])`.execute(tx);
  return old.length;
}

/** RETENTION-4. @returns how many campaigns */
async function takeAudiences(store: Store, before: Date, nowMs: number): Promise<number> {
  const rows = await store.rows(sql<{ id: CampaignId }>`
      select id from campaigns where ended_at < ${before}::timestamptz and recipients_removed_at is null order by ended_at`);
  let taken = 0;
  for (const { id } of rows) {
    await store.transaction(async (tx) => {
      const { ended_at } = await lockCampaign(tx, id);
      // A campaign that was retried meanwhile runs again.
      if (ended_at === null || ended_at >= before) return;
      await changeCampaign(tx, id, { audience_no: null, recipients_removed_at: new Date(nowMs) });
      await discardAudiences(tx, id, null);
      taken += 1;
    });
  }
  return taken;
}
