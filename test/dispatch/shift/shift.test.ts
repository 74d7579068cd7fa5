/** TICKER-1 to TICKER-5, SHIFT-1 to SHIFT-3 and CAUTION-1 to CAUTION-4, one story for each. */
import { describe, expect, test, vi } from 'vitest';
import { AppError, type AttemptOutcome } from '../../../src/contract/index.js';
import type { ShiftResult } from '../../../src/dispatch/index.js';
import type { Behaviour } from '../fake-gateway.js';
import { aWorld, TIMES, type World } from '../world.js';

const NEVER = new AbortController().signal;

function addMany(world: World, count: number): void {
  for (let added = 0; added < count; added += 1) world.ledger.add('main');
}

/** Counts the ledger's outcomes by kind. */
function outcomes({ ledger }: World): Partial<Record<AttemptOutcome['kind'] | 'open', number>> {
  const counts: Partial<Record<AttemptOutcome['kind'] | 'open', number>> = {};
  for (const { outcome } of ledger.attempts.values()) {
    const kind = outcome?.kind ?? 'open';
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
}

function behave(world: World, ...first: readonly Behaviour[]): void {
  const left = [...first];
  world.gateway.behaviour = () => left.shift() ?? { latencyMs: 50 };
}

describe('a shift', () => {
  test('ends after 10 s on an idle instance, after one request for due messages', async () => {
    const world = aWorld();
    const result = await world.clock.until(world.dispatcher().run(world.shift('main'), NEVER));
    expect(result).toEqual({ ended: 'idle', unrecorded: [], mark: expect.any(String) });
    expect(world.clock.nowMs()).toBeLessThan(10_500);
    expect(world.ledger.ticks).toBe(1);
    expect(world.gateway.readings).toBe(0);
    expect(world.clock.pending).toBe(0);
  });

  test('sleeps between the polls of an unknown outcome while nothing is due', async () => {
    const world = aWorld();
    behave(world, { latencyMs: 50, kind: 'lost' });
    world.ledger.add('main');
    let turns = 0;
    const timers = {
      nowMs: () => world.clock.nowMs(),
      after: (ms: number, run: () => void) =>
        world.clock.after(ms, () => {
          turns += 1;
          run();
        }),
    };
    const shift = world.dispatcher({ timers }).run(world.shift('main'), NEVER);
    // Its witnesses are polled each second for half a minute.
    await world.clock.pass(25_000);
    expect(turns).toBeLessThan(100);
    await world.clock.until(shift);
  });

  test('posts a message within milliseconds after its wake, without reading the queue', async () => {
    const world = aWorld();
    const dispatcher = world.dispatcher();
    const shift = dispatcher.run(world.shift('main'), NEVER);
    await world.clock.pass(5_000);
    world.ledger.add('main');
    dispatcher.wake('main');
    await world.clock.pass(20);
    expect(world.gateway.posts).toHaveLength(1);
    await world.clock.until(shift);
    expect(outcomes(world)).toEqual({ accepted: 1 });
    expect(world.gateway.readings).toBe(0);
  });

  test('claims with the times of its instance', async () => {
    const world = aWorld();
    const tick = vi.spyOn(world.ledger, 'tick');
    const settleTimeMs = { main: 15_000, slow: 60_000 };
    const timesOf = (instance: string) => ({ ...TIMES, settleTimeMs: settleTimeMs[instance as 'main' | 'slow'] });
    const dispatcher = world.dispatcher({ timesOf });
    world.ledger.add('main');
    world.ledger.add('slow');

    await world.clock.until(
      Promise.all([dispatcher.run(world.shift('main'), NEVER), dispatcher.run(world.shift('slow'), NEVER)]),
    );

    const settles = tick.mock.calls.flatMap(([{ wants }]) =>
      wants.map((want) => `${want.shift.instance} ${want.reconcileAfterMs - want.postingDeadlineMs}`),
    );
    expect(new Set(settles)).toEqual(new Set(['main 30000', 'slow 75000']));
  });

  test('sees a message that is written while a tick reads (SHIFT-3)', async () => {
    const world = aWorld();
    const dispatcher = world.dispatcher();
    const shift = dispatcher.run(world.shift('main'), NEVER);
    // The shift begins after 1 ms; its first tick reads after 2 ms and returns after 3.
    await world.clock.pass(2.5);
    world.ledger.add('main');
    dispatcher.wake('main');
    await world.clock.pass(30);
    expect(world.gateway.posts).toHaveLength(1);
    await world.clock.until(shift);
  });

  test('stays for a message that is due soon, and returns the time of one that is due later', async () => {
    const world = aWorld();
    const wallMs = world.clock.wall.nowMs();
    world.ledger.add('main', { inMs: 4_000 });
    world.ledger.add('main', { inMs: 60_000 });
    const result = await world.clock.until(world.dispatcher().run(world.shift('main'), NEVER));
    expect(result).toMatchObject({ ended: 'idle', nextDueMs: wallMs + 60_000, unrecorded: [] });
    expect(world.gateway.posts.map(({ atMs }) => Math.round(atMs / 100))).toEqual([40]);
  });

  test('ends after 10 minutes, and returns that messages are still due', async () => {
    const world = aWorld();
    addMany(world, 2_000);
    const result = await world.clock.until(world.dispatcher().run(world.shift('main'), NEVER));
    expect(result.ended).toBe('time');
    expect(result.nextDueMs).toBeLessThan(world.clock.wall.nowMs());
    expect(world.clock.nowMs()).toBeLessThan(602_000);
  });

  test('refills a full queue by two messages at once: the ledger is asked less than once a message (SHIFT-2, SHIFT-4)', async () => {
    const world = aWorld();
    addMany(world, 400);
    const wanted = vi.spyOn(world.ledger, 'tick');
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(120_000);
    const wants = wanted.mock.calls.flatMap(([{ wants: some }]) => some);
    expect(wants.length / world.gateway.posts.length).toBeLessThan(0.8);
    await world.clock.until(shift);
  });

  test('finds a message within 5 s when its wake was lost, also while the queue is full (SHIFT-2)', async () => {
    const world = aWorld({ intervalMs: 60_000 });
    addMany(world, 20);
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(70_000);
    const { id } = world.ledger.add('main', { priority: 'urgent' });
    await world.clock.pass(6_000);
    expect(world.gateway.posts.map(({ token }) => token)).toContain(`${id}.1`);
    await world.clock.until(shift);
  });

  test('drains: claims nothing more, finishes its POSTs and records them', async () => {
    const world = aWorld();
    addMany(world, 100);
    world.gateway.behaviour = () => ({ latencyMs: 3_000 });
    const stopping = new AbortController();
    const shift = world.dispatcher().run(world.shift('main'), stopping.signal);
    await world.clock.pass(31_000);
    const posted = world.gateway.posts.length;
    expect(world.gateway.inFlight).toBeGreaterThan(0);
    stopping.abort();
    const result = await world.clock.until(shift);
    expect(result).toMatchObject({ ended: 'stopping', unrecorded: [] });
    expect(world.gateway.posts).toHaveLength(posted);
    expect(outcomes(world)).toEqual({ accepted: posted });
    expect(world.clock.nowMs()).toBeLessThan(34_500);
  });

  test('returns a claim that arrives after the stop: none of its bytes left (TICKER-2)', async () => {
    const world = aWorld();
    world.ledger.add('main');
    const stopping = new AbortController();
    const shift = world.dispatcher().run(world.shift('main'), stopping.signal);
    await world.clock.pass(2.5);
    stopping.abort();
    await world.clock.until(shift);
    expect(world.gateway.posts).toEqual([]);
    expect(outcomes(world)).toEqual({ not_accepted: 1 });
    expect(world.ledger.rows[0]).toMatchObject({ state: 'pending' });
  });

  test('is replaced by a later shift, and the outcomes of its POSTs count (TICKER-5)', async () => {
    const world = aWorld();
    addMany(world, 20);
    world.gateway.behaviour = () => ({ latencyMs: 3_000 });
    const first = world.dispatcher().run(world.shift('main', 1), NEVER);
    await world.clock.pass(2_000);
    const second = world.dispatcher().run(world.shift('main', 2), NEVER);
    await world.clock.pass(100);
    expect(world.ledger.rows.filter(({ state }) => state === 'unknown')).toHaveLength(world.gateway.inFlight - 1);
    expect((await world.clock.until(first)).ended).toBe('superseded');
    expect((await world.clock.until(second)).ended).toBe('idle');
    expect(outcomes(world)).toEqual({ accepted: 20 });
    expect(new Set(world.gateway.posts.map(({ token }) => token)).size).toBe(20);
  });

  test('does not begin after a later one, nor replaces it in its own process', async () => {
    const world = aWorld();
    const dispatcher = world.dispatcher();
    const later = dispatcher.run(world.shift('main', 2), NEVER);
    await world.clock.pass(100);
    const earlier = await world.clock.until(dispatcher.run(world.shift('main', 1), NEVER));
    expect(earlier).toEqual({ ended: 'superseded', unrecorded: [] });
    expect((await world.clock.until(later)).ended).toBe('idle');
  });

  test('continues while a POST hangs (WINDOW-3), and keeps the order within its chat', async () => {
    const world = aWorld();
    behave(world, { latencyMs: 14_000 });
    world.ledger.add('main', { chatId: 'slow@c.us' });
    world.ledger.add('main', { chatId: 'slow@c.us' });
    addMany(world, 10);
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(8_000);
    expect(world.gateway.posts).toHaveLength(11);
    await world.clock.until(shift);
    const slow = world.gateway.posts.filter(({ chatId }) => chatId === 'slow@c.us');
    expect(slow[1]?.atMs).toBeGreaterThanOrEqual(slow[0]?.endedAtMs ?? Infinity);
  });
});

describe('1,000 idle shifts', () => {
  test('use no timers of their own and make no ledger calls (TICKER-1)', async () => {
    const world = aWorld();
    const dispatcher = world.dispatcher();
    const stopping = new AbortController();
    const shifts = Array.from({ length: 1_000 }, (_, at) => dispatcher.run(world.shift(`i-${at}`), stopping.signal));
    await world.clock.pass(1_000);
    const { calls, ticks } = world.ledger;
    expect(ticks).toBeLessThanOrEqual(3);
    // The other call asks for campaigns to read, for all instances together.
    expect(world.clock.pending).toBe(2);
    await world.clock.pass(8_000);
    expect(world.ledger.calls).toBe(calls);
    expect(world.clock.pending).toBe(2);
    stopping.abort();
    await world.clock.until(Promise.all(shifts));
    expect(world.clock.pending).toBe(0);
  });
});

describe('while the ledger is unavailable', () => {
  test('outcomes are kept, nothing is claimed, and all is recorded when the ledger returns', async () => {
    const world = aWorld();
    addMany(world, 40);
    world.gateway.behaviour = () => ({ latencyMs: 1_000 });
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(10_500);
    world.ledger.isAway = true;
    await world.clock.pass(1_500);
    const posted = world.gateway.posts.length;
    await world.clock.pass(5_000);
    expect(world.gateway.posts).toHaveLength(posted);
    expect(outcomes(world).open).toBeGreaterThan(0);
    world.ledger.isAway = false;
    expect(await world.clock.until(shift)).toEqual({ ended: 'idle', unrecorded: [], mark: expect.any(String) });
    expect(outcomes(world)).toEqual({ accepted: 40 });
  });

  test('an ending shift returns its outcomes (TICKER-3)', async () => {
    const world = aWorld();
    addMany(world, 40);
    world.gateway.behaviour = () => ({ latencyMs: 1_000 });
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(10_500);
    world.ledger.isAway = true;
    const result = await world.clock.until(shift);
    expect(result.ended).toBe('ledger_unavailable');
    expect(result.unrecorded).toHaveLength(outcomes(world).open ?? 0);
    expect(result.unrecorded.length).toBeGreaterThan(0);
    for (const outcome of result.unrecorded) world.ledger.record(outcome);
    expect(outcomes(world)).toEqual({ accepted: world.gateway.posts.length });
    expect(world.clock.pending).toBe(0);
  });

  test('a shift ends when it is stopped after a lost commit', async () => {
    const world = aWorld();
    world.ledger.add('main');
    world.ledger.lostCommits = 1;
    const stopping = new AbortController();
    const shift = world.dispatcher().run(world.shift('main'), stopping.signal);
    await world.clock.pass(20);
    world.ledger.isAway = true;
    stopping.abort();
    expect(await world.clock.until(shift, 10_000)).toMatchObject({ ended: 'stopping', unrecorded: [] });
    expect(world.gateway.posts).toEqual([]);
    expect(world.clock.pending).toBe(0);
  });

  test('a shift whose end cannot be recorded is followed by another one within seconds', async () => {
    const world = aWorld();
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(9_000);
    world.ledger.isAway = true;
    const result = await world.clock.until(shift);
    const { ended, nextDueMs = Infinity } = result;
    expect(ended).toBe('idle');
    expect(nextDueMs - world.clock.wall.nowMs()).toBeLessThanOrEqual(5_000);
  });

  test('the dispatcher logs claims that the ledger rejects for an instance, and retries within seconds', async () => {
    const world = aWorld();
    const logged: string[] = [];
    world.ledger.add('main');
    const tick = world.ledger.tick.bind(world.ledger);
    let refusals = 2;
    world.ledger.tick = (input) => {
      if (input.wants.length === 0 || refusals === 0) return tick(input);
      refusals -= 1;
      const refused = { error: new AppError('INTERNAL', 'refused'), next: { atMs: input.nowMs, extraRoom: 0 } };
      return Promise.resolve({
        claimed: [],
        edits: [],
        byInstance: new Map([['main', refused]]),
        unrecorded: new Map(),
      });
    };
    const dispatcher = world.dispatcher({ log: ({ message }) => logged.push(message) });
    await world.clock.until(dispatcher.run(world.shift('main'), NEVER));
    expect(logged).toEqual([
      'nothing could be claimed; retried automatically',
      'nothing could be claimed; retried automatically',
    ]);
    expect(outcomes(world)).toEqual({ accepted: 1 });
  });

  test('the dispatcher finds claims whose commit was lost, and posts them once (TICKER-4)', async () => {
    const world = aWorld();
    addMany(world, 30);
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    for (let lost = 0; lost < 10; lost += 1) {
      world.ledger.lostCommits = 1;
      await world.clock.pass(1_000);
    }
    await world.clock.until(shift);
    expect(outcomes(world)).toEqual({ accepted: 30 });
    expect(world.gateway.posts).toHaveLength(30);
  });
});

describe('an instance that accepts no messages', () => {
  test.each(['refused', 'unauthorized'] as const)('ends its shift with the reason: %s (CAUTION-3)', async (kind) => {
    const world = aWorld();
    addMany(world, 50);
    world.gateway.behaviour = () => ({ latencyMs: 50, kind });
    const result = await world.clock.until(world.dispatcher().run(world.shift('main'), NEVER));
    const code = kind === 'refused' ? 'GATEWAY_UNREACHABLE' : 'GATEWAY_UNAUTHORIZED';
    expect(result).toMatchObject({ ended: 'refused', refusal: { code }, unrecorded: [] });
    expect(world.gateway.posts).toHaveLength(1);
    expect(world.clock.nowMs()).toBeLessThan(1_000);
  });

  test('gets one message at a time, in growing pauses, while outcomes are unknown (CAUTION-1, CAUTION-2)', async () => {
    const world = aWorld();
    addMany(world, 300);
    world.gateway.behaviour = () => ({ latencyMs: 100, kind: 'lost' });
    const reconcile = () =>
      Promise.reject(new AppError('MESSAGE_OUTCOME_UNKNOWN', 'No witness knows.', { retryAfterMs: 60_000 }));
    const shift = world.dispatcher({ reconcile }).run(world.shift('main'), NEVER);
    await world.clock.pass(120_000);
    const atMs = world.gateway.posts.map((post) => post.atMs);
    // The fourth was claimed when the third outcome came.
    const pauses = atMs.slice(4).map((at, index) => Math.round((at - (atMs[index + 3] ?? 0)) / 1_000));
    expect(pauses).toEqual([2, 4, 8, ...Array<number>(10).fill(10)]);
    // The first response ends the pauses, and the queue fills up again.
    world.gateway.behaviour = () => ({ latencyMs: 100 });
    await world.clock.pass(70_000);
    // Up to the mark of twelve, less a refill (SHIFT-4).
    expect(world.gateway.account('main').waiting.length).toBeGreaterThanOrEqual(10);
    await world.clock.until(shift);
  });

  test('gets messages again when a late response decides the unknown outcomes', async () => {
    const world = aWorld();
    behave(world, { latencyMs: 15_000, kind: 'late' });
    world.ledger.add('main');
    const result: ShiftResult = await world.clock.until(world.dispatcher().run(world.shift('main'), NEVER));
    expect(result.unrecorded).toEqual([]);
    expect(outcomes(world)).toEqual({ accepted: 1 });
  });

  test('gets nothing until the time that its 429 names, and each message is tried once until then (CAUTION-4)', async () => {
    const world = aWorld();
    addMany(world, 20);
    behave(world, { latencyMs: 50, kind: 'busy', retryAfterMs: 5_000 });
    const shift = world.dispatcher().run(world.shift('main'), NEVER);
    await world.clock.pass(4_900);
    expect(world.gateway.posts).toHaveLength(1);
    expect(world.ledger.attempts.size).toBe(1);
    await world.clock.until(shift);
    expect(world.ledger.rows.every(({ state }) => state === 'accepted')).toBe(true);
  });
});
