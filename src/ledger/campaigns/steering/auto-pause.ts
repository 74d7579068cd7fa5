import { sql } from 'kysely';
import { DEFAULT_AUTO_PAUSE, type AutoPauseLimits, type CampaignId } from '../../../contract/index.js';
import { type AccountRow, accountRows, takeOut } from '../campaign-accounts.js';
import { beginCommand } from '../../storage/commands.js';
import type { Db, Store } from '../../storage/store.js';
import { existingCampaign, lockCampaign, type CampaignRow, changeCampaign, permitted } from '../campaign-row.js';
import { stateList } from '../../storage/state-lists.js';

/** The newest outcomes of an account in a campaign, counted by kind. */
export interface Outcomes {
  readonly arrived: number;
  readonly failed: number;
  readonly no_account: number;
  readonly rejected: number;
}

/**
 * `too_few`: later outcomes decide it, also if none of them is a failure. `account_stopped`: the campaign's other
 * accounts go on.
 */
export type PauseCheck = 'paused' | 'account_stopped' | 'not_paused' | 'too_few';

/**
 * CAMPAIGN-8. Stops the accounts with too many failures.
 * @returns `paused` if the campaign was running, and this call stopped its last account
 */
export async function pauseIfFailing(store: Store, id: CampaignId, nowMs: number): Promise<PauseCheck> {
  const check = await store.run(async (db) => checkAccounts(db, await existingCampaign(db, id)));
  if (typeof check === 'string') return check;
  return store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (permitted(row, 'tooManyFailures') === 'ignored') return 'not_paused';
    // An operator may have resumed it between the two reads.
    const again = await checkAccounts(tx, row);
    if (typeof again === 'string') return again;
    for (const { instance, reason } of again) {
      await takeOut(tx, id, instance, { why: 'too_many_failures', text: reason, nowMs });
    }
    const accounts = await accountRows(tx, id);
    if (accounts.some(({ out_at }) => out_at === null)) {
      await changeCampaign(tx, id, {});
      return 'account_stopped';
    }
    const left = accounts.filter(({ out_why }) => out_why !== 'removed');
    const reasons = left.map(({ instance, out_text, out_why }) => {
      const own = out_text ?? out_why ?? '';
      return left.length === 1 ? own : `${instance}: ${own}`;
    });
    const reason = reasons.join('; ');
    await changeCampaign(tx, id, { state: 'paused', paused_at: new Date(nowMs), pause_text: reason });
    // A resume that was requested earlier did not know of these failures.
    const asked = { id: `too-many-failures:${row.version}`, requestedBy: 'everpost', what: reason };
    await beginCommand(tx, row, 'pause', asked, { isAlreadySo: false, nowMs });
    return 'paused';
  });
}

interface FailingAccount {
  readonly instance: string;
  readonly reason: string;
}

/** @returns the accounts with too many failures, if there are any */
async function checkAccounts(db: Db, row: CampaignRow): Promise<'not_paused' | 'too_few' | readonly FailingAccount[]> {
  const { autoPause = {} } = row.definition;
  if (autoPause === 'off') return 'not_paused';
  const limits = { ...DEFAULT_AUTO_PAUSE, ...autoPause };
  const failing: FailingAccount[] = [];
  let areTooFew = false;
  for (const account of await accountRows(db, row.id)) {
    if (account.out_at !== null) continue;
    const check = evaluateOutcomes(await newestOutcomes(db, row, account, limits.sampleSize), limits);
    if (typeof check === 'object') failing.push({ instance: account.instance, ...check });
    else if (check === 'too_few') areTooFew = true;
  }
  if (failing.length > 0) return failing;
  return areTooFew ? 'too_few' : 'not_paused';
}

/** @returns the reason to pause as a text, if there is one */
export function evaluateOutcomes(
  outcomes: Outcomes,
  { failureRate, minSamples }: AutoPauseLimits,
): 'not_paused' | 'too_few' | { readonly reason: string } {
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
async function newestOutcomes(
  db: Db,
  { id, auto_pause_from }: CampaignRow,
  { instance, outcomes_from }: AccountRow,
  sampleSize: number,
): Promise<Outcomes> {
  const since = new Date(Math.max(auto_pause_from?.getTime() ?? 0, outcomes_from?.getTime() ?? 0));
  const { rows } = await sql<Outcomes>`/* campaign_outcomes */
    select count(*) filter (where state in ${stateList('taken')})::integer as arrived,
      count(*) filter (where state = 'failed')::integer as failed,
      count(*) filter (where state = 'no_account')::integer as "no_account",
      count(*) filter (where state = 'rejected')::integer as rejected
    from (
      select m.state from messages m
      where m.campaign_id = ${id} and m.instance = ${instance} and m.state in ('sent', 'delivered', 'read', 'failed', 'no_account', 'rejected')
        and m.reason is distinct from 'content_invalid' and coalesce(m.ended_at, m.sent_seen_at) > ${since}
      order by coalesce(m.ended_at, m.sent_seen_at) desc limit ${sampleSize}) newest`.execute(db);
  return rows[0] ?? { arrived: 0, failed: 0, no_account: 0, rejected: 0 };
}
