import type { WorkflowHandle } from '@temporalio/client';
import { describe, expect } from 'vitest';
import {
  MESSAGE_CANCEL_UPDATE,
  MESSAGE_EDIT_UPDATE,
  type CancelResult,
  type EditId,
  type EditRequest,
  type EditResult,
} from '../../src/contract/index.js';
import { cancelResultSchema, messageResultSchema } from '../../src/contract/workflow-schemas.js';
import { editId } from '../../src/starter/index.js';
import { CACHES } from '../support/temporal/temporal.js';
import { test } from './in-world.js';
import { posts, waitFor } from './raw-start.js';
import { aWorld, type MessageRun, type World } from './world.js';
import { eventually } from '../support/eventually.js';

function edit(run: MessageRun, key: string, text: string): Promise<EditResult> {
  const request: EditRequest = { key, text };
  return run.handle.executeUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE, {
    args: [request],
    updateId: key,
  });
}

/** An edit that is requested without the run. */
async function editByHttp({ ledger }: World, run: MessageRun, text: string): Promise<EditId> {
  const requested = 'edt_ten' as EditId;
  await ledger.edits.open({ editId: requested, messageId: run.id, text, witness: 'loopback', nowMs: Date.now() });
  return requested;
}

function cancel(handle: WorkflowHandle): Promise<CancelResult> {
  return handle.executeUpdate<CancelResult, []>(MESSAGE_CANCEL_UPDATE, { updateId: 'cancel' });
}

/** Replay is the normal case: everything holds with and without the cache of workflows. Proves PROTOCOL-8. */
describe.each(CACHES)('a message, %s', (_, maxCachedWorkflows) => {
  test('is sent, delivered, and edited inside the window', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world) => {
      const run = await world.start({ kind: 'text', text: 'See you at nine' });
      await run.reaches('delivered');

      expect(await edit(run, 'edt_ten', 'See you at ten')).toMatchObject({ outcome: 'edited' });

      expect(world.simulator.delivered()).toMatchObject([{ text: 'See you at ten' }]);
      expect(await run.snapshot()).toMatchObject({
        state: 'delivered',
        edits: [{ id: editId(run.id, 'edt_ten'), state: 'edited' }],
      });
    }));

  test('is edited before its post, and only the new text is sent', async ({ temporal, taskQueue }) => {
    // Not accepted, with another try in a second: the delay does not grow with the tries.
    const world = await aWorld({
      temporal,
      taskQueue,
      maxCachedWorkflows,
      instance: { statusMeanings: { '503': 'not_accepted' } },
    });
    await world.run(async () => {
      const refusing = { kind: 'status', status: 503, headers: { 'retry-after': '1' }, accepted: false, times: 1_000 };
      await world.control('POST', 'faults', { method: 'sendMessage', ...refusing });
      const run = await world.start({ kind: 'text', text: 'Price: 10' });
      await eventually(async () => expect(posts(world)).toBeGreaterThan(0));

      expect(await edit(run, 'edt_price', 'Price: 12')).toMatchObject({ outcome: 'edited', via: 'before_send' });

      await world.control('DELETE', 'faults');
      await run.reaches('delivered');
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Price: 12', edits: [] }]);
    });
  });

  test('returns an edit at once, not after its next try, when its POST was refused', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows, instance: { statusMeanings: { '503': 'not_accepted' } } }, async (world) => {
      const refusing = { status: 503, headers: { 'retry-after': '600' }, accepted: false, times: 1 };
      await world.control('POST', 'faults', { method: 'sendMessage', kind: 'late-answer', ms: 1_000, ...refusing });
      const run = await world.start({ kind: 'text', text: 'Price: 10' });
      await eventually(async () => expect(posts(world)).toBe(1));

      expect(await edit(run, 'edt_price', 'Price: 12')).toMatchObject({ outcome: 'edited', via: 'before_send' });
      expect(posts(world)).toBe(1);
      await cancel(run.handle);
    }));

  test('stays unknown after a lost response and is never posted again', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world) => {
      await world.control('POST', 'faults', { method: 'sendMessage', kind: 'reset', accepted: false, times: 1 });
      const run = await world.start({ kind: 'text', text: 'Is anyone there?' });
      const row = await run.reaches('unknown', 'unresolved');

      expect(row.idMessage).toBeUndefined();
      await cancel(run.handle);
      expect(posts(world)).toBe(1);
    }));

  test('is cancelled at once while it waits for the gateway', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world) => {
      await world.simulator.pauseListening();
      const run = await world.start({ kind: 'text', text: 'Never mind' });
      await run.reaches('pending');

      const waiting = waitFor(run.handle, 'delivered');

      expect(cancelResultSchema.parse(await cancel(run.handle))).toEqual({ cancelled: true, state: 'cancelled' });

      expect(await waiting).toMatchObject({ reached: false, state: 'cancelled' });
      expect(messageResultSchema.parse(await run.handle.result())).toMatchObject({ state: 'cancelled' });
      await world.simulator.resumeListening();
      expect(world.simulator.requests()).toEqual([]);
    }));

  test('ends rejected with the gateway’s reason', ({ inWorld }) =>
    inWorld({ maxCachedWorkflows }, async (world) => {
      await world.control('POST', 'instances/1101000001/accounts', { beta: false });
      const run = await world.start({ kind: 'status', text: 'Open until eight' });

      expect(await run.handle.result()).toMatchObject({ state: 'rejected', reason: 'GATEWAY_REJECTED' });

      const view = await world.ledger.views.message(run.id, Date.now());
      expect(view?.reasonText).toContain('Forbidden');
    }));
});

