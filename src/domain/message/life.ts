/**
 * The life of a message: what each fact changes in each state.
 *
 * LIFE-1 This table alone says which state follows which. A state that a fact does not name ignores the fact; only a
 *    receipt may still add its time. A fact that a caller requests is refused there instead, if the table names an error.
 *    Facts of a former attempt are dropped before they come here.
 * LIFE-2 Facts may come in any order and again. Each moves only from its own states, so what is known is never taken back
 *    by what comes late. Only a retry, an operator, a cleared queue, a restored ledger, or proof that the gateway did not
 *    accept it takes a message back.
 * LIFE-3 A change of state has its evidence in the same transaction. Facts about a POST have the evidence of their
 *    attempt.
 */
import { endedUnsent, type ErrorCode, MESSAGE_STATES, type MessageState, statesIn } from '../../contract/index.js';
import { each } from './cells.js';

/** What a fact sets in a message's row, apart from its version. */
export interface Change {
  /** The state that follows. @default the state stays */
  readonly to?: MessageState;
  /** Columns with a value that comes with the fact. */
  readonly given?: readonly LifeColumn[];
  /** Columns that get the time of the fact. */
  readonly now?: readonly LifeColumn[];
  readonly cleared?: readonly LifeColumn[];
  /** The word of its evidence; `reason`: the row's reason is the word. @default the fact has other evidence, or none */
  readonly word?: string;
}

export interface Refusal {
  readonly refused: ErrorCode;
}

export type LifeColumn =
  | 'attempt_token'
  | 'cancel_requested_at'
  | 'id_message'
  | 'reason'
  | 'reason_text'
  | 'expires_at'
  | 'accepted_at'
  | 'ended_at'
  | (typeof RECEIPT_COLUMNS)[number];

const RECEIPT_COLUMNS = [
  'sent_at',
  'sent_seen_at',
  'delivered_at',
  'delivered_seen_at',
  'read_at',
  'read_seen_at',
] as const;

/** A POST may have left, and its outcome is not certain. */
const POSTED = statesIn('in_flight', 'unresolved');
const NOT_ACCEPTED = statesIn('pending', 'in_flight', 'unresolved', 'unsent');
/** An operator can say what became of it. */
const UNDECIDED = ['unknown', 'unresolved'] as const;

