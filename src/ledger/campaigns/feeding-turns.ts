import { sql } from 'kysely';
import type { Priority } from '../../contract/index.js';
import { present } from '../present.js';
import type { Db, Store, Tx } from '../store.js';
import { existingCampaign, type CampaignRow } from './campaign-progress.js';
import type { FeedingTurn, TakeTurn, TurnResponse } from './feeding-ledger.js';
import { decideTurn, type Feeder, type TurnHeld } from './feeding-turn.js';

/** A campaign that does not run is looked at again after so long. */
const NOT_RUNNING_MS = 60_000;

/** FEED-1 to FEED-3. Who asks locks the instance's turn, so that two who ask at once see each other. */
export async function takeTurn(store: Store, input: TakeTurn): Promise<TurnResponse> {
  const { campaignId, forMs, patienceMs, nowMs } = input;
  return store.transaction(async (tx) => {
    const { instance } = await existingCampaign(tx, campaignId);
    const held = await lockTurn(tx, instance, input);
    const feeders = await runningCampaigns(tx, instance);
    const me = feeders.find(({ id }) => id === campaignId);
    if (me === undefined) return { granted: false, why: 'NOT_RUNNING', retryAfterMs: NOT_RUNNING_MS };
    const others = feeders.filter((one) => one !== me).map(feederOf);
    const decision = decideTurn(feederOf(me), others, held, nowMs);
    const hungryForMs = decision.granted ? forMs : decision.retryAfterMs + patienceMs;
    await sayHungry(tx, campaignId, hungryForMs, nowMs);
    if (!decision.granted) return { granted: false, why: 'FEEDING_TURN', retryAfterMs: decision.retryAfterMs };
    const { epoch } = await tx
      .updateTable('feeding_turns')
      .set(({ eb }) => ({
        campaign_id: campaignId,
        epoch: eb('epoch', '+', '1'),
        held_until: new Date(nowMs + forMs),
      }))
      .where('instance', '=', instance)
      .returning('epoch')
      .executeTakeFirstOrThrow();
    const { granted: _, ...rights } = decision;
    return {
      granted: true,
      turn: { instance, campaignId, epoch: String(epoch), priority: me.priority as Priority, ...rights },
    };
  });
}

export async function leaveTurn(
  store: Store,
  turn: FeedingTurn,
  { hungryForMs, keptForMs, nowMs }: { hungryForMs: number; keptForMs?: number; nowMs: number },
): Promise<void> {
  await store.transaction(async (tx) => {
    const left = await tx
      .updateTable('feeding_turns')
      .set({
        held_until: new Date(nowMs),
        ...(keptForMs === undefined ? {} : { kept_until: new Date(nowMs + keptForMs) }),
      })
      .where('instance', '=', turn.instance)
      .where('epoch', '=', turn.epoch)
      .executeTakeFirst();
    if (left.numUpdatedRows > 0n) await sayHungry(tx, turn.campaignId, hungryForMs, nowMs);
  });
}

/** The first who ever asks makes the row. */
async function lockTurn(tx: Tx, instance: string, { campaignId, nowMs }: TakeTurn): Promise<TurnHeld> {
  await tx
    .insertInto('feeding_turns')
    .values({ instance, campaign_id: campaignId, epoch: '0', held_until: new Date(nowMs) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const row = await tx
    .selectFrom('feeding_turns')
    .selectAll()
    .where('instance', '=', instance)
    .forUpdate()
    .executeTakeFirstOrThrow();
  return {
    campaignId: row.campaign_id,
    heldUntilMs: row.held_until.getTime(),
    ...present({ keptUntilMs: row.kept_until?.getTime() }),
  };
}

type FeederRow = Pick<CampaignRow, 'id' | 'priority' | 'high_water' | 'low_water' | 'fed_at' | 'hungry_until'>;

async function runningCampaigns(db: Db, instance: string): Promise<FeederRow[]> {
  return db
    .selectFrom('campaigns')
    .select(['id', 'priority', 'high_water', 'low_water', 'fed_at', 'hungry_until'])
    .where('instance', '=', instance)
    .where(sql<boolean>`state in ('running', 'paused', 'cancelling')`)
    .where('state', '=', 'running')
    .execute();
}

function feederOf(row: FeederRow): Feeder {
  return {
    id: row.id,
    priority: row.priority as Priority,
    highWater: row.high_water,
    lowWater: row.low_water,
    ...present({ fedAtMs: row.fed_at?.getTime(), hungryUntilMs: row.hungry_until?.getTime() }),
  };
}

async function sayHungry(tx: Tx, id: CampaignRow['id'], forMs: number, nowMs: number): Promise<void> {
  await tx
    .updateTable('campaigns')
    .set({ hungry_until: new Date(nowMs + forMs) })
    .where('id', '=', id)
    .execute();
}
