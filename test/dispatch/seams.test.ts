/** What the dispatcher is given by its composition, and what it gives back. */
import { expect, test } from 'vitest';
import type { FaultPoint, MessageId, MessageSnapshot } from '../../src/contract/index.js';
import { aWorld } from './world.js';

const NEVER = new AbortController().signal;

test('names each fault point of a message as it is reached', async () => {
  const world = aWorld();
  const reached: FaultPoint[] = [];
  world.ledger.add('main');
  const dispatcher = world.dispatcher({ reached: (point) => reached.push(point) });
  await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
  // The next claim goes with the outcome.
  const order = ['claim.before', 'claim.after', 'bytes.left', 'response.received', 'claim.before', 'outcome.stored'];
  expect(reached).toEqual(order);
});

test('notifies of rows that a workflow waits for, and goes on when it cannot', async () => {
  const world = aWorld();
  const id = 'msg_0' as MessageId;
  const snapshot: MessageSnapshot = { id, version: 2, state: 'accepted', expiresAt: '2026-03-02T10:00:00Z', edits: [] };
  const tick = world.ledger.tick.bind(world.ledger);
  world.ledger.tick = async (input) => {
    const result = await tick(input);
    return { ...result, changed: new Map(input.outcomes.map(({ token }) => [token, snapshot])) };
  };
  const notified: MessageSnapshot[] = [];
  const logged: string[] = [];
  world.ledger.add('main');
  const dispatcher = world.dispatcher({
    notify: (changed) => {
      notified.push(changed);
      return Promise.reject(new Error('Temporal is away'));
    },
    log: ({ message }) => logged.push(message),
  });
  await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
  expect(notified).toEqual([snapshot]);
  expect(logged).toEqual(['a run could not be notified']);
});

test('gives every listing of a queue away, with the times of its request', async () => {
  const world = aWorld();
  const listed: { readonly instance: string; readonly tookMs: number }[] = [];
  for (let added = 0; added < 20; added += 1) world.ledger.add('main');
  const dispatcher = world.dispatcher({
    listed: (instance, { begunAtMs, readAtMs }) => listed.push({ instance, tookMs: readAtMs - begunAtMs }),
  });
  await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
  expect(listed.length).toBe(world.gateway.readings);
  expect(listed[0]).toEqual({ instance: 'main', tookMs: 50 });
});

test('does not begin for an instance that is not configured', async () => {
  const world = aWorld();
  const instances = {
    names: () => [],
    get: () => {
      throw new Error('unknown instance');
    },
  };
  const dispatcher = world.dispatcher({ instances });
  await expect(dispatcher.run(world.shift('main'), NEVER)).rejects.toThrow('unknown instance');
  expect(world.ledger.calls).toBe(0);
});
