/** The workflow of a campaign, with activities that play the ledger: which it calls, when, and its results. */
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import {
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_CHANGED_SIGNAL,
  CAMPAIGN_UPDATE_UPDATE,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_PLAN_QUERY,
  CAMPAIGN_PROGRESS_QUERY,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  MESSAGE_STATES,
  zeroOfEach,
  withPace,
  WORKFLOW,
  campaignWorkflowId,
  type CampaignResponse,
  type CampaignId,
  type CampaignProgress,
  type CampaignState,
  type FollowedCampaign,
  type RetriedRecipients,
} from '../../src/contract/index.js';
import { CACHES, test, type TemporalForTests } from '../support/temporal/temporal.js';
import { eventually } from '../support/eventually.js';

const NONE = zeroOfEach(MESSAGE_STATES);
const HOUR = 60 * 60_000;

/** A campaign's row as in the ledger, and the activities that change it. */
class FakeCampaign {
  readonly id: CampaignId;
  readonly polls: CampaignState[] = [];
  nextPollMs = HOUR;
  perPoll = 3;
  private row: CampaignProgress;

  constructor(taskQueue: string, recipients: number) {
    // Its end is unique among the tests.
    this.id = `c${taskQueue.slice(-60)}` as CampaignId;
    this.row = {
      id: this.id,
      version: 1,
      commandSequence: 0,
      instance: 'main',
      state: 'running',
      priority: 'normal',
      audience: recipients,
      counts: { ...NONE, pending: recipients },
      highWater: 12,
      startedAt: '2026-03-01T10:00:00.000Z',
    };
  }

  get progress(): CampaignProgress {
    return this.row;
  }

  set(change: Partial<CampaignProgress>): CampaignProgress {
    this.row = { ...this.row, ...change, version: this.row.version + 1 };
    return this.row;
  }

  readonly activities = {
    /** Before each poll this many recipients get a delivery. */
    followCampaign: async (): Promise<FollowedCampaign> => {
      this.polls.push(this.row.state);
      const { counts, state, audience } = this.row;
      const done = state === 'running' ? Math.min(this.perPoll, counts.pending) : 0;
      const delivered = counts.delivered + done;
      this.row = { ...this.row, counts: { ...counts, pending: counts.pending - done, delivered } };
      if (state === 'running' && delivered === audience) this.set({ state: 'completed' });
      if (state === 'cancelling')
        this.set({ state: 'cancelled', counts: { ...counts, pending: 0, cancelled: counts.pending } });
      return { progress: this.row, nextPollMs: this.nextPollMs };
    },
    pauseCampaign: async (): Promise<CampaignResponse> => this.response({ state: 'paused' }),
    resumeCampaign: async (): Promise<CampaignResponse> => this.response({ state: 'running' }),
    cancelCampaign: async ({ witness }: { witness: string }): Promise<CampaignResponse> => {
      if (this.row.state === 'completed') throw ApplicationFailure.nonRetryable('It has ended.', 'CAMPAIGN_ENDED');
      this.witness = witness;
      return this.response({ state: 'cancelling' });
    },
    updateCampaign: async ({ campaignId: _, ...change }: Partial<CampaignProgress> & { campaignId: CampaignId }) =>
      this.set(change),
    retryCampaign: async (): Promise<RetriedRecipients> => ({
      recipients: 2,
      progress: withPace(this.set({ state: 'running' }), Date.now()),
    }),
  };

  witness: string | undefined;

  private response(change: Partial<CampaignProgress>): CampaignResponse {
    return { progress: withPace(this.set(change), Date.now()), inGatewayQueue: 1 };
  }
}

async function start({ client }: TemporalForTests, taskQueue: string, campaign: FakeCampaign): Promise<WorkflowHandle> {
  return client.workflow.start(WORKFLOW.campaign, {
    workflowId: campaignWorkflowId(campaign.id),
    taskQueue,
    args: [{ campaignId: campaign.id, progress: campaign.progress }],
  });
}

