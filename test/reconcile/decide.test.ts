import { describe, expect, test } from 'vitest';
import { WITNESS_PATIENCE_MS } from '../../src/contract/index.js';
import {
  decide,
  queueObservation,
  type AccountedId,
  type Question,
  type Observation,
} from '../../src/activities/reconcile/index.js';
import { ID, RECIPIENT, SENT_AT, inJournal, inNotice, inQueue } from './witnesses.js';

const TEXT = { kind: 'text', text: 'Your table is ready' } as const;
const CLAIMED_AT = SENT_AT * 1000;
const RECONCILE_AFTER = CLAIMED_AT + 35_000;
const CLAIM_SEQUENCE = 100;

const marker = inQueue({ kind: 'text', text: 'another' }, RECIPIENT, { messageID: 'MARKER' });
const accountedMarker: [string, AccountedId] = ['MARKER', { acceptedSequence: CLAIM_SEQUENCE - 1 }];

function aQuestion(
  changes: Partial<Question> & {
    items?: readonly Observation[];
    begunAtMs?: number;
    known?: [string, AccountedId][];
  } = {},
): Question {
  const { items, begunAtMs = RECONCILE_AFTER, known = [accountedMarker], ...rest } = changes;
  return {
    attempt: {
      claimSequence: CLAIM_SEQUENCE,
      claimedAtMs: CLAIMED_AT,
      reconcileAfterMs: RECONCILE_AFTER,
      chatId: RECIPIENT,
      content: TEXT,
    },
    nowMs: RECONCILE_AFTER + 1_000,
    ...(items === undefined ? {} : { reading: { begunAtMs, items } }),
    observations: [],
    accounted: new Map(known),
    instanceRestarted: false,
    ...rest,
  };
}

/** Proves DECIDE-1 to DECIDE-6. */
describe('DECIDE-1 adopts', () => {
  test.each<[string, Partial<Question> & { items?: readonly Observation[] }, string]>([
    ['what the queue shows', { items: [inQueue(TEXT)] }, 'showMessagesQueue'],
    ['what a notification showed', { observations: [inNotice(TEXT)!] }, 'outgoingAPIMessageReceived'],
    ['what a journal shows', { observations: [inJournal(TEXT)] }, 'lastOutgoingMessages'],
    [
      'at once, before the attempt can be reconciled',
      { items: [inQueue(TEXT)], nowMs: CLAIMED_AT + 1_000 },
      'showMessagesQueue',
    ],
    ['although a marker is there as well', { items: [marker, inQueue(TEXT)] }, 'showMessagesQueue'],
  ])('%s', (_, changes, witness) => {
    expect(decide(aQuestion(changes))).toEqual({ kind: 'adopt', idMessage: ID, witness });
  });

  test.each<[string, Partial<Question> & { items?: readonly Observation[]; known?: [string, AccountedId][] }]>([
    ['an id that the ledger accounts for', { items: [inQueue(TEXT)], known: [[ID, { acceptedSequence: 200 }]] }],
    ['an id of an edit', { observations: [inJournal(TEXT)], known: [[ID, {}]] }],
    ['what was sent before the claim', { observations: [inJournal(TEXT, RECIPIENT, { timestamp: SENT_AT - 60 })] }],
    [
      'what was sent before the claim by the gateway’s clock',
      { observations: [inJournal(TEXT)], gatewayOffset: { lowestMs: 59_000, highestMs: 61_000 } },
    ],
    ['an item without an id', { items: [inQueue(TEXT, RECIPIENT, { messageID: undefined })] }],
    ['an item with several ids', { items: [inQueue(TEXT, RECIPIENT, { messagesIDs: ['MORE'] })] }],
  ])('but not %s', (_, changes) => {
    expect(decide(aQuestion(changes)).kind).not.toBe('adopt');
  });

  test('what was sent within the second of the claim, which the gateway cuts off', () => {
    const question = aQuestion({ observations: [inJournal(TEXT)] });
    const claimedLate = { ...question.attempt, claimedAtMs: CLAIMED_AT + 999 };
    expect(decide({ ...question, attempt: claimedLate }).kind).toBe('adopt');
  });
});

