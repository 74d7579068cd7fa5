/** Proves RUN-4: the long waits of the workflow `message`, and its update `waitFor`, as docs/contract.md promises it. */
import { describe, expect } from 'vitest';
import { createEverpost } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { test } from './in-world.js';
import { passTime, passTimeUntil } from './pass-time.js';
import { ALICE, HELLO, start, waitFor } from './raw-start.js';
import { aWorld } from './world.js';

/** The product leaves ten seconds of the window for the way to the gateway. */
const SHORT_WINDOW = { editWindowMs: 12_000 };

describe('the wait for a state', () => {
  test('ends when its time is over, with the current state of the message', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const handle = await start(place, HELLO);
      await waitFor(handle, 'delivered');
      expect(await waitFor(handle, 'read', 50)).toMatchObject({ reached: false, state: 'delivered' });
      expect(await waitFor(handle, 'sent', 0)).toMatchObject({ reached: true, state: 'delivered' });
      expect(await waitFor(handle, 'end')).toMatchObject({ reached: true });
      await handle.terminate('the test has ended');
    }));

  test('ends with the run, and does not keep the run open', ({ inWorld }) =>
    inWorld({ instance: SHORT_WINDOW }, async (world) => {
      await world.simulator.pauseListening();
      const run = await world.start({ kind: 'text', text: 'Read me' });
      const waiting = waitFor(run.handle, 'read');
      await eventually(async () => {
        const { raw } = await run.handle.describe();
        expect(raw.pendingActivities?.map(({ activityType }) => activityType?.name)).toContain('waitForState');
      });
      await world.simulator.resumeListening();
      expect(await waiting).toMatchObject({ reached: false, state: 'delivered' });
      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
    }));

  test('is refused when eight callers wait already, and an edit and a cancellation are still taken', ({ inWorld }) =>
    inWorld(async (world) => {
      await world.simulator.pauseListening();
      const run = await world.start({ kind: 'text', text: 'Read me' });
      await run.reaches('pending');
      const waits = Array.from({ length: 8 }, () => waitFor(run.handle, 'read'));
      await eventually(async () => {
        const { raw } = await run.handle.describe();
        expect(raw.pendingActivities?.filter(({ activityType }) => activityType?.name === 'waitForState')).toHaveLength(
          8,
        );
      });
      await expect(waitFor(run.handle, 'sent')).rejects.toMatchObject({ cause: { type: 'TOO_MANY_WAITS' } });
      const edited = { args: [{ text: 'Read me soon' }] as [object], updateId: 'edt_soon' };
      expect(await run.handle.executeUpdate('edit', edited)).toMatchObject({ outcome: 'edited' });
      expect(await run.handle.executeUpdate('cancel')).toMatchObject({ cancelled: true });
      for (const end of await Promise.all(waits)) expect(end).toMatchObject({ reached: false, state: 'cancelled' });
      await world.simulator.resumeListening();
    }));

  test('ends when an operator cancels the run', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const handle = await start(place, HELLO);
      await waitFor(handle, 'delivered');
      const waiting = waitFor(handle, 'read');
      await eventually(async () => {
        const { events } = await handle.fetchHistory();
        expect(events?.filter((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toHaveLength(2);
      });
      await handle.cancel();
      expect(await waiting).toMatchObject({ reached: false, state: 'delivered' });
    }));

  test('is how our own client waits, and reports a refusal too', ({ inWorld }) =>
    inWorld(async (_world, { temporal, taskQueue }) => {
      const everpost = createEverpost({ client: temporal.client, taskQueue });
      const good = await everpost.send({ ...HELLO, content: { kind: 'text', text: 'Hello' } });
      expect((await good.waitFor('delivered')).state).toBe('delivered');
      const bad = await everpost.send({ instance: 'shop', to: ALICE, content: { kind: 'text', text: 'Hello' } });
      await expect(bad.waitFor('sent')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(bad.result()).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }));
});

const MINUTE = 60_000;
const ACTIONS = [
  'workflowExecutionStarted',
  'activityTaskScheduled',
  'upsertWorkflowSearchAttributes',
  'timerStarted',
  'markerRecorded',
  'workflowExecutionCompleted',
] as const;

describe('a message’s long waits', () => {
  test('allow edits for a quarter of an hour after sent, end by themselves, and have 19 events at most', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      const run = await world.startOfRow('Hello');
      await passTimeUntil(world, timeSkipping, MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
      await passTime(world, timeSkipping, 10 * MINUTE);
      expect((await run.handle.describe()).status.name).toBe('RUNNING');

      await passTime(world, timeSkipping, 6 * MINUTE);
      expect(await run.handle.result()).toMatchObject({ state: 'delivered', idMessage: expect.any(String) });

      const { events } = await run.handle.fetchHistory();
      const actions = (events ?? []).flatMap((event) => ACTIONS.filter((name) => event[`${name}EventAttributes`]));
      expect([...new Set(actions)]).toEqual(ACTIONS);
      expect(events?.length).toBeLessThanOrEqual(19);
    });
  });
});
