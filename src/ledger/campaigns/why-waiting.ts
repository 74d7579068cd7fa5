import { sql } from 'kysely';
import {
  MOST_UNKNOWN,
  type CampaignWait,
  type CampaignWaiting,
  type MessageId,
  present,
} from '../../contract/index.js';
import { streamBlocker } from '../../domain/index.js';
import { isCurrent } from '../messages/writer/due-rows.js';
import { readBlocked, remedyOf } from '../streams/message-blocker.js';
import { blockerOfAll, streamFacts, streamsOfCampaign, streamsWhere } from '../streams/stream-blockers.js';
import { claimableAt } from '../streams/streams.js';
import type { Db } from '../storage/store.js';
import { isoOfLater, sinceOf } from '../storage/statements.js';
import { delayOf } from '../streams/message-waiting.js';
import type { CampaignRow } from './campaign-row.js';
import type { Tally } from './campaign-tally.js';

/** Stable word for a campaign that pauses itself. */
export const TOO_MANY_FAILURES = 'TOO_MANY_FAILURES' satisfies CampaignWait;

/** By an operator. */
const PAUSED = 'PAUSED' satisfies CampaignWait;

/**
 * Why a started campaign waits. Checked in this order: its start, its pause, its instance, its template, its
 * hours and limits, unknown outcomes, the gateway's queue, its next recipient; once all messages were posted, receipts
 * or an operator. Undefined while it is dispatched.
 * @param known  its counts, and the accounts that get its messages
 */
export async function whyWaiting(
  db: Db,
  row: CampaignRow,
  { tally, instances }: { readonly tally: Tally; readonly instances: readonly string[] },
  nowMs: number,
): Promise<CampaignWaiting | undefined> {
  const { id, state, start_at, start_missed_at, started_at, created_at, paused_at, pause_text } = row;
  const resumes = { remedy: `everpost campaign resume ${id}` };
  if (start_at !== null && started_at === null) {
    const startAt = start_at.toISOString();
    if (state === 'scheduled') {
      const text = `its start is at ${startAt}`;
      return { code: 'START_AT' satisfies CampaignWait, text, since: created_at.toISOString(), until: startAt };
    }
    if (state === 'paused' && start_missed_at !== null) {
      const text = `its start was at ${startAt}`;
      return { code: 'START_MISSED' satisfies CampaignWait, text, since: start_missed_at.toISOString(), ...resumes };
    }
  }
  if (state === 'paused' && paused_at !== null) {
    const why = pause_text === null ? { code: PAUSED } : { code: TOO_MANY_FAILURES, text: pause_text };
    return { ...why, since: paused_at.toISOString(), ...resumes };
  }
  if (state === 'running' && tally.pending > 0) {
    return (
      (await waitsForStreams(db, row, nowMs)) ??
      (await waitsForAccounts(db, row, instances, nowMs)) ??
      (await waitsForRecipient(db, row, nowMs))
    );
  }
  return state === 'running' || state === 'cancelling' ? afterAll(db, row, tally) : undefined;
}

/** Until the first of its streams with a due message is claimable. */
async function waitsForStreams(db: Db, row: CampaignRow, nowMs: number): Promise<CampaignWaiting | undefined> {
  const isDue = sql`exists (
    select from campaigns c join due_messages d on d.stream_id = s.id and d.due_at <= ${new Date(nowMs)}::timestamptz
    where c.id = s.campaign_id and ${isCurrent('s')})`;
  const streams = await streamFacts(db, streamsWhere(sql`s.campaign_id = ${row.id} and ${isDue}`), nowMs);
  let blocker = blockerOfAll(streams.values(), nowMs);
  if (blocker === undefined) {
    // What blocks its first account, if all are blocked, apart from times, which differ between streams.
    const accounts = await streamFacts(db, streamsOfCampaign(row.id), nowMs);
    const blockers = Array.from(accounts.values(), ({ rules: { instance, isUrgent, isMarketing }, ...facts }) =>
      streamBlocker({ ...facts, caps: [], rules: { instance, isUrgent, isMarketing, settings: {} } }, nowMs),
    );
    if (!blockers.includes(undefined)) [blocker] = blockers;
  }
  return blocker && { ...blocker, since: sinceOf(blocker.since, startOf(row)) };
}

/** Why all accounts wait: the reason of the first one. */
async function waitsForAccounts(db: Db, row: CampaignRow, instances: readonly string[], nowMs: number) {
  let first: CampaignWaiting | undefined;
  for (const instance of instances) {
    const own = await waitsForAccount(db, row, instance, nowMs);
    if (own === undefined) return undefined;
    first ??= own;
  }
  return first;
}

