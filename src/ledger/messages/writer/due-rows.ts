/**
 * Rows of `due_messages`, from which messages are selected.
 *
 * DUEROW-1 A message with a stream has a due row exactly while it is pending: the statement that changes its state also
 *    adds or removes the row.
 * DUEROW-2 What a message in flight or in doubt blocks is due again once its state changes. It blocks identical messages
 *    until it has an outcome, or nothing waits for one any more.
 * DUEROW-3 A recipient's message expires at its campaign's deadline as that is now, whatever its rows contain. The sweep
 *    corrects due rows that it reads.
 *
 * STREAM-1 A stream of a campaign has the content, the account, and the recipients' or other hours, that the campaign had
 *    when it was written. Once the campaign has others, nothing is claimed from it; reading ahead composes its messages
 *    again.
 * STREAM-2 A message that returns to its stream locks it, and a stream is removed only without such a lock and without
 *    messages. A message whose stream is gone is parked behind its campaign until it is composed again.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { isInPhase } from '../../../contract/index.js';
import { changesBy, type Fact } from '../../../domain/index.js';
import type { Tx } from '../../storage/store.js';
import type { MessagesTable } from '../../storage/schema.js';
import { stateList } from '../../storage/state-lists.js';

/** STREAM-1: whether a stream's messages have what its campaign `c` sends now. @param stream  an alias */
export function isCurrent(stream: string) {
  const s = sql.table(stream);
  return sql<boolean>`${s}.content_version = c.content_version and (${s}.timezone is not null) = c.by_timezone and ${isIn(stream)}`;
}

/** POOL-2: whether the account of a stream of the campaign `c` gets the campaign's messages. @param stream  an alias */
export function isIn(stream: string) {
  return sql<boolean>`exists (
    select from campaign_accounts own where own.campaign_id = c.id and own.instance = ${sql.table(stream)}.instance and own.out_at is null)`;
}

/**
 * Makes the messages due again that are parked behind one of these messages. Selection checks whether something else
 * blocks them.
 * @param ended  rows with an `id`
 */
export function dueBehind(ended: RawBuilder<unknown>) {
  return sql`
    update due_messages d set due_at = waiting.due_at, behind = null
    from ${ended}, messages waiting
    where d.behind = e.id and waiting.id = d.message_id`;
}

/**
 * A pending message whose text changed since it was parked: its blocker may not apply any more. STREAM-2: one that is
 * parked behind its campaign stays so.
 */
export async function dueAgain(
  tx: Tx,
  {
    stream_id,
    due_at,
    place,
    campaign_id,
  }: Pick<Selectable<MessagesTable>, 'stream_id' | 'due_at' | 'place' | 'campaign_id'>,
): Promise<void> {
  if (stream_id === null || due_at === null || place === null) return;
  await tx
    .updateTable('due_messages')
    .set({ due_at, behind: null })
    .where('stream_id', '=', stream_id)
    .where('place', '=', place)
    .where('behind', 'is not', null)
    .where('behind', 'is distinct from', campaign_id)
    .execute();
}

const POSTED = stateList('in_flight', 'unresolved');

/** What {@link dueRows} reads of a message `m`, besides its id and state. */
export const DUE_COLUMNS = sql`m.stream_id, m.due_at, m.place, m.recipient_key, m.expires_at, m.campaign_id, m.ended_at`;

/** When a message is due that becomes pending again: its gateway may have said when to retry. */
export const DUE_AGAIN_AT = sql`case when m.stream_id is not null then coalesce(
  (select a.retry_at from attempts a where a.token = m.attempt_token), m.due_at) end`;

/**
 * DUEROW-1, DUEROW-2: the parts of a statement whose rows `moved` are the messages that a fact changed, with the state
 * that each `was` in.
 */
export function dueRows(fact: Fact): RawBuilder<unknown> {
  const moves = changesBy(fact).filter(([, { to, now }]) => to !== undefined || now?.includes('ended_at') === true);
  const parts = [
    ...(moves.some(([from]) => isInPhase(from, 'in_flight', 'unresolved')) ? [UNBLOCKED] : []),
    ...(moves.some(([from]) => from === 'pending') ? [REMOVED] : []),
    ...(moves.some(([, { to }]) => to === 'pending') ? [ADDED] : []),
  ];
  return parts.length === 0 ? sql`` : sql.join(parts, sql``);
}

const UNBLOCKED = sql`, undoubted as (
      update attempts a set identical_hash = null from moved c
      where a.message_id = c.id and a.identical_hash is not null and c.was in ${POSTED}
        and (c.state not in ${POSTED} or c.ended_at is not null)
    ), unblocked as (
      ${dueBehind(sql`(select c.id from moved c where c.was in ${POSTED}) e`)}
    )`;

const REMOVED = sql`, not_due as (
      delete from due_messages d using moved c
      where c.was = 'pending' and d.stream_id = c.stream_id and d.due_at in (c.due_at, 'infinity') and d.place = c.place
    )`;

/**
 * An ended campaign has no stream; reading ahead creates one for its retried recipients. STREAM-2: the lock keeps a
 * stream that is there.
 */
const ADDED = sql`, due as (
      insert into due_messages (stream_id, due_at, place, message_id, recipient_key, expires_at, behind)
      select c.stream_id, case when s.id is null then 'infinity' else c.due_at end, c.place, c.id, c.recipient_key,
        c.expires_at, case when s.id is null then c.campaign_id end
      from moved c left join lateral (
        select s.id from streams s where s.id = c.stream_id for key share) s on true
      where c.stream_id is not null
    )`;
