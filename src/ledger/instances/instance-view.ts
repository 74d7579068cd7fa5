import { sql } from 'kysely';
import type { CampaignWaiting } from '../../contract/index.js';
import { present } from '../present.js';
import type { Db } from '../store.js';
import { unknownOutcomes } from '../campaigns/open-recipients.js';
import { activePauses } from './pauses.js';
import type { InstanceView, WaitingCampaign } from './instance-ledger.js';
import { seenState } from './seen-state.js';

const MOST_MESSAGES = 10_000;
const MOST_CAMPAIGNS = 100;
const MOST_UNKNOWN = 100;

export async function instanceView(db: Db, instance: string): Promise<InstanceView> {
  const connection = await db
    .selectFrom('instance_connections')
    .select(['status', 'since'])
    .where('instance', '=', instance)
    .executeTakeFirst();
  return {
    pauses: await activePauses(db, instance),
    pendingMessages: await pendingMessages(db, instance),
    waitingCampaigns: await waitingCampaigns(db, instance),
    unknownOutcomes: await unknownOutcomes(db, instance, MOST_UNKNOWN),
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
      select from messages where instance = ${instance} and state = 'pending' and campaign_id is null
      limit ${MOST_MESSAGES}) counted`.execute(db);
  return rows[0]?.pending ?? 0;
}

async function waitingCampaigns(db: Db, instance: string): Promise<WaitingCampaign[]> {
  const rows = await db
    .selectFrom('campaigns')
    .select(['id', 'state', 'waiting_code', 'waiting_text', 'waiting_since'])
    .where('instance', '=', instance)
    .where(sql<boolean>`state in ('running', 'paused', 'cancelling')`)
    .where('waiting_code', 'is not', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(MOST_CAMPAIGNS)
    .execute();
  return rows.flatMap(({ id, state, waiting_code: code, waiting_text: text, waiting_since: since }) => {
    if (code === null || since === null) return [];
    const waiting: CampaignWaiting = { code, since: since.toISOString(), ...present({ text }) };
    return [{ id, state, waiting }];
  });
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
