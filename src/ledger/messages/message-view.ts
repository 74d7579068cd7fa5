import { type Selectable, sql } from 'kysely';
import {
  LONGEST_UNKNOWN_MS,
  type MessageId,
  present,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
  DEFAULT_HIGH_WATER,
  type Priority,
} from '../../contract/index.js';
import { callbacksOf, type CallbackView } from '../events/stored-events.js';
import type { AttemptsTable, EvidenceTable } from '../schema.js';
import { shown, isoOfLater } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { editsOf, editViewOf } from './edits/edit-row.js';
import { listItemOf, type MessageRow, readMessage } from './message-row.js';
import { closedStreams } from '../dispatch/streams/closed-streams.js';
import { IDENTICAL_ATTEMPTS } from './identical.js';
import { awayState, pauseWait } from '../instances/pauses.js';
import { templateWait } from '../templates/template-messages.js';

/** The ledger's data of one message. For operators and the API, never for a workflow's history. */
export type MessageView = NonNullable<Awaited<ReturnType<typeof viewMessage>>>;

/** Evidence, attempts and edits are in the order in which they became known. */
export async function viewMessage(db: Db, id: MessageId, nowMs: number) {
  const row = await readMessage(db, id);
  if (row === undefined) return undefined;
  const all = db.selectFrom('evidence').selectAll().where('message_id', '=', id);
  const evidence = await all.orderBy('at').orderBy('seq').execute();
  const attempts = await db.selectFrom('attempts').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  const edits = await editsOf(db, id);
  const waiting = await waitingOf(db, row, attempts, nowMs);
  const callbacks: readonly CallbackView[] | null = row.status_callback === null ? null : await callbacksOf(db, id);
  return {
    ...listItemOf(row),
    ...present({ waiting, unknown: unknownOutcome(row, attempts), possibleMatches: await possibleMatches(db, row) }),
    evidence: evidence.map(evidenceOf),
    attempts: attempts.map(attemptViewOf),
    edits: edits.map(editViewOf),
    /** With a `statusCallback`: the events for it, and the progress of their deliveries. */
    ...present({ callbacks }),
  };
}

function evidenceOf(row: Selectable<EvidenceTable>) {
  const detail = row.detail as Readonly<Record<string, unknown>> | null;
  return { ...shown(row, 'at', 'witness', 'what'), ...present({ detail }) };
}

/**
 * `witness`: `request`, `claim`, `response`, `receipt`, `edit`, `sweeper`, `operator`, `workflow` … `what`: a stable
 * word, e.g. `accepted`, `sent`, `lost_response`. No secrets.
 */
export type Evidence = ReturnType<typeof evidenceOf>;

function attemptViewOf(row: Selectable<AttemptsTable>) {
  return {
    ...shown(row, 'token', 'claimed_at', 'posting_deadline_at', 'outcome', 'outcome_at', 'id_message', 'code', 'text'),
    ...shown(row, 'http_status', 'retry_at'),
  };
}

/** `retryAt`: when the next attempt is due, for an attempt that was surely not accepted. */
export type AttemptView = ReturnType<typeof attemptViewOf>;

/**
 * How long everpost tries to determine the outcome of a request whose response was lost, and what happens then.
 * @param attempts  of this message, oldest first
 */
function unknownOutcome(
  row: Pick<MessageRow, 'state' | 'attempt_token' | 'on_unknown'>,
  attempts: readonly Selectable<AttemptsTable>[],
) {
  const attempt = attempts.find(({ token }) => token === row.attempt_token);
  if (row.state !== 'unknown' || attempt === undefined) return undefined;
  const mayPresume = row.on_unknown === 'auto';
  const patienceMs = mayPresume ? SUCCESSOR_PATIENCE_MS : WITNESS_PATIENCE_MS;
  const until = (ms: number) => new Date(attempt.reconcile_after.getTime() + ms).toISOString();
  return {
    /** ISO UTC: when the request began to leave. */
    since: attempt.claimed_at.toISOString(),
    /** Until when the gateway's queue, its journal and its notifications are watched. */
    witnessesUntil: until(patienceMs),
    /** The latest end, if a witness cannot be asked or shows a message that may be this one. */
    atLatest: until(LONGEST_UNKNOWN_MS),
    /**
     * What happens if nothing shows the outcome until then. `unresolved`: an operator has to resolve the message.
     * `presume_or_unresolved`: it is sent again if it is presumed never to have been accepted, else it is unresolved.
     */
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
    then: mayPresume ? ('presume_or_unresolved' as const) : ('unresolved' as const),
  };
}

