/** The update `waitFor` of the workflow `message`, as docs/contract.md promises it. */
import { describe, expect } from 'vitest';
import { createEverpost } from '../../src/index.js';
import { test } from './in-world.js';
import { ALICE, HELLO, start, waitFor } from './raw-start.js';
import { passTime, passTimeUntil } from './pass-time.js';
import { aWorld } from './world.js';
import { eventually } from '../support/eventually.js';

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
