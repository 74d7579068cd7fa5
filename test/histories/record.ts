/**
 * Plays the story of each saved history against a dev server and saves its record. scripts/record-histories.js runs it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { WorkflowHandle } from '@temporalio/client';
import { historyToJSON } from '@temporalio/common/lib/proto-utils.js';
import { expect, onTestFinished } from 'vitest';
import { saveHistory } from '../../scripts/save-history.js';
import { findTemporalCli, startDevServer } from '../../src/tools/local-temporal/index.js';
import {
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  CAMPAIGN_UPDATE_UPDATE,
  MESSAGE_CANCEL_UPDATE,
  MESSAGE_EDIT_UPDATE,
  MESSAGE_WAIT_FOR_UPDATE,
  SEND_ACTIVITY_ID,
  TEMPLATE_SET_REVIEW_UPDATE,
  WORKFLOW,
  type TemplateDefinition,
} from '../../src/contract/index.js';
import { eventually } from '../support/eventually.js';
import { binaryOptions } from '../support/temporal/temporal-programs.js';
import { connectForTests, type TemporalForTests } from '../support/temporal/temporal.js';
import { aCampaignRun } from '../workflows/campaign-world.js';
import { test } from '../workflows/in-world.js';
import { aWorld, type Place, type World } from '../workflows/world.js';
import { FakeDispatcher, dueIn, wake, withWorker } from '../workflows/instance-world.js';
import { missingFrom } from './stories.js';
import { TEMPLATE } from '../support/template.js';

const MINUTE = 60_000;
/** A run continues as new from this many events on. The next run needs fewer. */
const LONG_HISTORY_EVENTS = 80;

/** Saves the history of a run once it contains every part of its story and no workflow task is under way. */
async function save(name: string, handle: WorkflowHandle): Promise<void> {
  const history = await eventually(async () => {
    const found = await handle.fetchHistory();
    const saved = JSON.parse(historyToJSON(found));
    expect(missingFrom(saved, name)).toEqual([]);
    expect(saved.events.at(-1).eventType).not.toMatch(/WORKFLOW_TASK_(SCHEDULED|STARTED)$/);
    return found;
  });
  await saveHistory(history, name);
}

/** Starts the workflow `message` as any client of Temporal can: with plain JSON. */
async function startMessage(world: World, { temporal, taskQueue }: Place, input: object) {
  const handle = await temporal.client.workflow.start(WORKFLOW.message, {
    taskQueue,
    workflowId: taskQueue,
    args: [{ instance: 'main', key: taskQueue, ...input }],
  });
  world.owns(handle);
  return handle;
}

/** A text to a number of an unassigned area code. */
function text(words: string): object {
  return { to: '15550000001', content: { kind: 'text', text: words } };
}

function update(handle: WorkflowHandle, name: string, ...args: unknown[]): Promise<unknown> {
  return handle.executeUpdate<unknown, [unknown]>(name, { args: args as [unknown] });
}

/** Resolves while the send of a message waits for its outcome. */
async function isSending(handle: WorkflowHandle): Promise<void> {
  await eventually(async () => {
    const { raw } = await handle.describe();
    expect(raw.pendingActivities).toMatchObject([{ activityId: SEND_ACTIVITY_ID, attempt: 1 }]);
  });
}

/** Resolves while an activity waits for its second try, or a later one. */
async function waitsForRetry(handle: WorkflowHandle): Promise<void> {
  await eventually(async () => {
    const { raw } = await handle.describe();
    expect(raw.pendingActivities).toMatchObject([{ attempt: expect.toSatisfy((attempt: number) => attempt > 1) }]);
  });
}

function aTemplate(elementName: string): TemplateDefinition {
  return { ...TEMPLATE, elementName };
}

test('message-edited', ({ inWorld }) =>
  inWorld({ instance: { editWindowMs: 25_000 } }, async (world, place) => {
    const handle = await startMessage(world, place, text('See you at nine'));
    await update(handle, MESSAGE_WAIT_FOR_UPDATE, { state: 'delivered' });
    const first = await update(handle, MESSAGE_EDIT_UPDATE, { text: 'See you at ten', key: 'ten' });
    expect(first).toMatchObject({ outcome: 'edited', via: 'gateway' });
    const second = await update(handle, MESSAGE_EDIT_UPDATE, { text: 'See you at eleven', key: 'eleven' });
    expect(second).toMatchObject({ outcome: 'edited', via: 'gateway' });
    expect(await update(handle, MESSAGE_WAIT_FOR_UPDATE, { state: 'read' })).toMatchObject({ reached: false });
    await handle.result();
    await save('message-edited', handle);
  }));