/** For unknown outcomes, for the rate limit as its dispatcher last said, or for its queue by the last estimate. */
async function waitsForAccount(
  db: Db,
  row: CampaignRow,
  instance: string,
  nowMs: number,
): Promise<CampaignWaiting | undefined> {
  // The dispatcher limits posting while this many outcomes are unknown.
  const unknown = await sql<{ claimed_at: Date }>`
    select a.claimed_at from messages m join attempts a on a.token = m.attempt_token
    where m.instance = ${instance} and m.state = 'unknown'
    order by a.seq limit ${MOST_UNKNOWN}`.execute(db);
  const last = unknown.rows[MOST_UNKNOWN - 1];
  if (last !== undefined)
    return { code: 'OUTCOMES_UNKNOWN' satisfies CampaignWait, since: last.claimed_at.toISOString() };
  const dispatcher = await db
    .selectFrom('dispatchers')
    .select(['delays', 'seen_at'])
    .where('instance', '=', instance)
    .executeTakeFirst();
  const delay = dispatcher && delayOf(dispatcher, row.content.kind, nowMs);
  if (delay) return { ...delay, since: isoOfLater(startOf(row), dispatcher.seen_at) };
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<{ depth: number; estimated_at: Date | null; since: Date }>`
    select d.queue_depth as depth, d.depth_estimated_at as estimated_at, min(due.due_at) as since
    from dispatchers d join streams stream on stream.instance = d.instance and stream.campaign_id = ${row.id}
    cross join lateral (
      select q.due_at from due_messages q where q.stream_id = stream.id and q.due_at <= ${now}
      order by q.due_at, q.place limit 1) due
    where d.instance = ${instance} and d.queue_depth >= ${row.high_water} and ${claimableAt(nowMs)} <= ${now}
    group by d.queue_depth, d.depth_estimated_at`.execute(db);
  const [full] = rows;
  if (full === undefined) return undefined;
  return {
    code: 'QUEUE_FULL' satisfies CampaignWait,
    text: `${full.depth} items in the gateway's queue`,
    since: isoOfLater(startOf(row), full.since),
    ...present({ asOf: full.estimated_at?.toISOString() }),
  };
}

/** No recipient is due now: the next one waits for its retry, or an identical message is in flight. */
async function waitsForRecipient(db: Db, row: CampaignRow, nowMs: number): Promise<CampaignWaiting | undefined> {
  const { rows } = await sql<{ message_id: MessageId; code: string | null; text: string | null; at: Date | null }>`
    select d.message_id, a.code, a.text, coalesce(a.outcome_at, a.claimed_at) as at
    from streams stream
    cross join lateral (
      select q.* from due_messages q where q.stream_id = stream.id order by q.due_at, q.place limit 1) d
    left join lateral (
      select * from attempts t where t.message_id = d.message_id order by t.seq desc limit 1) a on true
    where stream.campaign_id = ${row.id}
    order by d.due_at, d.place limit 1`.execute(db);
  const [next] = rows;
  if (next === undefined) return undefined;
  const blocked = (await readBlocked(db, [next.message_id], nowMs)).get(next.message_id);
  const from = startOf(row);
  if (blocked?.code === 'MESSAGE_CLAIMED_ELSEWHERE') {
    return { code: blocked.code, since: isoOfLater(from, blocked.since ?? from), ...remedyOf(blocked) };
  }
  if (blocked?.code !== 'NOT_DUE' || next.code === null) return undefined;
  const { code, text, at } = next;
  const until = blocked.due_at.toISOString();
  return { code, since: isoOfLater(from, at ?? from), until, ...present({ text }) };
}

/** All messages were posted. An unresolved one waits for an operator or for late evidence. */
async function afterAll(
  db: Db,
  row: CampaignRow,
  { underWay, withoutReceipt, unresolved }: Tally,
): Promise<CampaignWaiting | undefined> {
  if (underWay + withoutReceipt + unresolved === 0) return undefined;
  const { rows } = await sql<{ at: Date | null }>`
    select max(coalesce(m.accepted_at, m.created_at)) as at from (
      select accepted_at, created_at from messages where campaign_id = ${row.id} order by line desc limit 10) m`.execute(
    db,
  );
  const from = startOf(row);
  const since = isoOfLater(from, rows[0]?.at ?? from);
  // The report lists them; each is resolved by itself.
  return underWay + withoutReceipt === 0
    ? {
        code: 'MESSAGES_UNRESOLVED' satisfies CampaignWait,
        text: `${unresolved} unresolved`,
        since,
        remedy: `everpost campaign report ${row.id}`,
      }
    : { code: 'RECEIPTS' satisfies CampaignWait, since };
}

/** A reason to wait applies only since the campaign's start. */
function startOf({ started_at, created_at }: CampaignRow): Date {
  return started_at ?? created_at;
}
