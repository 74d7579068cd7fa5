import { describe, expect } from 'vitest';
import { eventually } from '../support/eventually.js';
import { test } from '../support/temporal/temporal.js';
import { passTime, passTimeUntil } from './pass-time.js';
import { aWorld } from './world.js';

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
