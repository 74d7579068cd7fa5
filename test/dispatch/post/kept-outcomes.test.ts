import { describe, expect, test } from 'vitest';
import type { EditId, MessageId } from '../../../src/contract/index.js';
import { KeptOutcomes, type KeptOutcome } from '../../../src/dispatch/post/kept-outcomes.js';

const NOW = 1_000;

function kept(token: string, of: 'edit' | 'message', notBeforeMs?: number): KeptOutcome {
  const outcome = { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE', retryAfterMs: 0 } as const;
  const edit = { id: `edt_${token}` as EditId, confirmWithinMs: 0 };
  const messageId = `msg_${token}` as MessageId;
  return {
    messageId,
    outcome: { token, outcome, atMs: NOW, ...(of === 'edit' ? { edit } : {}) },
    ...(notBeforeMs === undefined ? {} : { notBeforeMs }),
  };
}

const tokens = (outcomes: readonly KeptOutcome[]) => outcomes.map(({ outcome }) => outcome.token);

describe('outcomes that the ledger does not have yet', () => {
  test('TICKER-3 go into the next ticks: those of messages at once, of those of edits the oldest sixteen a tick', () => {
    const outcomes = new KeptOutcomes();
    for (let at = 0; at < 40; at += 1) outcomes.add(kept(`n${at}`, 'edit'));
    for (let at = 0; at < 100; at += 1) outcomes.add(kept(`a${at}`, 'message'));
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
    for (let at = 0; at < 20; at += 1) outcomes.add(kept(`w${at}`, 'edit', NOW + 1));
    outcomes.add(kept('due', 'edit'));
    expect(tokens(outcomes.takeDue(NOW))).toEqual(['due']);
    expect(outcomes.size).toBe(20);
  });
});
