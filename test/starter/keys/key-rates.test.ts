import { describe, expect, it } from 'vitest';
import type { GrantedTurns, ReserveTurns } from '../../../src/ledger/index.js';
import { createKeyRates } from '../../../src/starter/keyring.js';

function someBuckets(...grants: readonly Partial<GrantedTurns>[]) {
  const asked: ReserveTurns[] = [];
  const reserve = async (input: ReserveTurns): Promise<GrantedTurns> => {
    asked.push(input);
    return { turns: input.turns, firstInMs: 0, blockedForMs: 0, ...grants[asked.length - 1] };
  };
  return { asked, takeTurn: createKeyRates({ reserve }) };
}

const LIMIT = { id: 'k', perSecond: 1_000 };

describe('the rate limit of a key', () => {
  it('asks the ledger once for all requests within a quarter of a second', async () => {
    const { asked, takeTurn } = someBuckets();
    await Promise.all(Array.from({ length: 250 }, () => takeTurn(LIMIT)));
    expect(asked).toEqual([{ instance: 'key:k', operation: 'api', turns: 250, spacingMs: 1, maxWaitMs: 1_000 }]);
    await takeTurn(LIMIT);
    expect(asked).toHaveLength(2);
  });

  it('refuses without asking, once the time of the next turn is known', async () => {
    const { asked, takeTurn } = someBuckets({ turns: 0, firstInMs: 61_000 });
    for (let time = 0; time < 5; time += 1) {
      const refused: unknown = await takeTurn(LIMIT).catch((error: unknown) => error);
      expect(refused).toMatchObject({ code: 'KEY_RATE_LIMITED', retryAfterMs: expect.any(Number) });
      expect(Math.round(Number(Reflect.get(Object(refused), 'retryAfterMs')) / 1_000)).toBe(60);
    }
    expect(asked).toHaveLength(1);
  });

  it('counts each key separately, and causes no other error when the ledger cannot be asked', async () => {
    const takeTurn = createKeyRates({ reserve: () => Promise.reject(new Error('away')) });
    await expect(takeTurn(LIMIT)).rejects.toThrow('away');
    const { asked, takeTurn: other } = someBuckets({ turns: 1 }, { turns: 1 });
    await Promise.all([other(LIMIT), other({ id: 'l', perSecond: 1 })]);
    expect(asked.map(({ instance, turns }) => [instance, turns])).toEqual([
      ['key:k', 250],
      ['key:l', 1],
    ]);
  });
});
