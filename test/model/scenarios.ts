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
/** Accepted, sent, and nobody here knows. */
const lost = { text: 'a', isLost: true } as const;
/** In the queue from the beginning: what may prove that something behind it is not there. */
const marker = { text: 'b', isAccepted: true } as const;

export const SCENARIOS: readonly Studied[] = [
  {
    name: 'one message whose worker dies or stands still, with every way to lose a request or its answer',
    rows: [a],
    faults: { loseAnswer: 1, loseRequest: 1, cutConnection: 1, freeze: 1, crash: 1 },
    ticks: 4,
    needs: ['R1.intent-first', 'R1.no-blind-repeat', 'R2.compare-and-set', 'R8.row-decides', 'R8.sweeper'],
  },
  {
    name: 'one message whose worker stands still, without notifications',
    rows: [a],
    faults: { freeze: 1, loseAnswer: 1 },
    ticks: 4,
    notices: false,
    needs: ['R4.outcomes-from-anyone'],
  },
  {
    name: 'a claim whose commit is not heard',
    rows: [a],
    faults: { loseCommit: 1 },
    ticks: 3,
    needs: ['R2.same-token-same-attempt'],
  },
  {
    name: 'an edit around the claim',
    rows: [a],
    faults: { edit: 1 },
    ticks: 2,
    needs: ['R2.text-of-the-claim', 'R2.edits-wait-after-claim'],
  },
  {
    name: 'an edit while nobody knows what became of the message',
    rows: [a],
    faults: { edit: 1, loseAnswer: 1 },
    ticks: 3,
    needs: ['R6.compare-with-attempt'],
  },
  {
    name: 'a message behind another one, with a worker that stands still or a connection that is cut',
    rows: [marker, a],
    faults: { freeze: 1, cutConnection: 1 },
    ticks: 3,
    notices: false,
    needs: ['R3.posting-deadline', 'R3.denied-after-settle'],
    trusts: ['A2.settle'],
  },
  {
    name: 'a lost answer behind another message',
    rows: [marker, a],
    faults: { loseAnswer: 1, loseRequest: 1, reword: 1 },
    ticks: 3,
    needs: ['R6.deny-loosely'],
    trusts: ['A1.fifo'],
  },
  {
    name: 'a lost answer before another message',
    rows: [a, b],
    faults: { loseAnswer: 1 },
    ticks: 2,
    notices: false,
    needs: ['R6.deny-with-marker-only', 'R6.marker-before-claim'],
  },
  {
    name: 'a reading that is decided on later',
    rows: [marker, a],
    faults: { cutConnection: 1, clear: 1 },
    ticks: 3,
    notices: false,
    slowReadings: true,
    needs: ['R3.denied-after-settle'],
  },
  {
    name: 'a restart of the instance that puts its queue into another order',
    rows: [marker, a],
    faults: { loseAnswer: 1, restart: 1 },
    ticks: 3,
    needs: ['R6.no-restart-since-claim'],
  },
  {
    name: 'a message cancelled while nobody knows what became of it',
    rows: [marker, a],
    faults: { loseRequest: 1, cancel: 1 },
    ticks: 3,
    needs: ['R2.cancelled-is-not-claimed'],
  },
  {
    name: 'a STOP at any moment, also while nobody knows what became of the message',
    rows: [marker, a],
    faults: { loseRequest: 1, stop: 1, crash: 1 },
    ticks: 3,
    needs: ['R12.list-in-the-claim'],
  },
  {
    name: 'two equal messages, requests and answers lost',
    rows: [a, a],
    faults: { loseAnswer: 1, loseRequest: 1 },
    ticks: 3,
    needs: ['R6.adopt-unaccounted-only'],
  },
  {
    name: 'two equal messages, the first of them lost to sight',
    rows: [lost, marker, a],
    faults: { loseAnswer: 1, loseRequest: 1 },
    ticks: 3,
    notices: false,
    unresolvedLooksAgain: true,
    needs: ['R5.twins-wait', 'R5.unresolved-yields-to-its-twin'],
  },
  {
    name: 'two equal messages, one whose worker stands still, and a reading that is decided on later',
    rows: [a, a],
    faults: { freeze: 1, loseRequest: 1 },
    ticks: 3,
    slowReadings: true,
    needs: ['R4.one-owner-per-id'],
  },
  {
    name: 'another sender in the queue',
    rows: [a],
    faults: { loseRequest: 1, loseAnswer: 1, strangerOther: 1 },
    ticks: 3,
    needs: ['R6.adopt-equal-only'],
  },
  {
    name: 'the same text sent from the phone',
    rows: [a],
    faults: { loseRequest: 1, phoneEqual: 1 },
    ticks: 3,
    needs: ['R6.adopt-api-only'],
  },
  {
    name: 'the same text sent by another before the claim',
    rows: [a],
    faults: { loseRequest: 1, loseAnswer: 1 },
    ticks: 3,
    journal: true,
    strangerBefore: 'a',
    needs: ['R6.adopt-nothing-older'],
  },
  ...[-2, 2].map((gatewayAheadTicks): Studied => ({
    name: `a lost answer, and an older text of another, at a gateway whose clock is ${gatewayAheadTicks} ticks ahead`,
    rows: [a],
    faults: { loseRequest: 1, loseAnswer: 1 },
    ticks: 3,
    journal: true,
    strangerBefore: 'a',
    gatewayAheadTicks,
    needs: ['R6.clock-by-its-lower-end', 'R6.adopt-nothing-older'],
  })),
  {
    name: 'a status behind a text',
    rows: [marker, { text: 'a', kind: 'status' }],
    faults: { loseAnswer: 1, loseRequest: 1 },
    ticks: 3,
    needs: ['R6.listed-kinds-only'],
  },
  {
    name: 'a queue that is cleared',
    rows: [marker, a],
    faults: { loseAnswer: 1, loseRequest: 1, clear: 1 },
    ticks: 3,
    needs: [],
  },
  {
    name: 'a message that may be sent again on presumption, accepted, and one after it',
    rows: [{ text: 'a', onUnknown: 'resend' }, b],
    faults: { loseAnswer: 1 },
    ticks: 2,
    receipts: 1,
    needs: ['R6.successor-after-judgement'],
  },
  {
    name: 'a message that may be sent again on presumption, never accepted, and one after it',
    rows: [{ text: 'a', onUnknown: 'resend' }, b],
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
    needs: ['R6.presume-when-asked'],
  },
  {
    name: 'receipts that change places or come before the answer',
    rows: [a],
    faults: { swapNotices: 2, loseAnswer: 1, freeze: 1 },
    ticks: 3,
    receipts: 2,
    needs: ['R7.forward-only', 'R7.parked-receipts'],
  },
];

/** Worlds in which the world itself breaks its word. */
export const BROKEN_TRUST: readonly (Scenario & { readonly breaks: Assumption })[] = [
  {
    name: 'an equal text of another sender',
    breaks: 'A3.no-equal-strangers',
    rows: [a],
    faults: { loseRequest: 1, strangerEqual: 1 },
    ticks: 3,
  },
  {
    name: 'a presumption about a message whose notifications were lost',
    breaks: 'A4.notices-arrive',
    rows: [{ ...lost, onUnknown: 'resend' }, b],
    faults: { dropNotice: 0 },
    ticks: 2,
    receipts: 1,
  },
];
