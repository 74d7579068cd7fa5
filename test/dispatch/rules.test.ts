/** The pure rules: WINDOW, DEPTH and CAUTION. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ASSUMED_INTERVAL_MS, type AttemptOutcome, type MessageId } from '../../src/contract/index.js';
import { Caution } from '../../src/dispatch/shift/caution.js';
import { systemTimers } from '../../src/dispatch/index.js';
import { QueueDepth } from '../../src/dispatch/queue/queue-depth.js';
import { countedInFlight, freeSlots, Latencies, windowSize } from '../../src/dispatch/shift/window.js';

const ACCEPTED: AttemptOutcome = { kind: 'accepted', idMessage: 'id', httpStatus: 200 };
const UNKNOWN: AttemptOutcome = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' };
const REFUSED: AttemptOutcome = { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE', retryAfterMs: 1_000 };

function idOf(name: string): MessageId {
  return `msg_${name}` as MessageId;
}

describe('the window', () => {
  test.each([
    { p90Ms: 50, perSecond: 2, size: 2 },
    { p90Ms: 2_000, perSecond: 2, size: 5 },
    { p90Ms: 100, perSecond: 50, size: 6 },
    { p90Ms: 5, perSecond: Infinity, size: 128 },
    { p90Ms: 10_000, perSecond: 50, size: 128 },
  ])('is $size for $p90Ms ms at $perSecond a second (WINDOW-1)', ({ p90Ms, perSecond, size }) => {
    expect(windowSize(p90Ms, perSecond)).toBe(size);
  });

  test('has one more slot for urgent messages, except during caution (WINDOW-2)', () => {
    expect(freeSlots(5, 5, Infinity)).toEqual({ any: 0, urgent: 1 });
    expect(freeSlots(5, 6, Infinity)).toEqual({ any: 0, urgent: 0 });
    expect(freeSlots(5, 0, 1)).toEqual({ any: 1, urgent: 1 });
    expect(freeSlots(5, 1, 1)).toEqual({ any: 0, urgent: 0 });
  });

  test('excludes POSTs older than max(1 s, 3 × p90), at most three of them (WINDOW-3)', () => {
    expect(countedInFlight([1_000, 1_001], 50)).toBe(1);
    expect(countedInFlight([1_001, 5_999, 6_001], 2_000)).toBe(2);
    expect(countedInFlight([2_000, 2_000, 2_000, 2_000, 2_000], 50)).toBe(2);
  });

  test('uses the p90 of the last fifty latencies (WINDOW-4)', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20_000 }), { minLength: 1, maxLength: 120 }), (latenciesMs) => {
        const latencies = new Latencies();
        for (const latencyMs of latenciesMs) latencies.add(latencyMs);
        const last = latenciesMs.slice(-50).toSorted((a, b) => a - b);
        expect(latencies.p90Ms()).toBe(last[Math.ceil(last.length * 0.9) - 1]);
      }),
    );
  });
});

describe('the depth of the gateway’s queue', () => {
  function read(queue: QueueDepth, depth: number | undefined, atMs: number, inFlight = 0): void {
    queue.beginReading(atMs, inFlight)(depth, atMs);
  }

  test('leaves room for two messages, one after the other, before the first reading (DEPTH-2)', () => {
    const queue = new QueueDepth();
    expect([queue.room(0, 0).low > 0, queue.atOnce()]).toEqual([true, 1]);
    expect(queue.room(0, 1).urgent).toBeLessThan(0);
    queue.accepted('text', 0);
    expect(queue.room(0, 0).normal).toBeGreaterThan(0);
    queue.accepted('template', 0);
    expect(queue.room(0, 0).normal).toBeLessThan(0);
    expect(queue.isReadingDue(0, 0)).toBe(true);
  });

  test('is shown as what was read and, apart from it, as what is estimated now', () => {
    const queue = new QueueDepth();
    queue.startInterval(1_000);
    read(queue, 4, 0);
    expect(queue.stats(5_000)).toEqual({ reading: { items: 4, atMs: 0 }, estimatedDepth: 0, releaseIntervalMs: 1_000 });
  });

  test('posts nothing above the marks after another shift found the queue full, and is read at once (DEPTH-2)', () => {
    const queue = new QueueDepth();
    queue.forgetReading(12);
    expect([queue.room(0, 0).high > 0, queue.room(0, 0).normal > 0, queue.isReadingDue(0, 0)]).toEqual([
      true,
      false,
      true,
    ]);
    // A message that expires before the known items have left waits for the reading.
    queue.startInterval(10_000);
    expect(queue.leavesInMs(0, 0)).toBe(143_000);
    read(queue, 0, 0);
    expect([queue.room(0, 0).normal > 0, queue.leavesInMs(0, 0)]).toEqual([true, 0]);
    queue.forgetReading();
    expect(queue.room(0, 0).normal).toBeGreaterThan(0);
  });

  test('predicts when a message posted now leaves: after all items before it, with a margin (DEPTH-8)', () => {
    const queue = new QueueDepth();
    expect(queue.leavesInMs(0, 0)).toBe(0);
    queue.startInterval(10_000);
    read(queue, 4, 0);
    expect([queue.leavesInMs(0, 0), queue.leavesInMs(0, 1), queue.leavesInMs(30_000, 0)]).toEqual([
      55_000, 66_000, 22_000,
    ]);
    read(queue, 0, 60_000);
    expect(queue.leavesInMs(60_000, 0)).toBe(0);
  });

  test('leaves each class room up to its high water mark (DEPTH-1)', () => {
    const queue = new QueueDepth();
    queue.startInterval(1_000);
    read(queue, 5, 0);
    expect(queue.room(0, 2)).toEqual({ urgent: 23, high: 13, normal: 5, low: -1 });
    queue.accepted('text', 100);
    expect(queue.room(100, 1)).toEqual({ urgent: 23, high: 13, normal: 5, low: -1 });
    expect(queue.room(2_100, 0)).toEqual({ urgent: 26, high: 16, normal: 8, low: 2 });
    expect(queue.nextChangeAtMs(2_100)).toBe(3_000);
  });

  test('leaves a burst after an idle time no more room than the mark (DEPTH-1)', () => {
    const queue = new QueueDepth();
    queue.startInterval(500);
    read(queue, 0, 0);
    for (let posted = 0; posted < 12; posted += 1) queue.accepted('text', 9_000);
    expect(queue.room(9_000, 0).normal).toBe(0);
    expect(queue.room(10_000, 0).normal).toBe(2);
  });

  test('has a pace that is measured from the first item after an idle time (DEPTH-6)', () => {
    const queue = new QueueDepth();
    queue.startInterval(500);
    read(queue, 0, 0);
    for (let posted = 0; posted < 12; posted += 1) queue.accepted('text', 9_000);
    read(queue, 8, 11_000);
    expect(queue.intervalMs).toBe(500);
  });

  test('has no faster pace after a reading that began before its items were accepted (DEPTH-6)', () => {
    const queue = new QueueDepth();
    queue.startInterval(500);
    read(queue, 0, 0);
    const end = queue.beginReading(5_000, 0);
    for (let posted = 0; posted < 6; posted += 1) queue.accepted('text', 5_100);
    end(0, 5_200);
    expect([queue.intervalMs, queue.stats(5_200).estimatedDepth]).toEqual([500, 6]);
  });

  test('falls at the slowest pace that was observed while the queue cannot be read (DEPTH-4)', () => {
    const queue = new QueueDepth();
    queue.accepted('text', 0);
    queue.accepted('text', 0);
    read(queue, undefined, 0);
    expect(queue.stats(500).estimatedDepth).toBe(2);
    expect(queue.stats(ASSUMED_INTERVAL_MS).estimatedDepth).toBe(1);
  });

  test('is read again when half of it should have left, at least every 10 s (DEPTH-3)', () => {
    const queue = new QueueDepth();
    queue.startInterval(500);
    read(queue, 12, 0);
    expect([queue.isReadingDue(2_900, 0), queue.isReadingDue(3_000, 0)]).toEqual([false, true]);
    read(queue, 0, 3_000);
    expect([queue.isReadingDue(12_900, 0), queue.isReadingDue(13_000, 0)]).toEqual([false, true]);
  });

  test('gives half of the room while the queue cannot be read (DEPTH-4)', () => {
    const queue = new QueueDepth();
    queue.startInterval(1_000);
    read(queue, 2, 0);
    read(queue, undefined, 1_000);
    expect(queue.room(1_000, 0).normal).toBe(6);
    expect([queue.isReadingDue(5_900, 0), queue.isReadingDue(6_000, 0)]).toEqual([false, true]);
  });

  test('counts items that no reading lists until their turn has come (DEPTH-5)', () => {
    const queue = new QueueDepth();
    queue.startInterval(1_000);
    read(queue, 0, 0);
    queue.accepted('status', 0);
    queue.accepted('status', 0);
    expect(queue.room(0, 0).normal).toBe(10);
    expect(queue.room(1_000, 0).normal).toBe(11);
    expect(queue.room(2_000, 0).normal).toBe(12);
  });

  test('learns no pace from readings that a POST in flight may have changed (DEPTH-6)', () => {
    const queue = new QueueDepth();
    queue.startInterval(1_000);
    read(queue, 6, 0, 4);
    for (let accepted = 0; accepted < 4; accepted += 1) queue.accepted('text', 100);
    read(queue, 6, 1_000, 4);
    expect(queue.intervalMs).toBe(1_000);
    read(queue, 0, 2_000, 0);
    expect(queue.intervalMs).toBe(250);
  });

  test('is read as often as the rate limit allows while the queue is empty and its pace is unknown (DEPTH-3)', () => {
    const queue = new QueueDepth(100);
    read(queue, 0, 0);
    for (let accepted = 0; accepted < 4; accepted += 1) queue.accepted('text', 20);
    expect([queue.isReadingDue(99, 0), queue.isReadingDue(100, 0), queue.isReadingDue(100, 1)]).toEqual([
      false,
      true,
      false,
    ]);
    read(queue, 3, 100);
    expect([queue.isReadingDue(900, 0), new QueueDepth(0).isReadingDue(900, 0)]).toEqual([false, false]);
  });

  test('limits nothing once every reading is empty (DEPTH-7)', () => {
    const queue = new QueueDepth();
    for (let atMs = 0; atMs < 10_000; atMs += 10) {
      const room = Math.min(1_000, queue.room(atMs, 0).normal);
      for (let posted = 0; posted < room; posted += 1) queue.accepted('text', atMs);
      if (atMs % 1_000 === 0) read(queue, 0, atMs);
    }
    expect(queue.room(10_000, 64).normal).toBeGreaterThan(100_000);
    expect(queue.atOnce()).toBe(Infinity);
    expect(queue.perSecond()).toBe(Infinity);
  });
});

describe('caution', () => {
  test('begins with the third open unknown outcome, and doubles the posts with each response (CAUTION-1, CAUTION-2)', () => {
    const caution = new Caution([idOf('a'), idOf('b')]);
    expect(caution.limit()).toBe(Infinity);
    caution.outcome(idOf('c'), 'sendMessage', UNKNOWN, 0);
    expect([caution.limit(), caution.pausedUntilMs]).toEqual([1, 1_000]);
    caution.outcome(idOf('d'), 'sendMessage', ACCEPTED, 2_000);
    expect([caution.limit(), caution.pausedUntilMs]).toEqual([2, 0]);
    caution.outcome(idOf('e'), 'sendMessage', ACCEPTED, 2_000);
    expect(caution.limit()).toBe(4);
    caution.noLongerUnknown(idOf('a'));
    expect(caution.limit()).toBe(Infinity);
  });

  test('stops posting when the instance refuses, unless an outcome is unknown (CAUTION-3)', () => {
    const calm = new Caution([]);
    calm.outcome(idOf('a'), 'sendMessage', REFUSED, 0);
    expect([calm.limit(), calm.refusal?.code]).toEqual([0, 'GATEWAY_UNREACHABLE']);
    calm.outcome(idOf('b'), 'sendMessage', ACCEPTED, 0);
    expect([calm.limit(), calm.refusal]).toEqual([Infinity, undefined]);
    const unsure = new Caution([idOf('x')]);
    unsure.outcome(idOf('a'), 'sendMessage', REFUSED, 0);
    expect([unsure.limit(), unsure.refusal, unsure.pausedUntilMs]).toEqual([1, undefined, 1_000]);
    unsure.noLongerUnknown(idOf('x'));
    expect(unsure.refusal?.code).toBe('GATEWAY_UNREACHABLE');
  });

  test('pauses longer after each refused shift until a response comes, whichever message is tried (CAUTION-5)', () => {
    const refusals = { inARow: 0 };
    const pauseAfterShift = (askedMs?: number): number | undefined => {
      const caution = new Caution([], new Map(), refusals);
      // Two were in flight: this counts as one refusal by the instance.
      for (const id of ['a', 'b']) caution.outcome(idOf(id), 'sendMessage', REFUSED, 0, askedMs);
      return caution.refusal?.retryAfterMs;
    };
    const pauses = Array.from({ length: 6 }, () => pauseAfterShift());
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
    expect(pauseAfterShift(30_000)).toBe(30_000);
    new Caution([], new Map(), refusals).outcome(idOf('c'), 'sendMessage', ACCEPTED, 0);
    expect(pauseAfterShift()).toBe(1_000);
  });

  test('ignores failures that concern one message', () => {
    const caution = new Caution([]);
    caution.outcome(idOf('a'), 'sendTemplate', { kind: 'not_accepted', code: 'TEMPLATE_NOT_APPROVED' }, 0);
    caution.outcome(idOf('b'), 'sendMessage', { kind: 'rejected', code: 'GATEWAY_REJECTED', httpStatus: 400 }, 0);
    expect([caution.limit(), caution.refusal]).toEqual([Infinity, undefined]);
  });

  test('delays one operation, in the next shift too (CAUTION-4)', () => {
    const delays = new Map();
    const caution = new Caution([], delays);
    const busy: AttemptOutcome = { kind: 'not_accepted', code: 'GATEWAY_BUSY', retryAfterMs: 5_000 };
    caution.outcome(idOf('a'), 'sendMessage', busy, 0);
    expect([caution.isDelayed('sendMessage', 4_999), caution.isDelayed('sendPoll', 0)]).toEqual([true, false]);
    expect([caution.delayed(4_999), caution.delayed(5_000)]).toEqual([['sendMessage'], []]);
    expect([caution.nextDelayEndMs(4_999), caution.nextDelayEndMs(5_000)]).toEqual([5_000, Infinity]);
    expect([caution.limit(), caution.pausedUntilMs]).toEqual([Infinity, 0]);
    expect(caution.waitFor('sendMessage', 1_000)).toBe(4_000);
    expect(new Caution([], delays).delayed(4_999)).toEqual(['sendMessage']);
  });
});

test('a system timer fires once, or never when it is cancelled', async () => {
  const fired: string[] = [];
  const cancel = systemTimers.after(0, () => fired.push('cancelled'));
  cancel();
  await new Promise<void>((resolve) => {
    systemTimers.after(1, resolve);
  });
  expect(fired).toEqual([]);
});
