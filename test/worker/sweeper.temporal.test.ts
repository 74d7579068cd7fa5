import { describe, expect } from 'vitest';
import { messageWorkflowId, type MessageId, type MessageRequest } from '../../src/contract/index.js';
import { messageRuns, messageId } from '../../src/starter/index.js';
import { sweeper } from '../../src/worker/index.js';
import { type TemporalForTests } from '../support/temporal/temporal.js';
import { test } from '../workflows/in-world.js';
import { ALICE, type World } from '../workflows/world.js';
import { eventually } from '../support/eventually.js';
import { begunShift, claim } from '../support/send-once.js';

/** One round of a sweeper beside the world's worker. */
async function sweep(world: World, temporal: TemporalForTests, taskQueue: string, namespace = temporal.namespace) {
  const { clock, ledger } = world;
  const drivers = messageRuns({ client: temporal.client, taskQueue });
  const log = (): void => undefined;
  await sweeper({ ledger, drivers, namespace, clock, log }).round();
}

/** Deletes the run in Temporal, as a restored backup would. */
async function forget({ client, namespace }: TemporalForTests, id: MessageId): Promise<void> {
  const workflowExecution = { workflowId: messageWorkflowId(id) };
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution });
  await eventually(async () => {
    await expect(client.workflow.getHandle(messageWorkflowId(id)).describe()).rejects.toThrow(/not found/i);
  });
}

/** Ends a run that the sweeper began, which the world does not know. */
async function endRun({ client }: TemporalForTests, id: MessageId): Promise<void> {
  await client.workflow.getHandle(messageWorkflowId(id)).terminate('the test has ended');
}

function posts(world: World): number {
  return world.simulator.requests().filter(({ method }) => method === 'sendMessage').length;
}

/** Proves PROMISE-2. */
describe('the sweeper', () => {
  test('cancels a pending message whose run was terminated, and says so in its evidence', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      await world.control('PATCH', 'instances/1101000001', { state: 'sleepMode' });
      await world.settle();
      const run = await world.start({ kind: 'text', text: 'Never mind' });
      await run.reaches('pending');
      await run.handle.terminate('changed my mind');

      // A try under way ends first: the account takes nothing.
      const view = await eventually(async () => {
        await sweep(world, temporal, taskQueue);
        const seen = await world.ledger.views.message(run.id, Date.now());
        expect(seen?.state).toBe('cancelled');
        return seen;
      });
      expect(view?.evidence).toContainEqual(expect.objectContaining({ witness: 'workflow terminated' }));
      await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
      await world.settle();
      await sweep(world, temporal, taskQueue);
      expect((await run.handle.describe()).status.name).toBe('TERMINATED');
      expect(posts(world)).toBe(0);
    }));

  test('gives a message whose run is forgotten a new one, and it goes out once', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      await world.simulator.pauseListening();
      const run = await world.start({ kind: 'text', text: 'Do not lose me' });
      await run.reaches('pending');
      await forget(temporal, run.id);
      await world.simulator.resumeListening();

      await sweep(world, temporal, taskQueue);
      await sweep(world, temporal, taskQueue);

      await run.reaches('delivered');
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Do not lose me' }]);
      expect(posts(world)).toBe(1);
      await endRun(temporal, run.id);
    }));

  test('searches the workflow that its starter chose, and begins its own when that one is lost', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      await world.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const input = { instance: 'main', to: ALICE, content: { kind: 'text', text: 'On its way' }, key: taskQueue };
      const workflowId = `order-${taskQueue}`;
      const handle = await temporal.client.workflow.start('message', { taskQueue, workflowId, args: [input] });
      await handle.executeUpdate('waitFor', { args: [{ state: 'accepted' }] });
      const id = messageId('main', taskQueue);
      const own = temporal.client.workflow.getHandle(messageWorkflowId(id));

      await sweep(world, temporal, taskQueue);
      await expect(own.describe()).rejects.toThrow(/not found/i);

      await handle.terminate('too many open runs');
      await sweep(world, temporal, taskQueue);
      expect((await own.describe()).status.name).toBe('RUNNING');
      expect(await own.executeUpdate('waitFor', { args: [{ state: 'accepted' }] })).toMatchObject({
        id,
        state: 'accepted',
        reached: true,
      });
      expect(posts(world)).toBe(1);
      await endRun(temporal, id);
    }));

  test('lets a message that was accepted end truly, though its run was terminated', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      await world.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const run = await world.start({ kind: 'text', text: 'On its way' });
      await run.reaches('accepted');
      await run.handle.terminate('too many open runs');

      await sweep(world, temporal, taskQueue);

      expect((await run.handle.describe()).status.name).toBe('RUNNING');
      expect(await run.snapshot()).toMatchObject({ state: 'accepted' });
      expect(posts(world)).toBe(1);
      await endRun(temporal, run.id);
    }));

  test('starts a run for a message with an open attempt only once its outcome can be determined', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const { messages } = world.ledger;
      const id = messageId('main', taskQueue);
      const nowMs = world.clock.nowMs();
      const request: MessageRequest = {
        instance: 'main',
        chatId: ALICE,
        content: { kind: 'text', text: 'Was I sent?' },
      };
      const times = { postingDeadlineMs: 50, gatewayTimeoutMs: 150, settleTimeMs: 100 };
      const claiming = { ledger: world.ledger, clock: world.clock, times };
      await begunShift(claiming, 'main');
      await world.ledger.intake.open({
        id,
        requestHash: 'h',
        request,
        expiresAtMs: nowMs + 60_000,
        run: 'started',
        nowMs,
      });
      expect(await claim(claiming, id)).toMatchObject({ messageId: id });
      await sweep(world, temporal, taskQueue);
      await expect(temporal.client.workflow.getHandle(messageWorkflowId(id)).describe()).rejects.toThrow(/not found/i);

      world.clock.set(nowMs + 100_000);
      await sweep(world, temporal, taskQueue);

      await eventually(async () => expect(['unknown', 'unresolved']).toContain((await messages.snapshot(id))?.state));
      expect(posts(world)).toBe(0);
      await endRun(temporal, id);
    }));

  test('starts none for a message that never had one', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const nowMs = world.clock.nowMs();
      const content = { kind: 'text', text: 'I need none' } as const;
      const ids = (['none', 'wanted'] as const).map((run) => ({ run, id: messageId('main', `${run} ${taskQueue}`) }));
      for (const { run, id } of ids) {
        const request = { instance: 'main', chatId: ALICE, content };
        await world.ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: nowMs + 60_000, run, nowMs });
      }
      await sweep(world, temporal, taskQueue);
      for (const { id } of ids) {
        const handle = temporal.client.workflow.getHandle(messageWorkflowId(id));
        await expect(handle.describe()).rejects.toThrow(/not found/i);
      }
    }));

  test('leaves alone what runs, what has ended, and what belongs to another namespace', ({ inWorld }) =>
    inWorld(async (world, { temporal, taskQueue }) => {
      const running = await world.start({ kind: 'text', text: 'One' });
      await running.reaches('delivered');
      const { runId } = await running.handle.describe();
      await world.simulator.pauseListening();
      const elsewhere = await world.start({ kind: 'text', text: 'Two' });
      await elsewhere.reaches('pending');
      await elsewhere.handle.terminate('its namespace is no business of ours');

      await sweep(world, temporal, taskQueue, 'another-namespace');

      expect((await running.handle.describe()).runId).toBe(runId);
      // A try under way still records that nothing listened.
      await elsewhere.reaches('pending');
      expect((await elsewhere.handle.describe()).status.name).toBe('TERMINATED');
    }));
});
