import { AppError } from './errors.js';
import { KINDS, type SendOperation } from './kinds.js';
import { present } from './values/records.js';
import type { Scope } from './values/secret.js';

export interface OperationFacts {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  /**
   * Whether it may be repeated.
   *
   * - `send` a recipient sees the effect: follows the send protocol, posted once per claim.
   * - `repeatable` reads, or writes the same value again, so a repetition changes nothing: retried for days.
   * - `once` a second run would have a second effect: at most one request leaves; a lost response ends as "may have
   *   happened".
   */
  readonly durability: 'send' | 'repeatable' | 'once';
  /**
   * What the operation requires of an API key. `read`: its result shows texts, numbers or the state of the account.
   * `admin`: it changes the account itself, or removes its notifications.
   */
  readonly scopes: readonly ['send', ...Scope[]];
  /** The gateway may change it without notice. */
  readonly beta?: true;
  /** What is lost by it, for the confirmation of the command. */
  readonly destroys?: string;
}

const CLEARS =
  "removes every item of the gateway's queue, also those of other programs; messages that were not sent yet become unresolved or cancelled";

const SENDS = Object.fromEntries(
  Object.values<{ operation: SendOperation; beta?: true }>(KINDS).map(({ operation, beta }) => [
    operation,
    { verb: 'POST', durability: 'send', scopes: ['send'], ...(beta && { beta }) },
  ]),
) as unknown as Readonly<Record<SendOperation, OperationFacts & { readonly durability: 'send' }>>;

export const OPERATIONS = {
  ...SENDS,
  clearMessagesQueue: { verb: 'GET', durability: 'once', scopes: ['send', 'admin'], destroys: CLEARS },
  createTemplate: { verb: 'POST', durability: 'once', scopes: ['send'] },
  deleteNotification: { verb: 'DELETE', durability: 'repeatable', scopes: ['send', 'admin'] },
  editMessage: { verb: 'POST', durability: 'repeatable', scopes: ['send'] },
  getGroupData: { verb: 'POST', durability: 'repeatable', scopes: ['send', 'read'] },
  getIncomingStories: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read'] },
  getMessage: { verb: 'POST', durability: 'repeatable', scopes: ['send', 'read'] },
  getSettings: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read'] },
  getStateInstance: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read'] },
  getTemplateById: { verb: 'POST', durability: 'repeatable', scopes: ['send', 'read'] },
  getTemplates: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read'] },
  lastOutgoingMessages: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read'] },
  readChat: { verb: 'POST', durability: 'repeatable', scopes: ['send'] },
  reboot: { verb: 'GET', durability: 'once', scopes: ['send', 'admin'] },
  receiveNotification: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read', 'admin'] },
  sendTyping: { verb: 'POST', durability: 'once', scopes: ['send'], beta: true },
  setSettings: { verb: 'POST', durability: 'once', scopes: ['send', 'admin'] },
  showMessagesQueue: { verb: 'GET', durability: 'repeatable', scopes: ['send', 'read'] },
  uploadFile: { verb: 'POST', durability: 'repeatable', scopes: ['send'] },
} as const satisfies Record<string, OperationFacts>;
export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS).toSorted() as readonly OperationName[];

export function isOperationName(word: string): word is OperationName {
  return Object.hasOwn(OPERATIONS, word);
}

/**
 * Operations after which the gateway's queue proves nothing about earlier posts, by the gateway's names: all but the
 * first restart the instance. everpost cannot run logout; the instance's state shows when another program runs one.
 */
export const QUEUE_CHANGING_OPERATIONS = ['clearMessagesQueue', 'setSettings', 'reboot', 'logout'] as const;

/** The activity of one run of a recurring job. */
export const JOB_ACTIVITY = 'runRecurringJob';

export const JOB_KINDS = ['stories', 'group'] as const;
/** `stories`: stores each incoming story once. `group`: stores a group's data when it has changed. */
export type JobKind = (typeof JOB_KINDS)[number];

export interface JobInput {
  readonly jobId: string;
}

/** @param code  why, in one word  @param gatewayText  what the gateway said */
export function operationFailed(method: string, id: string, code: string, gatewayText?: string): AppError {
  return new AppError(
    'OPERATION_FAILED',
    `Operation ${method} ${id} failed: ${code}. Show it: GET /v1/operations/${method}/${id}`,
    present({ gatewayText }),
  );
}
