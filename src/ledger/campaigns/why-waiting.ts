import { sql } from 'kysely';
import {
  MOST_UNKNOWN,
  type CampaignWait,
  type CampaignWaiting,
  type MessageContent,
  present,
} from '../../contract/index.js';
import { closedStreams } from '../dispatch/streams/closed-streams.js';
import { isReady, TEMPLATE_ALLOWS } from '../dispatch/streams/streams.js';
import { awayState, pauseWait } from '../instances/pauses.js';
import type { Db } from '../storage/store.js';
import { isoOfLater } from '../storage/statements.js';
import { templateWait } from '../templates/template-messages.js';
import type { CampaignRow } from './campaign-row.js';
import type { Tally } from './campaign-tally.js';

/** Stable word for a campaign that pauses itself. */
export const TOO_MANY_FAILURES = 'TOO_MANY_FAILURES' satisfies CampaignWait;

/** A wait of the campaign itself: the compiler rejects a code whose meaning is not known. */
interface Waits extends CampaignWaiting {
  readonly code: CampaignWait;
}

/**
 * Why a started campaign waits. Checked in this order: its start, its automatic pause, its instance, its template, its
 * hours and limits, unknown outcomes, the gateway's queue, its next recipient; once all messages were posted, receipts
 * or an operator. Undefined while it is dispatched.
 */
export async function whyWaiting(
  db: Db,
  row: CampaignRow,
  tally: Tally,
  nowMs: number,
): Promise<CampaignWaiting | undefined> {
  const { state, paused_at, pause_text } = row;
  const start = waitsForStart(row);
  if (start !== undefined) return start;
  if (state === 'paused' && pause_text !== null && paused_at !== null) {
    return { code: TOO_MANY_FAILURES, text: pause_text, since: paused_at.toISOString() };
  }
  if (state === 'running' && tally.pending > 0) return notPosting(db, row, nowMs);
  if (state !== 'running' && state !== 'cancelling') return undefined;
  return afterAll(db, row, tally);
}

/** Undefined for a campaign that has begun. */
function waitsForStart({ state, start_at, start_missed_at, started_at, created_at }: CampaignRow): Waits | undefined {
  if (start_at === null || started_at !== null) return undefined;
  const text = `its start is at ${start_at.toISOString()}`;
  if (state === 'scheduled') return { code: 'START_AT', text, since: created_at.toISOString() };
  if (state !== 'paused' || start_missed_at === null) return undefined;
  return { code: 'START_MISSED', text: text.replace('is', 'was'), since: start_missed_at.toISOString() };
}

async function notPosting(db: Db, row: CampaignRow, nowMs: number): Promise<CampaignWaiting | undefined> {
  return (
    (await waitsForInstance(db, row, nowMs)) ??
    (await waitsForTemplate(db, row)) ??
    (await waitsForTime(db, row, nowMs)) ??
    (await waitsForOutcomes(db, row)) ??
    (await waitsForQueue(db, row, nowMs)) ??
    (await waitsForRecipient(db, row, nowMs))
  );
}

async function waitsForInstance(db: Db, row: CampaignRow, nowMs: number): Promise<Waits | undefined> {
  const pause = await pauseWait(db, row.instance, startOf(row), nowMs);
  if (pause !== undefined) return pause;
  const away = await awayState(sql`${row.instance}::text`, new Date(nowMs)).execute(db);
  const [seen] = away.rows;
  return seen && { code: 'INSTANCE_NOT_AUTHORIZED', text: seen.state, since: isoOfLater(startOf(row), seen.since) };
}

/** A template named by a column is unknown here: each recipient's message waits for its own template. */
async function waitsForTemplate(db: Db, row: CampaignRow): Promise<Waits | undefined> {
  const wait = await templateWait(db, row.instance, row.content as MessageContent, startOf(row));
  return wait && { code: wait.code, text: wait.text, since: wait.since };
}

/** Until the first of its streams with a due message opens. */
async function waitsForTime(db: Db, row: CampaignRow, nowMs: number): Promise<Waits | undefined> {
  const isDue = sql`exists (
    select from due_messages d where d.stream_id = s.id and d.due_at <= ${new Date(nowMs)}::timestamptz)`;
  const closed = await closedStreams(db, sql`s.campaign_id = ${row.id} and ${isDue}`, nowMs);
  const from = startOf(row);
  return closed && { ...closed, since: isoOfLater(from, closed.since === undefined ? from : new Date(closed.since)) };
}

