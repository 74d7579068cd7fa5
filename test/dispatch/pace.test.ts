/** WINDOW-1 to WINDOW-4 and DEPTH-1: the gateway's queue is never empty while messages are due. */
import { describe, expect, test } from 'vitest';
import { Random } from '../support/random.js';
import { aWorld, shareOfPace, type World } from './world.js';
import type { Behaviour, Post } from './fake-gateway.js';

const NEVER = new AbortController().signal;

async function saturated(world: World, behaviour: () => Behaviour, forMs: number): Promise<number> {
  world.gateway.behaviour = behaviour;
  for (let added = 0; added < forMs / 500 + 20; added += 1) world.ledger.add('main');
  const shift = world.dispatcher().run(world.shift('main'), NEVER);
  await world.clock.pass(forMs);
  const share = shareOfPace(world, 'main');
  await world.clock.pass(60_000);
  await shift;
  return share;
}

describe('the dispatcher keeps the pace of the gateway’s queue', () => {
  test('when a POST takes 50 ms and 0.5 % hang for 15 s', async () => {
    const world = aWorld();
    const random = new Random(7);
    const hangs = (): Behaviour => (random.chance(0.005) ? { latencyMs: 15_000, kind: 'lost' } : { latencyMs: 50 });
    expect(await saturated(world, hangs, 590_000)).toBeGreaterThan(0.95);
    expect(world.gateway.posts.some(({ behaviour }) => behaviour.kind === 'lost')).toBe(true);
  });

  test('when a POST takes 2 s', async () => {
    const world = aWorld();
    expect(await saturated(world, () => ({ latencyMs: 2_000 }), 590_000)).toBeGreaterThan(0.95);
    // WINDOW-1: a latency of 2 s and the time of a commit need 5 slots, and one more.
    const known = world.gateway.posts.filter(({ atMs }) => atMs > 30_000);
    expect(mostAtOnce(known)).toBeLessThanOrEqual(6);
  });

  test('when the interval is shorter than the dispatcher assumes', async () => {
    const world = aWorld({ intervalMs: 3_000 });
    world.gateway.behaviour = () => ({ latencyMs: 50 });
    for (let added = 0; added < 500; added += 1) world.ledger.add('main');
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(60_000);
    world.gateway.setInterval('main', 500);
    const before = world.gateway.account('main').releases.length;
    await world.clock.pass(120_000);
    expect((world.gateway.account('main').releases.length - before) / 240).toBeGreaterThan(0.85);
    await world.clock.pass(600_000);
    await shift;
  });
});

describe('at a full queue', () => {
  test('many instances share rounds, also when their queues are read (TICKER-1)', async () => {
    const world = aWorld();
    const names = Array.from({ length: 20 }, (_, at) => `i${at}`);
    for (const name of names) for (let added = 0; added < 200; added += 1) world.ledger.add(name);
    const dispatcher = world.dispatcher();
    const shifts = [];
    for (const name of names) {
      shifts.push(dispatcher.run(world.shift(name), NEVER));
      await world.clock.pass(137);
    }
    await world.clock.pass(20_000);
    const [ticks, readings] = [world.ledger.ticks, world.gateway.readings];
    await world.clock.pass(40_000);
    expect((world.gateway.readings - readings) / 40).toBeGreaterThan(4);
    expect((world.ledger.ticks - ticks) / 40).toBeLessThan(4);
    expect(names.map((name) => shareOfPace(world, name)).every((share) => share > 0.97)).toBe(true);
    await world.clock.pass(600_000);
    await Promise.all(shifts);
  });

  test('an urgent message leaves within (high water mark + window + 2) releases', async () => {
    const world = aWorld();
    for (let added = 0; added < 10_000; added += 1) world.ledger.add('main');
    const dispatcher = world.dispatcher();
    const shift = dispatcher.run(world.shift('main'), NEVER);
    const random = new Random(3);
    await world.clock.pass(30_000);
    const urgent = new Map<string, number>();
    while (world.clock.nowMs() < 580_000) {
      urgent.set(world.ledger.add('main', { priority: 'urgent' }).id, world.clock.nowMs());
      dispatcher.wake('main');
      await world.clock.pass(random.int(2_000, 8_000));
    }
    const waits = world.gateway
      .account('main')
      .releases.flatMap(({ token, atMs }) => atMs - (urgent.get(token.split('.')[0] ?? '') ?? Number.NaN))
      .filter((waitMs) => !Number.isNaN(waitMs))
      .toSorted((a, b) => a - b);
    expect(waits.length).toBeGreaterThan(80);
    expect(waits[Math.ceil(waits.length * 0.99) - 1]).toBeLessThanOrEqual((12 + 2 + 2) * 500);
    await world.clock.pass(600_000);
    await shift;
  });

  test('a lower class has every eighth post, also beyond its own high water mark (DISPATCH-7)', async () => {
    const world = aWorld();
    for (let added = 0; added < 1_000; added += 1) world.ledger.add('main', { priority: added % 2 ? 'low' : 'normal' });
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(120_000);
    const priorities = world.gateway.posts.slice(20).map(({ token }) => world.ledger.attempts.get(token)?.row.priority);
    const low = priorities.filter((priority) => priority === 'low').length;
    expect(low / priorities.length).toBeGreaterThan(1 / 9);
    expect(low / priorities.length).toBeLessThan(1 / 7);
    // DEPTH-1: twelve, and one of a lower class.
    expect(world.gateway.account('main').waiting.length).toBeLessThanOrEqual(13);
    await world.clock.pass(600_000);
    await shift;
  });

  test('items of other senders count against the high water mark', async () => {
    const world = aWorld({ intervalMs: 1_000 });
    for (let added = 0; added < 100; added += 1) world.ledger.add('main', { priority: 'low' });
    for (let added = 0; added < 40; added += 1) world.gateway.addForeign('main');
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(30_000);
    // DEPTH-2: one POST before the first reading, and at most one more for lower classes.
    expect(world.gateway.posts.length).toBeLessThanOrEqual(2);
    await world.clock.pass(600_000);
    await shift;
  });
});

function mostAtOnce(posts: readonly Post[]): number {
  return Math.max(...posts.map(({ atMs }) => posts.filter((o) => o.atMs <= atMs && (o.endedAtMs ?? 0) > atMs).length));
}
