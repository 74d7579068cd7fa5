import type { OptOutConfig } from './suppression.js';
import type { InstanceLimits, LocalHours } from './schemas/shapes.js';
import type { Secret } from './values/secret.js';
import { AppError } from './errors.js';
import { present } from './values/records.js';

/**
 * The meaning of an ambiguous HTTP status for this instance. `not_accepted`: the gateway did not accept the request.
 */
export type StatusMeaning = 'not_accepted' | 'unknown';

/**
 * How notifications arrive: the gateway pushes them to its `webhookUrl`, or a worker polls them and `webhookUrl` is
 * empty.
 */
export const Notifications = { push: 'push', poll: 'poll' } as const;
export type Notifications = (typeof Notifications)[keyof typeof Notifications];

/**
 * Which messages sent by HTTP have a workflow: all of them, or only those that need one, e.g. for an edit after they
 * were sent.
 */
export const MessageWorkflows = { always: 'always', on_demand: 'on_demand' } as const;
export type MessageWorkflows = (typeof MessageWorkflows)[keyof typeof MessageWorkflows];

/**
 * States of an account that pause its instance. The network itself has objected, so an operator has to check first.
 */
export const PAUSE_STATES = ['yellowCard', 'blocked', 'suspended'] as const;
export type PauseState = (typeof PAUSE_STATES)[number];

/** The gateway's names for the state of an account. A newer gateway may have others. */
export const ACCOUNT_STATES = ['authorized', 'notAuthorized', 'starting', 'sleepMode', ...PAUSE_STATES] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Why an instance is paused: the state of its account, or an operator's command. */
export const PAUSE_REASONS = [...PAUSE_STATES, 'operator'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** What ends a pause: an operator's command, or the account's return to `authorized`. */
export const RESUMED_BY = ['operator', 'authorized'] as const;
export type ResumedBy = (typeof RESUMED_BY)[number];

/** When an instance sends, how much, and for how long it edits. Stored in the ledger, which decides by them. */
export interface InstanceSettings {
  /** Open times for all messages except urgent ones. */
  readonly sendingWindows?: LocalHours;
  /** Closed times for marketing messages; urgent messages are exempt. */
  readonly quietHours?: LocalHours;
  readonly limits?: InstanceLimits;
  /** How long after a message was sent the gateway takes an edit of it. @default {@link EDIT_WINDOW_MS} */
  readonly editWindowMs?: number;
}

/** The gateway's window for edits; an instance may have a shorter one. */
export const EDIT_WINDOW_MS = 15 * 60_000;

export function settingsOf({ sendingWindows, quietHours, limits, editWindowMs }: InstanceSettings): InstanceSettings {
  return present({ sendingWindows, quietHours, limits, editWindowMs });
}

/** One account at the gateway, identified by `baseUrl` + `idInstance`. Operators and rows refer to it by its name. */
export interface InstanceConfig extends InstanceSettings {
  readonly name: string;
  /** Origin and optional path prefix, without a trailing slash, e.g. `https://api.example.com`. */
  readonly baseUrl: string;
  readonly idInstance: string;
  readonly apiTokenInstance: Secret;
  /** Host for uploads, where the gateway has a separate one. */
  readonly mediaUrl?: string;
  /** Path prefix per operation, e.g. `{ "readChat": "v3" }`, or `{ "readChat": "" }` for none. */
  readonly paths?: Readonly<Record<string, string>>;
  /** Requests a second per operation; overrides the built-in table. `0` removes the limit. */
  readonly rateLimits?: Readonly<Record<string, number>>;
  /** Operations that this instance supports; absent: all. */
  readonly capabilities?: readonly string[];
  /** Tokens accepted in the Authorization header of this instance's notifications; several during a token change. */
  readonly webhookTokens?: readonly Secret[];
  /** Safety catch for staging: only the recipients of these chat ids may be written to. */
  readonly allowedRecipients?: readonly string[];
  /**
   * How notifications arrive: pushed to the receiver, or polled if the gateway cannot reach a receiver. @default 'push'
   */
  readonly notifications?: Notifications;
  /** Which of its messages sent by HTTP have their own workflow. @default 'always' */
  readonly messageWorkflows?: MessageWorkflows;
  /**
   * Account states whose pause ends as soon as the account is authorized again. @default none: an operator resumes it
   */
  readonly autoResume?: readonly PauseState[];
  /** The `delaySendMessagesMilliseconds` that the account should have. @default not checked */
  readonly sendDelayMs?: number;
  /** The meanings of this instance's 502, 503, 504 …; any other ambiguous status stays unknown. */
  readonly statusMeanings?: Readonly<Record<string, StatusMeaning>>;
  /** Its own settle time, in place of the process's. Read it by `timesOf` only. */
  readonly settleTimeMs?: number;
  /** Which incoming messages mean STOP or START. Absent: the words of all languages. */
  readonly optOut?: OptOutConfig;
}

/** True if the gateway pushes notifications and no token proves that they come from the gateway. */
export function lacksWebhookToken({ notifications, webhookTokens = [] }: InstanceConfig): boolean {
  return notifications !== Notifications.poll && webhookTokens.length === 0;
}

/** Looks up instances by name. The source may be re-read at run time. */
export interface InstanceDirectory {
  /** @throws AppError INSTANCE_NOT_FOUND, listing the known instances */
  get(name: string): InstanceConfig;
  names(): readonly string[];
}

/** The error of a directory without the name. */
export function instanceUnknown(name: string, known: readonly string[]): AppError {
  return new AppError(
    'INSTANCE_NOT_FOUND',
    `Instance ${name} is not known. Use one of: ${known.join(', ')}; or add it to EVERPOST_INSTANCES_FILE.`,
  );
}
