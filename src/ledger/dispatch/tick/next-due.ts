import { sql } from 'kysely';
import { UNFINISHED } from '../../campaigns/campaign-tally.js';
import { isUnserved } from '../../instances/dispatcher-view.js';
import { awayState, mayPost } from '../../instances/pauses.js';
import { jsonText } from '../../storage/statements.js';
import type { Db } from '../../storage/store.js';
import type { NextDue, Want } from '../dispatch-ledger.js';
import { hasNoneAhead } from '../read-ahead/read-recipients.js';
import { EDITS_DUE } from './claim-edits.js';
import { claimableAt, kindsOf } from '../../streams/streams.js';
import { stateList } from '../../storage/state-lists.js';

/** For the streams of the wants' instances that only time blocks. */
export async function nextDue(
  db: Db,
  wants: readonly Pick<Want, 'shift' | 'delayed'>[],
  nowMs: number,
): Promise<Map<string, NextDue>> {
  if (wants.length === 0) return new Map();
  const wanted = wants.map(({ shift, delayed = [] }) => ({ instance: shift.instance, delayed: kindsOf(delayed) }));
  const { rows } = await sql<{ instance: string; due_at: Date; extra_room: number }>`/* dispatch_next_due */
    select w.instance, min(greatest(d.due_at, s.claimable_at)) as due_at, max(s.extra_room) as extra_room
    from json_to_recordset(${jsonText(wanted)}::json) as w(instance text, delayed text[])
    cross join lateral (
      select stream.id, stream.extra_room, ${claimableAt(nowMs)} as claimable_at from streams stream
      where stream.instance = w.instance and stream.kind <> all(w.delayed) offset 0) s
    cross join lateral (
      select q.due_at from due_messages q where q.stream_id = s.id and q.due_at < 'infinity'
      order by q.due_at, q.place limit 1) d
    where s.claimable_at < 'infinity'
    group by w.instance`.execute(db);
  return new Map(
    rows.map(({ instance, due_at, extra_room }) => [instance, { atMs: due_at.getTime(), extraRoom: extra_room }]),
  );
}

/**
 * Instances without a shift that have a due message, a running campaign with unread recipients and no messages ahead,
 * an edit to post or to look up, or an attempt whose outcome is open or unknown.
 */
export async function dueInstances(db: Db, limit: number, nowMs: number): Promise<string[]> {
  const now = new Date(nowMs);
  const { rows } = await sql<{ instance: string }>`/* instances_to_wake */
    select instance from (
      select stream.instance from streams stream
      where ${isUnserved('stream', nowMs)}
        and (select min(d.due_at) from due_messages d where d.stream_id = stream.id) <= ${now}::timestamptz
        and ${claimableAt(nowMs)} <= ${now}::timestamptz
      union
      select a.instance from campaigns c join campaign_accounts a on a.campaign_id = c.id and a.out_at is null
      where c.state = 'running' and c.deadline_at > ${now}::timestamptz and ${isUnserved('a', nowMs)}
        and ${hasNoneAhead()}
        and ${mayPost('a', nowMs)} and not exists (${awayState(sql`a.instance`, now)})
      union
      select d.instance from dispatchers d cross join lateral (select ${EDITS_DUE} offset 0) e
      where least(e.post_at, e.read_at) <= ${now}::timestamptz and ${isUnserved('d', nowMs)}
      union
      select m.instance from messages m where m.state in ${stateList('in_flight')} and ${isUnserved('m', nowMs)}) due
    order by instance limit ${limit}`.execute(db);
  return rows.map(({ instance }) => instance);
}

/** Instances that a shift served since then, or that have something to send. */
export async function instancesInUse(db: Db, sinceMs: number): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ instance: string }>`/* instances_in_use */
    select instance from dispatchers where seen_at > ${new Date(sinceMs)}::timestamptz
    union
    select s.instance from streams s where (select min(d.due_at) from due_messages d where d.stream_id = s.id) is not null
    union
    select a.instance from campaigns c join campaign_accounts a on a.campaign_id = c.id
    where c.state in ${UNFINISHED} and a.out_why is distinct from 'removed'`.execute(db);
  return new Set(rows.map(({ instance }) => instance));
}