/**
 * Messages that the gateway shows in the chat of an unknown lid, with the same content: an operator may recognise one.
 * Those that belong to a message by now are left out.
 */
async function possibleMatches(db: Db, { id, instance, state, attempt_token }: MessageRow) {
  if (state !== 'unknown' && state !== 'unresolved') return undefined;
  const { rows } = await sql<{ id_message: string; chat_id: string; witness: string; at: Date }>`
    select e.detail->>'idMessage' as id_message, e.detail->>'chatId' as chat_id, e.witness, e.at from evidence e
    where e.message_id = ${id} and e.what = 'possible_match' and e.detail->>'attempt' = ${attempt_token}
      and not exists (select from message_ids i
        where i.instance = ${instance} and i.id_message = e.detail->>'idMessage')
    order by e.seq`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.map((row) => ({
    ...shown(row, 'id_message', 'chat_id', 'witness', 'at'),
    text: `id ${row.id_message}, same content, chat ${row.chat_id}. If it is this message: everpost message resolve ${id} --as accepted --id-message ${row.id_message}`,
  }));
}

/** Why a pending message waits. */
export interface Waiting {
  /** What it waits for, e.g. `QUEUE_FULL`, or the error of its last attempt, e.g. `GATEWAY_UNAUTHORIZED`. */
  readonly code: string;
  /** The gateway's text, or the condition that the message waits for. */
  readonly text?: string;
  /** ISO UTC: since when it has been the same code. */
  readonly since: string;
  readonly nextTryAt?: string;
  /** The identical message to the same chat whose outcome is unknown. */
  readonly identical?: MessageId;
}

/**
 * Why a pending message waits: its `sendAt`, a pause of its instance, its template, its hours and limits, the phone, an
 * identical message with an unknown outcome, its next try, or the gateway's queue. Undefined if it waits only for a
 * worker.
 * @param attempts  of this message, oldest first
 */
async function waitingOf(
  db: Db,
  row: MessageRow,
  attempts: readonly Selectable<AttemptsTable>[],
  nowMs: number,
): Promise<Waiting | undefined> {
  if (row.state !== 'pending') return undefined;
  return (
    waitingForSendAt(row, nowMs) ??
    (await pauseWait(db, row.instance, row.created_at, nowMs)) ??
    (await waitingForTemplate(db, row)) ??
    (await waitingForTime(db, row, nowMs)) ??
    (await waitingForPhone(db, row, nowMs)) ??
    (await waitingForIdentical(db, row)) ??
    waitingSince(row, attempts) ??
    (await waitingForQueue(db, row, nowMs))
  );
}

function waitingForSendAt({ send_at, created_at }: MessageRow, nowMs: number): Waiting | undefined {
  if (send_at === null || send_at.getTime() <= nowMs) return undefined;
  return { code: 'SEND_AT', since: created_at.toISOString(), nextTryAt: send_at.toISOString() };
}

async function waitingForTemplate(db: Db, { instance, content, created_at }: MessageRow): Promise<Waiting | undefined> {
  const wait = await templateWait(db, instance, content, created_at);
  if (wait === undefined) return undefined;
  const { until, ...why } = wait;
  return { ...why, ...present({ nextTryAt: until }) };
}

async function waitingForTime(
  db: Db,
  { stream_id, created_at }: MessageRow,
  nowMs: number,
): Promise<Waiting | undefined> {
  if (stream_id === null) return undefined;
  const closed = await closedStreams(db, sql`s.id = ${stream_id}`, nowMs);
  if (closed === undefined) return undefined;
  const { code, text, since, until } = closed;
  const from = since === undefined ? created_at : new Date(since);
  return { code, since: isoOfLater(created_at, from), ...present({ text, nextTryAt: until }) };
}

