/** The plain words of a summary, for readers who know neither everpost nor its gateway. */
import type { AccountOut, CampaignAccount, CampaignState, MessageState, RejectedLine } from '../../contract/index.js';

export interface Words {
  readonly title: string;
  readonly text: string;
}

/** In the order in which a summary shows them. */
export const STATE_WORDS: Readonly<Record<MessageState, Words>> = {
  read: { title: 'Read', text: 'The recipient has opened the message' },
  delivered: { title: 'Delivered', text: "On the recipient's phone, not opened as far as known" },
  sent: { title: 'Sent', text: 'On its way; the phone may be off' },
  accepted: { title: 'With the gateway', text: 'Handed over; no receipt has arrived yet' },
  sending: { title: 'Being sent', text: 'Handed over at this moment' },
  pending: { title: 'Waiting', text: 'Not handed over yet' },
  unknown: { title: 'Being checked', text: 'The response was lost; everpost finds out whether it was sent' },
  unresolved: { title: 'Unclear', text: 'It could not be found out whether it was sent' },
  failed: { title: 'Failed', text: 'The network could not deliver the message' },
  no_account: { title: 'No account', text: 'The number does not use the messenger' },
  rejected: { title: 'Rejected', text: 'The message was refused and not sent' },
  expired: { title: 'Expired', text: 'Its time ended before it could be sent' },
  suppressed: { title: 'Left out', text: 'Opted out, or had enough messages: not sent on purpose' },
  held_out: { title: 'Held out', text: 'Part of the comparison group that gets nothing' },
  cancelled: { title: 'Cancelled', text: 'Stopped before it was sent' },
};

export const CAMPAIGN_WORDS: Readonly<Record<CampaignState, string>> = {
  draft: 'Draft: nothing was sent',
  scheduled: 'Scheduled: nothing was sent yet',
  running: 'Running',
  paused: 'Paused',
  cancelling: 'Being cancelled',
  completed: 'Completed',
  completed_with_failures: 'Completed; some recipients were not reached',
  cancelled: 'Cancelled',
  expired: 'Ended at its deadline; not every message was sent',
};

/** Why a recipient did not get the message, and what to do. */
const REASON_WORDS: Readonly<Record<string, Words>> = {
  no_account: {
    title: 'The number does not use the messenger',
    text: 'Check the number, or reach this recipient in another way.',
  },
  failed: {
    title: 'The network could not deliver the message',
    text: 'Try again later: campaign retry --failed.',
  },
  GATEWAY_REJECTED: {
    title: 'The gateway refused the message',
    text: 'Its own words are in the full report, column reasonText. Correct the text or the number, then retry.',
  },
  content_invalid: {
    title: "With this recipient's values the message breaks a limit",
    text: 'Shorten or complete the values in the list; the full report says which limit.',
  },
  template_unknown: {
    title: 'The template does not exist for this account',
    text: 'Submit the template, then retry.',
  },
  template_rejected: {
    title: 'The template was refused in its review',
    text: 'Change the template as the reviewers ask, submit it again, then retry.',
  },
  template_failed: { title: "The template's review failed", text: 'Submit the template again, then retry.' },
  template_parameters: {
    title: 'The values do not fit the template',
    text: 'Compare the columns of the list with the variables of the template.',
  },
  expired_before_sending: {
    title: 'The deadline came before the message could be sent',
    text: 'Retry with a later deadline, or start earlier.',
  },
  never_authorized: {
    title: "The account's phone was not linked in time",
    text: 'Link the phone again, then retry.',
  },
  cancelled: {
    title: 'Stopped before it was sent',
    text: 'Retry with campaign retry --cancelled if it was a mistake.',
  },
  hold_out: {
    title: 'In the comparison group that gets nothing',
    text: 'Nothing to do; campaign retry --held-out sends to it.',
  },
  suppressed_stop_word: {
    title: 'The recipient had opted out by message',
    text: 'Nothing to do: their wish is respected.',
  },
  suppressed_operator: {
    title: 'On the suppression list, entered by an operator',
    text: 'Nothing to do, unless the entry is wrong.',
  },
  suppressed_import: {
    title: 'On the suppression list, from an imported list',
    text: 'Nothing to do, unless the entry is wrong.',
  },
  suppressed_frequency_cap: {
    title: 'Had enough marketing messages for now',
    text: 'Retry later with --suppressed --reason suppressed_frequency_cap.',
  },
};

/** Words for a reason of its own, or of the state if the reason has none. */
export function reasonWords(state: MessageState, reason: string | null): Words {
  const known = REASON_WORDS[reason ?? state] ?? REASON_WORDS[state];
  if (known !== undefined && Object.hasOwn(REASON_WORDS, reason ?? state)) return known;
  const { text } = STATE_WORDS[state];
  return {
    title: reason === null ? text : `${text} (${reason})`,
    text: 'The full report has the evidence for every recipient.',
  };
}

const OUT_WORDS: Readonly<Record<AccountOut, string>> = {
  removed: 'Taken from the campaign: it gets no more messages',
  not_configured: 'Not set up any more: the other accounts send its messages',
  cannot_send: 'Cannot send: the other accounts send its messages',
  too_many_failures: 'Stopped: too many of its messages did not arrive',
};

/** Whether an account sends, how fast, and why not. */
export function accountWords({ outWhy, waiting, perMinute }: CampaignAccount): string {
  if (outWhy !== undefined) return OUT_WORDS[outWhy];
  if (waiting !== undefined) return `Waits: ${waiting.text ?? waiting.code}`;
  return perMinute === undefined ? '' : `${perMinute} a minute`;
}

/** Why a line of the list became no recipient. */
export const VERDICT_TITLES: Readonly<Record<RejectedLine['reason'], string>> = {
  duplicate: 'Same recipient as an earlier line',
  bad_number: 'Not a phone number',
  several_numbers: 'More than one number in the cell',
  lost_in_spreadsheet: 'Digits were lost in the spreadsheet',
  country_unclear: 'The number may belong to two countries',
  country_missing: "The country's prefix is missing",
  number_missing: 'No number',
  not_allowed: 'Not among the recipients that this account may write to',
  unreadable: 'The line could not be read',
  bad_value: 'A value contains characters that no message can have',
  lid_only: 'The number is hidden',
  own_account: 'The account itself',
  timezone_unknown: 'The timezone is not known',
};
