import { sql } from 'kysely';
import { DEFAULT_BREAKER, type BreakerLimits, type CampaignDefinition, type CampaignId } from '../../contract/index.js';
import { numberCampaign } from '../commands.js';
import type { Db, Store } from '../store.js';
import { existingCampaign, lockCampaign, type CampaignRow } from './campaign-progress.js';
import { changeCampaign } from './change-campaign.js';

/** Stable word for a campaign that holds itself. */
const TOO_MANY_FAILURES = 'TOO_MANY_FAILURES';

/** The newest outcomes of a campaign, by what they are. */
export interface Outcomes {
  readonly arrived: number;
  readonly failed: number;
  readonly noAccount: number;
  readonly rejected: number;
}

/** C8. @returns true when the campaign was running and is paused by this */
export async function tripBreaker(store: Store, id: CampaignId, nowMs: number): Promise<boolean> {
  const reason = await store.run(async (db) => reasonToHold(db, await existingCampaign(db, id)));
  if (reason === undefined) return false;
  return store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (row.state !== 'running') return false;
    // Somebody may have let it go on between the two looks.
    const text = await reasonToHold(tx, row);
    if (text === undefined) return false;
    const at = new Date(nowMs);
    const why = { waiting_code: TOO_MANY_FAILURES, waiting_text: text, waiting_since: at };
    await changeCampaign(tx, id, { state: 'paused', paused_at: at, ...why });
    // A resume that was asked for before knew nothing of these failures.
    await numberCampaign(tx, id);
    return true;
  });
}

async function reasonToHold(db: Db, row: CampaignRow): Promise<string | undefined> {
  const limits = limitsOf(row.definition);
  return limits === undefined ? undefined : judgeOutcomes(await newestOutcomes(db, row, limits.last), limits);
}

function limitsOf({ breaker = {} }: CampaignDefinition): BreakerLimits | undefined {
  return breaker === 'off' ? undefined : { ...DEFAULT_BREAKER, ...breaker };
}

/** @returns the reason to hold, in words, where there is one */
export function judgeOutcomes(outcomes: Outcomes, { share, least }: BreakerLimits): string | undefined {
  const { arrived, ...bad } = outcomes;
  const missed = Object.values(bad).reduce((sum, people) => sum + people, 0);
  const all = missed + arrived;
  if (all < least || missed / all <= share) return undefined;
  const kinds = Object.entries(bad).flatMap(([state, people]) => (people === 0 ? [] : [`${people} ${state}`]));
  return `${missed} of the last ${all} did not arrive: ${kinds.join(', ')}`;
}

/** By when they became known; who broke a limit and was never posted to is no outcome. */
async function newestOutcomes(db: Db, { id, breaker_from }: CampaignRow, last: number): Promise<Outcomes> {
  const since = breaker_from ?? new Date(0);
  const { rows } = await sql<Outcomes>`/* campaign_outcomes */
    select count(*) filter (where state in ('sent', 'delivered', 'read'))::integer as arrived,
      count(*) filter (where state = 'failed')::integer as failed,
      count(*) filter (where state = 'noAccount')::integer as "noAccount",
      count(*) filter (where state = 'rejected')::integer as rejected
    from (
      select m.state from messages m
      where m.campaign_id = ${id} and m.state in ('sent', 'delivered', 'read', 'failed', 'noAccount', 'rejected')
        and m.reason is distinct from 'content_invalid' and coalesce(m.ended_at, m.sent_seen_at) > ${since}
      order by coalesce(m.ended_at, m.sent_seen_at) desc limit ${last}) newest`.execute(db);
  return rows[0] ?? { arrived: 0, failed: 0, noAccount: 0, rejected: 0 };
}
