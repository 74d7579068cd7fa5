/** The long waits of the workflow `message`, and its update `waitFor`, as docs/contract.md promises it. */
import { describe, expect } from 'vitest';
import { createEverpost } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { test } from './in-world.js';
import { passTime, passTimeUntil } from './pass-time.js';
import { ALICE, HELLO, start, waitFor } from './raw-start.js';
import { aWorld } from './world.js';

describe('the wait for a state', () => {
  test('ends when its time is over, with the current state of the message', ({ inWorld }) =>
    inWorld(async (_world, place) => {
      const handle = await start(place, HELLO);
      await waitFor(handle, 'delivered');
      expect(await waitFor(handle, 'read', 50)).toMatchObject({ reached: false, snapshot: { state: 'delivered' } });
      expect(await waitFor(handle, 'sent', 0)).toMatchObject({ reached: true, snapshot: { state: 'delivered' } });
      expect(await waitFor(handle, 'end')).toMatchObject({ reached: true });
      await handle.terminate('the test has ended');
    }));

  test('ends with the run, and does not keep the run open', async ({ timeSkipping, taskQueue }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      const run = await world.start({ kind: 'text', text: 'Read me' });
      await run.reaches('accepted');
      await passTimeUntil(world, timeSkipping, 10_000, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
      const waiting = waitFor(run.handle, 'read');
      await eventually(async () => {
        const { events } = await run.handle.fetchHistory();
        expect(events?.some((event) => event.workflowExecutionUpdateAcceptedEventAttributes)).toBe(true);
      });
      await passTime(world, timeSkipping, 16 * 60_000);
      expect(await waiting).toMatchObject({ reached: false, snapshot: { state: 'delivered' } });
      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
    });
  });

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
      expect(await waiting).toMatchObject({ reached: false, snapshot: { state: 'delivered' } });
    }));

  test('is how our own client waits, and reports a refusal too', ({ inWorld }) =>
    inWorld(async (_world, { temporal, taskQueue }) => {
      const everpost = createEverpost({ client: temporal.client, taskQueue });
      const good = await everpost.send({ ...HELLO, content: { kind: 'text', text: 'Hello' } });
      expect((await good.waitFor('delivered')).snapshot?.state).toBe('delivered');
      const bad = await everpost.send({ instance: 'shop', to: ALICE, content: { kind: 'text', text: 'Hello' } });
      await expect(bad.waitFor('sent')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
      await expect(bad.result()).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    }));
});

const MINUTE = 60_000;
/** A run is signalled that its message was sent, and of later receipts only while an update waits for them. */
const SENT = /^(sent|delivered)$/;
/** The billed actions, and the end: the local activity is a marker, the timer closes the edit window. */
const ACTIONS = [
  'workflowExecutionStarted',
  'markerRecorded',
  'activityTaskScheduled',
  'workflowExecutionSignaled',
  'timerStarted',
  'workflowExecutionCompleted',
] as const;

describe('a message’s long waits', () => {
  test('allow edits for a quarter of an hour after sent, end by themselves, and cost six actions', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      // An outcome that is known before the send has begun would cause another signal.
      world.turnstile.allow('sendMessage', 0);
      const run = await world.startOfRow('Hello');
      await eventually(async () => {
        const { events } = await run.handle.fetchHistory();
        expect((events ?? []).some((event) => event.activityTaskScheduledEventAttributes)).toBe(true);
      });
      world.turnstile.open();
      await passTimeUntil(world, timeSkipping, MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
      await passTime(world, timeSkipping, 10 * MINUTE);
      expect((await run.handle.describe()).status.name).toBe('RUNNING');

      await passTime(world, timeSkipping, 6 * MINUTE);
      expect(await run.handle.result()).toMatchObject({ state: expect.stringMatching(SENT) });

      const { events } = await run.handle.fetchHistory();
      const actions = (events ?? []).flatMap((event) => ACTIONS.filter((name) => event[`${name}EventAttributes`]));
      expect(actions.toSorted()).toEqual(ACTIONS.toSorted());
      expect((events ?? []).some((event) => event.upsertWorkflowSearchAttributesEventAttributes)).toBe(false);
    });
  });
});
