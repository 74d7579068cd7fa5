import { sql } from 'kysely';
import { type CampaignId, type CampaignState, type CampaignWaiting, present } from '../../contract/index.js';
import { UNFINISHED } from '../campaigns/campaign-tally.js';
import { whyWaiting } from '../campaigns/why-waiting.js';
import { countedTally } from '../dispatch/read-ahead/campaign-counts.js';
import { closedInstance, type ClosedInstance, type PostedToday } from '../dispatch/streams/closed-streams.js';
import type { Db } from '../storage/store.js';
import { activePauses, type InstancePause } from './pauses.js';
import { type InstanceStateView, seenState } from './seen-state.js';

/** A started campaign that is not sending now. */
export interface WaitingCampaign {
  readonly id: CampaignId;
  readonly state: CampaignState;
  readonly waiting: CampaignWaiting;
}

/** The ledger's data of one account, except its queue. */
export interface InstanceView {
  readonly seen?: InstanceStateView;
  /**
   * The gateway's connection to the network: its name of the status, e.g. `online`, and since when, as far as known.
   * Pauses nothing.
   */
  readonly connection?: { readonly status: string; readonly since: string };
  /** The active pauses, oldest first. */
  readonly pauses: readonly InstancePause[];
  /** Single messages that have not been posted, counted up to 10,000. */
  readonly pendingMessages: number;
  /** At most 100, oldest first. */
  readonly waitingCampaigns: readonly WaitingCampaign[];
  /** Messages with an unknown outcome, counted up to 100. */
  readonly unknownOutcomes: number;
  /** Messages of campaigns and single messages that hours and limits delay now. */
  readonly closed: readonly ClosedInstance[];
  /** Absent without a daily cap. */
  readonly today?: PostedToday;
  /** ISO UTC. */
  readonly lastNotificationAt?: string;
}

const MOST_MESSAGES = 10_000;
const MOST_CAMPAIGNS = 100;
const MOST_UNKNOWN = 100;

export async function instanceView(db: Db, instance: string, nowMs: number): Promise<InstanceView> {
  const connection = await db
    .selectFrom('instance_connections')
    .select(['status', 'since'])
    .where('instance', '=', instance)
    .executeTakeFirst();
  return {
    pauses: await activePauses(db, instance),
    pendingMessages: await pendingMessages(db, instance),
    waitingCampaigns: await waitingCampaigns(db, instance, nowMs),
    unknownOutcomes: await unknownOutcomes(db, instance),
    ...(await closedInstance(db, instance, nowMs)),
    ...present({
      seen: await seenState(db, instance),
      connection: connection && { status: connection.status, since: connection.since.toISOString() },
      lastNotificationAt: await lastNotificationAt(db, instance),
    }),
  };
}

async function pendingMessages(db: Db, instance: string): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*)::integer as pending from (
      select from streams s join due_messages d on d.stream_id = s.id
      where s.instance = ${instance} and s.campaign_id is null
      limit ${MOST_MESSAGES}) counted`.execute(db);
  return rows[0]?.pending ?? 0;
}

async function unknownOutcomes(db: Db, instance: string): Promise<number> {
  const { rows } = await sql<{ unknown: number }>`
    select count(*)::integer as unknown from (
      select from attempts a join messages m on m.id = a.message_id
      where a.instance = ${instance} and a.identical_hash is not null and a.outcome = 'unknown' and m.state = 'unknown'
      limit ${MOST_UNKNOWN}) counted`.execute(db);
  return rows[0]?.unknown ?? 0;
}

async function waitingCampaigns(db: Db, instance: string, nowMs: number): Promise<WaitingCampaign[]> {
  const rows = await db
    .selectFrom('campaigns')
    .selectAll()
    .where('instance', '=', instance)
    .where(sql<boolean>`state in ${UNFINISHED}`)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_CAMPAIGNS)
    .execute();
  const campaigns: WaitingCampaign[] = [];
  for (const row of rows) {
    const waiting = await whyWaiting(db, row, await countedTally(db, row), nowMs);
    if (waiting !== undefined) campaigns.push({ id: row.id, state: row.state, waiting });
  }
  return campaigns;
}

async function lastNotificationAt(db: Db, instance: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('notifications')
    .select('received_at')
    .where('instance', '=', instance)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.received_at.toISOString();
}