const update = <Response>(handle: WorkflowHandle, name: string, ...args: unknown[]): Promise<Response> =>
  handle.executeUpdate<Response, [unknown]>(name, { args: args as [unknown] });

describe.each(CACHES)('a campaign’s run, %s', (_, maxCachedWorkflows) => {
  test('polls until every recipient has an end, and returns the totals', async ({ temporal, taskQueue }) => {
    const campaign = new FakeCampaign(taskQueue, 7);
    campaign.nextPollMs = 10;
    const { activities } = campaign;
    const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
    await worker.runUntil(async () => {
      const handle = await start(temporal, taskQueue, campaign);
      expect(await handle.result()).toEqual({
        campaignId: campaign.id,
        state: 'completed',
        audience: 7,
        counts: { ...NONE, delivered: 7 },
      });
      expect(campaign.polls).toHaveLength(3);
      const { typedSearchAttributes } = await handle.describe();
      expect(JSON.stringify(typedSearchAttributes)).toContain('completed');
    });
  });

  test('is paused, resumed and changed while it waits, and polls at once each time', async ({
    temporal,
    taskQueue,
  }) => {
    const campaign = new FakeCampaign(taskQueue, 4);
    const { activities } = campaign;
    const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
    await worker.runUntil(async () => {
      const handle = await start(temporal, taskQueue, campaign);
      await eventually(async () => expect(campaign.polls).toEqual(['running']));

      expect(await update(handle, CAMPAIGN_PAUSE_UPDATE)).toMatchObject({
        progress: { state: 'paused' },
        inGatewayQueue: 1,
      });
      await eventually(async () => expect(campaign.polls).toEqual(['running', 'paused']));
      const highWater = 4;
      expect(await update(handle, CAMPAIGN_UPDATE_UPDATE, { highWater })).toMatchObject({ highWater });
      expect(await handle.query<CampaignProgress>(CAMPAIGN_PROGRESS_QUERY)).toMatchObject({
        state: 'paused',
        highWater,
      });
      expect(await handle.query(CAMPAIGN_PLAN_QUERY)).toMatchObject({ pending: 1, highWater });
      await update(handle, CAMPAIGN_RESUME_UPDATE);

      expect(await handle.result()).toMatchObject({ state: 'completed' });
    });
  });

  test('runs commands one after the other, so that a repeated step undoes nothing', async ({ temporal, taskQueue }) => {
    const campaign = new FakeCampaign(taskQueue, 4);
    let tries = 0;
    const activities = {
      ...campaign.activities,
      resumeCampaign: async (): Promise<CampaignResponse> => {
        tries += 1;
        if (tries === 1) throw ApplicationFailure.retryable('As if its worker had died.', 'LEDGER_UNAVAILABLE');
        return campaign.activities.resumeCampaign();
      },
    };
    const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
    await worker.runUntil(async () => {
      const handle = await start(temporal, taskQueue, campaign);
      await eventually(async () => expect(campaign.polls).toEqual(['running']));
      const resumed = update(handle, CAMPAIGN_RESUME_UPDATE);
      await eventually(async () => expect(tries).toBe(1));
      const paused = update<CampaignResponse>(handle, CAMPAIGN_PAUSE_UPDATE);

      expect((await paused).progress.state).toBe('paused');
      await resumed;
      expect(tries).toBe(2);
      expect(campaign.progress.state).toBe('paused');
      await handle.terminate();
    });
  });

  test('polls at once when a notification wakes it', async ({ temporal, taskQueue }) => {
    const campaign = new FakeCampaign(taskQueue, 5);
    const { activities } = campaign;
    const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
    await worker.runUntil(async () => {
      const handle = await start(temporal, taskQueue, campaign);
      await eventually(async () => expect(campaign.polls).toHaveLength(1));
      await handle.signal(CAMPAIGN_CHANGED_SIGNAL);
      expect(await handle.result()).toMatchObject({ state: 'completed' });
    });
  });

  test('cancels the campaign when it is cancelled in the Web UI, and ends when all is settled', async ({
    temporal,
    taskQueue,
  }) => {
    const campaign = new FakeCampaign(taskQueue, 5);
    const { activities } = campaign;
    const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
    await worker.runUntil(async () => {
      const handle = await start(temporal, taskQueue, campaign);
      await eventually(async () => expect(campaign.polls).toHaveLength(1));
      await handle.cancel();
      await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(campaign.witness).toBe('workflow cancelled');
      expect(campaign.progress).toMatchObject({ state: 'cancelled', counts: { delivered: 3, cancelled: 2 } });
    });
  });

  test('continues when a retry comes while it is ending', async ({ temporal, taskQueue }) => {
    const campaign = new FakeCampaign(taskQueue, 3);
    const { activities } = campaign;
    let release: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => (release = resolve));
    const slow = {
      ...activities,
      retryCampaign: async () => {
        await looked;
        return {
          recipients: 2,
          progress: campaign.set({ state: 'running', counts: { ...NONE, delivered: 1, pending: 2 } }),
        };
      },
    };
    const worker = await temporal.createWorker({ taskQueue, activities: slow, maxCachedWorkflows });
    await worker.runUntil(async () => {
      campaign.perPoll = 0;
      const handle = await start(temporal, taskQueue, campaign);
      await eventually(async () => expect(campaign.polls).toHaveLength(1));
      campaign.perPoll = 3;
      const retried = update<RetriedRecipients>(handle, CAMPAIGN_RETRY_UPDATE, { scopes: ['failed'] });
      await handle.signal(CAMPAIGN_CHANGED_SIGNAL);
      await eventually(async () => expect(campaign.progress.state).toBe('completed'));
      release();
      expect(await retried).toMatchObject({ recipients: 2 });
      expect(await handle.result()).toMatchObject({ state: 'completed', counts: { delivered: 3 } });
      expect(campaign.polls).toHaveLength(3);
    });
  });
});

