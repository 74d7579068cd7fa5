import {
  AppError,
  type InstanceDirectory,
  type MessageContent,
  type MessageRequest,
  type OperationName,
  type Problem,
  parseUrl,
  present,
} from '../../contract/index.js';
import { contentSchema, needsRecipient, recipientSchema, sendRequestSchema } from '../../contract/schemas.js';
import { inputInvalid, namesPrivateHost, problemsOf } from '../../domain/index.js';
import { asOperation, pathInMessage } from './content-fields.js';

/**
 * Checks a gateway operation's request without sending it: all documented limits, in the gateway's own words.
 * @returns advice that is no refusal, e.g. about a link with blanks
 * @throws AppError INPUT_INVALID with `problems`, paths under the gateway's names
 */
export type CheckOperation = (name: OperationName, request: unknown) => { readonly warnings: readonly string[] };

export interface RequestChecks {
  /** Absent: the limits are checked by the worker alone, and the run of a message over one fails with INPUT_INVALID. */
  readonly checkOperation?: CheckOperation | undefined;
  /** Absent: an unknown instance is found by the worker alone. */
  readonly instances?: InstanceDirectory | undefined;
  /**
   * Whether a status callback may be on this machine or in a private network. Absent: found out by the worker alone.
   */
  readonly allowPrivateCallbacks?: boolean | undefined;
}

export interface CheckedRequest {
  readonly request: MessageRequest;
  readonly warnings: readonly string[];
}

/**
 * Reads what a caller asks for; every problem of shape, recipient, limits and instance is named at once.
 * @param moreProblems what the caller found besides, named with the rest
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND, each with `problems`
 */
export function readMessageRequest(
  value: unknown,
  checks: RequestChecks,
  moreProblems: readonly Problem[] = [],
): CheckedRequest {
  const read = sendRequestSchema.safeParse(value);
  const fields = isRecord(value) ? value : {};
  // Where the whole is refused, its parts are still checked, so that every problem is named at once.
  const content = read.success
    ? { success: true, data: read.data.content }
    : contentSchema.safeParse(fields['content']);
  const to = read.success ? { data: read.data.to } : recipientSchema.exactOptional().safeParse(fields['to']);
  const limits = content.success ? checkLimits(content.data, to.data, checks.checkOperation) : NO_PROBLEMS;
  const unknownInstance = checkInstance(fields['instance'], checks.instances);

  const problems = [
    ...moreProblems,
    ...(read.success ? [] : problemsOf(read.error)),
    ...(content.success ? checkRecipient(content.data, fields['to']) : []),
    ...limits.problems,
    ...(read.success ? checkTarget('statusCallback', read.data.statusCallback, checks.allowPrivateCallbacks) : []),
    ...(read.success ? [...checkTimes(read.data), ...checkTyping(read.data)] : []),
  ];
  if (unknownInstance !== undefined && problems.length === 0) throw unknownInstance;
  if (!read.success || problems.length > 0) {
    throw inputInvalid('The message', [...problems, ...(unknownInstance?.problems ?? [])]);
  }
  const { to: chatId, ...rest } = read.data;
  return { request: { ...rest, ...present({ chatId }) }, warnings: limits.warnings };
}

function checkTimes({ sendAt, expiresAt }: Pick<MessageRequest, 'sendAt' | 'expiresAt'>): Problem[] {
  if (sendAt === undefined || expiresAt === undefined || expiresAt > sendAt) return [];
  return [{ path: 'expiresAt', message: 'is not after sendAt: the message would never be sent' }];
}

function checkTyping({ content, typing }: Pick<MessageRequest, 'content' | 'typing'>): Problem[] {
  if (typing === undefined || needsRecipient(content.kind)) return [];
  return [{ path: 'typing', message: `has no place here: a ${content.kind} goes to no chat` }];
}

const NO_PROBLEMS = { problems: [], warnings: [] } as const;

function checkRecipient(content: MessageContent, to: unknown): Problem[] {
  if (needsRecipient(content.kind) && to === undefined) {
    return [{ path: 'to', message: `is missing: a ${content.kind} goes to one chat` }];
  }
  if (!needsRecipient(content.kind) && to !== undefined) {
    return [{ path: 'to', message: `has no place here: a ${content.kind} goes to the account's contacts` }];
  }
  return [];
}

/**
 * A missing or unreadable recipient has its problem already: a placeholder lets all else be checked.
 */
const SOME_CHAT = '10000000000@c.us';

function checkLimits(
  content: MessageContent,
  chatId: string | undefined,
  checkOperation: CheckOperation | undefined,
): { problems: readonly Problem[]; warnings: readonly string[] } {
  if (checkOperation === undefined) return NO_PROBLEMS;
  const { operation, request } = asOperation(needsRecipient(content.kind) ? (chatId ?? SOME_CHAT) : undefined, content);
  try {
    return { problems: [], warnings: checkOperation(operation, request).warnings };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
    return {
      problems: (error.problems ?? []).map(({ path, message }) => ({
        path: pathInMessage(content.kind, path),
        message,
      })),
      warnings: [],
    };
  }
}

/**
 * What `read` returns; its problems are named by their place in what the caller sent.
 * @throws AppError INPUT_INVALID
 */
export function withPaths<Read>(what: string, pathOf: (path: string) => string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
    const problems = (error.problems ?? []).map(({ path, message }) => ({ path: pathOf(path), message }));
    throw inputInvalid(what, problems);
  }
}

/** @returns INSTANCE_NOT_FOUND with the field as its problem */
export function checkInstance(name: unknown, instances: InstanceDirectory | undefined): AppError | undefined {
  if (typeof name !== 'string' || name === '' || instances === undefined) return undefined;
  try {
    instances.get(name);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INSTANCE_NOT_FOUND') throw error;
    return new AppError('INSTANCE_NOT_FOUND', error.message, {
      problems: [{ path: 'instance', message: error.message.replace(/\.$/, '') }],
    });
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

const MAX_LENGTH = 2_000;

/**
 * What stands against posting events to this URL. What its name stands for shows only when it is posted to.
 * @param path  how a refusal calls it
 * @param allowPrivate whether it may be of this machine or of a private network; undefined: decided by the worker alone
 */
export function checkTarget(path: string, target: string | undefined, allowPrivate: boolean | undefined): Problem[] {
  const url = target === undefined ? undefined : parseUrl(target);
  if (target === undefined || url === undefined) return [];
  const problems: Problem[] = [];
  if (target.length > MAX_LENGTH) problems.push({ path, message: `is longer than ${MAX_LENGTH} characters` });
  if (url.username !== '' || url.password !== '') {
    problems.push({ path, message: 'carries credentials; what is posted is signed instead' });
  }
  if (allowPrivate === false && namesPrivateHost(url)) {
    const message = 'is on this machine or in a private network; set EVERPOST_ALLOW_PRIVATE_TARGETS=yes to allow that';
    problems.push({ path, message });
  }
  return problems;
}