describe('DECIDE-2 and DECIDE-3 deny', () => {
  test('by an item that was accepted before the claim and is still in the queue', () => {
    expect(decide(aQuestion({ items: [marker] }))).toEqual({ kind: 'absent', marker: 'MARKER' });
  });

  test('by a marker of any kind', () => {
    const forward = queueObservation({ type: 'ForwardMessages', messagesIDs: ['MARKER', 'X'], body: {} });
    expect(decide(aQuestion({ items: [forward] }))).toEqual({ kind: 'absent', marker: 'MARKER' });
  });

  const unaccounted = inQueue({ kind: 'text', text: 'unheard of' }, '15550000000@c.us', { messageID: 'INVALID' });
  test.each<[string, Parameters<typeof aQuestion>[0], string]>([
    ['while the request may still be accepted', { items: [marker], nowMs: RECONCILE_AFTER - 1 }, 'too_early'],
    ['by a reading that was begun too early', { items: [marker], begunAtMs: RECONCILE_AFTER - 1 }, 'no_reading'],
    ['without a reading', {}, 'no_reading'],
    ['by an empty queue', { items: [] }, 'no_marker'],
    [
      'by an item that was accepted after the claim',
      { items: [marker], known: [['MARKER', { acceptedSequence: 101 }]] },
      'no_marker',
    ],
    ['by the id of an edit', { items: [marker], known: [['MARKER', {}]] }, 'no_marker'],
    ['while an unaccounted item could be ours', { items: [marker, unaccounted] }, 'unaccounted_item_in_queue'],
    [
      'while an item without an id could be ours',
      { items: [marker, inQueue(TEXT, RECIPIENT, { messageID: null, body: null })] },
      'unaccounted_item_in_queue',
    ],
    ['after a restart of the instance', { items: [marker], instanceRestarted: true }, 'instance_restarted'],
  ])('but not %s', (_, changes, why) => {
    expect(decide(aQuestion(changes))).toMatchObject({ kind: 'undecided', why });
  });

  test('but not a status, which the queue never lists', () => {
    const question = aQuestion({ items: [marker] });
    const attempt = { ...question.attempt, content: { kind: 'status', text: TEXT.text } as const };
    expect(decide({ ...question, attempt })).toMatchObject({ kind: 'undecided', why: 'kind_not_listed' });
  });

  test('although an unaccounted item of another kind is there', () => {
    const poll = inQueue(TEXT, RECIPIENT, { type: 'sendPoll', messageID: 'POLL' });
    expect(decide(aQuestion({ items: [marker, poll] })).kind).toBe('absent');
  });
});

describe('DECIDE-4 presumes', () => {
  const withoutSuccessor = { authorizedThroughout: true, unexplainedReceipts: false };
  const presumption = { ...withoutSuccessor, successor: 'AFTER' };

  test('when asked to, once a message claimed after the reconciliation was sent', () => {
    expect(decide(aQuestion({ items: [], presumption }))).toEqual({ kind: 'presumed_absent', successor: 'AFTER' });
  });

  test.each<[string, Parameters<typeof aQuestion>[0]]>([
    ['before that', { items: [], presumption: withoutSuccessor }],
    [
      'when the instance was away meanwhile',
      { items: [], presumption: { ...presumption, authorizedThroughout: false } },
    ],
    [
      'when receipts came without an explanation',
      { items: [], presumption: { ...presumption, unexplainedReceipts: true } },
    ],
    ['when it restarted', { items: [], presumption, instanceRestarted: true }],
    ['without a reading', { presumption }],
    [
      'when a message came that could be ours',
      { items: [], presumption, observations: [inNotice({ ...TEXT, text: 'other words' })!] },
    ],
  ])('but not %s', (_, changes) => {
    expect(decide(aQuestion(changes)).kind).toBe('undecided');
  });
});

describe('DECIDE-5 says when asking again can help', () => {
  test.each<[string, Parameters<typeof aQuestion>[0], number | undefined]>([
    ['soon, while the item may still be in the queue', { items: [], nowMs: CLAIMED_AT + 1_000 }, 3_000],
    ['exactly when the attempt can be reconciled', { items: [], nowMs: RECONCILE_AFTER - 500 }, 500],
    ['while notifications may still come', { items: [] }, 10_000],
    ['never, once they would have come', { items: [], nowMs: RECONCILE_AFTER + WITNESS_PATIENCE_MS }, undefined],
    [
      'as long as something unaccounted is in the queue',
      { items: [inQueue({ ...TEXT, text: '?' })], nowMs: RECONCILE_AFTER + 10 * WITNESS_PATIENCE_MS },
      10_000,
    ],
  ])('%s', (_, changes, askAgainAfterMs) => {
    const decision = decide(aQuestion(changes));
    expect(decision.kind === 'undecided' ? decision.askAgainAfterMs : decision).toBe(askAgainAfterMs);
  });
});
