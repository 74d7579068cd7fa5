import type { OptOutConfig } from './suppression.js';
import type { InstanceLimits, LocalHours } from './schemas/shapes.js';
import type { Secret } from './secret.js';
import { present } from './records.js';

/**
 * The known meaning of an ambiguous HTTP status of this instance: `not_accepted` = the gateway did not accept the
 * request.
 */
export type StatusMeaning = 'not_accepted' | 'unknown';

/**
 * How notifications come: the gateway pushes them to its `webhookUrl`, or they are asked for, and `webhookUrl` is
 * empty.
 */
export const Notifications = { push: 'push', poll: 'poll' } as const;
export type Notifications = (typeof Notifications)[keyof typeof Notifications];

/**
 * Which messages that came by HTTP have a workflow: all of them, or only those that need one, e.g. for an edit after
 * they were sent.
 */
export const MessageWorkflows = { always: 'always', on_demand: 'on_demand' } as const;
export type MessageWorkflows = (typeof MessageWorkflows)[keyof typeof MessageWorkflows];

/** States of an account that pause its instance: the network itself has objected, so an operator has to look first. */
export const PAUSE_STATES = ['yellowCard', 'blocked', 'suspended'] as const;
export type PauseState = (typeof PAUSE_STATES)[number];

/** The gateway's words for the state of an account; a newer gateway may have others. */
export const ACCOUNT_STATES = ['authorized', 'notAuthorized', 'starting', 'sleepMode', ...PAUSE_STATES] as const;
export type AccountState = (typeof ACCOUNT_STATES)[number];

/** Why an instance is paused: the state of its account, or an operator's command. */
export const PAUSE_REASONS = [...PAUSE_STATES, 'operator'] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** When an instance sends, and how much: the ledger knows them, for its claims. */
export interface InstanceSettings {
  /** Open times for everything but urgent messages. */
  readonly sendingWindows?: LocalHours;
  /** Closed times for marketing messages, but for urgent ones. */
  readonly quietHours?: LocalHours;
  readonly limits?: InstanceLimits;
}

export function settingsOf({ sendingWindows, quietHours, limits }: InstanceSettings): InstanceSettings {
  return present({ sendingWindows, quietHours, limits });
}

/**
 * One account at the gateway. Its identity is `baseUrl` + `idInstance`; the name is what operators and rows call it.
 */
export interface InstanceConfig extends InstanceSettings {
  readonly name: string;
  /** Origin and optional path prefix, without a trailing slash, e.g. `https://api.example.com`. */
  readonly baseUrl: string;
  readonly idInstance: string;
  readonly apiTokenInstance: Secret;
  /** Host for uploads, where the gateway has a separate one. */
  readonly mediaUrl?: string;
  /** Path prefix per operation, e.g. `{ "readChat": "v3" }` or `{ "readChat": "" }` to do without one. */
  readonly paths?: Readonly<Record<string, string>>;
  /** Requests a second per operation; overrides the built-in table. `0` lifts the gate. */
  readonly rateLimits?: Readonly<Record<string, number>>;
  /** Operations this instance has; absent means all. */
  readonly capabilities?: readonly string[];
  /**
   * Tokens accepted in the Authorization header of this instance's notifications; several while one is being replaced.
   */
  readonly webhookTokens?: readonly Secret[];
  /** Staging safety catch: only these chat ids may be written to. */
  readonly allowedRecipients?: readonly string[];
  /**
   * How its notifications come: pushed to the receiver, or fetched, where the gateway cannot reach one. @default 'push'
   */
  readonly notifications?: Notifications;
  /** Which of its messages by HTTP have a workflow of their own. @default 'always' */
  readonly messageWorkflows?: MessageWorkflows;
  /** States whose pause ends as soon as the account is authorized again. @default none: an operator resumes it */
  readonly autoResume?: readonly PauseState[];
  /** The `delaySendMessagesMilliseconds` that the account should have. @default whatever it has */
  readonly sendDelayMs?: number;
  /** The meanings of this instance's 502, 503, 504 …; anything not named stays unknown. */
  readonly statusMeanings?: Readonly<Record<string, StatusMeaning>>;
  /** Which messages of its customers say STOP or START. Absent: the words of all languages. */
  readonly optOut?: OptOutConfig;
}

/** True where the gateway pushes notifications and nothing proves that they are the gateway's. */
export function lacksWebhookToken({ notifications, webhookTokens = [] }: InstanceConfig): boolean {
  return notifications !== Notifications.poll && webhookTokens.length === 0;
}

/** Gives instances by name; the source may be re-read while running. */
export interface InstanceDirectory {
  /** @throws AppError INSTANCE_NOT_FOUND, naming the known ones */
  get(name: string): InstanceConfig;
  names(): readonly string[];
}
