/** Which workflow run waits for a message: columns of its row that change neither its state nor its version. */
import { sql } from 'kysely';
import type { MessageId, MessageKind } from '../../contract/index.js';
import { shown } from '../storage/statements.js';
import type { Db, Store } from '../storage/store.js';

/** A message whose workflow has to be started, as `messages.run` says. */
export interface WantedRun {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
}

/** This run waits for the message from now on. @param workflow_id  unless it stays as it is; null: `message:<id>` */
export async function runTakesOver(
  db: Db,
  id: MessageId,
  run: { readonly namespace?: string; readonly workflow_id?: null },
): Promise<void> {
  await db
    .updateTable('messages')
    .set({ ...run, run: 'started' })
    .where('id', '=', id)
    .execute();
}

/** See {@link Messages.runsToStart}. A message that has ended needs no run any more. */
export async function runsToStart(store: Store, limit: number): Promise<WantedRun[]> {
  for (;;) {
    // The next call reads rows that another starter or a tick has locked.
    const rows = await store.rows(sql<WantedRun & { has_ended: boolean }>`/* runs_to_start */
        with first as materialized (
          select m.id, m.instance, m.kind, m.ended_at is not null as has_ended from messages m
          where m.run = 'wanted' order by m.place limit ${limit} for no key update skip locked
        ), ended as (
          update messages m set run = 'none' from first f where m.id = f.id and f.has_ended
        )
        select * from first`);
    const wanted = rows.filter(({ has_ended }) => !has_ended);
    if (wanted.length > 0 || rows.length === 0) return wanted.map((row) => shown(row, 'id', 'instance', 'kind'));
  }
}

export async function runsStarted(store: Store, ids: readonly MessageId[]): Promise<void> {
  await store.rows(sql`/* run_started */
      update messages set run = 'starting'
      where id in (
        select id from messages where id = any(${ids}::text[]) and run = 'wanted' order by id for no key update)`);
}

export async function runAwaitsReceipts(store: Store, id: MessageId): Promise<void> {
  await store.rows(sql`/* await_receipts */
      update messages set run_waits = true where id = ${id} and not run_waits`);
}
