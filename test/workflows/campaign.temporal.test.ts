/** The workflow of a campaign, with activities that play the ledger: what it waits for, its events, and its results. */
import { CompleteAsyncError, activityInfo } from '@temporalio/activity';
import type { Client, WorkflowHandle } from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import { describe, expect } from 'vitest';
import {
  CAMPAIGN_END_STATES,
  CAMPAIGN_UPDATE_UPDATE,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  WORKFLOW,
  campaignWorkflowId,
  type CampaignResponse,
  type CampaignId,
  type CampaignProgress,
  type RetriedRecipients,
  type SendCampaignInput,
} from '../../src/contract/index.js';
import type { WaitingActivity } from '../../src/ledger/index.js';
import { campaignRuns } from '../../src/starter/index.js';
import { CACHES, test as base, type TemporalForTests } from '../support/temporal/temporal.js';
import { eventually } from '../support/eventually.js';
import { aProgress, NO_RECIPIENTS } from '../support/progress.js';

/** What a change costs in the history: by the ledger, and by an update of the run. */
const EVENTS_BY_API = 7;
const EVENTS_BY_UPDATE = 18;

/** A campaign's row as in the ledger, and the activities that change it. */
class FakeCampaign {
  readonly id: CampaignId;
  /** The versions that the run showed when it began to wait. */
  readonly waited: number[] = [];
  waiting: WaitingActivity | undefined;
  private readonly client: Client;
  private row: CampaignProgress;

  constructor(client: Client, taskQueue: string, recipients: number) {
    this.client = client;
    // Its end is unique among the tests.
    this.id = `c${taskQueue.slice(-60)}` as CampaignId;
    this.row = aProgress({
      id: this.id,
      audience: recipients,
      counts: { ...NO_RECIPIENTS, pending: recipients },
      startedAt: '2026-03-01T10:00:00.000Z',
    });
  }

  get progress(): CampaignProgress {
    return this.row;
  }

  /** A change of the row. It completes the activity that waits, as the outbox does. */
  async set(change: Partial<CampaignProgress>): Promise<CampaignProgress> {
    this.row = { ...this.row, version: this.row.version + 1, ...change };
    const { waiting } = this;
    this.waiting = undefined;
    if (waiting !== undefined) await this.client.activity.complete(waiting, this.row);
    return this.row;
  }

  end(): Promise<CampaignProgress> {
    return this.set({ state: 'completed', counts: { ...NO_RECIPIENTS, delivered: this.row.audience } });
  }

  readonly activities = {
    openCampaign: async (): Promise<CampaignProgress> => this.row,
    sendCampaign: async ({ shown }: SendCampaignInput): Promise<CampaignProgress> => {
      this.waited.push(shown);
      if (this.row.version !== shown || CAMPAIGN_END_STATES.includes(this.row.state)) return this.row;
      const { activityId, workflowExecution } = activityInfo();
      this.waiting = { activityId, workflowId: '', runId: '', ...workflowExecution };
      throw new CompleteAsyncError();
    },
    pauseCampaign: (): Promise<CampaignResponse> => this.response({ state: 'paused' }),
    resumeCampaign: (): Promise<CampaignResponse> => this.response({ state: 'running' }),
    updateCampaign: ({ campaignId: _, ...change }: Partial<CampaignProgress> & { campaignId: CampaignId }) =>
      this.set(change),
    retryCampaign: async (): Promise<RetriedRecipients> => ({
      recipients: 2,
      progress: await this.set({ state: 'running' }),
    }),
  };

  private async response(change: Partial<CampaignProgress>): Promise<CampaignResponse> {
    return { progress: await this.set(change), inGatewayQueue: 1 };
  }
}

/** @param progress  what everpost gives a run that it starts */
async function start(
  { client }: TemporalForTests,
  taskQueue: string,
  { id, progress }: FakeCampaign,
  input: object = { campaignId: id, progress },
): Promise<WorkflowHandle> {
  return client.workflow.start(WORKFLOW.campaign, {
    workflowId: campaignWorkflowId(id),
    taskQueue,
    args: [input],
  });
}

interface PlayOptions {
  readonly maxCachedWorkflows: number;
  readonly recipients: number;
  /** @returns activities that behave differently */
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
      const campaign = new FakeCampaign(temporal.client, taskQueue, recipients);
      const activities = { ...campaign.activities, ...prepare(campaign) };
      const worker = await temporal.createWorker({ taskQueue, activities, maxCachedWorkflows });
      await worker.runUntil(async () => run(campaign, await start(temporal, taskQueue, campaign)));
    },
);

const update = <Response>(handle: WorkflowHandle, name: string, ...args: unknown[]): Promise<Response> =>
  handle.executeUpdate<Response, [unknown]>(name, { args: args as [unknown] });

