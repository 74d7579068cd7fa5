/** A worker's background jobs for campaigns, on a real ledger. */
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { InstanceDirectory, LogEntry } from '../../src/contract/index.js';
import type { CampaignWaitRow } from '../../src/ledger/index.js';
import {
  beginCampaigns,
  checkRunningCampaigns,
  endCampaigns,
  showCampaigns,
  watchPools,
} from '../../src/worker/index.js';
import { CampaignCast, NAMESPACE } from '../ledger/campaigns/campaign-life-cast.js';
import { PoolCast } from '../ledger/campaigns/pools/pool-cast.js';
import { MINUTE, NOW, SECOND } from '../ledger/cast.js';
import { aLedger } from '../support/ledger/ledger.js';

const autoPause = { failureRate: 0.5, sampleSize: 4, minSamples: 2 };

/** A ledger of its own, since each job reads all campaigns. */
async function aScene() {
  const ledger = await aLedger();
  onTestFinished(() => ledger.close());
  const logged: LogEntry[] = [];
  const clock = { ms: NOW };
  const jobs = {
    ledger,
    namespace: NAMESPACE,
    clock: { nowMs: () => clock.ms },
    log: (entry: LogEntry) => void logged.push(entry),
  };
  return { ledger, clock, jobs, logged, aCampaign: () => new CampaignCast(ledger) };
}

type Scene = Awaited<ReturnType<typeof aScene>>;

const stateOf = ({ ledger }: Scene, { id }: CampaignCast) => ledger.campaigns.state(id);

describe('the job that begins campaigns', () => {
  it('begins each one when its start time has come, and wakes its instance', async () => {
    const scene = await aScene();
    const startAt = new Date(NOW + MINUTE).toISOString();
    const campaign = await (await scene.aCampaign().draft({ startAt })).imported(1);
    await campaign.start();
    const woken: string[] = [];
    const job = beginCampaigns(scene.jobs, (instance) => void woken.push(instance));
    await job.round();
    expect(await stateOf(scene, campaign)).toBe('scheduled');
    scene.clock.ms = NOW + MINUTE;
    await job.round();
    expect(await stateOf(scene, campaign)).toBe('running');
    expect(woken).toEqual([campaign.instance]);
  });
});

describe('the job that watches the accounts of a pool', () => {
  it("has a dead account's pending messages elsewhere within `moveAfter` and ten seconds", async () => {
    const { ledger, clock, jobs } = await aScene();
    const pool = await new PoolCast(ledger).begun(300, { moveAfter: '1m' });
    while ((await pool.read()).count > 0);
    expect(await pool.shares()).toEqual([150, 150]);
    const instances = { names: () => [...pool.accounts] } as unknown as InstanceDirectory;
    const woken: string[] = [];
    const job = watchPools({ ...jobs, instances }, (instance) => void woken.push(instance));
    await pool.stop(0);
    // What the woken dispatchers do: they read a campaign until nothing has to move.
    for (; woken.length === 0; clock.ms += job.everyMs) {
      expect(clock.ms).toBeLessThanOrEqual(NOW + MINUTE + 10 * SECOND);
      await job.round();
    }
    while ((await pool.read(128, clock.ms)).count > 0);
    expect(woken.toSorted()).toEqual(pool.accounts);
    expect(await pool.shares()).toEqual([0, 300]);
  });
});

describe('the job that ends campaigns', () => {
  it('ends one whose last recipient ended, and expires what is left after a deadline', async () => {
    const scene = await aScene();
    const [done, late] = [await scene.aCampaign().running(1), await scene.aCampaign().running(2)];
    await done.receive(await done.dispatched(1), 'delivered');
    const job = endCampaigns(scene.jobs);
    await job.round();
    expect([await stateOf(scene, done), await stateOf(scene, late)]).toEqual(['completed', 'running']);
    scene.clock.ms = NOW + 8 * 24 * 60 * MINUTE;
    await job.round();
    expect(await stateOf(scene, late)).toBe('expired');
  });

  it('CAMPJOB-1 ends the others when one fails for its own reason, and logs that one', async () => {
    const scene = await aScene();
    const campaigns = [await scene.aCampaign().running(1), await scene.aCampaign().running(1)];
    for (const campaign of campaigns) await campaign.receive(await campaign.dispatched(1), 'delivered');
    const [broken] = await scene.ledger.campaigns.toEnd(NAMESPACE, NOW);
    const endIfDone = scene.ledger.campaigns.endIfDone.bind(scene.ledger.campaigns);
    vi.spyOn(scene.ledger.campaigns, 'endIfDone').mockImplementation((id, nowMs) =>
      id === broken ? Promise.reject(new Error('its totals do not add up')) : endIfDone(id, nowMs),
    );
    await endCampaigns(scene.jobs).round();
    const states = await Promise.all(campaigns.map((campaign) => stateOf(scene, campaign)));
    expect(new Set(states)).toEqual(new Set(['completed', 'running']));
    expect(scene.logged).toMatchObject([{ level: 'error', campaignId: broken }]);
  });
});