export const LIFE = {
  // The dispatcher posts it, or stops before an outcome is known.
  claimed: { pending: { to: 'sending', given: ['attempt_token'] } },
  lost: { sending: { to: 'unknown' } },

  // What became of the POST, by its response, by a witness or by an operator.
  accepted: each(NOT_ACCEPTED, {
    to: 'accepted',
    given: ['id_message'],
    now: ['accepted_at'],
    cleared: ['reason', 'reason_text', 'ended_at'],
  }),
  idCorrected: each(statesIn('accepted', 'taken', 'undeliverable'), { given: ['id_message'] }),
  /** Without a new id of the gateway; the old one stays if the queue was cleared. */
  sentByOperator: each(UNDECIDED, { to: 'sent', given: ['reason', 'accepted_at'] }),
  refused: each(POSTED, ends('rejected')),
  notAccepted: each(POSTED, {
    to: 'pending',
    cleared: ['attempt_token', 'id_message', 'accepted_at', 'reason', 'ended_at'],
  }),
  notAcceptedAndCancelled: each(POSTED, { ...ends('cancelled'), word: 'reason' }),
  notAcceptedAndExpired: each(POSTED, { ...ends('expired'), word: 'reason' }),
  unresolved: { unknown: { to: 'unresolved', given: ['reason'], word: 'unresolved' } },
  pollAgain: { unresolved: { to: 'unknown', cleared: ['ended_at'], word: 'asked_again' } },
  resolved: { ...each(UNDECIDED, {}), ...each(except(UNDECIDED), { refused: 'RESOLVE_NOT_POSSIBLE' }) },

  // Receipts take nothing back, but replace an end that they disprove, e.g. `failed`: `withReceipt` has their times.
  sent: each(statesIn('pending', 'in_flight', 'unresolved', 'unsent', 'accepted'), { to: 'sent' }),
  delivered: each(except(['delivered', 'read']), { to: 'delivered' }),
  read: each(except(['read']), { to: 'read' }),
  failed: each(except(['delivered', 'read', 'failed', 'no_account']), { to: 'failed' }),
  no_account: each(except(['delivered', 'read', 'failed', 'no_account']), { to: 'no_account' }),

  // It ends before a POST, or without a receipt.
  cancelRequested: {
    pending: { ...ends('cancelled'), word: 'reason' },
    ...each(POSTED, { now: ['cancel_requested_at'], word: 'cancel_requested' }),
  },
  rejected: { pending: { ...ends('rejected'), word: 'reason' } },
  suppressed: { pending: { ...ends('suppressed'), word: 'suppressed' } },
  expired: { pending: { ...ends('expired'), word: 'reason' } },
  neverAuthorized: { accepted: { ...ends('expired'), word: 'reason' } },
  leftQueue: { accepted: { given: ['reason'], now: ['ended_at'], word: 'reason' } },
  leftUnresolved: { unresolved: { now: ['ended_at'], word: 'left_unresolved' } },

  // The gateway's queue was cleared: it may be gone, or is proved to be.
  queueCleared: { accepted: { to: 'unresolved', given: ['reason'], word: 'unresolved' } },
  clearedFromQueue: { accepted: { ...ends('cancelled'), word: 'queue_cleared' } },

  // The ledger was restored from an older copy: it may have been posted since.
  wentBack: {
    ...each(['pending', 'sending', 'unknown'], {
      to: 'unresolved',
      given: ['attempt_token', 'reason'],
      word: 'unresolved',
    }),
  },

  // A caller takes it back.
  retried: each(statesIn('undeliverable', 'unsent'), {
    to: 'pending',
    given: ['expires_at'],
    cleared: [
      ...(['attempt_token', 'cancel_requested_at', 'id_message', 'reason', 'reason_text'] as const),
      ...(['accepted_at', 'ended_at', ...RECEIPT_COLUMNS] as const),
    ],
    word: 'retried',
  }),
  sentAgain: each(UNDECIDED, {
    to: 'pending',
    given: ['expires_at'],
    cleared: ['attempt_token', 'cancel_requested_at', 'id_message', 'accepted_at', 'reason', 'ended_at'],
    word: 'may_send_twice',
  }),
  cancelWithdrawn: each(POSTED, { cleared: ['cancel_requested_at'] }),

  // Its edits.
  editRequested: {
    ...each(
      MESSAGE_STATES.filter((state) => !endedUnsent(state)),
      {},
    ),
    ...each(MESSAGE_STATES.filter(endedUnsent), { refused: 'EDIT_NOT_POSSIBLE' }),
  },
  editChanged: each(MESSAGE_STATES, {}),
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<MessageState, Change | Refusal>>>>>;

export type Fact = keyof typeof LIFE;

/** What the fact changes, by the states in which it changes something. */
export function changesBy(fact: Fact): readonly (readonly [MessageState, Change])[] {
  const row: Readonly<Partial<Record<MessageState, Change | Refusal>>> = LIFE[fact];
  return MESSAGE_STATES.flatMap((state) => {
    const cell = row[state];
    return cell === undefined || 'refused' in cell ? [] : [[state, cell] as const];
  });
}

/** The state after the fact; the same one if the fact is ignored. */
export function stateAfter(state: MessageState, fact: Fact): MessageState {
  return changesBy(fact).find(([from]) => from === state)?.[1].to ?? state;
}

/** Why a caller's request is refused in this state. */
export function refusalOf(fact: Fact, state: MessageState): ErrorCode | undefined {
  const row: Readonly<Partial<Record<MessageState, Change | Refusal>>> = LIFE[fact];
  const cell = row[state];
  return cell !== undefined && 'refused' in cell ? cell.refused : undefined;
}

function except<const State extends MessageState>(states: readonly State[]) {
  return MESSAGE_STATES.filter((state): state is Exclude<MessageState, State> => !states.some((one) => one === state));
}

/** The message ends with a reason. */
function ends<const State extends MessageState>(to: State) {
  return { to, given: ['reason', 'reason_text'], now: ['ended_at'] } as const;
}