test('a run rejects an empty change and an empty retry without a trace', async ({ temporal, taskQueue }) => {
  const campaign = new FakeCampaign(taskQueue, 5);
  const { activities } = campaign;
  const worker = await temporal.createWorker({ taskQueue, activities });
  await worker.runUntil(async () => {
    const handle = await start(temporal, taskQueue, campaign);
    await eventually(async () => expect(campaign.polls).toHaveLength(1));
    const refused = { cause: { type: 'INPUT_INVALID' } };
    await expect(update(handle, CAMPAIGN_UPDATE_UPDATE, {})).rejects.toMatchObject(refused);
    await expect(update(handle, CAMPAIGN_UPDATE_UPDATE, { highWater: 0 })).rejects.toMatchObject(refused);
    await expect(update(handle, CAMPAIGN_RETRY_UPDATE, { scopes: [] })).rejects.toMatchObject(refused);
    await expect(update(handle, CAMPAIGN_RETRY_UPDATE, { scopes: ['read'] })).rejects.toMatchObject(refused);
    expect(campaign.polls).toHaveLength(1);
    await update(handle, CAMPAIGN_CANCEL_UPDATE);
    expect(await handle.result()).toMatchObject({ state: 'cancelled' });
  });
});

test('a run continues as new when its history has grown, and loses nothing', async ({ temporal, taskQueue }) => {
  const campaign = new FakeCampaign(taskQueue, 6);
  const { activities } = campaign;
  const handle = await start(temporal, taskQueue, campaign);
  const { runId } = await handle.describe();
  // A history of over four megabytes, which the server considers long.
  const padding = 'x'.repeat(1_500_000);
  for (let times = 0; times < 3; times += 1) await handle.signal(CAMPAIGN_CHANGED_SIGNAL, padding);
  const worker = await temporal.createWorker({ taskQueue, activities });
  await worker.runUntil(async () => {
    expect(await handle.result()).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
    expect((await handle.describe()).runId).not.toBe(runId);
    const first = await temporal.client.workflow.getHandle(handle.workflowId, runId).describe();
    expect(first.status.name).toBe('CONTINUED_AS_NEW');
    expect(campaign.polls).toEqual(['running', 'running']);
  });
});
