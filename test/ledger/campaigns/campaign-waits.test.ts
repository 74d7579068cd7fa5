/** What the run of a campaign waits for: activities in the outbox. Proves AWAIT-1 to AWAIT-3 for campaigns. */
import { describe, expect, it } from 'vitest';
import { WAITING_TRY_MS } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, NAMESPACE } from './campaign-life-cast.js';
import { MINUTE, NOW } from '../cast.js';

const ledger = useLedger();

const running = (recipients = 3) => new CampaignCast(ledger).running(recipients);

const activityOf = ({ id }: CampaignCast, activityId = '5') => ({
  workflowId: `campaign:${id}`,
  runId: `r ${id}`,
  activityId,
});

const versionOf = async ({ id }: CampaignCast): Promise<number> =>
  (await ledger.campaigns.progress(id, NOW))?.version ?? -1;

const waits = async (campaign: CampaignCast, shown?: number, activityId?: string) =>
  ledger.campaigns.awaitChange({
    campaignId: campaign.id,
    shown: shown ?? (await versionOf(campaign)),
    activity: activityOf(campaign, activityId),
    nowMs: NOW,
  });

/** What the run of the campaign has to get now. */
async function due({ id }: CampaignCast, nowMs = NOW) {
  const claimed = await ledger.outbox.claim({ nowMs, forMs: 0, limit: 1_000 });
  const own = claimed.filter(({ campaignId }) => campaignId === id);
  await ledger.outbox.remove(own.map(({ seq }) => seq));
  return own;
}

const isListed = async ({ id }: CampaignCast): Promise<boolean> =>
  (await ledger.campaigns.waits()).some(({ campaignId }) => campaignId === id);

describe('an activity that waits for a campaign', () => {
  it('is completed by a change of the row, with the id of its run, and by no message of it', async () => {
    const campaign = await running();
    expect(await waits(campaign)).toBeUndefined();
    await campaign.receive(await campaign.dispatched(1), 'delivered');
    expect(await due(campaign)).toEqual([]);
    expect(await isListed(campaign)).toBe(true);

    await ledger.campaigns.pause(campaign.id, NOW);
    expect(await isListed(campaign)).toBe(false);
    expect(await due(campaign)).toMatchObject([{ campaignId: campaign.id, activity: { runId: `r ${campaign.id}` } }]);
    expect(await due(campaign)).toEqual([]);
  });

  it.each([
    ['a change of its settings', ({ id }: CampaignCast) => ledger.campaigns.update(id, { highWater: 3 }, NOW)],
    ['a cancellation', ({ id }: CampaignCast) => ledger.campaigns.cancel(id, 'request', NOW)],
    ['its deadline', (campaign: CampaignCast) => campaign.endIfDone(NOW + 8 * 24 * 60 * MINUTE)],
  ])('is completed by %s', async (_, change) => {
    const campaign = await running();
    await waits(campaign);
    await change(campaign);
    expect(await due(campaign)).toHaveLength(1);
  });

  it('returns at once when the campaign changed before it waited', async () => {
    const campaign = await running();
    const shown = await versionOf(campaign);
    await ledger.campaigns.pause(campaign.id, NOW);
    expect(await waits(campaign, shown)).toMatchObject({ state: 'paused' });
    expect(await due(campaign)).toEqual([]);
  });

  it('returns at once when the campaign has ended, whatever the run shows', async () => {
    const campaign = await running(1);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await campaign.endIfDone();
    expect(await waits(campaign)).toMatchObject({ state: 'cancelled' });
  });

  it('waits again after a restore of an older ledger: its version is lower, and is shown then', async () => {
    const campaign = await running();
    const restored = await waits(campaign, 1_000);
    expect(restored).toMatchObject({ state: 'running' });
    expect(await waits(campaign, restored?.version)).toBeUndefined();
  });

  it('misses no change that is committed while it begins to wait', async () => {
    const campaign = await running();
    const shown = await versionOf(campaign);
    const [read] = await Promise.all([waits(campaign, shown), ledger.campaigns.pause(campaign.id, NOW)]);
    const completions = await due(campaign);
    expect(read === undefined ? completions.length : Number(completions.length === 0)).toBe(1);
  });

  it('gets one completion for two changes, and its next try replaces the wait of the one before', async () => {
    const campaign = await running();
    await waits(campaign);
    await waits(campaign);
    await ledger.campaigns.pause(campaign.id, NOW);
    await ledger.campaigns.resume(campaign.id, NOW);
    expect(await due(campaign)).toHaveLength(1);
  });

  it('leaves nothing to send once its try is over, which the next try records again', async () => {
    const campaign = await running();
    await waits(campaign);
    expect(await due(campaign, NOW + WAITING_TRY_MS)).toEqual([]);
    expect(await isListed(campaign)).toBe(false);
    expect(await waits(campaign)).toBeUndefined();
    expect(await isListed(campaign)).toBe(true);
  });

  it('is counted for the campaign’s instance until its completion was sent', async () => {
    const campaign = await running();
    const unsent = async () => {
      const summaries = await ledger.notifications.summaries([campaign.instance], NOW);
      return summaries.find(({ instance }) => instance === campaign.instance)?.unsentToRuns;
    };
    await waits(campaign);
    expect(await unsent()).toBe(0);
    await ledger.campaigns.pause(campaign.id, NOW);
    expect(await unsent()).toBe(1);
    await due(campaign);
    expect(await unsent()).toBe(0);
  });

  it('is refused for a campaign that is not there', async () => {
    const missing = new CampaignCast(ledger);
    await expect(waits(missing, 1)).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_FOUND' });
  });
});