/** The dispatcher limits posting while this many outcomes are unknown. */
async function waitsForOutcomes(db: Db, { instance }: CampaignRow): Promise<Waits | undefined> {
  const { rows } = await sql<{ claimed_at: Date }>`
    select a.claimed_at from messages m join attempts a on a.token = m.attempt_token
    where m.instance = ${instance} and m.state = 'unknown'
    order by a.seq limit ${MOST_UNKNOWN}`.execute(db);
  const last = rows[MOST_UNKNOWN - 1];
  return last && { code: 'OUTCOMES_UNKNOWN', since: last.claimed_at.toISOString() };
}

/** By the last estimate of its dispatcher. */
async function waitsForQueue(db: Db, row: CampaignRow, nowMs: number): Promise<Waits | undefined> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ depth: number; since: Date }>`
    select d.queue_depth as depth, min(due.due_at) as since
    from dispatchers d join streams stream on stream.instance = d.instance and stream.campaign_id = ${row.id}
    cross join lateral (
      select q.due_at from due_messages q where q.stream_id = stream.id and q.due_at <= ${now}
      order by q.due_at, q.place limit 1) due
    where d.instance = ${row.instance} and d.queue_depth >= ${row.high_water} and ${isReady(new Date(nowMs))}
    group by d.queue_depth`.execute(db);
  const [full] = rows;
  return (
    full && {
      code: 'QUEUE_FULL',
      text: `${full.depth} items in the gateway's queue`,
      since: isoOfLater(startOf(row), full.since),
    }
  );
}

/** No recipient is due now: the next one waits for its retry, or an identical message is in flight. */
async function waitsForRecipient(db: Db, row: CampaignRow, nowMs: number): Promise<CampaignWaiting | undefined> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<NextRecipient>`
    select d.due_at < 'infinity' as is_retry, d.due_at <= ${now} as is_due, d.behind = ${row.id} as is_composed_again,
      a.code, a.text, coalesce(a.outcome_at, h.claimed_at) as at
    from streams stream
    cross join lateral (
      select q.* from due_messages q where q.stream_id = stream.id order by q.due_at, q.place limit 1) d
    left join lateral (
      select * from attempts t where t.message_id = d.message_id order by t.seq desc limit 1) a on true
    left join lateral (
      select * from attempts t where t.message_id = d.behind order by t.seq desc limit 1) h on true
    where stream.campaign_id = ${row.id} and ${TEMPLATE_ALLOWS}
    order by d.due_at, d.place limit 1`.execute(db);
  const [next] = rows;
  if (next === undefined || next.is_due || next.is_composed_again === true || next.at === null) return undefined;
  const since = isoOfLater(startOf(row), next.at);
  if (!next.is_retry) return { code: 'MESSAGE_CLAIMED_ELSEWHERE', since };
  if (next.code === null) return undefined;
  return { code: next.code, since, ...present({ text: next.text }) };
}

interface NextRecipient {
  readonly is_retry: boolean;
  readonly is_due: boolean;
  readonly is_composed_again: boolean | null;
  readonly code: string | null;
  readonly text: string | null;
  readonly at: Date | null;
}

/** All messages were posted. An unresolved one waits for an operator or for late evidence. */
async function afterAll(
  db: Db,
  row: CampaignRow,
  { underWay, withoutReceipt, unresolved }: Tally,
): Promise<Waits | undefined> {
  if (underWay + withoutReceipt + unresolved === 0) return undefined;
  const { rows } = await sql<{ at: Date | null }>`
    select max(coalesce(m.accepted_at, m.created_at)) as at from (
      select accepted_at, created_at from messages where campaign_id = ${row.id} order by line desc limit 10) m`.execute(
    db,
  );
  const from = startOf(row);
  const since = isoOfLater(from, rows[0]?.at ?? from);
  return underWay + withoutReceipt === 0
    ? { code: 'MESSAGES_UNRESOLVED', text: `${unresolved} unresolved`, since }
    : { code: 'RECEIPTS', since };
}

/** A reason to wait applies only since the campaign's start. */
function startOf({ started_at, created_at }: CampaignRow): Date {
  return started_at ?? created_at;
}
