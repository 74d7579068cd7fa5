/** One plain sentence for each step of a message's evidence. The evidence itself has all its details. */
import { whyUndecided } from '../reconcile/why-undecided.js';

interface Evidence {
  readonly witness: string;
  readonly what: string;
  readonly detail?: Detail | undefined;
}

/** A step without a sentence here is shown with its words. */
export function evidenceSentence({ witness, what, detail = {} }: Evidence): string {
  return SENTENCES[what]?.(detail, witness) ?? `${witness}: ${what}${because(detail)}.`;
}

type Detail = Readonly<Record<string, unknown>>;
const SENTENCES: Readonly<Record<string, ((detail: Detail, witness: string) => string) | undefined>> = {
  // The POST and its outcome.
  claimed: ({ worker }) => `The worker ${word(worker)} claimed the message and posts it.`,
  accepted: (detail) => `The gateway accepted the message${as(detail)}.`,
  rejected: (detail) => `The message was refused${because(detail)}.`,
  not_accepted: (detail) => `The gateway surely did not accept the message${because(detail)}; everpost posts it again.`,
  unknown: (detail) => `No response arrived${because(detail)}: the gateway may have accepted the message.`,
  abandoned: () => 'The worker that posted the message ended first: the gateway may have accepted the message.',

  // The search for an unknown outcome.
  adopted: (detail, witness) => `${witness} shows the message${as(detail)}, so the gateway accepted it.`,
  absent: (_, witness) => `${witness} proves that the gateway never accepted the message; everpost posts it again.`,
  presumed_absent: () => 'Nothing shows the message. It is presumed not to be accepted, and everpost posts it again.',
  unresolved: ({ why }) => `The outcome could not be determined: ${whyUndecided(word(why))}.`,
  queue_cleared: (detail) =>
    `The gateway had accepted the message${as(detail)}, and its queue was cleared: two readings prove that it is gone.`,
  possible_match: ({ chatId, ...detail }, witness) =>
    `${witness} shows the same content in the chat ${word(chatId)}${as(detail)}: it may be this message.`,
  resolved_accepted: (detail, witness) => `${witness} stated that the message was accepted${as(detail)}.`,
  resolved_not_accepted: (_, witness) =>
    `${witness} stated that the message was not accepted; everpost posts it again.`,
  left_unresolved: ({ why }) => `The campaign ended (${word(why)}) before an outcome was known.`,
  duplicated: ({ secondIdMessage }) => `The gateway accepted the message a second time as ${word(secondIdMessage)}.`,
  adopted_another: ({ secondIdMessage }) =>
    `The response names another id, ${word(secondIdMessage)}, which replaces the one that was found.`,
  id_conflict: ({ idMessage, otherMessage }) =>
    `The gateway's id ${word(idMessage)} belongs to the message ${word(otherMessage)} too: one of them is wrong.`,
  older_text_accepted: () => 'The gateway accepted an earlier post of the message, with the text before its edit.',

  // What the phone shows.
  sent: (detail) => `The message was sent${saying(detail)}.`,
  delivered: (detail) => `The message was delivered to the phone${saying(detail)}.`,
  read: (detail) => `The recipient read the message${saying(detail)}.`,
  failed: (detail) => `The gateway could not send the message${saying(detail)}.`,
  no_account: (detail) => `The recipient has no account${saying(detail)}.`,
  deleted: () => 'The message was deleted on a phone.',
  yellowCard: (detail) => `The gateway reported a yellow card with the message${saying(detail)}.`,
  edited_elsewhere: () => 'The message was edited on a phone, or by another program.',

  // Edits.
  edit_requested: (_, witness) => `An edit was requested (${witness}).`,
  edit_claimed: () => 'everpost posts the edit.',
  edit_posted: () => 'The gateway accepted the edit; the phone has not shown it yet.',
  edit_given_back: () => 'The gateway surely did not accept the edit; everpost posts it again.',
  edit_try_refused: (detail) => `The gateway refused a repetition of the edit${because(detail)}.`,
  edit_shown: () => 'A notification shows the edited text.',
  edit_edited: ({ via }) =>
    via === 'before_send' ? 'The edit replaced the text before it was posted.' : 'The phone shows the edited text.',
  edit_refused: ({ reason }) => `The gateway refused the edit (${word(reason)}).`,
  edit_too_late: () => 'The edit was too late: the time for edits had passed.',
  edit_superseded: () => 'A newer edit replaced this one, which is not posted any more.',
  edit_unconfirmed: () => 'Nothing shows whether the phone has the edited text.',
  edit_not_possible: ({ reason }) => `The edit was not possible (${word(reason)}).`,
  edit_sent: () => 'The edit was sent.',
  edit_delivered: () => 'The edit was delivered to the phone.',
  edit_read: () => 'The recipient read the edited message.',
  edit_failed: (detail) => `The gateway could not send the edit${saying(detail)}.`,
  edit_no_account: () => 'The gateway found no account for the edit.',

  // Ends that everpost or an operator caused.
  cancel_requested: (_, witness) => `A cancellation was requested (${witness}), while the outcome was not known.`,
  cancelled: (_, witness) => `The message was cancelled (${witness}).`,
  held_out: ({ share }) => `left out: the campaign sends nothing to ${String(share)} of its recipients`,
  suppressed: ({ source, reason }) =>
    `The recipient may not get the message (${word(source ?? reason)}), so it was not posted.`,
  expired_before_sending: () => 'The message expired before it was posted.',
  never_authorized: () => 'The message expired in the queue of the gateway: the account was never authorized.',
  left_queue_no_receipt: () => 'The message is no longer in the queue of the gateway, and no receipt has arrived.',
  content_invalid: (detail) => `With the values of the recipient, the message is not valid${because(detail)}.`,

  // A campaign's retry.
  retried: ({ state }) => `A retry of the campaign made the message pending again; it was ${word(state)}.`,
  asked_again: () => 'A retry of the campaign searches for the outcome again.',
  may_send_twice: () =>
    'A retry of the campaign posts the message again, though the first post may have been accepted.',

  callback_given_up: ({ state }) => `The status callback for ${word(state)} was given up.`,
};

function as({ idMessage }: Detail): string {
  return idMessage === undefined ? '' : ` as ${word(idMessage)}`;
}

/** The code of a failure, its HTTP status, and the gateway's words. */
function because({ code, httpStatus, text, limit }: Detail): string {
  const status = httpStatus === undefined ? undefined : `HTTP ${word(httpStatus)}`;
  const reasons = [code, status, text, limit].filter((reason) => reason !== undefined).map(word);
  return reasons.length === 0 ? '' : ` (${reasons.join(', ')})`;
}

function saying({ description }: Detail): string {
  return description === undefined ? '' : ` (${word(description)})`;
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'not known');
}
