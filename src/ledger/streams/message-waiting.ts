/** Why pending messages wait, for views. */
import { type Selectable, sql } from 'kysely';
import {
  DEFAULT_HIGH_WATER,
  groupBy,
  type MessageId,
  type MessageKind,
  present,
  type Priority,
  SEND_OPERATION,
} from '../../contract/index.js';
import { type Blocker, streamBlocker, type StreamFacts } from '../../domain/index.js';
import { type BlockedMessage, readBlocked, remedyOf } from './message-blocker.js';
import { streamFacts, streamsWhere } from './stream-blockers.js';
import type { AttemptsTable, DispatchersTable } from '../storage/schema.js';
import { sinceOf } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import type { listItemOf, MessageRow } from '../messages/message-row.js';

export interface Waiting {
  /** What it waits for, e.g. `QUEUE_FULL`, or the error of its last attempt, e.g. `GATEWAY_UNAUTHORIZED`. */
  readonly code: string;
  /** The gateway's text, or the condition that the message waits for. */
  readonly text?: string;
  /** ISO UTC: since when it has been the same code. */
  readonly since: string;
  /** Absent if something other than time has to end it. */
  readonly until?: string;
  /** A command. */
  readonly remedy?: string;
  /** When a worker estimated what only it knows. */
  readonly asOf?: string;
  /** The identical message to the same chat whose outcome is unknown. */
  readonly identical?: MessageId;
}

/** A message of a list. */
export type MessageListItem = ReturnType<typeof listItemOf> & { readonly waiting?: Waiting };

interface Known {
  readonly stream: StreamFacts | undefined;
  /** What blocks the stream now. */
  readonly now: Blocker | undefined;
  readonly blocked: BlockedMessage | undefined;
  /** Of this message, oldest first. */
  readonly attempts: readonly Selectable<AttemptsTable>[];
  readonly nowMs: number;
}

/**
 * By id: a message waits for its `sendAt`, its stream, what blocks itself, its next try, or the gateway's queue. One
 * without an entry waits only for a worker, or is not pending.
 */
export async function waitingMessages(
  db: Db,
  rows: readonly MessageRow[],
  nowMs: number,
): Promise<ReadonlyMap<string, Waiting>> {
  const pending = rows.filter(({ state }) => state === 'pending');
  if (pending.length === 0) return new Map();
  const ids = pending.map(({ id }) => id);
  const streamIds = [...new Set(pending.flatMap(({ stream_id }) => (stream_id === null ? [] : [String(stream_id)])))];
  const streams = await streamFacts(db, streamsWhere(sql`s.id = any(${streamIds}::bigint[])`), nowMs);
  const blockers = new Map([...streams].map(([id, stream]) => [id, streamBlocker(stream, nowMs)]));
  const blocked = await readBlocked(db, ids, nowMs);
  const all = await db.selectFrom('attempts').selectAll().where('message_id', 'in', ids).orderBy('seq').execute();
  const attempts = groupBy(all, ({ message_id }) => message_id);
  const waiting = new Map<string, Waiting>();
  for (const row of pending) {
    const { id, stream_id } = row;
    const [stream, now] = [streams.get(String(stream_id)), blockers.get(String(stream_id))];
    const why = whyOf(row, { stream, now, blocked: blocked.get(id), attempts: attempts.get(id) ?? [], nowMs });
    if (why !== undefined) waiting.set(id, why);
  }
  const others = pending.filter(({ id }) => !waiting.has(id));
  return new Map([...waiting, ...(await waitingForQueues(db, others, nowMs))]);
}

/** What an event has to end comes first, since only it can be remedied. */
function whyOf(row: MessageRow, { stream, now, blocked, attempts, nowMs }: Known): Waiting | undefined {
  const { send_at, created_at } = row;
  const since = sinceOf(now?.since, created_at);
  if (now !== undefined && now.until === undefined) return { ...now, since };
  if (blocked !== undefined && blocked.code !== 'NOT_DUE') {
    const { code, behind } = blocked;
    const identical = code === 'MESSAGE_CLAIMED_ELSEWHERE' ? (behind as MessageId | null) : null;
    return {
      code,
      since: sinceOf(blocked.since?.toISOString(), created_at),
      ...present({ identical }),
      ...remedyOf(blocked),
    };
  }
  if (send_at !== null && send_at.getTime() > nowMs) {
    const due = dueIn(stream, blocked?.due_at ?? new Date(nowMs));
    return { code: 'SEND_AT', since: created_at.toISOString(), ...due };
  }
  if (now !== undefined) {
    const { until: _, ...why } = now;
    return blocked === undefined
      ? { ...now, since }
      : { ...why, since, ...dueIn(stream, blocked.due_at ?? new Date(nowMs)) };
  }
  const last = attempts.at(-1);
  if (last?.outcome !== 'not_accepted' || last.code === null) return undefined;
  // Waits since the first of the last attempts that ended for this reason.
  const before = attempts.findLastIndex(({ outcome, code }) => outcome !== last.outcome || code !== last.code);
  const first = attempts[before + 1] ?? last;
  const triedAt = last.retry_at === null || last.retry_at < row.expires_at ? last.retry_at : row.expires_at;
  return {
    code: last.code,
    since: (first.outcome_at ?? first.claimed_at).toISOString(),
    ...present({ text: last.text }),
    ...dueIn(stream, triedAt),
  };
}