/** Resolves once the run shows the present row and waits for its next change. @returns the length of its history */
async function waits(campaign: FakeCampaign, handle: WorkflowHandle): Promise<number> {
  return eventually(async () => {
    expect(campaign.waited.at(-1)).toBe(campaign.progress.version);
    expect(campaign.waiting).toBeDefined();
    const { raw, historyLength } = await handle.describe();
    expect(raw.pendingActivities).toMatchObject([{ activityType: { name: 'sendCampaign' } }]);
    expect(raw.pendingWorkflowTask ?? undefined).toBeUndefined();
    return historyLength;
  });
}

const shownState = async (handle: WorkflowHandle): Promise<unknown> =>
  (await handle.describe()).searchAttributes['EverpostState'];

describe.each(CACHES)('a campaign’s run, %s', (_, maxCachedWorkflows) => {
  test('waits in one activity until the campaign ends, and returns the totals', ({ play }) =>
    play({ maxCachedWorkflows, recipients: 7 }, async (campaign, handle) => {
      await waits(campaign, handle);
      await campaign.end();
      expect(await handle.result()).toEqual({
        campaignId: campaign.id,
        state: 'completed',
        audience: 7,
        counts: { ...NO_RECIPIENTS, delivered: 7 },
      });
      expect(campaign.waited).toEqual([1]);
      expect(await shownState(handle)).toEqual(['completed']);
    }));

  test('shows each change, also while it is paused, with few events, and none in between', ({ temporal, play }) =>
    play({ maxCachedWorkflows, recipients: 4 }, async (campaign, handle) => {
      let length = await waits(campaign, handle);
      const added = async (): Promise<number> => {
        const before = length;
        length = await waits(campaign, handle);
        return length - before;
      };

      await campaign.set({ state: 'paused' });
      expect(await added()).toBe(EVENTS_BY_API);
      expect(await shownState(handle)).toEqual(['paused']);

      expect(await update(handle, CAMPAIGN_RESUME_UPDATE)).toMatchObject({ progress: { state: 'running' } });
      expect(await added()).toBeLessThanOrEqual(EVENTS_BY_UPDATE);
      expect(await shownState(handle)).toEqual(['running']);

      expect(await update(handle, CAMPAIGN_UPDATE_UPDATE, { highWater: 4 })).toMatchObject({ highWater: 4 });
      expect(await added()).toBeLessThanOrEqual(EVENTS_BY_UPDATE);

      const { waiting } = campaign;
      if (waiting === undefined) throw new Error('nothing waits');
      await campaignRuns({ client: temporal.client }).show(waiting, { counts: { sent: 3 } });
      expect(await added()).toBe(0);
      const { raw } = await handle.describe();
      const [{ heartbeatDetails } = {}] = raw.pendingActivities ?? [];
      expect(Buffer.from(heartbeatDetails?.payloads?.[0]?.data ?? []).toString()).toBe('{"counts":{"sent":3}}');

      await campaign.end();
      expect(await handle.result()).toMatchObject({ state: 'completed' });
      await campaignRuns({ client: temporal.client }).show(waiting, { counts: { sent: 4 } });
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
      await waits(campaign, handle);
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

  test('believes what it reads last: after a restore of the ledger the version is lower', ({ play }) =>
    play({ maxCachedWorkflows, recipients: 5 }, async (campaign, handle) => {
      await waits(campaign, handle);
      await campaign.set({ state: 'paused', version: 7 });
      await waits(campaign, handle);
      await campaign.set({ state: 'running', version: 3 });
      await waits(campaign, handle);

      expect(campaign.waited).toEqual([1, 7, 3]);
      expect(await shownState(handle)).toEqual(['running']);
      await campaign.end();
      await handle.result();
    }));

  test('continues when a retry comes while it is ending', ({ play }) => {
    let release: () => void = () => undefined;
    const looked = new Promise<void>((resolve) => (release = resolve));
    let asked = false;
    const prepare = (campaign: FakeCampaign) => ({
      retryCampaign: async () => {
        asked = true;
        await looked;
        const counts = { ...NO_RECIPIENTS, delivered: 1, pending: 2 };
        return { recipients: 2, progress: await campaign.set({ state: 'running', counts }) };
      },
    });
    return play({ maxCachedWorkflows, recipients: 3, prepare }, async (campaign, handle) => {
      await waits(campaign, handle);
      const retried = update<RetriedRecipients>(handle, CAMPAIGN_RETRY_UPDATE, { scopes: ['failed'] });
      await eventually(async () => expect(asked).toBe(true));
      await campaign.end();
      await eventually(async () => expect(await shownState(handle)).toEqual(['completed']));
      release();
      expect(await retried).toMatchObject({ recipients: 2 });
      await waits(campaign, handle);
      await campaign.end();
      expect(await handle.result()).toMatchObject({ state: 'completed', counts: { delivered: 3 } });
    });
  });
});

test('a run that another client starts reads the campaign first', async ({ temporal, taskQueue }) => {
  const campaign = new FakeCampaign(temporal.client, taskQueue, 2);
  const worker = await temporal.createWorker({ taskQueue, activities: campaign.activities });
  await worker.runUntil(async () => {
    const handle = await start(temporal, taskQueue, campaign, { campaignId: campaign.id });
    await waits(campaign, handle);
    expect((await handle.describe()).searchAttributes).toMatchObject({
      EverpostCampaign: [campaign.id],
      EverpostInstance: ['main'],
      EverpostState: ['running'],
    });
    await campaign.end();
    expect(await handle.result()).toMatchObject({ state: 'completed' });
  });
});

test('a run is listed under each account that its campaign has now', async ({ temporal, taskQueue }) => {
  const campaign = new FakeCampaign(temporal.client, taskQueue, 2);
  await campaign.set({ instances: ['main', 'west'] });
  const listed = async (instance: string) => {
    const query = `EverpostInstance = "${instance}" AND WorkflowId = "${campaignWorkflowId(campaign.id)}"`;
    return (await temporal.client.workflow.count(query)).count;
  };
  const worker = await temporal.createWorker({ taskQueue, activities: campaign.activities });
  await worker.runUntil(async () => {
    await campaignRuns({ client: temporal.client, taskQueue }).follow(campaign.progress);
    const handle = temporal.client.workflow.getHandle(campaignWorkflowId(campaign.id));
    await waits(campaign, handle);
    await eventually(async () => expect(await Promise.all(['main', 'west', 'east'].map(listed))).toEqual([1, 1, 0]));
    await campaign.set({ instance: 'east', instances: ['east', 'west'] });
    await waits(campaign, handle);
    await eventually(async () => expect(await Promise.all(['main', 'west', 'east'].map(listed))).toEqual([0, 1, 1]));
    await campaign.end();
    expect(await handle.result()).toMatchObject({ state: 'completed' });
  });
});

test('a retry that starts a run for an ended campaign is done before the run may end', async ({
  temporal,
  taskQueue,
}) => {
  const campaign = new FakeCampaign(temporal.client, taskQueue, 2);
  await campaign.end();
  const worker = await temporal.createWorker({ taskQueue, activities: campaign.activities });
  await worker.runUntil(async () => {
    const runs = campaignRuns({ client: temporal.client, taskQueue });
    const { progress } = campaign;
    const asked = { name: CAMPAIGN_RETRY_UPDATE, args: [{ scopes: ['failed'] }], updateId: 'retry' };
    const response = runs.updateWithStart<RetriedRecipients>(progress, asked, { timeoutMs: 30_000 });
    expect(await response).toMatchObject({ recipients: 2, progress: { state: 'running' } });
    const handle = temporal.client.workflow.getHandle(campaignWorkflowId(campaign.id));
    await waits(campaign, handle);
    await campaign.end();
    expect(await handle.result()).toMatchObject({ state: 'completed' });
  });
});

test('a run that is closing continues when its campaign runs again', async ({ temporal, taskQueue }) => {
  const campaign = new FakeCampaign(temporal.client, taskQueue, 3);
  const aWorker = () => temporal.createWorker({ taskQueue, activities: campaign.activities });
  const { runAgain } = campaignRuns({ client: temporal.client, taskQueue });
  const handle = await start(temporal, taskQueue, campaign);
  const first = await aWorker();
  await first.runUntil(() => waits(campaign, handle));
  // The task in which it would end waits for a worker.
  await campaign.end();
  await campaign.set({ state: 'running' });
  await runAgain(campaign.progress);

  const second = await aWorker();
  await second.runUntil(async () => {
    await waits(campaign, handle);
    expect(await shownState(handle)).toEqual(['running']);
    await campaign.end();
    expect(await handle.result()).toMatchObject({ state: 'completed' });
    const { runId } = await handle.describe();

    // Once it has closed, another run starts.
    await campaign.set({ state: 'running' });
    await runAgain(campaign.progress);
    await waits(campaign, handle);
    expect((await handle.describe()).runId).not.toBe(runId);
    await campaign.end();
    await handle.result();
  });
});

test('a run continues as new when its history has grown, and loses nothing', async ({ temporal, taskQueue }) => {
  const campaign = new FakeCampaign(temporal.client, taskQueue, 6);
  const { activities } = campaign;
  const handle = await start(temporal, taskQueue, campaign);
  const { runId } = await handle.describe();
  const worker = await temporal.createWorker({ taskQueue, activities });
  await worker.runUntil(async () => {
    await waits(campaign, handle);
    // A history of over four megabytes, which the server considers long.
    for (let times = 0; times < 3; times += 1) {
      await campaign.set({ name: 'x'.repeat(1_500_000) });
      await waits(campaign, handle);
    }
    await campaign.set({ name: 'short', state: 'paused' });
    await waits(campaign, handle);
    expect((await handle.describe()).runId).not.toBe(runId);
    const first = await temporal.client.workflow.getHandle(handle.workflowId, runId).describe();
    expect(first.status.name).toBe('CONTINUED_AS_NEW');
    await campaign.end();
    expect(await handle.result()).toMatchObject({ state: 'completed', counts: { delivered: 6 } });
  });
});
