import { sql } from 'kysely';
import { DEFAULT_AUTO_PAUSE, type AutoPauseLimits, type CampaignId } from '../../../contract/index.js';
import { beginCommand } from '../../commands.js';
import type { Db, Store } from '../../storage/store.js';
import { existingCampaign, lockCampaign, type CampaignRow, changeCampaign, permitted } from '../campaign-row.js';
import { stateList } from '../../storage/state-lists.js';

/** The newest outcomes of a campaign, counted by kind. */
export interface Outcomes {
  readonly arrived: number;
  readonly failed: number;
  readonly no_account: number;
  readonly rejected: number;
}

/** `too_few`: later outcomes decide it, also if none of them is a failure. */
export type PauseCheck = 'paused' | 'not_paused' | 'too_few';

/** CAMPAIGN-8. @returns `paused` if the campaign was running and this call paused it */
export async function pauseIfFailing(store: Store, id: CampaignId, nowMs: number): Promise<PauseCheck> {
  const check = await store.run(async (db) => checkOutcomes(db, await existingCampaign(db, id)));
  if (typeof check === 'string') return check;
  return store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (permitted(row, 'tooManyFailures') === 'ignored') return 'not_paused';
    // An operator may have resumed it between the two reads.
    const again = await checkOutcomes(tx, row);
    if (typeof again === 'string') return again;
    const at = new Date(nowMs);
    await changeCampaign(tx, id, { state: 'paused', paused_at: at, pause_text: again.reason });
    // A resume that was requested earlier did not know of these failures.
    const asked = { id: `too-many-failures:${row.version}`, requestedBy: 'everpost', what: again.reason };
    await beginCommand(tx, row, 'pause', asked, { isAlreadySo: false, nowMs });
    return 'paused';
  });
}

type Evaluated = Exclude<PauseCheck, 'paused'> | { readonly reason: string };

async function checkOutcomes(db: Db, row: CampaignRow): Promise<Evaluated> {
  const { autoPause = {} } = row.definition;
  if (autoPause === 'off') return 'not_paused';
  const limits = { ...DEFAULT_AUTO_PAUSE, ...autoPause };
  return evaluateOutcomes(await newestOutcomes(db, row, limits.sampleSize), limits);
}

/** @returns the reason to pause as a text, if there is one */
export function evaluateOutcomes(outcomes: Outcomes, { failureRate, minSamples }: AutoPauseLimits): Evaluated {
  const { arrived, ...bad } = outcomes;
  const missed = Object.values(bad).reduce((sum, recipients) => sum + recipients, 0);
  const all = missed + arrived;
  if (all < minSamples) return 'too_few';
  if (missed / all <= failureRate) return 'not_paused';
  const kinds = Object.entries(bad).flatMap(([state, recipients]) =>
    recipients === 0 ? [] : [`${recipients} ${state}`],
  );
  return { reason: `${missed} of the last ${all} did not arrive: ${kinds.join(', ')}` };
}

/**
 * Ordered by when they became known. A recipient whose content broke a limit was never posted and is not an outcome.
 */
async function newestOutcomes(db: Db, { id, auto_pause_from }: CampaignRow, sampleSize: number): Promise<Outcomes> {
  const since = auto_pause_from ?? new Date(0);
  const { rows } = await sql<Outcomes>`/* campaign_outcomes */
    select count(*) filter (where state in ${stateList('taken')})::integer as arrived,
      count(*) filter (where state = 'failed')::integer as failed,
      count(*) filter (where state = 'no_account')::integer as "no_account",
      count(*) filter (where state = 'rejected')::integer as rejected
    from (
      select m.state from messages m
      where m.campaign_id = ${id} and m.state in ('sent', 'delivered', 'read', 'failed', 'no_account', 'rejected')
        and m.reason is distinct from 'content_invalid' and coalesce(m.ended_at, m.sent_seen_at) > ${since}
      order by coalesce(m.ended_at, m.sent_seen_at) desc limit ${sampleSize}) newest`.execute(db);
  return rows[0] ?? { arrived: 0, failed: 0, no_account: 0, rejected: 0 };
}
