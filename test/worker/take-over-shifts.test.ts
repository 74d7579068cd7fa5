import { describe, expect, it } from 'vitest';
import type { LostShift } from '../../src/ledger/index.js';
import { takeOverShifts } from '../../src/worker/index.js';
import { eventually } from '../support/eventually.js';

function aJob(endTry: Parameters<typeof takeOverShifts>[0]['endTry']) {
  const logged: { readonly level: string }[] = [];
  const ledger = { lost: [] as LostShift[], said: 0 };
  const clock = { ms: 0 };
  const { round } = takeOverShifts({
    dispatch: {
      sayAlive: () => {
        ledger.said += 1;
        return Promise.resolve(ledger.lost);
      },
      checkOrigin: () => Promise.resolve(),
    },
    endTry,
    process: 'this one',
    serving: () => [],
    log: (entry) => void logged.push(entry),
    nowMs: () => clock.ms,
  });
  return { round, ledger, logged, clock };
}

const shiftOf = (instance: string): LostShift => ({ instance, taskToken: `token of ${instance}` });

describe('the tries of lost shifts', () => {
  it('are ended once each, however long the ledger lists them', async () => {
    const ended: string[] = [];
    const { round, ledger } = aJob(({ instance }) => Promise.resolve(void ended.push(instance)));
    ledger.lost = Array.from({ length: 40 }, (_, at) => shiftOf(`i${at}`));
    await round();
    await eventually(() => expect(ended).toHaveLength(40));
    await round();
    ledger.lost = [shiftOf('new'), ...ledger.lost];
    await eventually(async () => {
      await round();
      expect(ended.slice(40)).toEqual(['new']);
    });
  });

  it('are ended after a failed call, and delay neither each other nor the report of this process', async () => {
    let isAway = true;
    const ended: string[] = [];
    const { round, ledger, logged } = aJob(({ instance }) => {
      if (instance === 'hangs') return new Promise(() => undefined);
      if (instance === 'fails' && isAway) return Promise.reject(new Error('away'));
      return Promise.resolve(void ended.push(instance));
    });
    ledger.lost = [shiftOf('fails'), shiftOf('main')];
    await round();
    await eventually(() => expect(ended).toEqual(['main']));
    expect(logged.filter(({ level }) => level === 'warn')).toHaveLength(1);
    isAway = false;
    await eventually(async () => {
      await round();
      expect(ended).toEqual(['main', 'fails']);
    });
    ledger.lost = [shiftOf('hangs')];
    const { said } = ledger;
    await round();
    await round();
    expect(ledger.said).toBe(said + 2);
  });

  it('PRESENCE-5 are followed by the end of whichever try runs, once, if no shift begins within three seconds', async () => {
    const ended: object[] = [];
    const { round, ledger, clock } = aJob((lost) => Promise.resolve(void ended.push(lost)));
    ledger.lost = [shiftOf('main')];
    for (const ms of [0, 1_000, 2_900, 3_100, 4_000, 9_000, 60_000]) {
      clock.ms = ms;
      await round();
      await eventually(() => expect(ended.length).toBeGreaterThanOrEqual(ms < 3_000 ? 1 : 2));
    }
    expect(ended).toEqual([shiftOf('main'), { instance: 'main' }]);
  });
});
