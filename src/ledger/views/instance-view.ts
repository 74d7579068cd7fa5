import { sql } from 'kysely';
import { present } from '../../contract/index.js';
import type { CampaignRow } from '../campaigns/campaign-row.js';
import { countedTally, UNFINISHED } from '../campaigns/campaign-tally.js';
import { whyWaiting } from '../campaigns/why-waiting.js';
import { wentBack } from '../dispatch/went-back.js';
import { activePauses, seenState } from '../instances/pauses.js';
import { shown } from '../storage/statements.js';
import { type Db, onlyRow } from '../storage/store.js';
import { closedInstance } from '../streams/stream-blockers.js';

const MOST_MESSAGES = 10_000;
const MOST_CAMPAIGNS = 100;
const MOST_UNKNOWN = 100;

type Counts = {
  readonly pending_messages: number;
  readonly unknown_outcomes: number;
  readonly last_notification_at: Date | null;
} & ({ readonly status: null; readonly since: null } | { readonly status: string; readonly since: Date });

/**
 * The ledger's data of one account, except its queue. `pauses` are the active ones, oldest first. `connection` is the
 * gateway's to the network, e.g. `online`, and since when, as far as known; it pauses nothing. `pendingMessages` are
 * single messages that have not been posted. `closed` lists what hours and limits delay now; `today` is absent without
 * a daily cap.
 * @param nowMs  for the reasons why campaigns wait
 */
export async function viewInstance(db: Db, instance: string, nowMs: number) {
  const statement = sql<Counts>`
    select (
      select count(*)::integer from (
        select from streams s join due_messages d on d.stream_id = s.id
        where s.instance = ${instance} and s.campaign_id is null limit ${MOST_MESSAGES}) counted) as pending_messages,
      (select count(*)::integer from (
        select from messages where instance = ${instance} and state = 'unknown' limit ${MOST_UNKNOWN}) counted) as unknown_outcomes,
      (select received_at from notifications where instance = ${instance} order by id desc limit 1)
        as last_notification_at,
      c.status, c.since
    from (select) one left join instance_connections c on c.instance = ${instance}`;
  const { status, since, ...counts } = await onlyRow(db, statement);
  const { rows: campaigns } = await sql<CampaignRow>`
    select c.* from campaigns c join campaign_accounts a on a.campaign_id = c.id
    where a.instance = ${instance} and a.out_why is distinct from 'removed' and c.state in ${UNFINISHED}
    order by c.created_at, c.id limit ${MOST_CAMPAIGNS}`.execute(db);
  const waitingCampaigns = [];
  for (const row of campaigns) {
    const waiting = await whyWaiting(db, row, { tally: await countedTally(db, row), instances: [instance] }, nowMs);
    if (waiting !== undefined) waitingCampaigns.push({ id: row.id, state: row.state, waiting });
  }
  return {
    pauses: await activePauses(db, instance),
    /** The started campaigns that are not sending now, oldest first. */
    waitingCampaigns,
    ...(await closedInstance(db, instance, nowMs)),
    ...shown(counts, 'pending_messages', 'unknown_outcomes', 'last_notification_at'),
    ...present({
      wentBack: await wentBack(db, instance),
      seen: await seenState(db, instance),
      connection: status === null ? null : { status, since: since.toISOString() },
    }),
  };
}
