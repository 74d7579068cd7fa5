/**
 * Every gateway operation that everpost supports, and whether it may be repeated.
 *
 * - `send` a recipient sees the effect: follows the send protocol, posted once per claim.
 * - `repeatable` reads, or writes the same value again, so a repetition changes nothing: retried for days.
 * - `once` a second run would have a second effect: at most one request leaves; a lost response ends as "may have
 * happened".
 */
export type Durability = 'send' | 'repeatable' | 'once';

export interface OperationFacts {
  readonly verb: 'GET' | 'POST' | 'DELETE';
  readonly durability: Durability;
  /** The gateway may change it without notice. */
  readonly beta?: true;
}

export const OPERATIONS = {
  createTemplate: { verb: 'POST', durability: 'once' },
  deleteNotification: { verb: 'DELETE', durability: 'repeatable' },
  editMessage: { verb: 'POST', durability: 'repeatable' },
  forwardMessages: { verb: 'POST', durability: 'send' },
  getGroupData: { verb: 'POST', durability: 'repeatable' },
  getIncomingStories: { verb: 'GET', durability: 'repeatable' },
  getMessage: { verb: 'POST', durability: 'repeatable' },
  getSettings: { verb: 'GET', durability: 'repeatable' },
  getStateInstance: { verb: 'GET', durability: 'repeatable' },
  getTemplateById: { verb: 'POST', durability: 'repeatable' },
  getTemplates: { verb: 'GET', durability: 'repeatable' },
  lastOutgoingMessages: { verb: 'GET', durability: 'repeatable' },
  readChat: { verb: 'POST', durability: 'repeatable' },
  receiveNotification: { verb: 'GET', durability: 'repeatable' },
  sendContact: { verb: 'POST', durability: 'send' },
  sendFileByUrl: { verb: 'POST', durability: 'send' },
  sendLocation: { verb: 'POST', durability: 'send' },
  sendMessage: { verb: 'POST', durability: 'send' },
  sendPoll: { verb: 'POST', durability: 'send' },
  sendTemplate: { verb: 'POST', durability: 'send' },
  sendTextStatus: { verb: 'POST', durability: 'send', beta: true },
  sendTyping: { verb: 'POST', durability: 'once', beta: true },
  setSettings: { verb: 'POST', durability: 'once' },
  showMessagesQueue: { verb: 'GET', durability: 'repeatable' },
  uploadFile: { verb: 'POST', durability: 'repeatable' },
} as const satisfies Record<string, OperationFacts>;
export type OperationName = keyof typeof OPERATIONS;
export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

export function isOperationName(word: string): word is OperationName {
  return Object.hasOwn(OPERATIONS, word);
}

/** The operations that put a message in front of a recipient. */
export type SendOperation = {
  [Name in OperationName]: (typeof OPERATIONS)[Name]['durability'] extends 'send' ? Name : never;
}[OperationName];

/**
 * Operations that restart an instance, by the gateway's names. After a restart the order of its queue proves nothing
 * about earlier posts. everpost can run only setSettings; the instance's state shows the others when another program
 * runs them.
 */
export const RESTARTING_OPERATIONS = ['setSettings', 'reboot', 'logout'] as const;

/** The activity of one run of a recurring job. */
export const JOB_ACTIVITY = 'runRecurringJob';

export const JOB_KINDS = ['stories', 'group'] as const;
/** `stories`: stores each incoming story once. `group`: stores a group's data when it has changed. */
export type JobKind = (typeof JOB_KINDS)[number];

export interface JobInput {
  readonly jobId: string;
}
