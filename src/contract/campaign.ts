import type { CampaignId } from './values/ids.js';
import { keysWhere } from './values/records.js';
import type { Priority, StateIn } from './message.js';

/**
 * The state of a campaign.
 * - `draft`: recipients can still be imported.
 * - `scheduled`: started, but nothing is posted before its start time.
 * - `cancelling`: nothing more is posted; the campaign waits for the outcomes of posted messages.
 * - The last four are end states: every recipient of the audience is in an end state, too, or unresolved if the
 *   deadline has passed or the campaign was cancelled.
 */
export const CampaignState = {
  draft: 'draft',
  scheduled: 'scheduled',
  running: 'running',
  paused: 'paused',
  cancelling: 'cancelling',
  completed: 'completed',
  completed_with_failures: 'completed_with_failures',
  cancelled: 'cancelled',
  expired: 'expired',
} as const;
export type CampaignState = (typeof CampaignState)[keyof typeof CampaignState];
export const CAMPAIGN_STATES = Object.values(CampaignState);
export const CAMPAIGN_END_STATES: readonly CampaignState[] = [
  'completed',
  'completed_with_failures',
  'cancelled',
  'expired',
];

/** One recipient's values for the variables. The keys are the column names of the file. */
export type RecipientValues = Readonly<Record<string, string>>;

/**
 * The default high water mark: a campaign fills the queue of its instance up to this many items from all sources. It
 * bounds how long an urgent single message waits behind the campaign: (mark + 1) releases.
 */
export const DEFAULT_HIGH_WATER: Readonly<Record<Priority, number>> = { urgent: 30, high: 20, normal: 12, low: 6 };

/**
 * A campaign pauses itself when more than `failureRate` of its newest `sampleSize` outcomes failed (`failed`,
 * `no_account`, `rejected`) and there are at least `minSamples`. Bought or outdated lists cause such failures, and
 * accounts are banned for sending to them.
 */
export const DEFAULT_AUTO_PAUSE = { failureRate: 0.3, sampleSize: 50, minSamples: 20 };
export type AutoPauseLimits = typeof DEFAULT_AUTO_PAUSE;

/**
 * Whether a recipient's messages may move to another account. `preferred`: the account that talked with the recipient
 * last, while it can send. `required`: that account only.
 */
export const STICKY_SENDERS = ['preferred', 'required'] as const;
/** How long an account stays the sender of a recipient after their last message. */
export const DEFAULT_STICKY_FOR = '180d';
/** How long an account cannot send before its pending messages move to another one. */
export const DEFAULT_MOVE_AFTER = '10m';
/** The most accounts of one campaign. */
export const MOST_ACCOUNTS = 100;

/** Why an account of a campaign gets none of its messages. */
export const ACCOUNT_OUT = {
  /** The campaign's list of accounts has it no more. */
  removed: 'removed',
  /** The instances file has it no more. It comes back with it. */
  not_configured: 'not_configured',
  /** For longer than `moveAfter`. It comes back once it can send. */
  cannot_send: 'cannot_send',
  /** The automatic pause stopped it. An operator resumes it. */
  too_many_failures: 'too_many_failures',
} as const;
export type AccountOut = keyof typeof ACCOUNT_OUT;

/** The accounts that a definition names, in its order: one, or a pool. */
export function accountsOf({
  instance,
  instances,
}: {
  readonly instance?: string;
  readonly instances?: readonly string[];
}): readonly string[] {
  return instances ?? (instance === undefined ? [] : [instance]);
}

/** The first account: the campaign's id, its events and its list belong to it. */
export function firstAccountOf(definition: Parameters<typeof accountsOf>[0]): string {
  return accountsOf(definition)[0] ?? '';
}

/** A campaign that starts later than its grace time runs, is skipped (cancelled), or waits for an operator. */
export const MISSED_STARTS = ['run', 'skip', 'hold'] as const;
export type MissedStart = (typeof MISSED_STARTS)[number];

/** The default: an operator decides, since the campaign would be sent at another time of day. */
export const DEFAULT_MISSED_START: MissedStart = 'hold';
/** How late a campaign may start before it counts as missed. */
export const DEFAULT_GRACE_TIME = '1h';

/** For how long after a campaign's message an incoming message of its recipient counts as a reply. */
export const DEFAULT_REPLIES_FOR = '72h';

/**
 * Assumed while an account's pace is unknown. A common setting, and slow, so that the campaign sends too little rather
 * than too much.
 */
export const ASSUMED_INTERVAL_MS = 15_000;

/**
 * The pace that the gateway gives an account by default. Recipients are shared out by it while the pace of an account is
 * unknown: an account that turns out to be slower gives some of them back (CHOOSE-4).
 */
export const EXPECTED_INTERVAL_MS = 500;

/** An instance posts one message at a time, with pauses, while this many of its outcomes are unknown (CAUTION-1). */
export const MOST_UNKNOWN = 3;

/** How long a campaign without its own deadline may run. */
export const CAMPAIGN_DEADLINE_MS = 7 * 24 * 60 * 60 * 1000;

