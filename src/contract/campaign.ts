import type { CampaignId } from './ids.js';
import { keysWhere } from './records.js';
import type { Priority, StateIn } from './message.js';

/**
 * Where a campaign stands. `draft`: recipients may still be imported. `scheduled`: started, and nothing is posted before
 * its start time. `cancelling`: nothing more is posted, what was
 * posted gets its outcome first. The last four are ends: each recipient of the audience is in an end state of their
 * own.
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
export const CAMPAIGN_END_STATES = keysWhere<CampaignState>({
  draft: false,
  scheduled: false,
  running: false,
  paused: false,
  cancelling: false,
  completed: true,
  completed_with_failures: true,
  cancelled: true,
  expired: true,
});

/** One recipient's values for the variables, by the names of the file's columns. */
export type RecipientValues = Readonly<Record<string, string>>;

/**
 * Up to how many items a campaign fills the queue of its instance, whatever their source, unless it names its own high
 * water mark. It bounds how long an urgent single message waits behind the campaign: (mark + 1) releases.
 */
export const DEFAULT_HIGH_WATER: Readonly<Record<Priority, number>> = { urgent: 30, high: 20, normal: 12, low: 6 };

/**
 * When a campaign pauses itself: more than `failureRate` of the newest `sampleSize` outcomes did not arrive (`failed`,
 * `no_account`, `rejected`), and there are at least `minSamples`. Bought or aged lists look like this, and accounts are
 * banned for sending to them.
 */
export const DEFAULT_AUTO_PAUSE = { failureRate: 0.3, sampleSize: 50, minSamples: 20 };
export type AutoPauseLimits = typeof DEFAULT_AUTO_PAUSE;

/** A start that is later than its grace time is run, skipped (cancelled), or held for an operator. */
export const MISSED_STARTS = ['run', 'skip', 'hold'] as const;
export type MissedStart = (typeof MISSED_STARTS)[number];

/** An operator decides about a campaign that would go out at another time of day. */
export const DEFAULT_MISSED_START: MissedStart = 'hold';
/** How late a start may be without being missed. */
export const DEFAULT_GRACE_TIME = '1h';

/**
 * Where nothing is known of an account's pace; a common setting, and slow: with it too little is sent rather than too
 * much.
 */
export const ASSUMED_INTERVAL_MS = 15_000;

/** With this many unknown outcomes of an instance its campaigns post nothing more. */
export const MOST_UNKNOWN = 3;

/** How long a campaign without a deadline of its own may take. */
export const CAMPAIGN_DEADLINE_MS = 7 * 24 * 60 * 60 * 1000;

/** Why a line of the recipients' file is not a recipient of the audience, or what else became of it. */
export const RecipientVerdict = {
  /** In the audience. */
  accepted: 'accepted',
  /** The same chat came on an earlier line. */
  duplicate: 'duplicate',
  /** Not a phone number of any country, nor a chat id. */
  bad_number: 'bad_number',
  /** Written without its country's prefix, and no default country is set. */
  country_missing: 'country_missing',
  /** No value in the column of the number. */
  number_missing: 'number_missing',
  /** The instance may write to the numbers in its `allowedRecipients` alone. */
  not_allowed: 'not_allowed',
  /** The line cannot be read: other columns than the head, broken quotes, no JSON object … */
  unreadable: 'unreadable',
  /** A value that no message can hold: a NUL, half a character. */
  bad_value: 'bad_value',
  /** A participant of a group whose number the gateway does not tell. */
  lid_only: 'lid_only',
  /** The account itself, as a participant of the group. */
  own_account: 'own_account',
  /** Where a campaign goes by its recipients' clocks: neither column nor number nor campaign gives the timezone. */
  timezone_unknown: 'timezone_unknown',
} as const;
export type RecipientVerdict = (typeof RecipientVerdict)[keyof typeof RecipientVerdict];
export const RECIPIENT_VERDICTS = Object.values(RecipientVerdict);

/** A recipient of an audience. */
export interface Recipient {
  /** Line of the source, from 1; with a head, its first recipient is on line 2. */
  readonly line: number;
  readonly chatId: string;
  readonly values: RecipientValues;
  /** IANA name, where the campaign goes by the clocks of its recipients. */
  readonly timezone?: string;
}

/** A line that added no recipient to the audience. */
export interface RejectedLine {
  readonly line: number;
  readonly reason: Exclude<RecipientVerdict, 'accepted'>;
  /** The text of the line's number, cut to 200 characters. */
  readonly value: string;
}

export type VerdictCounts = Readonly<Record<RecipientVerdict, number>>;

/**
 * For one column or field of the source: how many recipients have a value in it, and the first line of one who has
 * none.
 */
export interface ColumnFacts {
  readonly recipients: number;
  /** Absent when no recipient lacks it. */
  readonly firstMissingLine?: number;
}

/** Codes of what a campaign waits for by which a campaign is paused, not merely waits. */
const PAUSE_CODES: readonly string[] = [
  'INSTANCE_PAUSED',
  'INSTANCE_NOT_AUTHORIZED',
  'TOO_MANY_FAILURES',
  'START_MISSED',
];

export function isPause({ code }: { readonly code: string }): boolean {
  return PAUSE_CODES.includes(code);
}

/** States to take up again: all in which no recipient got the message; `unknown` stands for unknown and unresolved. */
export type RetryScope = StateIn<'undeliverable' | 'unsent'> | 'unknown';
export const RETRY_SCOPES = keysWhere<RetryScope>({
  failed: true,
  rejected: true,
  no_account: true,
  expired: true,
  cancelled: true,
  suppressed: true,
  unknown: true,
});

/** Response of the query `plan`: what is to be done yet, and how. */
export interface DispatchPlan {
  readonly id: CampaignId;
  readonly instance: string;
  readonly priority: Priority;
  readonly highWater: number;
  /** Recipients who were not posted to yet. */
  readonly pending: number;
  /** Between two releases of the gateway's queue, as seen. */
  readonly releaseIntervalMs?: number;
  /** How long, at this rate, until the last of them has left the gateway's queue. */
  readonly remainingMs?: number;
  readonly etaAt?: string;
  /** Why there is no `etaAt`. */
  readonly etaUnknown?: string;
  readonly deadlineAt?: string;
  /** When the run looks at the queue next; absent while it is looking. */
  readonly nextPollAt?: string;
}

/** The activity that posts the edits of a campaign's amendments. */
export const AMEND_ACTIVITY = 'amendCampaign';

export function amendActivityId(id: CampaignId): string {
  return `amend:${id}`;
}

export interface AmendInput {
  readonly campaignId: CampaignId;
}

/** Edits of an instance a second, unless its `rateLimits` say otherwise. */
export const EDITS_PER_SECOND = 1;
