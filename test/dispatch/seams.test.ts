/** The calls between the dispatcher and its composition. */
import { expect, test } from 'vitest';
import type { FaultPoint } from '../../src/contract/index.js';
import { aWorld } from './world.js';

const NEVER = new AbortController().signal;

test('the dispatcher reports each fault point of a message when it is reached', async () => {
  const world = aWorld();
  const reached: FaultPoint[] = [];
  world.ledger.add('main');
  const dispatcher = world.dispatcher({ reached: (point) => reached.push(point) });
  await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
  // The next claim is committed with the outcome.
  const order = ['claim.before', 'claim.after', 'bytes.left', 'response.received', 'claim.before', 'outcome.stored'];
  expect(reached).toEqual(order);
});

test('the dispatcher reports every listing of a queue, with the times of its request', async () => {
  const world = aWorld();
  const listed: { readonly instance: string; readonly tookMs: number }[] = [];
  for (let added = 0; added < 20; added += 1) world.ledger.add('main');
  const dispatcher = world.dispatcher({
    listed: (instance, { begunAtMs, readAtMs }) => {
      listed.push({ instance, tookMs: readAtMs - begunAtMs });
      return Promise.resolve();
    },
  });
  await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
  expect(listed.length).toBe(world.gateway.readings);
  expect(listed[0]).toEqual({ instance: 'main', tookMs: 50 });
});

test('the dispatcher does not begin a shift for an instance that is not configured', async () => {
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