/** AWAIT-7. */
describe('a campaign that is taken back from its end', () => {
  const getsARun = async (campaign: CampaignCast): Promise<void> => {
    expect(await ledger.campaigns.state(campaign.id)).toBe('running');
    const entries = await due(campaign);
    expect(entries).toMatchObject([{ campaignId: campaign.id, workflowId: `campaign:${campaign.id}` }]);
    expect(entries[0]).not.toHaveProperty('activity');
    await ledger.campaigns.pause(campaign.id, NOW);
    expect(await due(campaign)).toEqual([]);
  };

  it('gets a run when a retry does it', async () => {
    const campaign = await running(1);
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    expect(await campaign.endIfDone()).toMatchObject({ state: 'cancelled' });
    expect(await due(campaign)).toEqual([]);
    await ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, NOW);
    await getsARun(campaign);
  });

  it('gets a run when a recipient is pending again', async () => {
    const campaign = await running(1);
    const { messageId } = await campaign.dispatchedOne({ kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    await campaign.markUnresolved(messageId);
    const late = NOW + 8 * 24 * 60 * MINUTE;
    expect(await campaign.endIfDone(late)).toMatchObject({ state: 'completed_with_failures' });
    await ledger.campaigns.update(campaign.id, { deadline: iso(late + MINUTE) }, late);
    expect(await due(campaign)).toEqual([]);
    await ledger.reconciling.resolve(messageId, { outcome: 'not_accepted', witness: 'operator' }, late);
    await getsARun(campaign);
  });
});

describe('campaigns that a job has to handle', () => {
  it('are those whose start has come, of its namespace', async () => {
    const campaign = await (await new CampaignCast(ledger).draft({ startAt: iso(NOW + MINUTE) })).imported(1);
    await campaign.start();
    const isFound = async (nowMs: number, namespace = NAMESPACE) =>
      (await ledger.campaigns.toBegin(namespace, nowMs)).includes(campaign.id);
    expect(await isFound(NOW)).toBe(false);
    expect(await isFound(NOW + MINUTE)).toBe(true);
    expect(await isFound(NOW + MINUTE, 'another')).toBe(false);
    await ledger.campaigns.beginScheduled(campaign.id, NOW + MINUTE);
    expect(await isFound(NOW + MINUTE)).toBe(false);
  });

  it('are those past their deadline with recipients that are not ended, and none whose receipts are awaited', async () => {
    const late = NOW + 8 * 24 * 60 * MINUTE;
    const isFound = async ({ id }: CampaignCast) => (await ledger.campaigns.toEnd(NAMESPACE, late)).includes(id);
    const [pending, posted, lost] = [await running(2), await running(1), await running(1)];
    await pending.dispatched(1);
    await posted.dispatched(1);
    const { messageId } = await lost.dispatchedOne({ kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    await lost.markUnresolved(messageId);
    expect(await Promise.all([pending, posted, lost].map(isFound))).toEqual([true, false, true]);
    await Promise.all([pending, lost].map((campaign) => campaign.endIfDone(late)));
    expect(await Promise.all([pending, posted, lost].map(isFound))).toEqual([false, false, false]);
  });

  it('have their failures counted by every state that is one, and many changes reported', async () => {
    const campaign = await running(6);
    const read = async () => (await ledger.campaigns.countsOfRunning(NAMESPACE)).find(({ id }) => id === campaign.id);
    expect(await read()).toMatchObject({ missed: 0, areMany: false });
    await campaign.receive(await campaign.dispatched(1), 'no_account');
    await campaign.receive(await campaign.dispatched(1), 'failed');
    await campaign.receive(await campaign.dispatched(1), 'delivered');
    await campaign.dispatched(1, { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'no', httpStatus: 400 });
    expect(await read()).toMatchObject({ missed: 3, outcomes: 4, areMany: false });
    await ledger.campaigns.pause(campaign.id, NOW);
    expect(await read()).toBeUndefined();
  });
});

const iso = (ms: number): string => new Date(ms).toISOString();
