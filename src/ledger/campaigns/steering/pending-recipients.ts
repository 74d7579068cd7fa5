import { sql } from 'kysely';
import type { CampaignId } from '../../../contract/index.js';
import { retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { lockCampaign, type CampaignRow } from '../campaign-row.js';
import { stateList } from '../../messages/message-state.js';

/**
 * The ids of pending messages of a campaign, as the query of a row `id`: those in its streams, those that wait for a
 * stream, and those of recipients that were requested by id before they were read ahead. Reads only pending rows,
 * however large the audience is.
 */
export function pendingRecipients({ id, read_ahead_line }: Pick<CampaignRow, 'id' | 'read_ahead_line'>, limit: number) {
  return sql`(
    select d.message_id as id from streams s join due_messages d on d.stream_id = s.id where s.campaign_id = ${id}
    union
    select d.message_id from due_messages d where d.behind = ${id}
    union
    select m.id from messages m where m.campaign_id = ${id} and m.line > ${read_ahead_line} and m.state = 'pending'
    limit ${limit})`;
}

/** The ids of a campaign's messages with a POST in flight or an unknown outcome, unresolved ones included. */
export function recipientsInDoubt({ id, instance }: Pick<CampaignRow, 'id' | 'instance'>) {
  return sql`(
    select m.id from attempts a join messages m on m.id = a.message_id
    where a.instance = ${instance} and a.identical_hash is not null and (a.outcome is null or a.outcome = 'unknown')
      and m.campaign_id = ${id} and m.state in ${stateList('in_flight', 'unresolved')}
    union
    select m.id from attempts a join messages m on m.id = a.message_id
    where a.outcome = 'unknown' and m.campaign_id = ${id} and m.state in ('unknown', 'unresolved'))`;
}

/** How many rows are ended in one transaction. */
export const ENDED_AT_ONCE = 1_000;

/** Repeats a step under the lock of the campaign's row until it returns true, each time in its own transaction. */
export async function inParts(
  store: Store,
  id: CampaignId,
  part: (tx: Tx, row: CampaignRow) => Promise<boolean>,
): Promise<void> {
  for (let isDone = false; !isDone;) {
    isDone = await retryingTransaction(store, async (tx) => part(tx, await lockCampaign(tx, id)));
  }
}

/**
 * Ends pending messages of a campaign whose row is locked. @returns how many; fewer than {@link ENDED_AT_ONCE}: none is
 * left
 */
export async function endPending(
  tx: Tx,
  row: Pick<CampaignRow, 'id' | 'read_ahead_line'>,
  { state, reason, witness, now }: { state: 'cancelled' | 'expired'; reason: string; witness: string; now: Date },
): Promise<number> {
  const { rows } = await sql`
    with pending as materialized (
      select m.id from messages m
      where m.id in ${pendingRecipients(row, ENDED_AT_ONCE)} and m.state = 'pending'
      order by m.id for no key update of m
    ), ended as (
      update messages m set state = ${state}, reason = ${reason}, ended_at = ${now}, version = m.version + 1
      from pending p where m.id = p.id
      returning m.id, m.version
    )
    insert into evidence (message_id, fact, at, witness, what)
    select id, ${state}::text || ':' || version, ${now}::timestamptz, ${witness}::text, ${reason}::text from ended
    returning message_id`.execute(tx);
  return rows.length;
}