describe('edits of one message', () => {
  test('end as superseded when a newer one is asked for before they could be posted', ({ inWorld }) =>
    inWorld(async (world) => {
      await world.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const run = await world.start({ kind: 'text', text: 'One' });
      await run.reaches('accepted');
      const older = edit(run, 'edt_two', 'Two');
      await eventually(async () => expect(await run.snapshot()).toMatchObject({ edits: [{ state: 'pending' }] }));
      const newer = edit(run, 'edt_three', 'Three');

      expect(await older).toMatchObject({ outcome: 'superseded' });
      await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
      expect(await newer).toMatchObject({ outcome: 'edited' });
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Three' }]);
    }));

  test('are shown by the run, as one activity each, also when they are requested without it', ({ inWorld }) =>
    inWorld(async (world) => {
      const run = await world.start({ kind: 'text', text: 'See you at nine' });
      await run.reaches('delivered');
      const ten = await editByHttp(world, run, 'See you at ten');
      world.wake(world.name);

      await eventually(async () => {
        const { events } = await run.handle.fetchHistory();
        const named = events?.filter(
          ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === 'editMessage',
        );
        expect(named).toHaveLength(1);
        expect(
          events?.filter(({ activityTaskCompletedEventAttributes: done }) => Boolean(done)).length,
        ).toBeGreaterThan(1);
      });
      expect(await run.snapshot()).toMatchObject({ edits: [{ id: ten, state: 'edited' }] });
      await cancel(run.handle);
    }));

  test('are refused by the gateway’s notification when its clock shows that the window has passed', ({ inWorld }) =>
    inWorld(async (world) => {
      const run = await world.start({ kind: 'text', text: 'See you at nine' });
      await run.reaches('delivered');
      await world.simulator.advance(15 * 60_000 + 1_000);

      expect(await edit(run, 'edt_late', 'See you at ten')).toMatchObject({ outcome: 'refused' });

      expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      expect(world.simulator.delivered()).toMatchObject([{ text: 'See you at nine' }]);
      // The run no longer waits for edits.
      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
    }));
});

describe('a run that is cancelled in the Web UI', () => {
  test('ends, and its edits are made without it', ({ inWorld }) =>
    inWorld(async (world) => {
      const run = await world.start({ kind: 'text', text: 'Nine' });
      await run.reaches('delivered');
      await world.ledger.instances.pauseByOperator(world.name, 'p', 'operator', Date.now());
      await editByHttp(world, run, 'Ten');
      await eventually(async () => {
        const { raw } = await run.handle.describe();
        expect(raw.pendingActivities).toMatchObject([{ activityType: { name: 'editMessage' } }]);
      });
      await run.handle.cancel();

      await expect(run.handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      await world.ledger.instances.resume(world.name, 'operator', Date.now());
      world.wake(world.name);
      await eventually(async () => expect(await run.snapshot()).toMatchObject({ edits: [{ state: 'edited' }] }));
      expect(world.simulator.delivered()).toMatchObject([{ text: 'Ten' }]);
    }));

  test('cancels its message even while a try of it is failing', ({ inWorld }) =>
    inWorld({ instance: { statusMeanings: { '503': 'not_accepted' } } }, async (world) => {
      const refusingSlowly = { kind: 'late-answer', status: 503, ms: 700, accepted: false, times: 1_000 };
      await world.control('POST', 'faults', { method: 'sendMessage', ...refusingSlowly });
      const run = await world.start({ kind: 'text', text: 'Never mind' });
      await run.reaches('sending');
      await run.handle.cancel();

      await expect(run.handle.result()).rejects.toMatchObject({ cause: { name: 'CancelledFailure' } });
      expect(await run.snapshot()).toMatchObject({ state: 'cancelled' });
    }));
});
