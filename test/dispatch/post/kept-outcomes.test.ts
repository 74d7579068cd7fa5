import { describe, expect, test } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import { KeptOutcomes, type KeptOutcome } from '../../../src/dispatch/post/kept-outcomes.js';

const NOW = 1_000;

function kept(token: string, kind: 'accepted' | 'not_accepted', notBeforeMs?: number): KeptOutcome {
  const outcome =
    kind === 'accepted'
      ? ({ kind, idMessage: token, httpStatus: 200 } as const)
      : ({ kind, code: 'GATEWAY_UNREACHABLE', retryAfterMs: 0 } as const);
  const messageId = `msg_${token}` as MessageId;
  return {
    messageId,
    outcome: { token, outcome, atMs: NOW },
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
  };
}

const tokens = (outcomes: readonly KeptOutcome[]) => outcomes.map(({ outcome }) => outcome.token);

describe('outcomes that the ledger does not have yet', () => {
  test('TICKER-3 go into the next ticks: all accepted ones at once, of the others the oldest sixteen a tick', () => {
    const outcomes = new KeptOutcomes();
    for (let at = 0; at < 40; at += 1) outcomes.add(kept(`n${at}`, 'not_accepted'));
    for (let at = 0; at < 100; at += 1) outcomes.add(kept(`a${at}`, 'accepted'));
    const first = tokens(outcomes.takeDue(NOW));
    expect(first.filter((token) => token.startsWith('a'))).toHaveLength(100);
    expect(first.filter((token) => token.startsWith('n'))).toEqual(Array.from({ length: 16 }, (_, at) => `n${at}`));
    expect(outcomes.nextAtMs()).toBe(0);
    expect(tokens(outcomes.takeDue(NOW))).toEqual(Array.from({ length: 16 }, (_, at) => `n${at + 16}`));
    expect(tokens(outcomes.takeDue(NOW))).toHaveLength(8);
    expect(outcomes.size).toBe(0);
  });

  test('take no place in a tick while they wait for a later time', () => {
    const outcomes = new KeptOutcomes();
    for (let at = 0; at < 20; at += 1) outcomes.add(kept(`w${at}`, 'not_accepted', NOW + 1));
    outcomes.add(kept('due', 'not_accepted'));
    expect(tokens(outcomes.takeDue(NOW))).toEqual(['due']);
    expect(outcomes.size).toBe(20);
  });
});
