import { sql } from 'kysely';
import type { MessageId, MessageSnapshot } from '../../contract/index.js';
import { jsonText } from '../storage/statements.js';
import { LedgerPart } from '../storage/store.js';
import { messageRows, snapshotOf } from './message-row.js';

/** A run that has not been signalled yet. */
export interface PendingSignal {
  /** The message as it is now. */
  readonly snapshot: MessageSnapshot;
  /** Whether the run waits in its send, unless that has not begun: then it reads the row itself. */
  readonly completesSend: boolean;
  /** How often the signal was postponed. */
  readonly tries: number;
}

/**
 * Signals to the runs of changed messages. A trigger records them in the transaction of the change, so that recording
 * an outcome or a receipt waits only for the ledger, and a process that dies loses no signal. A message has one signal,
 * for its newest version.
 */
export class Signals extends LedgerPart {
  /** Due signals, oldest first. No other process gets them during that time. */
  async claim(which: {
    readonly nowMs: number;
    readonly forMs: number;
    readonly limit: number;
  }): Promise<PendingSignal[]> {
    const { nowMs, forMs, limit } = which;
    const claimed = await this.database.rows(sql<{
      message_id: MessageId;
      completes_send: boolean;
      tries: number;
    }>`/* claim_signals */
        with due as (
          select message_id from pending_signals where next_try_at <= ${new Date(nowMs)}::timestamptz
          order by next_try_at, since limit ${limit} for update skip locked
        )
        update pending_signals p set next_try_at = ${new Date(nowMs + forMs)}::timestamptz
        from due where p.message_id = due.message_id
        returning p.message_id, p.completes_send, p.tries`);
    if (claimed.length === 0) return [];
    const ids = claimed.map(({ message_id }) => message_id);
    const rows = await this.database.run((db) => messageRows(db).where('m.id', 'in', ids).execute());
    const snapshots = new Map(rows.map((row) => [row.id, snapshotOf(row)]));
    return claimed.flatMap(({ message_id, completes_send: completesSend, tries }) => {
      const snapshot = snapshots.get(message_id);
      return snapshot === undefined ? [] : [{ snapshot, completesSend, tries }];
    });
  }

  /** Claimed signals that were not sent are due again. */
  async release(ids: readonly MessageId[], nowMs: number): Promise<void> {
    if (ids.length === 0) return;
    await this.database.rows(sql`
      update pending_signals set next_try_at = ${new Date(nowMs)} where message_id = any(${ids}::text[])`);
  }

  /** The runs know these snapshots. A message that changed since keeps its signal. */
  async sent(snapshots: readonly MessageSnapshot[]): Promise<void> {
    if (snapshots.length === 0) return;
    const known = jsonText(snapshots.map(({ id, version }) => ({ id, version })));
    await this.database.rows(sql`/* remove_sent_signals */
        delete from pending_signals p using json_to_recordset(${known}::json) as s(id text, version integer)
        where p.message_id = s.id and p.version <= s.version`);
  }

  /** Postpones one signal until that time, for its own reason. */
  async putOff(id: MessageId, problem: string, nextTryAtMs: number): Promise<void> {
    await this.database.rows(sql`
      update pending_signals set next_try_at = ${new Date(nextTryAtMs)}, tries = tries + 1, problem = ${problem}
      where message_id = ${id}`);
  }
}