/** When a message is claimed that is due then: its stream may be blocked at that time. */
function dueIn(stream: StreamFacts | undefined, dueAt: Date | null): Pick<Waiting, 'until'> {
  if (dueAt === null) return {};
  const then = stream && streamBlocker(stream, dueAt.getTime());
  return present({ until: then === undefined ? dueAt.toISOString() : then.until });
}

/** The count stops at this number. */
const MOST_BEFORE = 1_000;

/** By the dispatchers' last estimates. For one message, also how many are sent before it. */
async function waitingForQueues(db: Db, rows: readonly MessageRow[], nowMs: number): Promise<Map<string, Waiting>> {
  if (rows.length === 0) return new Map();
  const instances = [...new Set(rows.map(({ instance }) => instance))];
  const queues = await db
    .selectFrom('dispatchers')
    .select(['instance', 'queue_depth', 'depth_estimated_at', 'release_interval_ms', 'seen_at', 'delays'])
    .where('instance', 'in', instances)
    .where('ended_at', 'is', null)
    .execute();
  const waiting = new Map<string, Waiting>();
  for (const row of rows) {
    const { id, instance, priority, due_at } = row;
    const queue = queues.find((one) => one.instance === instance);
    if (queue === undefined || due_at === null || due_at.getTime() > nowMs) continue;
    const delay = delayOf(queue, row.content.kind, nowMs);
    if (delay !== undefined) waiting.set(id, { ...delay, since: due_at.toISOString() });
    if (delay !== undefined || (queue.queue_depth ?? 0) < DEFAULT_HIGH_WATER[priority as Priority]) continue;
    const before = rows.length > 1 ? '' : await placeInQueue(db, row, queue);
    waiting.set(id, {
      code: 'QUEUE_FULL',
      text: `${queue.queue_depth} items in the gateway's queue${before}`,
      since: due_at.toISOString(),
      ...present({ asOf: queue.depth_estimated_at?.toISOString() }),
    });
  }
  return waiting;
}

/** CAUTION-4: a 429 delays the operation that sends this kind, as its dispatcher last said. */
export function delayOf(
  { delays, seen_at }: Pick<Selectable<DispatchersTable>, 'delays' | 'seen_at'>,
  kind: MessageKind,
  nowMs: number,
): Omit<Waiting, 'since'> | undefined {
  const operation = SEND_OPERATION[kind];
  const untilMs = delays?.[operation] ?? 0;
  if (untilMs <= nowMs) return undefined;
  const until = new Date(untilMs).toISOString();
  return { code: 'GATEWAY_BUSY', text: `the gateway limits ${operation} (429)`, until, asOf: seen_at.toISOString() };
}

/** The time is an estimate from the messages of the same class that are due before. */
async function placeInQueue(
  db: Db,
  { instance, stream_id, due_at, place }: MessageRow,
  queue: Pick<Selectable<DispatchersTable>, 'queue_depth' | 'release_interval_ms'>,
) {
  const { rows } = await sql<{ before: number }>`
    select count(*)::integer as before from (
      select from streams s join due_messages q on q.stream_id = s.id
      where s.instance = ${instance} and s.class = (select class from streams where id = ${stream_id})
        and (q.due_at, q.place) < (${due_at}::timestamptz, ${place}::bigint)
      limit ${MOST_BEFORE}) earlier`.execute(db);
  const before = rows[0]?.before ?? 0;
  const { queue_depth, release_interval_ms } = queue;
  const many = before === MOST_BEFORE ? `more than ${MOST_BEFORE}` : String(before);
  const seconds = Math.ceil((((queue_depth ?? 0) + before + 1) * (release_interval_ms ?? 0)) / 1_000);
  const takes = release_interval_ms === null ? '' : `; it is sent in about ${seconds} s`;
  return `, ${many} messages are sent before it${takes}`;
}
