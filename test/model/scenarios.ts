/** Small worlds that are gone through completely, each with the rules that it shows to be needed. */
import type { Assumption, Rule } from './rules.js';
import type { Scenario } from './world.js';

export interface Studied extends Scenario {
  /** Without any one of these something goes wrong here. */
  readonly needs: readonly Rule[];
  /** So it does without any one of these, whatever the rules. */
  readonly trusts?: readonly Assumption[];
}

const a = { text: 'a' };
const b = { text: 'b' };
/** Accepted, sent, and no one here knows. */
const lost = { text: 'a', isLost: true } as const;
/** In the queue from the beginning: what may prove that something behind it is not there. */
const marker = { text: 'b', isAccepted: true } as const;

export const SCENARIOS: readonly Studied[] = [
  {
    name: 'one message whose worker dies or stands still, with every way to lose a request or its response',
    rows: [a],
    faults: { loseResponse: 1, loseRequest: 1, cutConnection: 1, freeze: 1, crash: 1 },
    ticks: 4,
    needs: [
      'PROTOCOL-1.intent-first',
      'PROTOCOL-1.no-blind-repeat',
      'PROTOCOL-2.compare-and-set',
      'PROTOCOL-8.row-decides',
      'PROTOCOL-8.sweeper',
    ],
  },
  {
    name: 'one message whose worker stands still, without notifications',
    rows: [a],
    faults: { freeze: 1, loseResponse: 1 },
    ticks: 4,
    notices: false,
    needs: ['PROTOCOL-4.outcomes-from-anyone'],
  },
  {
    name: 'a claim whose commit is not heard',
    rows: [a],
    faults: { loseCommit: 1 },
    ticks: 3,
    needs: ['PROTOCOL-2.same-token-same-attempt'],
  },
  {
    name: 'an edit around the claim',
    rows: [a],
    faults: { edit: 1 },
    ticks: 2,
    needs: ['PROTOCOL-2.text-of-the-claim', 'PROTOCOL-2.edits-wait-after-claim'],
  },
  {
    name: 'an edit while it is unknown what became of the message',
    rows: [a],
    faults: { edit: 1, loseResponse: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.compare-with-attempt'],
  },
  {
    name: 'a message behind another one, with a worker that stands still or a connection that is cut',
    rows: [marker, a],
    faults: { freeze: 1, cutConnection: 1 },
    ticks: 3,
    notices: false,
    needs: ['PROTOCOL-3.posting-deadline', 'PROTOCOL-3.denied-after-settle'],
    trusts: ['ASSUME-2.settle'],
  },
  {
    name: 'a lost response behind another message',
    rows: [marker, a],
    faults: { loseResponse: 1, loseRequest: 1, reword: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.deny-loosely'],
    trusts: ['ASSUME-1.fifo'],
  },
  {
    name: 'a lost response before another message',
    rows: [a, b],
    faults: { loseResponse: 1 },
    ticks: 2,
    notices: false,
    needs: ['PROTOCOL-6.deny-behind-preceding-only', 'PROTOCOL-6.preceding-before-claim'],
  },
  {
    name: 'a reading that is decided on later',
    rows: [marker, a],
    faults: { cutConnection: 1, clear: 1 },
    ticks: 3,
    notices: false,
    slowReadings: true,
    needs: ['PROTOCOL-3.denied-after-settle'],
  },
  {
    name: 'a restart of the instance that puts its queue into another order',
    rows: [marker, a],
    faults: { loseResponse: 1, restart: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.no-restart-since-claim'],
  },
  {
    name: 'a message cancelled while it is unknown what became of it',
    rows: [marker, a],
    faults: { loseRequest: 1, cancel: 1 },
    ticks: 3,
    needs: ['PROTOCOL-2.cancelled-is-not-claimed'],
  },
  {
    name: 'a STOP at any moment, also while it is unknown what became of the message',
    rows: [marker, a],
    faults: { loseRequest: 1, stop: 1, crash: 1 },
    ticks: 3,
    needs: ['PROTOCOL-12.list-in-the-claim'],
  },
  {
    name: 'two equal messages, requests and responses lost',
    rows: [a, a],
    faults: { loseResponse: 1, loseRequest: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.adopt-unaccounted-only'],
  },
  {
    name: 'two equal messages, the first of them lost to sight',
    rows: [lost, marker, a],
    faults: { loseResponse: 1, loseRequest: 1 },
    ticks: 3,
    notices: false,
    unresolvedPollsAgain: true,
    needs: ['PROTOCOL-5.identical-wait', 'PROTOCOL-5.unresolved-yields-to-identical'],
  },
  {
    name: 'two equal messages, one whose worker stands still, and a reading that is decided on later',
    rows: [a, a],
    faults: { freeze: 1, loseRequest: 1 },
    ticks: 3,
    slowReadings: true,
    needs: ['PROTOCOL-4.one-owner-per-id'],
  },
  {
    name: 'another sender in the queue',
    rows: [a],
    faults: { loseRequest: 1, loseResponse: 1, unmatchedOther: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.adopt-equal-only'],
  },
  {
    name: 'the same text sent from the phone',
    rows: [a],
    faults: { loseRequest: 1, phoneEqual: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.adopt-api-only'],
  },
  {
    name: 'the same text sent by another before the claim',
    rows: [a],
    faults: { loseRequest: 1, loseResponse: 1 },
    ticks: 3,
    journal: true,
    unmatchedBefore: 'a',
    needs: ['PROTOCOL-6.adopt-nothing-older'],
  },
  ...[-2, 2].map((gatewayAheadTicks): Studied => ({
    name: `a lost response, and an older text of another, at a gateway whose clock is ${gatewayAheadTicks} ticks ahead`,
    rows: [a],
    faults: { loseRequest: 1, loseResponse: 1 },
    ticks: 3,
    journal: true,
    unmatchedBefore: 'a',
    gatewayAheadTicks,
    needs: ['PROTOCOL-6.clock-by-its-lower-end', 'PROTOCOL-6.adopt-nothing-older'],
  })),
  {
    name: 'a status behind a text',
    rows: [marker, { text: 'a', kind: 'status' }],
    faults: { loseResponse: 1, loseRequest: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.listed-kinds-only'],
  },
  {
    name: 'a queue that is cleared',
    rows: [marker, a],
    faults: { loseResponse: 1, loseRequest: 1, clear: 1 },
    ticks: 3,
    needs: [],
  },
  {
    name: 'a message that may be sent again on presumption, accepted, and one after it',
    rows: [{ text: 'a', onUnknown: 'auto' }, b],
    faults: { loseResponse: 1 },
    ticks: 2,
    receipts: 1,
    needs: ['PROTOCOL-6.successor-after-reconcile-time'],
  },
  {
    name: 'a message that may be sent again on presumption, never accepted, and one after it',
    rows: [{ text: 'a', onUnknown: 'auto' }, b],
    faults: { loseRequest: 1 },
    ticks: 2,
    receipts: 1,
    needs: [],
  },
  {
    name: 'a message that must not be sent again on presumption, whose notifications were lost',
    rows: [lost, b],
    faults: { dropNotice: 0 },
    ticks: 2,
    receipts: 1,
    needs: ['PROTOCOL-6.presume-when-asked'],
  },
  {
    name: 'receipts that change places or come before the response',
    rows: [a],
    faults: { swapNotices: 2, loseResponse: 1, freeze: 1 },
    ticks: 3,
    receipts: 2,
    needs: ['PROTOCOL-7.forward-only', 'PROTOCOL-7.parked-receipts'],
  },
];

/** Worlds in which the world itself breaks its word. */
export const BROKEN_TRUST: readonly (Scenario & { readonly breaks: Assumption })[] = [
  {
    name: 'an equal text of another sender',
    breaks: 'ASSUME-3.no-equal-unmatched',
    rows: [a],
    faults: { loseRequest: 1, unmatchedEqual: 1 },
    ticks: 3,
  },
  {
    name: 'a presumption about a message whose notifications were lost',
    breaks: 'ASSUME-4.notices-arrive',
    rows: [{ ...lost, onUnknown: 'auto' }, b],
    faults: { dropNotice: 0 },
    ticks: 2,
    receipts: 1,
  },
];
