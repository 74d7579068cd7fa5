/** Which workflow run shows a message: columns of its row that change neither its state nor its version. */
import { sql } from 'kysely';
import {
  EDIT_WINDOW_MS,
  MESSAGE_WORKFLOW_PREFIX,
  type MessageId,
  type MessageKind,
  SEND_ACTIVITY_ID,
  SENT_OR_OVER,
  WAITING_TRY_MS,
} from '../../contract/index.js';
import { jsonText, shown } from '../storage/statements.js';
import type { Db, Store } from '../storage/store.js';

/** A message whose workflow has to be started, as `messages.run` says. */
export interface WantedRun {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
  /** ISO UTC. */
  readonly expiresAt: string;
}

/** This run shows the message from now on. @param workflow_id  unless it stays as it is; null: `message:<id>` */
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

/** A workflow that was started for a message. */
export interface StartedRun {
  readonly id: MessageId;
  /** Absent: another start of the same workflow came first. */
  readonly runId?: string;
}

/** See {@link Messages.runsToStart}. A message whose edit window has closed, or that ended as long ago, has no story. */
export async function runsToStart(store: Store, limit: number, nowMs: number): Promise<WantedRun[]> {
  const since = sql`${new Date(nowMs - EDIT_WINDOW_MS)}::timestamptz`;
  for (;;) {
    // The next call reads rows that another starter or a tick has locked.
    const rows = await store.rows(sql<
      Omit<WantedRun, 'expiresAt'> & { is_over: boolean; expires_at: Date }
    >`/* runs_to_start */
        with first as materialized (
          select m.id, m.instance, m.kind, m.expires_at, coalesce(coalesce(m.ended_at, m.sent_seen_at) < ${since}, false) as is_over from messages m
          where m.run = 'wanted' order by m.place limit ${limit} for no key update skip locked
        ), over as (
          update messages m set run = 'none' from first f where m.id = f.id and f.is_over
        )
        select * from first`);
    const wanted = rows.filter(({ is_over }) => !is_over);
    if (wanted.length > 0 || rows.length === 0)
      return wanted.map((row) => shown(row, 'id', 'instance', 'kind', 'expires_at'));
  }
}

/** Their send activities wait from now on (AWAIT-1), so that a worker that dies in one of them loses no completion. */
export async function runsStarted(store: Store, runs: readonly StartedRun[], namespace: string, nowMs: number) {
  const started = jsonText(runs.map(({ id, runId }) => ({ id, run_id: runId ?? null })));
  const tryEnds = sql`${new Date(nowMs + WAITING_TRY_MS)}::timestamptz`;
  await store.rows(sql`/* run_started */
      with s as materialized (
        select s.id, s.run_id, m.state, m.ended_at from json_to_recordset(${started}::json) as s(id text, run_id text)
        join messages m on m.id = s.id order by s.id for no key update of m
      ), marked as (
        update messages m set run = 'started', namespace = ${namespace}, workflow_id = null from s where m.id = s.id
      )
      insert into outbox (message_id, workflow_id, run_id, activity_id, until, due_at)
      select id, ${MESSAGE_WORKFLOW_PREFIX} || id, run_id, ${SEND_ACTIVITY_ID}, ${SENT_OR_OVER}::text[], ${tryEnds} from s
      where run_id is not null and ended_at is null and state <> all(${SENT_OR_OVER}::text[])
      on conflict (run_id, activity_id) do nothing`);
}
