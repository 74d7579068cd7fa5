import { sql } from 'kysely';
import type { MessageId, MessageSnapshot } from '../../contract/index.js';
import { messageRows, snapshotOf } from '../message-row.js';
import { jsonText } from '../storable.js';
import type { Store } from '../store.js';
import type { PendingSignal, SignalLedger } from './signal-ledger.js';

export class Signals implements SignalLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async owe(snapshots: readonly MessageSnapshot[], nowMs: number): Promise<void> {
    if (snapshots.length === 0) return;
    const now = sql`${new Date(nowMs)}::timestamptz`;
    await this.#store.run((db) =>
      sql`
        insert into pending_signals as p (message_id, version, since, next_try_at)
        select s.id, max(s.version), ${now}, ${now} from ${versions(snapshots)} group by s.id order by s.id
        on conflict (message_id) do update
          set version = greatest(p.version, excluded.version), next_try_at = excluded.next_try_at, tries = 0`.execute(
        db,
      ),
    );
  }

  async due(nowMs: number, limit: number): Promise<PendingSignal[]> {
    const rows = await this.#store.run((db) =>
      messageRows(db)
        .innerJoin('pending_signals as p', 'p.message_id', 'm.id')
        .select('p.tries')
        .where('p.next_try_at', '<=', new Date(nowMs))
        .orderBy('p.next_try_at')
        .orderBy('p.since')
        .orderBy('p.message_id')
        .limit(limit)
        .execute(),
    );
    return rows.map(({ tries, ...row }) => ({ tries, snapshot: snapshotOf(row) }));
  }

  async sent(snapshots: readonly MessageSnapshot[]): Promise<void> {
    if (snapshots.length === 0) return;
    await this.#store.run((db) =>
      sql`
        delete from pending_signals p using ${versions(snapshots)}
        where p.message_id = s.id and p.version <= s.version`.execute(db),
    );
  }

  async putOff(id: MessageId, problem: string, nextTryAtMs: number): Promise<void> {
    await this.#store.run((db) =>
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
