import { describe, expect, test } from 'vitest';
import { LONGEST_UNKNOWN_MS, SUCCESSOR_PATIENCE_MS, WITNESS_PATIENCE_MS } from '../../src/contract/index.js';
import {
  CLOCK_MARGIN_MS,
  LEAST_NOTIFIED,
  RESTART_WAIT_MS,
  RETRY_INTERVAL_MS,
  decide,
  isSurelyAnotherChat,
  listedItem,
  type ListedItem,
  type NotificationHistory,
} from '../../src/domain/index.js';
import {
  TEXT,
  CLAIMED_AT,
  RECONCILE_AFTER,
  SETTLED,
  DECIDABLE_FROM,
  CLAIM_SEQUENCE,
  NOW,
  item,
  reading,
  accepted,
  OLDER,
  type Changes,
  aQuestion,
} from './question.js';
import { ID, RECIPIENT, SENT_AT, inJournal, inNotice, inQueue } from './witnesses.js';

/** One reading that lists these items. */
function listed(...items: ListedItem[]) {
  return { readings: [reading(items)] };
}

/** Proves ADOPT-1 to ADOPT-4. */
describe('an id', () => {
  test.each<[string, Changes, string]>([
    ['when the queue shows it', { observations: [inQueue(TEXT)] }, 'showMessagesQueue'],
    ['when a notification showed it', { observations: [inNotice(TEXT)!] }, 'outgoingAPIMessageReceived'],
    ['when a journal shows it', { observations: [inJournal(TEXT)] }, 'lastOutgoingMessages'],
    [
      'at once, before the attempt can be reconciled',
      { observations: [inQueue(TEXT)], nowMs: CLAIMED_AT + 1_000 },
      'showMessagesQueue',
    ],
    [
      'although absence could be proved',
      { observations: [inQueue(TEXT)], ...listed(item('OLDER')) },
      'showMessagesQueue',
    ],
  ])('is adopted %s', (_, changes, witness) => {
    expect(decide(aQuestion(changes))).toEqual({ kind: 'adopt', idMessage: ID, witness });
  });

  test.each<[string, Changes]>([
    ['the ledger accounts for it', { observations: [inQueue(TEXT)], known: { [ID]: accepted(200) } }],
    ['it is the id of an edit', { observations: [inJournal(TEXT)], known: { [ID]: {} } }],
    ['the message was sent before the claim', { observations: [inJournal(TEXT, { timestamp: SENT_AT - 60 })] }],
    [
      'the message was sent before the claim by the gateway’s clock',
      { observations: [inJournal(TEXT)], gatewayOffset: { lowestMs: 59_000, highestMs: 61_000 } },
    ],
    [
      'a reading recorded before the claim lists it',
      { observations: [inQueue(TEXT)], readings: [reading([item(ID)], { sequence: CLAIM_SEQUENCE - 1 })] },
    ],
    ['the item has no id', { observations: [inQueue(TEXT, {}, { messageID: undefined })] }],
    ['the item has several ids', { observations: [inQueue(TEXT, {}, { messagesIDs: ['MORE'] })] }],
  ])('is not adopted when %s', (_, changes) => {
    expect(decide(aQuestion(changes)).kind).not.toBe('adopt');
  });

  test('is adopted when sent within the second of the claim, which the gateway truncates', () => {
    const question = aQuestion({ observations: [inJournal(TEXT)] });
    const claimedLate = { ...question.attempt, claimedAtMs: CLAIMED_AT + 999 };
    expect(decide({ ...question, attempt: claimedLate }).kind).toBe('adopt');
  });
});

