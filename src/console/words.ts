/** What states and waits are called, and what they mean, in the words of a reader who knows no event history. */
import type { CampaignState, EditState, MessageState } from '../contract/index.js';

/** The colour of a state. The words say the same. */
export type Tone = 'good' | 'busy' | 'wait' | 'bad' | 'quiet';

interface StateWords {
  readonly label: string;
  readonly tone: Tone;
  readonly meaning: string;
}

export const MESSAGE_WORDS: Readonly<Record<MessageState, StateWords>> = {
  pending: { label: 'Waiting', tone: 'wait', meaning: 'It has not been posted yet.' },
  sending: { label: 'Sending', tone: 'busy', meaning: 'It is being posted to the gateway now.' },
  unknown: {
    label: 'Checking',
    tone: 'wait',
    meaning:
      'The response of the gateway was lost. everpost searches for evidence, and does not send it again by guess.',
  },
  unresolved: {
    label: 'Needs you',
    tone: 'bad',
    meaning: 'Nothing shows whether the message was sent. Check the phone, then say what you see.',
  },
  accepted: {
    label: 'In the queue',
    tone: 'busy',
    meaning: 'The gateway accepted it. It is not known to be sent yet.',
  },
  sent: { label: 'Sent', tone: 'good', meaning: 'It left for the recipient. The phone has not confirmed it yet.' },
  delivered: { label: 'Delivered', tone: 'good', meaning: "It is on the recipient's phone." },
  read: { label: 'Read', tone: 'good', meaning: 'The recipient has read it.' },
  rejected: { label: 'Refused', tone: 'bad', meaning: 'The gateway refused it. It was not sent.' },
  failed: { label: 'Failed', tone: 'bad', meaning: 'The gateway could not send it.' },
  no_account: { label: 'No account', tone: 'bad', meaning: 'This number has no account. It was not sent.' },
  expired: { label: 'Expired', tone: 'bad', meaning: 'It could not be sent before its time ran out.' },
  cancelled: { label: 'Cancelled', tone: 'quiet', meaning: 'It was cancelled before it was posted.' },
  suppressed: {
    label: 'Suppressed',
    tone: 'quiet',
    meaning: 'The recipient does not want such messages, so it was not sent.',
  },
  held_out: { label: 'Left out', tone: 'quiet', meaning: 'The campaign leaves out this recipient on purpose.' },
};

export const EDIT_WORDS: Readonly<Record<EditState, StateWords>> = {
  pending: { label: 'Waiting', tone: 'wait', meaning: 'It has not been posted yet.' },
  sending: { label: 'Sending', tone: 'busy', meaning: 'It is being posted to the gateway now.' },
  posted: { label: 'Accepted', tone: 'busy', meaning: 'The gateway accepted it. The phone has not shown it yet.' },
  edited: { label: 'Edited', tone: 'good', meaning: 'The phone shows this text.' },
  too_late: {
    label: 'Too late',
    tone: 'bad',
    meaning: 'The time for edits had passed. The phone shows the text before.',
  },
  refused: { label: 'Refused', tone: 'bad', meaning: 'The gateway refused it. The phone shows the text before.' },
  unconfirmed: { label: 'Not confirmed', tone: 'wait', meaning: 'Nothing proves that the phone shows this text.' },
  superseded: { label: 'Replaced', tone: 'quiet', meaning: 'A newer edit replaced it before it was posted.' },
  not_possible: { label: 'Not possible', tone: 'bad', meaning: 'The message could not be edited.' },
};

/** What became of an edit. */
export function editWords({ state, via }: { readonly state: EditState; readonly via?: string | undefined }): string {
  return via === 'before_send' ? 'It replaced the text before the message was posted.' : EDIT_WORDS[state].meaning;
}

