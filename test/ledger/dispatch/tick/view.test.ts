import { describe, expect, it } from 'vitest';
import { useLedger } from '../../../support/ledger/ledger.js';
import { aReading } from '../../../support/shift.js';
import { MINUTE, NOW, SECOND } from '../../cast.js';
import { accepted, DispatchCast } from '../cast.js';

const ledger = useLedger();

describe('the view of a dispatcher', () => {
  it('is the latest report of its shift, at most every five seconds', async () => {
    const c = new DispatchCast(ledger);
    expect(await ledger.dispatch.view(c.instance)).toEqual({});
    expect(await ledger.dispatch.lastShift(c.instance, NOW)).toBeUndefined();
    await c.begin();
    await ledger.queueReadings.record(c.instance, aReading({ items: 9, atMs: NOW }));
    const stats = { estimatedDepth: 7, releaseIntervalMs: 500, inFlight: 2, window: 4 };
    await c.tick({ stats });
    expect(await ledger.dispatch.view(c.instance)).toMatchObject({ worker: 'worker-1', inFlight: 0 });
    await c.tick({ stats, nowMs: NOW + 5 * SECOND });
    const at = (ms: number) => new Date(ms).toISOString();
    expect(await ledger.dispatch.view(c.instance)).toEqual({
      worker: 'worker-1',
      servedSince: at(NOW),
      seenAt: at(NOW + 5 * SECOND),
      reading: { items: 9, at: at(NOW) },
      estimate: { items: 7, at: at(NOW + 5 * SECOND) },
      releaseIntervalMs: 500,
      inFlight: 2,
      window: 4,
    });
    const isServing = async (nowMs: number) => (await ledger.dispatch.lastShift(c.instance, nowMs))?.isServing;
    expect(await isServing(NOW + 6 * SECOND)).toBe(true);
    expect(await isServing(NOW + MINUTE)).toBe(false);
    await ledger.dispatch.endShift(c.shift, NOW + 6 * SECOND);
    expect(await isServing(NOW + 6 * SECOND)).toBe(false);
    expect(await ledger.dispatch.view(c.instance)).toMatchObject({ estimate: { items: 7 }, inFlight: 0 });
    const before = await ledger.dispatch.lastShift(c.instance, NOW);
    // A new shift knows the last depth before its first reading (DEPTH-2).
    const next = { ...c.shift, try: { ...c.shift.try, attempt: c.shift.try.attempt + 1 } };
    expect(await ledger.dispatch.beginShift(next, NOW + MINUTE)).toMatchObject({ granted: true, queueDepth: 7 });
    expect((await ledger.dispatch.lastShift(c.instance, NOW))?.epoch).not.toBe(before?.epoch);
  });

  it('finds an instance with an open attempt that no shift serves', async () => {
    const c = await DispatchCast.begun(ledger);
    await c.take();
    const attempt = await c.claimOne();
    const found = async () => (await ledger.dispatch.dueInstances(1_000, NOW)).includes(c.instance);
    await ledger.dispatch.endShift(c.shift, NOW);
    expect(await found()).toBe(true);
    await c.write(accepted(attempt));
    expect(await found()).toBe(false);
  });
});