/** A message that may wait for the phone in the gateway's queue does not wait here. */
async function waitingForPhone(
  db: Db,
  { instance, stream_id, created_at }: MessageRow,
  nowMs: number,
): Promise<Waiting | undefined> {
  const { rows } = await sql<{ state: string; since: Date }>`
    select away.state, away.since
    from streams s cross join lateral (${awayState(sql`${instance}::text`, new Date(nowMs))}) away
    where s.id = ${stream_id} and s.needs_phone`.execute(db);
  const [seen] = rows;
  return seen && { code: 'INSTANCE_NOT_AUTHORIZED', text: seen.state, since: isoOfLater(created_at, seen.since) };
}

async function waitingForIdentical(db: Db, { id }: MessageRow): Promise<Waiting | undefined> {
  const { rows } = await sql<{ identical: MessageId; since: Date }>`
    select i.message_id as identical, greatest(i.claimed_at, m.created_at) as since
    from messages m cross join lateral (select * from ${IDENTICAL_ATTEMPTS} limit 1) i
    where m.id = ${id}`.execute(db);
  const [row] = rows;
  return row && { code: 'MESSAGE_CLAIMED_ELSEWHERE', since: row.since.toISOString(), identical: row.identical };
}

function waitingSince(row: MessageRow, attempts: readonly Selectable<AttemptsTable>[]): Waiting | undefined {
  const last = attempts.at(-1);
  if (last?.outcome !== 'not_accepted' || last.code === null) return undefined;
  // Skips back to the last attempt with another reason.
  const before = attempts.findLastIndex(({ outcome, code }) => outcome !== last.outcome || code !== last.code);
  const first = attempts[before + 1] ?? last;
  const nextTryAt = last.retry_at === null || last.retry_at < row.expires_at ? last.retry_at : row.expires_at;
  return {
    code: last.code,
    since: (first.outcome_at ?? first.claimed_at).toISOString(),
    ...present({ text: last.text, nextTryAt: nextTryAt?.toISOString() }),
  };
}

/** The count stops at this number. */
const MOST_BEFORE = 1_000;

/**
 * Uses the dispatcher's last estimate of the queue. The time is an estimate from the messages of the same class that are due before.
 */
async function waitingForQueue(db: Db, row: MessageRow, nowMs: number): Promise<Waiting | undefined> {
  const { instance, priority, stream_id, due_at, place } = row;
  if (stream_id === null || due_at === null || due_at.getTime() > nowMs) return undefined;
  const highWater = DEFAULT_HIGH_WATER[priority as Priority];
  const { rows } = await sql<{ depth: number; release_interval_ms: number | null; before: number }>`
    select d.queue_depth as depth, d.release_interval_ms, (
      select count(*)::integer from (
        select from streams s join due_messages q on q.stream_id = s.id
        where s.instance = d.instance and s.class = (select class from streams where id = ${stream_id})
          and (q.due_at, q.place) < (${due_at}::timestamptz, ${place}::bigint)
        limit ${MOST_BEFORE}) earlier) as before
    from dispatchers d
    where d.instance = ${instance} and d.ended_at is null and d.queue_depth >= ${highWater}`.execute(db);
  const [full] = rows;
  if (full === undefined) return undefined;
  const { depth, release_interval_ms, before } = full;
  const queued = `${depth} items in the gateway's queue`;
  const many = before === MOST_BEFORE ? `more than ${MOST_BEFORE}` : String(before);
  const seconds = Math.ceil(((depth + before + 1) * (release_interval_ms ?? 0)) / 1_000);
  const takes = release_interval_ms === null ? '' : `; it is sent in about ${seconds} s`;
  return {
    code: 'QUEUE_FULL',
    text: `${queued}, ${many} messages are sent before it${takes}`,
    since: due_at.toISOString(),
  };
}
