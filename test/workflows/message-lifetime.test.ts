import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MESSAGE_STATES,
  hasOutcome,
  type EditId,
  type EditSnapshot,
  type MessageId,
  type MessageSnapshot,
} from '../../src/contract/index.js';
import { hasEnded, editHasEnded, openUntilMs, wasSent } from '../../src/workflows/message-row.js';

const NOON = Date.parse('2026-03-01T12:00:00Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

function aRow(facts: Partial<MessageSnapshot> = {}): MessageSnapshot {
  return {
    id: 'msg_a' as MessageId,
    version: 1,
    state: 'pending',
    expiresAt: new Date(NOON + 24 * HOUR).toISOString(),
    edits: [],
    ...facts,
  };
}

function anEdit(id: string, state: EditSnapshot['state']): EditSnapshot {
  return { id: id as EditId, state };
}

describe('how long a message stays open', () => {
  test('a sent message stays open until its edit window closes', () => {
    const editableUntil = new Date(NOON + 14 * MINUTE).toISOString();
    expect(openUntilMs(aRow({ state: 'delivered', editableUntil }))).toBe(NOON + 14 * MINUTE);
  });

  test('an accepted message stays open for its receipt until the gateway has dropped it', () => {
    const acceptedAt = new Date(NOON).toISOString();
    expect(openUntilMs(aRow({ state: 'accepted', acceptedAt }))).toBe(NOON + 24 * HOUR + 15 * MINUTE);
  });

  test('an accepted message without hope for receipts is not open any more', () => {
    const acceptedAt = new Date(NOON).toISOString();
    expect(openUntilMs(aRow({ state: 'accepted', acceptedAt, reason: 'left_queue_no_receipt' }))).toBe(0);
  });

  test('an unknown message stays open for late evidence as long after its expiry', () => {
    expect(openUntilMs(aRow({ state: 'unknown' }))).toBe(NOON + 48 * HOUR + 15 * MINUTE);
  });

  test.each(['rejected', 'expired', 'cancelled', 'suppressed', 'failed', 'no_account'] as const)(
    'a message that is %s is not open any more',
    (state) => {
      expect(openUntilMs(aRow({ state }))).toBe(0);
    },
  );

  test('every state belongs to exactly one of: no outcome yet, ended, sent, waiting for evidence', () => {
    fc.assert(
      fc.property(fc.constantFrom(...MESSAGE_STATES), (state) => {
        const row = aRow({ state });
        const waitsForEvidence = ['unresolved', 'accepted'].includes(state);
        const words = [!hasOutcome(state), hasEnded(row), wasSent(row), waitsForEvidence];
        expect(words.filter(Boolean)).toHaveLength(1);
      }),
    );
  });
});

describe('an edit', () => {
  test.each(['edited', 'too_late', 'refused', 'unconfirmed', 'superseded', 'not_possible'] as const)(
    'an edit that is %s has ended',
    (state) => {
      expect(editHasEnded(anEdit('edt_1', state))).toBe(true);
    },
  );
});