test('message-edited-before-send', ({ inWorld }) =>
  inWorld(async (world, place) => {
    await world.simulator.pauseListening();
    const handle = await startMessage(world, place, text('Price: 10'));
    await isSending(handle);
    const before = await update(handle, MESSAGE_EDIT_UPDATE, { text: 'Price: 12' });
    expect(before).toMatchObject({ outcome: 'edited', via: 'before_send' });
    await world.simulator.resumeListening();
    await update(handle, MESSAGE_WAIT_FOR_UPDATE, { state: 'delivered' });
    const after = await update(handle, MESSAGE_EDIT_UPDATE, { text: 'Price: 12' });
    expect(after).toMatchObject({ outcome: 'edited', via: 'gateway' });
    await save('message-edited-before-send', handle);
  }));

test('message-cancelled', ({ inWorld }) =>
  inWorld(async (world, place) => {
    await world.simulator.pauseListening();
    const handle = await startMessage(world, place, text('Not needed'));
    await isSending(handle);
    expect(await update(handle, MESSAGE_CANCEL_UPDATE)).toEqual({ cancelled: true, state: 'cancelled' });
    await handle.result();
    await save('message-cancelled', handle);
  }));

test('message-run-cancelled', ({ inWorld }) =>
  inWorld(async (world, place) => {
    await world.simulator.pauseListening();
    const handle = await startMessage(world, place, text('Not needed'));
    await isSending(handle);
    await handle.cancel();
    await expect(handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    await save('message-run-cancelled', handle);
  }));

test('message-input-refused', ({ inWorld }) =>
  inWorld(async (world, place) => {
    const handle = await startMessage(world, place, { ...text(''), to: '12' });
    await expect(handle.result()).rejects.toMatchObject({ cause: { type: 'INPUT_INVALID' } });
    await save('message-input-refused', handle);
  }));

test('message-lost-response', ({ inWorld }) =>
  inWorld(async (world, place) => {
    await world.control('POST', 'faults', { method: 'sendMessage', kind: 'reset', accepted: true, times: 1 });
    const handle = await startMessage(world, place, text('Lost and found'));
    const waiting = { state: 'delivered', timeoutMs: 2 * MINUTE };
    expect(await update(handle, MESSAGE_WAIT_FOR_UPDATE, waiting)).toMatchObject({ reached: true });
    expect(world.simulator.delivered()).toHaveLength(1);
    await save('message-lost-response', handle);
  }));

test('message-unresolved', ({ inWorld }) =>
  inWorld(async (world) => {
    await world.control('POST', 'faults', { method: 'sendMessage', kind: 'reset', accepted: false, times: 1 });
    const run = await world.startOfRow('Where am I?');
    await run.reaches('unknown');
    await isSending(run.handle);
    world.clock.set(Date.now() + 10 * MINUTE);
    await run.reaches('unresolved');
    await eventually(async () => {
      const { searchAttributes } = await run.handle.describe();
      expect(searchAttributes['EverpostState']).toEqual(['unresolved']);
    });
    await isSending(run.handle);
    await world.ledger.reconciling.resolve(run.id, { outcome: 'accepted', witness: 'operator' }, world.clock.nowMs());
    expect(await run.handle.result()).toMatchObject({ state: 'sent' });
    await save('message-unresolved', run.handle);
  }));

test('template-rejected', ({ inWorld }) =>
  inWorld({ templatePollIntervalsMs: [500] }, async (world) => {
    const run = await world.startTemplate(aTemplate('order_rejected'));
    await waitsForRetry(run.handle);
    await world.control('POST', 'templates/order_rejected/decision', { status: 'REJECTED', reason: 'Too short' });
    expect(await run.handle.result()).toMatchObject({ status: 'REJECTED', reason: 'Too short' });
    await save('template-rejected', run.handle);
  }));

test('template-lost-response-decided', ({ inWorld }) =>
  inWorld(async (world) => {
    await world.control('POST', 'faults', { method: 'createTemplate', kind: 'reset', accepted: true, times: 1 });
    const run = await world.startTemplate(aTemplate('order_lost'));
    await run.reaches('PENDING');
    await waitsForRetry(run.handle);
    const decided = await update(run.handle, TEMPLATE_SET_REVIEW_UPDATE, { status: 'PAUSED' });
    expect(decided).toMatchObject({ status: 'PAUSED' });
    await save('template-lost-response-decided', run.handle);
  }));

test('campaign-steered', ({ inWorld }) =>
  inWorld(async (world, place) => {
    world.turnstile.allow('sendMessage', 3);
    const run = await aCampaignRun(world, place, 8);
    await run.hasPosted(3);
    await update(run.handle, CAMPAIGN_PAUSE_UPDATE);
    await update(run.handle, CAMPAIGN_UPDATE_UPDATE, { highWater: 4 });
    await update(run.handle, CAMPAIGN_RESUME_UPDATE);
    await update(run.handle, CAMPAIGN_RETRY_UPDATE, { scopes: ['failed'] });
    world.turnstile.open();
    expect(await run.handle.result()).toMatchObject({ state: 'completed' });
    await save('campaign-steered', run.handle);
  }));

test('campaign-run-cancelled', ({ inWorld }) =>
  inWorld(async (world, place) => {
    world.turnstile.allow('sendMessage', 3);
    const run = await aCampaignRun(world, place, 20);
    await run.hasPosted(3);
    await run.handle.cancel();
    await expect(run.handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
    await save('campaign-run-cancelled', run.handle);
  }));

test('campaign-continued and campaign-after-continuing', async ({ taskQueue }) => {
  const temporal = await serverOfShortHistories();
  const world = await aWorld({ temporal, taskQueue });
  await world.run(async () => {
    world.turnstile.allow('sendMessage', 3);
    const run = await aCampaignRun(world, { temporal, taskQueue }, 6);
    const { runId } = await run.handle.describe();
    // Each change lengthens the history of the run until it continues as new.
    let highWater = 4;
    await eventually(async () => {
      await update(run.handle, CAMPAIGN_UPDATE_UPDATE, { highWater: (highWater += 1) });
      expect((await run.handle.describe()).runId).not.toBe(runId);
    });
    world.turnstile.open();
    expect(await run.handle.result()).toMatchObject({ state: 'completed' });
    const { workflowId } = run.handle;
    const { runId: latestRun } = await run.handle.describe();
    await save('campaign-continued', temporal.client.workflow.getHandle(workflowId, runId));
    await save('campaign-after-continuing', temporal.client.workflow.getHandle(workflowId, latestRun));
  });
});

test('instance-next-due', async ({ temporal, taskQueue }) => {
  const dispatcher = new FakeDispatcher();
  dispatcher.ends = [500, 3_600_000].map((ms) => () => dueIn(ms));
  await withWorker({ temporal, taskQueue }, dispatcher, async () => {
    const handle = await wake({ temporal, taskQueue });
    await eventually(() => expect(dispatcher.shifts).toHaveLength(2));
    await eventually(async () => {
      const { events } = await handle.fetchHistory();
      expect(events?.filter(({ timerStartedEventAttributes }) => timerStartedEventAttributes)).toHaveLength(2);
    });
    await wake({ temporal, taskQueue });
    await save('instance-next-due', handle);
    await handle.terminate();
  });
});

test('instance-outcomes-unrecorded', async ({ temporal, taskQueue }) => {
  const dispatcher = new FakeDispatcher();
  const outcome = { kind: 'accepted', idMessage: 'G-1', httpStatus: 200 } as const;
  dispatcher.ends = [
    () => ({ ended: 'ledger_unavailable', unrecorded: [{ token: 'att_1', outcome, atMs: Date.now() }] }),
  ];
  await withWorker({ temporal, taskQueue }, dispatcher, async () => {
    const handle = await wake({ temporal, taskQueue });
    await eventually(() => expect(dispatcher.recorded).toHaveLength(1));
    await save('instance-outcomes-unrecorded', handle);
    await handle.terminate();
  });
});

test('instance-continued', async ({ taskQueue }) => {
  const stage = { temporal: await serverOfShortHistories(), taskQueue };
  await withWorker(stage, new FakeDispatcher(), async () => {
    const handle = await wake(stage);
    const first = await handle.describe();
    await eventually(async () => {
      await wake(stage);
      expect((await handle.describe()).runId).not.toBe(first.runId);
    });
    await save('instance-continued', stage.temporal.client.workflow.getHandle(handle.workflowId, first.runId));
    await stage.temporal.client.workflow.getHandle(handle.workflowId).terminate();
  });
});

async function serverOfShortHistories(): Promise<TemporalForTests> {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-record-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const namespace = 'default';
  const server = await startDevServer({
    cliPath: (await findTemporalCli(binaryOptions('TEMPORAL_CLI_PATH'))).path,
    port: 0,
    namespace,
    dir,
    inMemory: true,
    dynamicConfig: { 'limit.historyCount.suggestContinueAsNew': LONG_HISTORY_EVENTS },
  });
  onTestFinished(() => server.stop());
  const { temporal, close } = await connectForTests(server.address, namespace);
  onTestFinished(close);
  return temporal;
}
