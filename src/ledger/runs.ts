/** Which messages have a workflow: `messages.run`. A change of it is no new version of the message. */
import { sql } from 'kysely';
import type { MessageId, MessageKind } from '../contract/index.js';
import type { Db } from './store.js';

/** A message whose workflow is to be started. */
export interface WantedRun {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
}

/** See {@link Messages.runsToStart}. What another starter or a tick has locked is left for the next call. */
export async function runsToStart(db: Db, limit: number): Promise<WantedRun[]> {
  for (;;) {
    const { rows } = await sql<WantedRun & { has_ended: boolean }>`/* runs_to_start */
      with first as materialized (
        select m.id, m.instance, m.kind, m.ended_at is not null as has_ended from messages m
        where m.run = 'wanted' order by m.place limit ${limit} for no key update skip locked
      ), ended as (
        update messages m set run = 'none' from first f where m.id = f.id and f.has_ended
      )
      select * from first`.execute(db);
    const wanted = rows.filter(({ has_ended }) => !has_ended);
    if (wanted.length > 0 || rows.length === 0) return wanted.map(({ id, instance, kind }) => ({ id, instance, kind }));
  }
}

/** Signals are recorded from when the workflow takes its row over: whatever came before, it reads. */
export async function runStarted(db: Db, ids: readonly MessageId[]): Promise<void> {
  if (ids.length === 0) return;
  await sql`/* run_started */
    update messages set run = 'starting'
    where id in (
      select id from messages where id = any(${ids}::text[]) and run = 'wanted' order by id for no key update)`.execute(
    db,
  );
}

export async function awaitReceipts(db: Db, id: MessageId): Promise<void> {
  await sql`/* await_receipts */ update messages set run_waits = true where id = ${id} and not run_waits`.execute(db);
}
