/**
 * The life of an edit: what each fact changes in each state, and what the dispatcher does next.
 *
 * EDITLIFE-1 This table alone says which state follows which. A state that a fact does not name ignores it.
 * EDITLIFE-2 An edit that has not ended has a step with a due time, or waits: for its message to be sent, or for an older
 *    edit of it. So each ends by the dispatcher, or by time (EDITROW-7).
 * EDITLIFE-3 End states are final. Only `unconfirmed` may still become `edited` or `refused`, an edit over which an
 *    older text shows is open again, or unconfirmed, and one that was not possible is `edited` if its message is posted
 *    again with its text.
 */
import { EDIT_STATES, type EditOutcome, type EditState } from '../../contract/index.js';
import { each } from './cells.js';

/** `post`: editMessage. `read`: getMessage, whether the phone shows the text. */
export type EditStep = 'post' | 'read';

export type EditColumn =
  | 'try_token'
  | 'tried_at'
  | 'may_have_arrived'
  | 'settles_at'
  | 'id_message_given'
  | 'id_message_returned'
  | 'posted_at'
  | 'closes_at';

export interface EditChange {
  /** The state that follows. @default the state stays */
  readonly to?: EditState;
  /** What is due next, at the time that comes with the fact; null: nothing. @default what was due stays so */
  readonly step?: EditStep | null;
  readonly via?: 'before_send' | 'gateway';
  /** Columns with a value that comes with the fact. */
  readonly given?: readonly EditColumn[];
  /** The word of its evidence. @default there is none */
  readonly word?: string;
}

const UNDER_WAY = ['pending', 'sending', 'posted'] as const;
/** A request of it may have arrived. */
const POSTED = ['sending', 'posted', 'unconfirmed'] as const;
const RETURNED = { given: ['posted_at', 'id_message_returned'], word: 'posted' } as const;

export const EDIT_LIFE = {
  // Before it is posted.
  messageSent: { pending: { step: 'post', given: ['closes_at'] } },
  freed: { pending: { step: 'post' } },
  /** The message is pending, or pending again (EDITROW-8). */
  appliedBeforeSend: each([...UNDER_WAY, 'unconfirmed', 'not_possible'], { ...ends('edited'), via: 'before_send' }),
  /** As the one above, for another edit. */
  otherTextPosted: { ...each(UNDER_WAY, ends('superseded')), ...each(['edited', 'unconfirmed'], { step: null }) },
  messageEnded: { pending: ends('not_possible') },
  /** A lost request may still arrive. Then the journal shows it. */
  newerRequested: { pending: ends('superseded'), sending: { step: 'read' } },
  windowClosed: { pending: ends('too_late'), sending: { step: 'read' } },

  // One try.
  claimed: each(['pending', 'sending'], {
    to: 'sending',
    step: 'read',
    given: ['try_token', 'tried_at', 'may_have_arrived', 'settles_at', 'id_message_given'],
    word: 'claimed',
  }),
  notAccepted: { sending: { to: 'pending', step: 'post', given: ['id_message_given'], word: 'given_back' } },
  rejected: { sending: ends('refused') },
  /** As the two above, while an earlier try may have arrived (EDITROW-6). */
  notAcceptedAgain: { sending: { step: 'post' } },
  rejectedAgain: { sending: { step: 'read', word: 'try_refused' } },
  lost: { sending: { step: 'read' } },
  posted: {
    ...each(EDIT_STATES, RETURNED),
    ...each(['pending', 'sending'], { ...RETURNED, to: 'posted', step: 'read' }),
  },

  // What the phone shows, by a notification or by the journal.
  shown: each(POSTED, { ...ends('edited'), via: 'gateway' }),
  blamed: each(POSTED, ends('refused')),
  /** The notification shows an older text: it may have come late, so the journal decides. */
  inDoubt: each(['posted', 'edited', 'unconfirmed'], { step: 'read' }),
  overwritten: each(['sending', 'posted', 'edited', 'unconfirmed'], {
    to: 'sending',
    step: 'post',
    word: 'overwritten',
  }),
  overwrittenForGood: each(['sending', 'posted', 'edited'], ends('unconfirmed')),
  postAgain: { sending: { step: 'post' } },
  readAgain: each(['sending', 'posted', 'edited', 'unconfirmed'], { step: 'read' }),
  unconfirmed: each(['sending', 'posted'], ends('unconfirmed')),
  neverShown: { sending: ends('superseded') },
  nothingDue: each(['edited', 'unconfirmed'], { step: null }),
  /** The message was sent with its older text: see restoreText. */
  olderTextAccepted: { edited: { to: 'unconfirmed' } },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<EditState, EditChange>>>>>;

export type EditFact = keyof typeof EDIT_LIFE;

/** What the fact changes, by the states in which it changes something. */
export function editChangesBy(fact: EditFact): readonly (readonly [EditState, EditChange])[] {
  const row: Readonly<Partial<Record<EditState, EditChange>>> = EDIT_LIFE[fact];
  return EDIT_STATES.flatMap((state) => {
    const cell = row[state];
    return cell === undefined ? [] : [[state, cell] as const];
  });
}

function ends<const State extends EditOutcome>(to: State) {
  return { to, step: null, word: to } as const;
}
