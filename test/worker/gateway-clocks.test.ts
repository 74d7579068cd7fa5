import { describe, expect, it } from 'vitest';
import type { ClockOffset } from '../../src/contract/index.js';
import { commonOffset } from '../../src/ledger/index.js';
import { saveGatewayClocks } from '../../src/worker/index.js';

const MINUTE_MS = 60_000;

/** A ledger that records its calls, and how it responds. */
function aSaver() {
  let nowMs = 0;
  const written: ClockOffset[] = [];
  const logged: unknown[] = [];
  let known: ClockOffset | undefined;
  let fails = false;
  const ledger = {
    narrow(_: string, sample: ClockOffset): Promise<ClockOffset> {
      written.push(sample);
      if (fails) return Promise.reject(new Error('away'));
      known = (known && commonOffset(known, sample)) ?? sample;
      return Promise.resolve(known);
    },
    offset: () => Promise.resolve(known),
  };
  const save = saveGatewayClocks(ledger, { nowMs: () => nowMs }, (entry) => void logged.push(entry));
  return {
    written,
    logged,
    pass: (ms: number) => (nowMs += ms),
    break: (isBroken: boolean) => (fails = isBroken),
    /** Reports a response without waiting. */
    tell: (lowestMs: number, highestMs: number) => save('main', { lowestMs, highestMs }),
    /** Resolves once the response has been written, with its effects. */
    async hears(lowestMs: number, highestMs: number): Promise<void> {
      save('main', { lowestMs, highestMs });
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe('the saver of gateway clocks', () => {
  it('writes the first response and narrower ones, and no others', async () => {
    const saver = aSaver();
    await saver.hears(-300, 800);
    await saver.hears(-300, 800);
    await saver.hears(-290, 5_800);
    await saver.hears(-200, 900);

    expect(saver.written).toEqual([
      { lowestMs: -300, highestMs: 800 },
      { lowestMs: -200, highestMs: 900 },
    ]);
  });

  it.each([
    ['that contradicts the known offset', 0, [5_000, 6_000]],
    ['after ten minutes', 10 * MINUTE_MS + 1, [-300, 800]],
  ] as const)('writes a response %s', async (_, passedMs, [lowestMs, highestMs]) => {
    const saver = aSaver();
    await saver.hears(-300, 800);
    saver.pass(passedMs);
    await saver.hears(lowestMs, highestMs);
    expect(saver.written).toHaveLength(2);
  });

  it('writes the newest of the responses that came during a write', async () => {
    const saver = aSaver();
    saver.tell(-300, 800);
    saver.tell(-310, 790);
    saver.tell(5_000, 6_000);
    await saver.hears(5_000, 6_000);

    expect(saver.written).toEqual([
      { lowestMs: -300, highestMs: 800 },
      { lowestMs: 5_000, highestMs: 6_000 },
    ]);
  });

  it('writes the next response after a failed write', async () => {
    const saver = aSaver();
    saver.break(true);
    await saver.hears(-300, 800);
    saver.break(false);
    await saver.hears(-300, 800);
    expect(saver.written).toHaveLength(2);
    expect(saver.logged).toHaveLength(1);
  });
});
