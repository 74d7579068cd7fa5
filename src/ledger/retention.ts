/**
 * Deletes what is no longer needed, in bounded parts. docs/guarantees.md lists every table with what bounds it.
 *
 * RETENTION-1 An unresolved message needs what was seen within {@link EVIDENCE_WINDOW_MS} of its claim: later nothing
 *    of it can come. That much is kept for it, up to `keptSinceMs`, and nothing else is kept because of it.
 * RETENTION-2 Records of finished work are deleted once they are older than `keptSinceMs`, and never within that
 *    window.
 */
import { sql, type RawBuilder } from 'kysely';
import { QUEUE_RETENTION_MS, RECEIPT_WAIT_MS, type CampaignId } from '../contract/index.js';
import { removeDiscarded } from './campaigns/audience-rows.js';
import { forgetInParts } from './forget-in-parts.js';
import { removeOldMessages, type RemovedMessages } from './message-retention.js';
import type { Schema } from './schema.js';
import type { Store } from './store.js';
import { stateList } from './state-list.js';

/** The gateway keeps an accepted message for a day, and a notification of it for another. */
export const EVIDENCE_WINDOW_MS = RECEIPT_WAIT_MS + QUEUE_RETENTION_MS;

export class Retention {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Deletes what is no longer needed, in bounded parts. Observations and parked receipts that could belong to an
   * unresolved message are kept for it, but not those from before `keptSinceMs`.
   * @param keptSinceMs  records of finished work from before it are deleted
   * @returns how many rows of each table were deleted
   */
  async removeOld({
    nowMs,
    keptSinceMs: wantedSinceMs,
  }: {
    readonly nowMs: number;
    readonly keptSinceMs: number;
  }): Promise<Readonly<Record<string, number>>> {
    const windowSinceMs = nowMs - EVIDENCE_WINDOW_MS;
    const keptSinceMs = Math.min(wantedSinceMs, windowSinceMs);
    const [kept, evidence] = [time(keptSinceMs), time(windowSinceMs)];
    return {
      observations: await this.#remove('observations', sql`t.seen_at < ${evidence} and not ${needed('seen_at', kept)}`),
      parked_receipts: await this.#remove(
        'parked_receipts',
        sql`t.parked_at < ${evidence} and not ${needed('parked_at', kept)}`,
      ),
      commands: await this.#remove('commands', sql`t.asked_at < ${kept}`),
      operations: await this.#remove('operations', sql`t.ended_at < ${kept}`),
      stories: await this.#remove('stories', sql`t.seen_at < ${kept} and t.at < ${kept}`),
      group_snapshots: await this.#remove(
        'group_snapshots',
        sql`t.seen_until < ${kept} and exists (
          select from group_snapshots newer where newer.instance = t.instance and newer.group_id = t.group_id and newer.seq > t.seq)`,
      ),
      files: await this.#remove('files', sql`t.expires_at < ${time(nowMs)}`),
      file_links: await this.#remove('file_links', sql`t.expires_at < ${time(nowMs)}`),
      replays: await this.#remove('replays', sql`t.ended_at < ${kept}`),
      daily_caps: await this.#remove('daily_caps', sql`t.day_ends_at < ${kept}`),
      instance_pauses: await this.#remove('instance_pauses', sql`t.resumed_at < ${kept}`),
      instance_states: await this.#remove(
        'instance_states',
        sql`t.seen_until < ${kept} and exists (
          select from instance_states newer where newer.instance = t.instance
            and (newer.since, newer.seq) > (t.since, t.seq) and newer.since < ${kept})`,
      ),
      start_words: await this.#remove(
        'start_words',
        sql`t.at < ${kept} and exists (
          select from start_words newer where newer.instance = t.instance and newer.chat_id = t.chat_id and newer.at > t.at)`,
      ),
      audiences: await this.#removeAbandonedImports(keptSinceMs),
    };
  }

  /** Deletes messages and the recipients of campaigns that ended before `keptSinceMs`; see message-retention.ts. */
  removeMessages({
    nowMs,
    keptSinceMs,
  }: {
    readonly nowMs: number;
    readonly keptSinceMs: number;
  }): Promise<RemovedMessages> {
    return removeOldMessages(this.#store, Math.min(keptSinceMs, nowMs - EVIDENCE_WINDOW_MS), nowMs);
  }

  #remove(table: keyof Schema, isOld: RawBuilder<unknown>): Promise<number> {
    return forgetInParts(async (limit) => {
      const { numAffectedRows = 0n } = await this.#store.run((db) =>
        sql`delete from ${sql.table(table)} where ctid in (
          select t.ctid from ${sql.table(table)} t where ${isOld} limit ${limit})`.execute(db),
      );
      return Number(numAffectedRows);
    });
  }

  /** Imports that were interrupted and never begun again, and what an interrupted removal left. */
  async #removeAbandonedImports(keptSinceMs: number): Promise<number> {
    const abandoned = await this.#store.run(async (db) => {
      await db
        .updateTable('audiences')
        .set({ discarded: true })
        .where('finished_at', 'is', null)
        .where('begun_at', '<', new Date(keptSinceMs))
        .execute();
      return db.selectFrom('audiences').select('campaign_id').where('discarded', '=', true).execute();
    });
    const campaigns = new Set<CampaignId>(abandoned.map(({ campaign_id }) => campaign_id));
    for (const id of campaigns) await removeDiscarded(this.#store, id);
    return abandoned.length;
  }
}

/** RETENTION-1. What came after the claim of an attempt without an outcome, and soon enough to be about it. */
function needed(cameAt: 'seen_at' | 'parked_at', kept: RawBuilder<unknown>) {
  const came = sql.ref(`t.${cameAt}`);
  return sql`(${came} >= ${kept} and exists (
    select from messages m join attempts a on a.token = m.attempt_token
    where m.state in ${stateList('in_flight', 'unresolved')} and m.instance = t.instance and a.seq < t.seq
      and ${came} < a.claimed_at + ${EVIDENCE_WINDOW_MS} * interval '1 millisecond'))`;
}

function time(ms: number): RawBuilder<unknown> {
  return sql`${new Date(ms)}::timestamptz`;
}