/** Proves ABSENT-1 to ABSENT-6 and PRECEDE-1 to PRECEDE-4. */
describe('absence', () => {
  const unaccounted = item('UNHEARD');
  const seenBefore = reading([item('SEEN')], {
    sequence: 99,
    begunAtMs: CLAIMED_AT - 900,
    endedAtMs: CLAIMED_AT - 800,
  });
  const between = (items: readonly ListedItem[]) =>
    reading(items, { sequence: 150, begunAtMs: CLAIMED_AT + 5_000, endedAtMs: CLAIMED_AT + 5_100 });

  test.each<[string, Changes, string[]]>([
    ['by an item accepted before the claim', { ...listed(item('OLDER')) }, ['OLDER']],
    [
      'by an item of any kind',
      { readings: [reading([{ ids: ['OLDER', 'X'], kind: 'forward', chat: '' }])] },
      ['OLDER'],
    ],
    ['by an item that a reading before the claim lists', { readings: [seenBefore, reading([item('SEEN')])] }, ['SEEN']],
    [
      'by an id that a reading since the claim shows behind a preceding one',
      {
        readings: [between([item('OLDER'), item('LATER')]), reading([item('LATER')])],
        known: { ...OLDER, LATER: accepted(160, 140) },
      },
      ['LATER', 'OLDER'],
    ],
    ['although an unaccounted item is in front', { readings: [reading([unaccounted, item('OLDER')])] }, ['OLDER']],
    [
      'although an unaccounted item of another kind is behind',
      { ...listed(item('OLDER'), item('POLL', { kind: 'poll' })) },
      ['OLDER'],
    ],
    [
      'although an unaccounted item of another chat is behind',
      { ...listed(item('OLDER'), item('X', { chat: '15550000009@c.us' })) },
      ['OLDER'],
    ],
    [
      'by a listing as long as the longest that shows an id claimed since',
      {
        ...listed(item('OLDER'), item('NEW')),
        longestListing: 2,
        known: { ...OLDER, NEW: accepted(190, 180, DECIDABLE_FROM) },
      },
      ['OLDER'],
    ],
  ])('is proved %s', (_, changes, link) => {
    const decision = decide(aQuestion(changes));
    expect(decision).toMatchObject({ kind: 'absent' });
    expect(decision.kind === 'absent' ? [decision.link[0], decision.link.at(-1)] : []).toEqual([link[0], link.at(-1)]);
  });

  test.each<[string, Changes, string]>([
    ['while the request may still be accepted', { ...listed(item('OLDER')), nowMs: DECIDABLE_FROM - 1 }, 'too_early'],
    [
      'by a reading that began too early',
      { readings: [reading([item('OLDER')], { begunAtMs: DECIDABLE_FROM - 1 })] },
      'no_reading',
    ],
    ['without a reading', {}, 'no_reading'],
    ['by an empty queue', { ...listed() }, 'nothing_precedes'],
    [
      'by an item accepted after the claim',
      { readings: [reading([item('LATER')])], known: { LATER: accepted(110, 105) } },
      'nothing_precedes',
    ],
    ['by the id of an edit', { readings: [reading([item('EDIT')])], known: { EDIT: {} } }, 'nothing_precedes'],
    [
      'while an unaccounted item behind could be ours',
      { ...listed(item('OLDER'), unaccounted) },
      'unaccounted_item_in_queue',
    ],
    [
      'while an item without an id could be ours',
      { ...listed(item('OLDER'), { ids: [], kind: 'text', chat: '' }) },
      'unaccounted_item_in_queue',
    ],
    [
      'while an item of a kind that cannot be read could be ours',
      { ...listed(item('OLDER'), item('X', { kind: 'unrecognised' })) },
      'unaccounted_item_in_queue',
    ],
    [
      'while an item in another form of chat could be ours',
      { ...listed(item('OLDER'), item('X', { chat: '15550000009@lid' })) },
      'unaccounted_item_in_queue',
    ],
    ['by a listing that may be truncated', { ...listed(item('OLDER')), longestListing: 1 }, 'listing_incomplete'],
    ['after a restart of the instance', { ...listed(item('OLDER')), isRestarted: true }, 'instance_restarted'],
    ['within six seconds of the response', { ...listed(item('OLDER')), nowMs: NOW - 1 }, 'restart_wait'],
    [
      'while an own id accepted later is missing behind',
      { ...listed(item('OLDER')), known: { ...OLDER, LATER: accepted(160, 140) } },
      'queue_out_of_order',
    ],
    [
      'while two own ids are in the wrong order',
      { readings: [reading([item('LATER'), item('OLDER')])], known: { ...OLDER, LATER: accepted(160, 140) } },
      'queue_out_of_order',
    ],
    [
      'while a reading contradicts the previous one',
      {
        readings: [between([item('OLDER'), item('A1'), item('A2')]), reading([item('OLDER'), item('A2')])],
        known: { ...OLDER, A1: {}, A2: {} },
      },
      'queue_out_of_order',
    ],
  ])('is not proved %s', (_, changes, why) => {
    expect(decide(aQuestion(changes))).toMatchObject({ kind: 'undecided', why });
  });

  test('is not proved for a status, which the queue never lists', () => {
    const question = aQuestion({ ...listed(item('OLDER')) });
    const attempt = { ...question.attempt, content: { kind: 'status', text: TEXT.text } as const };
    expect(decide({ ...question, attempt })).toMatchObject({ kind: 'undecided', why: 'kind_not_listed' });
  });

  test('is proved by an older reading when a newer one shows no preceding item', () => {
    const newer = reading([], { sequence: 300, begunAtMs: NOW - 500, endedAtMs: NOW - 400 });
    expect(decide(aQuestion({ readings: [reading([item('OLDER')]), newer] }))).toMatchObject({ kind: 'absent' });
  });
});

