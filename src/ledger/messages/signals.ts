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
    const signals = new Map(claimed.map((row) => [row.message_id, row]));
    const rows = await this.database.run((db) =>
      messageRows(db)
        .where('m.id', 'in', [...signals.keys()])
        .execute(),
    );
    return rows.flatMap((row) => {
      const signal = signals.get(row.id);
      if (signal === undefined) return [];
      const { completes_send: completesSend, tries } = signal;
      return [{ snapshot: snapshotOf(row), completesSend, tries }];
    });
  }

  /** Claimed signals that were not sent are due again. */
  async release(ids: readonly MessageId[], nowMs: number): Promise<void> {
    if (ids.length === 0) return;
    await this.database.run((db) =>
      db
        .updateTable('pending_signals')
        .set({ next_try_at: new Date(nowMs) })
        .where('message_id', 'in', ids)
        .execute(),
    );
  }

  /** The runs know these snapshots. A message that changed since keeps its signal. */
  async sent(snapshots: readonly MessageSnapshot[]): Promise<void> {
    if (snapshots.length === 0) return;
    await this.database.rows(sql`/* remove_sent_signals */
        delete from pending_signals p using ${versions(snapshots)}
        where p.message_id = s.id and p.version <= s.version`);
  }

  /** Postpones one signal until that time, for its own reason. */
  async putOff(id: MessageId, problem: string, nextTryAtMs: number): Promise<void> {
    await this.database.run((db) =>
      db
        .updateTable('pending_signals')
        .set(({ eb }) => ({ next_try_at: new Date(nextTryAtMs), tries: eb('tries', '+', 1), problem }))
        .where('message_id', '=', id)
        .execute(),
    );
  }
}

function versions(snapshots: readonly MessageSnapshot[]) {
  const known = snapshots.map(({ id, version }) => ({ id, version }));
  return sql`json_to_recordset(${jsonText(known)}::json) as s(id text, version integer)`;
}
