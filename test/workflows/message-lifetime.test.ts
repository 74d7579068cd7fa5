import { describe, expect, test } from 'vitest';
import {
  MESSAGE_STATES,
  SENT_OR_OVER,
  endedUnsent,
  type MessageId,
  type ShownMessage,
} from '../../src/contract/index.js';
import { editableUntilMs, isOver, isSentOrOver } from '../../src/workflows/message-row.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;

function aRow(facts: Partial<ShownMessage> = {}): ShownMessage {
  const { state = 'pending' } = facts;
  const expiresAt = new Date(NOON + 24 * 60 * MINUTE).toISOString();
  return { id: 'msg_a' as MessageId, state, expiresAt, hasEnded: endedUnsent(state), ...facts };
}

const SENT = { state: 'delivered', editableUntil: new Date(NOON + 14 * MINUTE).toISOString() } as const;

describe('how long the run of a message stays open', () => {
  test('a sent message stays open until its edit window closes', () => {
    expect(editableUntilMs(aRow(SENT))).toBe(NOON + 14 * MINUTE);
    expect([isOver(aRow(SENT), NOON), isOver(aRow(SENT), NOON + 14 * MINUTE)]).toEqual([false, true]);
  });

  test('an accepted message waits for its receipt until the wait has ended', () => {
    const accepted = aRow({ state: 'accepted' });
    expect(isOver(accepted, NOON)).toBe(false);
    expect(isOver({ ...accepted, hasEnded: true }, NOON)).toBe(true);
  });

  test.each(['rejected', 'expired', 'cancelled', 'suppressed', 'failed', 'no_account'] as const)(
    'a message that is %s is over',
    (state) => expect(isOver(aRow({ state }), NOON)).toBe(true),
  );

  test('the send activity ends at every state at which the run goes on, and at unresolved', () => {
    const goesOn = MESSAGE_STATES.filter((state) => isSentOrOver(aRow({ state })));
    expect(SENT_OR_OVER.toSorted()).toEqual([...goesOn, 'unresolved'].toSorted());
  });
});