describe('two chats', () => {
  test.each([
    ['15551234567@c.us', '15557654321@c.us', true],
    ['5511912345678@c.us', '551112345678@c.us', false],
    ['15551234567@c.us', '4711@lid', false],
    ['15551234567@c.us', '120363@g.us', false],
    ['120363@g.us', '120364@g.us', true],
    ['15551234567@c.us', '', false],
    ['234567@c.us', '15557654321@c.us', false],
  ])('are surely different: %s and %s: %s', (one, other, expected) => {
    expect(isSurelyAnotherChat(one, other)).toBe(expected);
    expect(isSurelyAnotherChat(other, one)).toBe(expected);
  });

  test("are read in the queue's form, also as a bare number", () => {
    expect(listedItem({ type: 'sendMessage', messageID: 'A', body: { chatId: 15551234567 } })).toEqual({
      ids: ['A'],
      kind: 'text',
      chat: RECIPIENT,
    });
    expect(listedItem(null)).toEqual({ ids: [], kind: 'unrecognised', chat: '' });
  });
});

const QUIET_DAY: NotificationHistory = {
  hasUnexplained: false,
  isOn: true,
  wasAlwaysAuthorized: true,
  notifiedWithinDay: 0,
  missingWithinDay: 0,
  isOutOfOrder: false,
  isKindNotified: false,
};