export const CAMPAIGN_WORDS: Readonly<Record<CampaignState, StateWords>> = {
  draft: { label: 'Draft', tone: 'quiet', meaning: 'It has not been started.' },
  scheduled: { label: 'Scheduled', tone: 'wait', meaning: 'It is started, and sends nothing before its start time.' },
  running: { label: 'Running', tone: 'busy', meaning: 'It sends now.' },
  paused: { label: 'Paused', tone: 'wait', meaning: 'It sends nothing until it is resumed.' },
  cancelling: {
    label: 'Stopping',
    tone: 'wait',
    meaning: 'It sends nothing more, and waits for the outcome of what was posted.',
  },
  completed: { label: 'Completed', tone: 'good', meaning: 'Every recipient was sent the message.' },
  completed_with_failures: {
    label: 'Completed with failures',
    tone: 'wait',
    meaning: 'Some recipients did not get the message.',
  },
  cancelled: { label: 'Cancelled', tone: 'quiet', meaning: 'It was cancelled.' },
  expired: { label: 'Expired', tone: 'bad', meaning: 'Its deadline passed before everyone was sent the message.' },
};

/** Why something waits. A code without words here is shown as it is, with the API's own text. */
const WAITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    PAUSED: 'It was paused by an operator.',
    INSTANCE_PAUSED: 'Its account is paused by an operator.',
    INSTANCE_NOT_AUTHORIZED: 'The phone of its account is not connected.',
    TOO_MANY_FAILURES: 'Too many of its messages failed, so it paused itself. Check the list, then resume it.',
    START_MISSED: 'Its start time was missed. Resume it to send it now, or cancel it.',
    START_AT: 'Its start time has not come.',
    TEMPLATE_NOT_APPROVED: 'Its template is not approved.',
    SENDING_WINDOW_CLOSED: 'It is outside of its sending hours.',
    QUIET_HOURS: 'These are quiet hours.',
    DAILY_LIMIT_REACHED: 'The limit of messages for this day is reached.',
    OUTCOMES_UNKNOWN: 'Several responses of the gateway were lost. everpost finds out first what happened to them.',
    MESSAGES_UNRESOLVED: 'Some of its messages need an operator: nothing shows whether they were sent.',
    RECEIPTS: 'Everything is posted. It waits for the receipts.',
    QUEUE_CLEARING: 'The queue of the gateway is being cleared.',
    QUEUE_FULL: 'The queue of the gateway is full. It goes on as soon as there is room.',
    PAUSE_BETWEEN_MESSAGES: 'It pauses between two messages.',
    SEND_AT: 'Its time has not come.',
    SUPPRESSED: 'Its recipient is on the suppression list.',
    IDENTICAL_MESSAGE: 'The same message to this chat is under way. Its outcome is awaited first.',
  }),
);

export function waitWords({ code, text }: { readonly code: string; readonly text?: string | undefined }): string {
  return WAITS.get(code) ?? (text === undefined ? `It waits: ${code}.` : `${text} (${code})`);
}

/** Waits that end by themselves, as part of a normal course. */
const CALM: readonly string[] = [
  'RECEIPTS',
  'START_AT',
  'SEND_AT',
  'SENDING_WINDOW_CLOSED',
  'QUIET_HOURS',
  'DAILY_LIMIT_REACHED',
  'PAUSE_BETWEEN_MESSAGES',
  'QUEUE_FULL',
];

export function waitTone(code: string): Tone {
  return CALM.includes(code) ? 'busy' : 'wait';
}

/** Why an account is paused, by the gateway's word for its state. */
const PAUSES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    operator: 'An operator paused it.',
    notAuthorized: 'The phone is not connected. Link it again in the panel of the gateway.',
    blocked: 'The account is blocked.',
    yellowCard: 'The gateway warned the account (yellow card). Send less, and only to recipients who expect it.',
    suspended: 'The account is suspended.',
    sleepMode: 'The phone sleeps or has no connection. Turn it on.',
  }),
);

export function pauseWords(reason: string): string {
  return PAUSES.get(reason) ?? `The gateway reports ${reason}.`;
}