describe('the job that checks running campaigns', () => {
  it.each(['no_account', 'failed'] as const)(
    'CAMPJOB-2 pauses one at once when recipients end %s, which only receipts show',
    async (status) => {
      const scene = await aScene();
      const campaign = await scene.aCampaign().running(6, { autoPause });
      const job = checkRunningCampaigns(scene.jobs);
      await job.round();
      const posted = await campaign.dispatched(3);
      await job.round();
      expect(await stateOf(scene, campaign)).toBe('running');
      await campaign.receive(posted, status, NOW + SECOND);
      await job.round();
      expect(await stateOf(scene, campaign)).toBe('paused');
    },
  );

  it('CAMPJOB-2 pauses one when outcomes that are no failures make the sample large enough', async () => {
    const scene = await aScene();
    const campaign = await scene.aCampaign().running(6, { autoPause: { ...autoPause, minSamples: 3 } });
    const job = checkRunningCampaigns(scene.jobs);
    const posted = await campaign.dispatched(3);
    await campaign.receive(posted.slice(0, 2), 'no_account', NOW + SECOND);
    await job.round();
    expect(await stateOf(scene, campaign)).toBe('running');
    await campaign.receive(posted.slice(2), 'delivered', NOW + SECOND);
    await job.round();
    expect(await stateOf(scene, campaign)).toBe('paused');
  });

  it('CAMPJOB-2 reads outcomes only where failures have risen, and again after a round that failed', async () => {
    const scene = await aScene();
    const campaign = await scene.aCampaign().running(6, { autoPause: { ...autoPause, minSamples: 4 } });
    const read = vi.spyOn(scene.ledger.campaigns, 'pauseIfFailing');
    const job = checkRunningCampaigns(scene.jobs);
    await job.round();
    expect(read).not.toHaveBeenCalled();
    await campaign.receive(await campaign.dispatched(1), 'failed', NOW + SECOND);
    read.mockRejectedValueOnce(new Error('as if its rows were locked'));
    await job.round();
    await job.round();
    await job.round();
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('folds counts that take long to sum, of each campaign for itself', async () => {
    const scene = await aScene();
    const { campaigns } = scene.ledger;
    const casts = [await scene.aCampaign().running(90), await scene.aCampaign().running(60)];
    for (const campaign of casts) await campaign.receive(await campaign.dispatched(50), 'delivered');
    const areMany = async () => (await campaigns.countsOfRunning(NAMESPACE)).map((counts) => counts.areMany);
    const progress = () => Promise.all(casts.map(({ id }) => campaigns.progress(id, NOW)));
    const before = await progress();
    expect(await areMany()).toEqual([true, true]);
    await checkRunningCampaigns(scene.jobs).round();
    expect(await areMany()).toEqual([false, false]);
    expect(await progress()).toEqual(before);
    expect(before).toMatchObject([
      { counts: { delivered: 50, pending: 40 } },
      { counts: { delivered: 50, pending: 10 } },
    ]);
  });
});

/** Proves CAMPJOB-3. */
describe('the job that shows campaigns', () => {
  async function shows(campaigns: number) {
    const scene = await aScene();
    const casts: CampaignCast[] = [];
    for (let at = 0; at < campaigns; at += 1) {
      const campaign = await scene.aCampaign().running(2);
      const activity = { workflowId: `campaign:${campaign.id}`, runId: `r ${campaign.id}`, activityId: '5' };
      const { version: shown = 0 } = (await scene.ledger.campaigns.progress(campaign.id, NOW)) ?? {};
      await scene.ledger.campaigns.awaitChange({ campaignId: campaign.id, shown, activity, nowMs: NOW });
      casts.push(campaign);
    }
    const shown: (CampaignWaitRow & { readonly what: object })[] = [];
    const job = showCampaigns(scene.jobs, async (wait, what) => void shown.push({ ...wait, what }));
    return { ...scene, casts, shown, job };
  }

  it('shows counts and what the campaign waits for, and again only when they differ', async () => {
    const { job, shown, casts } = await shows(1);
    await job.round();
    await job.round();
    expect(shown).toMatchObject([{ workflowId: `campaign:${casts[0]?.id}`, what: { counts: { pending: 2 } } }]);
    await casts[0]?.dispatched(1);
    await job.round();
    expect(shown).toHaveLength(2);
    expect(shown[1]?.what).toMatchObject({ counts: { pending: 1, accepted: 1 } });
  });

  it('reads two in a round, the one that was read longest ago first', async () => {
    const { job, shown, casts } = await shows(3);
    await job.round();
    expect(shown).toHaveLength(2);
    await job.round();
    expect(new Set(shown.map(({ campaignId }) => campaignId))).toEqual(new Set(casts.map(({ id }) => id)));
    for (const campaign of casts) await campaign.dispatched(1);
    await job.round();
    await job.round();
    expect(shown).toHaveLength(6);
  });

  it('shows nothing of a campaign whose change was recorded: its completion shows it', async () => {
    const { job, shown, casts, ledger } = await shows(1);
    for (const { id } of casts) await ledger.campaigns.pause(id, NOW);
    await job.round();
    expect(shown).toEqual([]);
  });

  it('shows it in a later round when Temporal was unavailable', async () => {
    const { jobs, shown } = await shows(1);
    let tries = 0;
    const job = showCampaigns(jobs, async (wait, what) => {
      tries += 1;
      if (tries === 1) throw new Error('Temporal is away');
      shown.push({ ...wait, what });
    });
    await expect(job.round()).rejects.toThrow('away');
    await job.round();
    expect(shown).toHaveLength(1);
  });
});