/** The verdict on a line of the recipients' file: whether it became a recipient of the audience, or why not. */
export const RecipientVerdict = {
  /** The line became a recipient. */
  accepted: 'accepted',
  /** The same chat came on an earlier line. */
  duplicate: 'duplicate',
  /** Neither a phone number of any country nor a chat id. */
  bad_number: 'bad_number',
  /** More than one number, or a number with another text that has digits. */
  several_numbers: 'several_numbers',
  /** A spreadsheet replaced digits of the number: 5,51199E+12 or ####. */
  lost_in_spreadsheet: 'lost_in_spreadsheet',
  /** The digits are a mobile number abroad, or a number of the default country that is no mobile number. */
  country_unclear: 'country_unclear',
  /** The number has no country prefix, and no default country is set. */
  country_missing: 'country_missing',
  /** The column of the number is empty. */
  number_missing: 'number_missing',
  /** The instance may write only to its `allowedRecipients`. */
  not_allowed: 'not_allowed',
  /** The line cannot be parsed: it does not match the header, has broken quotes, or is not a JSON object. */
  unreadable: 'unreadable',
  /** A value that no message can contain: a NUL or half a surrogate pair. */
  bad_value: 'bad_value',
  /** A participant of a group whose number the gateway does not show. */
  lid_only: 'lid_only',
  /** The account itself, as a participant of the group. */
  own_account: 'own_account',
  /** The campaign uses its recipients' clocks, but neither column nor number nor campaign gives the timezone. */
  timezone_unknown: 'timezone_unknown',
} as const;
export type RecipientVerdict = (typeof RecipientVerdict)[keyof typeof RecipientVerdict];
export const RECIPIENT_VERDICTS = Object.values(RecipientVerdict);

export interface Recipient {
  /** Line of the source, from 1. In a file with a header the first recipient is on line 2. */
  readonly line: number;
  readonly chatId: string;
  readonly values: RecipientValues;
  /** IANA name; only in campaigns that use their recipients' clocks. */
  readonly timezone?: string;
}

/** A line that added no recipient to the audience. */
export interface RejectedLine {
  readonly line: number;
  readonly reason: Exclude<RecipientVerdict, 'accepted'>;
  /** The text of the line's number, cut to 200 characters. */
  readonly value: string;
  /** Every column of the line as the source has it, also the number's and empty ones. */
  readonly columns: RecipientValues;
  /** If the number could be read. */
  readonly chatId?: string;
  /** The line with the same recipient, for a `duplicate`. */
  readonly duplicateOf?: number;
}

export type VerdictCounts = Readonly<Record<RecipientVerdict, number>>;

/**
 * For the columns of the source whose names are compared as one: how many recipients have a value, and the first line
 * without one.
 */
export interface ColumnFacts {
  /** As the source writes it. */
  readonly name: string;
  readonly recipients: number;
  /** Absent when every recipient has a value. */
  readonly firstMissingLine?: number;
}

/** A source that was added to an audience. */
export interface Addition {
  /** Its lines are numbered from after this one: line 12 of the source is line `afterLine` + 12 of the audience. */
  readonly afterLine: number;
  readonly hash: string;
}

/** By the folded name of the column. */
export type Columns = Readonly<Record<string, ColumnFacts>>;

/**
 * Why a campaign waits, and what that means. Any other code is an error of its next recipient's last attempt.
 *
 * - `paused`  shown as a pause
 * - `stopped` little or nothing is sent, so that its end cannot be computed
 * - `moves`   only time ends it, so that the forecast of its end includes it
 */
const CAMPAIGN_WAITS = {
  PAUSED: 'paused',
  INSTANCE_PAUSED: 'paused',
  INSTANCE_NOT_AUTHORIZED: 'paused',
  TOO_MANY_FAILURES: 'paused',
  START_MISSED: 'paused',
  START_AT: 'moves',
  TEMPLATE_NOT_APPROVED: 'stopped',
  SENDING_WINDOW_CLOSED: 'moves',
  QUIET_HOURS: 'moves',
  DAILY_LIMIT_REACHED: 'moves',
  OUTCOMES_UNKNOWN: 'stopped',
  MESSAGE_CLAIMED_ELSEWHERE: 'stopped',
  MESSAGES_UNRESOLVED: 'stopped',
  RECEIPTS: 'stopped',
  QUEUE_CLEARING: 'stopped',
  CAMPAIGN_NOT_RUNNING: 'stopped',
  CAMPAIGN_DEADLINE_PASSED: 'stopped',
  PAUSE_BETWEEN_MESSAGES: 'moves',
  QUEUE_FULL: 'moves',
} as const;
export type CampaignWait = keyof typeof CAMPAIGN_WAITS;

export function campaignWaitMeans(code: string): 'paused' | 'stopped' | 'moves' {
  return CAMPAIGN_WAITS[code as CampaignWait] ?? 'stopped';
}

export function isPause({ code }: { readonly code: string }): boolean {
  return campaignWaitMeans(code) === 'paused';
}

/** What a recipient does with the campaign's message, besides reading it. */
export const RECIPIENT_RESPONSES = ['replied', 'opted_out'] as const;
export type RecipientResponse = (typeof RECIPIENT_RESPONSES)[number];

/**
 * States that a retry can include: all in which no recipient got the message. `unknown` stands for unknown and
 * unresolved.
 */
export type RetryScope = StateIn<'undeliverable' | 'unsent'> | 'unknown';
export const RETRY_SCOPES = keysWhere<RetryScope>({
  failed: true,
  rejected: true,
  no_account: true,
  expired: true,
  cancelled: true,
  suppressed: true,
  held_out: true,
  unknown: true,
});

/** The activity that posts the edits of a campaign's amendments. */
export const AMEND_ACTIVITY = 'amendCampaign';

export function amendActivityId(id: CampaignId): string {
  return `amend:${id}`;
}

export interface AmendInput {
  readonly campaignId: CampaignId;
}

/** Edits a second for one instance, unless its `rateLimits` set another rate. */
export const EDITS_PER_SECOND = 1;