/** Proves PRESUME-1 to PRESUME-9. */
describe('a presumption of absence', () => {
  const notifiedAtMs = DECIDABLE_FROM + 1_000;
  const begunAtMs = notifiedAtMs + 2 * RETRY_INTERVAL_MS + CLOCK_MARGIN_MS;
  const late = reading([], { begunAtMs, endedAtMs: begunAtMs + 100 });
  const nowMs = begunAtMs + 100 + RESTART_WAIT_MS;
  const history: NotificationHistory = {
    ...QUIET_DAY,
    successor: { idMessage: 'AFTER', claimedAtMs: DECIDABLE_FROM, notifiedAtMs },
    notifiedWithinDay: LEAST_NOTIFIED,
    isKindNotified: true,
  };
  const on = (day: Partial<NotificationHistory>) => ({ notifications: { ...history, ...day } });
  const presumable = { nowMs, readings: [late], notifications: history };

  test('is made on request, when a message claimed later has left and no sign of this one came', () => {
    expect(decide(aQuestion(presumable))).toEqual({ kind: 'presumed_absent', successor: 'AFTER' });
  });

  test.each<[string, Changes, string]>([
    ['without a successor', { notifications: QUIET_DAY }, 'no_successor'],
    [
      'by a message claimed before the attempt was settled',
      { notifications: { ...history, successor: { ...history.successor!, claimedAtMs: DECIDABLE_FROM - 1 } } },
      'no_successor',
    ],
    ['before two retry intervals have passed', { nowMs: begunAtMs - 1, ...listed() }, 'successor_too_young'],
    ['without a reading since', { ...listed() }, 'no_clear_reading'],
    ['while an unaccounted item is queued', { readings: [{ ...late, items: [item('X')] }] }, 'no_clear_reading'],
    ['after a notification without an explanation', on({ hasUnexplained: true }), 'unexplained_notification'],
    ['when the account was not authorized all the time', on({ wasAlwaysAuthorized: false }), 'instance_changed'],
    ['when it restarted', { isRestarted: true }, 'instance_changed'],
    ['while notifications are off', on({ isOn: false }), 'notifications_off'],
    ['on a day with few notifications', on({ notifiedWithinDay: LEAST_NOTIFIED - 1 }), 'notifications_incomplete'],
    ['on a day with a missing notification', on({ missingWithinDay: 1 }), 'notifications_incomplete'],
    ['on a day with a notification out of order', on({ isOutOfOrder: true }), 'notifications_out_of_order'],
    ['for a kind without a notification within the day', on({ isKindNotified: false }), 'kind_not_notified'],
  ])('is not made %s', (_name, changes, notPresumed) => {
    expect(decide(aQuestion({ ...presumable, ...changes }))).toMatchObject({ kind: 'undecided', notPresumed });
  });

  test('is not made while a witness that may know more is unavailable', () => {
    expect(decide(aQuestion({ ...presumable, isWitnessUnavailable: true })).kind).toBe('undecided');
  });
});

/** Proves DECIDE-1 to DECIDE-4. */
describe('an undecided question', () => {
  const empty = { ...listed() };
  test.each<[string, Changes, number | undefined]>([
    ['soon, while the item may still be in the queue', { ...empty, nowMs: CLAIMED_AT + 1_000 }, 3_000],
    ['exactly when the attempt is settled', { ...empty, nowMs: DECIDABLE_FROM - 700 }, 700],
    ['while notifications may still come', empty, 3_000],
    ['more rarely with time', { ...empty, nowMs: SETTLED + 80_000 }, 8_000],
    ['when the wait for restarts is over', { ...listed(item('OLDER')), nowMs: NOW - 2_500 }, 2_500],
    [
      'never, when all notifications would have come',
      { ...empty, nowMs: RECONCILE_AFTER + WITNESS_PATIENCE_MS },
      undefined,
    ],
    [
      'once a minute, as long as an unaccounted item is queued',
      { ...listed(item('OLDER'), item('X')), nowMs: RECONCILE_AFTER + 20 * WITNESS_PATIENCE_MS },
      60_000,
    ],
    [
      'for longer when a successor may come',
      {
        ...empty,
        nowMs: RECONCILE_AFTER + WITNESS_PATIENCE_MS,
        notifications: QUIET_DAY,
      },
      (RECONCILE_AFTER + WITNESS_PATIENCE_MS - SETTLED) / 10,
    ],
    [
      'once a minute while a witness is unavailable',
      { ...empty, isWitnessUnavailable: true, nowMs: RECONCILE_AFTER + SUCCESSOR_PATIENCE_MS },
      60_000,
    ],
    ['for an hour at most', { isWitnessUnavailable: true, nowMs: RECONCILE_AFTER + LONGEST_UNKNOWN_MS }, undefined],
  ])('is asked again %s', (_, changes, nextPollAfterMs) => {
    const decision = decide(aQuestion(changes));
    expect(decision.kind === 'undecided' ? decision.nextPollAfterMs : decision).toBe(nextPollAfterMs);
  });
});
