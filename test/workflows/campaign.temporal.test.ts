/** The workflow of a campaign, with activities that play the ledger: which it calls, when, and its results. */
import type { WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import {
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
import { CACHES, test as base, type TemporalForTests } from '../support/temporal/temporal.js';
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
      return { progress: this.row, nextPollMs: this.nextPollMs };
    },
    pauseCampaign: async (): Promise<CampaignResponse> => this.response({ state: 'paused' }),
    resumeCampaign: async (): Promise<CampaignResponse> => this.response({ state: 'running' }),
    updateCampaign: async ({ campaignId: _, ...change }: Partial<CampaignProgress> & { campaignId: CampaignId }) =>
      this.set(change),
    retryCampaign: async (): Promise<RetriedRecipients> => ({
      recipients: 2,
      progress: withPace(this.set({ state: 'running' }), Date.now()),
    }),
  };

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

interface PlayOptions {
  readonly maxCachedWorkflows: number;
  readonly recipients: number;
  /** Changes the campaign before its run starts. @returns activities that behave differently */
  readonly prepare?: (campaign: FakeCampaign) => object;
}

/** `play` runs a test while a worker runs the workflow of a new campaign. */
const test = base.extend(
  'play',
  ({ temporal, taskQueue }) =>
    async (
      { maxCachedWorkflows, recipients, prepare = () => ({}) }: PlayOptions,
      run: (campaign: FakeCampaign, handle: WorkflowHandle) => Promise<void>,
    ) => {
      const campaign = new FakeCampaign(taskQueue, recipients);
      const activities = { ...campaign.activities, ...prepare(campaign) };
      const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
      await worker.runUntil(async () => run(campaign, await start(temporal, taskQueue, campaign)));
    },
);

const update = <Response>(handle: WorkflowHandle, name: string, ...args: unknown[]): Promise<Response> =>
  handle.executeUpdate<Response, [unknown]>(name, { args: args as [unknown] });

describe.each(CACHES)('a campaign’s run, %s', (_, maxCachedWorkflows) => {
  test('polls until every recipient has an end, and returns the totals', ({ play }) => {
    const prepare = (campaign: FakeCampaign) => ((campaign.nextPollMs = 10), {});
    return play({ maxCachedWorkflows, recipients: 7, prepare }, async (campaign, handle) => {
      expect(await handle.result()).toEqual({
        campaignId: campaign.id,
        state: 'completed',
        audience: 7,
        counts: { ...NONE, delivered: 7 },
      });
      expect(campaign.polls).toHaveLength(3);
    });
  });

  test('is paused, resumed and changed while it waits, and polls at once each time', ({ play }) =>
    play({ maxCachedWorkflows, recipients: 4 }, async (campaign, handle) => {
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
    }));

  test('runs commands one after the other, so that a repeated step undoes nothing', ({ play }) => {
    let tries = 0;
    const prepare = ({ activities }: FakeCampaign) => ({
      resumeCampaign: async (): Promise<CampaignResponse> => {
        tries += 1;
        if (tries === 1) throw ApplicationFailure.retryable('As if its worker had died.', 'LEDGER_UNAVAILABLE');
        return activities.resumeCampaign();
      },
    });
    return play({ maxCachedWorkflows, recipients: 4, prepare }, async (campaign, handle) => {
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

  test('polls at once when a notification wakes it', ({ play }) =>
    play({ maxCachedWorkflows, recipients: 5 }, async (campaign, handle) => {
      await eventually(async () => expect(campaign.polls).toHaveLength(1));
      await handle.signal(CAMPAIGN_CHANGED_SIGNAL);
      expect(await handle.result()).toMatchObject({ state: 'completed' });
    }));

  test('continues when a retry comes while it is ending', ({ play }) => {
    let release: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => (release = resolve));
    const prepare = (campaign: FakeCampaign) => {
      campaign.perPoll = 0;
      return {
        retryCampaign: async () => {
          await looked;
          const counts = { ...NONE, delivered: 1, pending: 2 };
          return { recipients: 2, progress: campaign.set({ state: 'running', counts }) };
        },
      };
    };
    return play({ maxCachedWorkflows, recipients: 3, prepare }, async (campaign, handle) => {
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
