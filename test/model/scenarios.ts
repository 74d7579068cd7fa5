/** Small worlds that are explored completely, each with the rules that it shows to be necessary. */
import type { Assumption, Rule } from './rules.js';
import type { Scenario } from './world.js';

export interface Studied extends Scenario {
  /** Without any one of these rules the scenario finds a violation. */
  readonly needs: readonly Rule[];
  /** Without any one of these assumptions the scenario finds a violation, whatever the rules. */
  readonly trusts?: readonly Assumption[];
}

const a = { text: 'a' };
const b = { text: 'b' };
/** Accepted and sent; no worker knows. */
const lost = { text: 'a', isLost: true } as const;
/** Queued from the beginning: it may prove that an item behind it is absent. */
const marker = { text: 'b', isAccepted: true } as const;

export const SCENARIOS: readonly Studied[] = [
  {
    name: 'one message whose worker dies or stalls, with every way to lose a request or its response',
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
    name: 'one message whose worker stalls, without notifications',
    rows: [a],
    faults: { freeze: 1, loseResponse: 1 },
    ticks: 4,
    notices: false,
    needs: ['PROTOCOL-4.outcomes-from-anyone'],
  },
  {
    name: 'a claim whose commit response is lost',
    rows: [a],
    faults: { loseCommit: 1 },
    ticks: 3,
    needs: ['PROTOCOL-2.same-token-same-attempt'],
  },
  {
    name: 'an edit before, during or after the claim',
    rows: [a],
    faults: { edit: 1 },
    ticks: 2,
    needs: ['PROTOCOL-2.text-of-the-claim', 'PROTOCOL-2.edits-wait-after-claim'],
  },
  {
    name: 'an edit while the outcome is unknown',
    rows: [a],
    faults: { edit: 1, loseResponse: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.compare-with-attempt'],
  },
  {
    name: 'a message behind another one, with a stalled worker or a cut connection',
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
    name: 'a reading that is used for a decision later',
    rows: [marker, a],
    faults: { cutConnection: 1, clear: 1 },
    ticks: 3,
    notices: false,
    slowReadings: true,
    needs: ['PROTOCOL-3.denied-after-settle'],
  },
  {
    name: 'a restart of the instance that reorders its queue',
    rows: [marker, a],
    faults: { loseResponse: 1, restart: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.no-restart-since-claim'],
  },
  {
    name: 'a message that is cancelled while its outcome is unknown',
    rows: [marker, a],
    faults: { loseRequest: 1, cancel: 1 },
    ticks: 3,
    needs: ['PROTOCOL-2.cancelled-is-not-claimed'],
  },
  {
    name: 'a STOP at any moment, also while the outcome is unknown',
    rows: [marker, a],
    faults: { loseRequest: 1, stop: 1, crash: 1 },
    ticks: 3,
    needs: ['PROTOCOL-12.list-in-the-claim'],
  },
  {
    name: 'two identical messages, with lost requests and responses',
    rows: [a, a],
    faults: { loseResponse: 1, loseRequest: 1 },
    ticks: 3,
    needs: ['PROTOCOL-6.adopt-unaccounted-only'],
  },
  {
    name: 'two identical messages, the first without any witness',
    rows: [lost, marker, a],
    faults: { loseResponse: 1, loseRequest: 1 },
    ticks: 3,
    notices: false,
    unresolvedPollsAgain: true,
    needs: ['PROTOCOL-5.identical-wait', 'PROTOCOL-5.unresolved-yields-to-identical'],
  },
  {
    name: 'two identical messages, one with a stalled worker, and a reading that is used for a decision later',
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
    name: 'the same text from another sender before the claim',
    rows: [a],
    faults: { loseRequest: 1, loseResponse: 1 },
    ticks: 3,
    journal: true,
    unmatchedBefore: 'a',
    needs: ['PROTOCOL-6.adopt-nothing-older'],
  },
  ...[-2, 2].map((gatewayAheadTicks): Studied => ({
    name: `a lost response, and an older text of another sender, at a gateway whose clock is ${gatewayAheadTicks} ticks ahead`,
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
    name: 'an operator who clears the queue',
    rows: [marker, a],
    faults: { loseResponse: 1, loseRequest: 1, clear: 1 },
    ticks: 3,
    needs: [],
  },
  {
    name: 'an accepted message with permission to be sent again on presumption, and a later one',
    rows: [{ text: 'a', onUnknown: 'auto' }, b],
    faults: { loseResponse: 1 },
    ticks: 2,
    receipts: 1,
    needs: ['PROTOCOL-6.successor-after-reconcile-time'],
  },
  {
    name: 'a lost message with permission to be sent again on presumption, and a later one',
    rows: [{ text: 'a', onUnknown: 'auto' }, b],
    faults: { loseRequest: 1 },
    ticks: 2,
    receipts: 1,
    needs: [],
  },
  {
    name: 'a message without permission to be sent again, whose notifications were lost',
    rows: [lost, b],
    faults: { dropNotice: 0 },
    ticks: 2,
    receipts: 1,
    needs: ['PROTOCOL-6.presume-when-asked'],
  },
  {
    name: 'receipts that are reordered or come before the response',
    rows: [a],
    faults: { swapNotices: 2, loseResponse: 1, freeze: 1 },
    ticks: 3,
    receipts: 2,
    needs: ['PROTOCOL-7.forward-only', 'PROTOCOL-7.parked-receipts'],
  },
];

/** Worlds that break an assumption. */
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
