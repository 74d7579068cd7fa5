import { writeFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { watchedInstances } from '../../src/config/instance-directory.js';
import { test } from '../support/temporal.js';
import { aWorld, passTime, passTimeUntil } from './world.js';
import { eventually } from '../support/eventually.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('a message’s long waits', () => {
  test('a sent message stays open for edits for a quarter of an hour, and ends by itself', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      const run = await world.start({ kind: 'text', text: 'See you at nine' });
      await run.reaches('accepted', 'sent', 'delivered');
      await passTime(world, timeSkipping, 10 * MINUTE);
      expect((await run.handle.describe()).status.name).toBe('RUNNING');

      await passTime(world, timeSkipping, 6 * MINUTE);
      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
    });
  });

  test('a gateway that is away until the message expires gets nothing when it returns', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.simulator.pauseListening();
      const inAnHour = new Date(world.clock.nowMs() + HOUR).toISOString();
      const run = await world.start({ kind: 'text', text: 'Only this hour' }, { expiresAt: inAnHour });
      await run.reaches('pending');
      await passTime(world, timeSkipping, HOUR + 2 * MINUTE);

      expect(await run.handle.result()).toMatchObject({ state: 'expired' });

      await world.simulator.resumeListening();
      expect(world.simulator.requests()).toEqual([]);
    });
  });

  test('a message waits through thirty hours of a busy gateway and leaves once when its turn comes', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.control('POST', 'faults', {
        method: 'sendMessage',
        kind: 'status',
        status: 429,
        headers: { 'retry-after': '3600' },
        accepted: false,
        times: 30,
      });
      const inThreeDays = new Date(world.clock.nowMs() + 72 * HOUR).toISOString();
      const run = await world.start({ kind: 'text', text: 'Worth waiting for' }, { expiresAt: inThreeDays });
      const posts = () => world.simulator.requests().filter(({ method }) => method === 'sendMessage');
      await eventually(async () => expect(posts()).toHaveLength(1));
      await passTime(world, timeSkipping, 29 * HOUR);
      expect(await run.snapshot()).toMatchObject({ state: 'pending' });

      await passTime(world, timeSkipping, 2 * HOUR);
      await passTimeUntil(world, timeSkipping, MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
      expect(world.simulator.delivered()).toHaveLength(1);
    });
  });

  test('a message accepted while the phone is off is delivered when it comes back hours later', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const run = await world.start({ kind: 'text', text: 'Good morning' });
      await run.reaches('accepted');
      await passTime(world, timeSkipping, 20 * HOUR);
      expect(await run.snapshot()).toMatchObject({ state: 'accepted' });

      await world.control('PATCH', 'instances/1101000001', { state: 'authorized' });
      await passTimeUntil(world, timeSkipping, MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
    });
  });

  test('a message accepted while the instance is never authorized expires after a day and a quarter of an hour', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const run = await world.start({ kind: 'text', text: 'Into the void' });
      await run.reaches('accepted');
      const acceptedMs = world.clock.nowMs();
      // What a worker sees that looks once in a while.
      for (let seenMs = acceptedMs; seenMs < acceptedMs + 24 * HOUR; seenMs += 9 * MINUTE) {
        await world.ledger.instanceStates.record({ instance: 'main', state: 'notAuthorized', atMs: seenMs });
      }
      await passTime(world, timeSkipping, 24 * HOUR + 16 * MINUTE);

      expect(await run.handle.result()).toMatchObject({ state: 'expired', reason: 'never_authorized' });
      expect(world.simulator.delivered()).toEqual([]);
    });
  });

  test('a message accepted and never heard of again stays accepted, and says that it left the queue', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.control('PATCH', 'instances/1101000001', { state: 'notAuthorized' });
      const run = await world.start({ kind: 'text', text: 'Into the void' });
      await run.reaches('accepted');
      await passTime(world, timeSkipping, 24 * HOUR + 16 * MINUTE);

      expect(await run.handle.result()).toMatchObject({ state: 'accepted', reason: 'left_queue_no_receipt' });
      expect(world.simulator.delivered()).toEqual([]);
    });
  });

  test('a message whose receipts were all lost is found delivered in the journal', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const world = await aWorld({ temporal: timeSkipping, timeSkipping, taskQueue });
    await world.run(async () => {
      await world.control('POST', 'notifications/faults', { kind: 'drop', times: 100 });
      const run = await world.start({ kind: 'text', text: 'Did you get this?' });
      await run.reaches('accepted');
      await passTime(world, timeSkipping, 24 * HOUR + 16 * MINUTE);

      expect(await run.handle.result()).toMatchObject({ state: 'delivered' });
      const view = await world.ledger.messages.view(run.id);
      expect(view?.evidence.at(-1)).toMatchObject({ witness: 'getMessage', what: 'delivered' });
    });
  });

  test('a message with a wrong token waits and says so, and leaves once the token’s file is put right', async ({
    timeSkipping,
    taskQueue,
  }) => {
    const dir = await mkdtemp(join(tmpdir(), 'everpost-token-'));
    onTestFinished(() => rm(dir, { recursive: true }));
    const tokenFile = join(dir, 'token');
    const filePath = join(dir, 'instances.json');
    await writeFile(tokenFile, 'a-wrong-token');
    const world = await aWorld({
      temporal: timeSkipping,
      timeSkipping,
      taskQueue,
      instances: (baseUrl, clock) => {
        const main = { baseUrl, idInstance: '1101000001', apiTokenInstance: { file: 'token' } };
        writeFileSync(filePath, JSON.stringify({ main }));
        return watchedInstances({ filePath, env: {}, log: () => undefined, monotonicMs: () => clock.nowMs() });
      },
    });
    await world.run(async () => {
      const run = await world.start({ kind: 'text', text: 'Let me in' });
      const waiting = await eventually(async () => {
        const view = await world.ledger.messages.view(run.id);
        if (view?.waiting === undefined) throw new Error(`${run.id} says nothing of waiting`);
        return view.waiting;
      });
      expect(waiting).toMatchObject({ code: 'GATEWAY_UNAUTHORIZED' });
      await passTime(world, timeSkipping, HOUR);
      const view = await world.ledger.messages.view(run.id);
      expect(view).toMatchObject({ state: 'pending', waiting: { code: 'GATEWAY_UNAUTHORIZED', since: waiting.since } });
      expect(Date.parse(view?.waiting?.nextTryAt ?? '')).toBeGreaterThan(Date.parse(waiting.since) + 55 * MINUTE);

      await writeFile(tokenFile, 'simulator-token');
      await passTimeUntil(world, timeSkipping, 2 * MINUTE, async () => {
        expect(await run.snapshot()).toMatchObject({ state: 'delivered' });
      });
      expect((await world.ledger.messages.view(run.id))?.waiting).toBeUndefined();
    });
  });
});
