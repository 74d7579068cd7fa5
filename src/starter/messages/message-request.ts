import {
  AppError,
  type InstanceDirectory,
  type MessageContent,
  type MessageRequest,
  type OperationName,
  type Problem,
  parseUrl,
  present,
  isRecord,
} from '../../contract/index.js';
import {
  contentSchema,
  countryField,
  needsRecipient,
  recipientSchema,
  sendRequestSchema,
} from '../../contract/schemas.js';
import {
  inputInvalid,
  namesPrivateHost,
  problemsOf,
  readContentRecipients,
  readCountryField,
  readRecipientField,
  SENSITIVE_KINDS,
  typingProblems,
  unsendableTexts,
  asOperation,
  pathInMessage,
  SOME_CHAT,
} from '../../domain/index.js';

/**
 * Checks a gateway operation's request against all documented limits, in the gateway's own words. Sends nothing.
 * @returns warnings that do not prevent sending, e.g. about a link with spaces
 * @throws AppError INPUT_INVALID with `problems`, paths under the gateway's names
 */
export type CheckOperation = (name: OperationName, request: unknown) => { readonly warnings: readonly string[] };

export interface RequestChecks {
  /** Absent: only the worker checks the limits, and the run of a message that exceeds one fails with INPUT_INVALID. */
  readonly checkOperation?: CheckOperation | undefined;
  /** Absent: only the worker detects an unknown instance. */
  readonly instances?: InstanceDirectory | undefined;
  /** Whether a status callback may be on this machine or in a private network. Absent: only the worker checks this. */
  readonly allowPrivateCallbacks?: boolean | undefined;
}

/**
 * Reads a caller's request. The error contains every problem of shape, recipient, limits and instance.
 * @param moreProblems problems that the caller found, added to the others
 * @throws AppError INPUT_INVALID | INSTANCE_NOT_FOUND, each with `problems`
 */
export function readMessageRequest(
  value: unknown,
  checks: RequestChecks,
  moreProblems: readonly Problem[] = [],
): { readonly request: MessageRequest; readonly warnings: readonly string[] } {
  const read = sendRequestSchema.safeParse(value);
  const fields = isRecord(value) ? value : {};
  // If the request as a whole is invalid, its parts are still checked, so that the error contains every problem.
  const content = read.success
    ? { success: true, data: read.data.content }
    : contentSchema.safeParse(fields['content']);
  const recipients = readRecipients(fields, content.data);
  const limits =
    recipients.content === undefined
      ? NO_PROBLEMS
      : checkLimits(recipients.content, recipients.chatId, checks.checkOperation);
  const unknownInstance = checkInstance(fields['instance'], checks.instances);

  const problems = [
    ...moreProblems,
    ...unsendableTexts(value),
    ...(read.success ? [] : problemsOf(read.error)),
    ...(content.success ? checkRecipient(content.data, fields['to']) : []),
    ...recipients.problems,
    ...limits.problems,
    ...(read.success ? checkTarget('statusCallback', read.data.statusCallback, checks.allowPrivateCallbacks) : []),
    ...(read.success
      ? [...checkTimes(read.data), ...typingProblems(read.data.content, read.data.typing), ...checkSensitive(read.data)]
      : []),
  ];
  if (unknownInstance !== undefined && problems.length === 0) throw unknownInstance;
  if (!read.success || problems.length > 0) {
    throw inputInvalid('The message', [...problems, ...(unknownInstance?.problems ?? [])]);
  }
  const { to: _, defaultCountry: _country, ...rest } = read.data;
  const { content: readContent = rest.content, chatId } = recipients;
  return { request: { ...rest, content: readContent, ...present({ chatId }) }, warnings: limits.warnings };
}

interface ReadRecipients {
  readonly chatId?: string;
  /** Absent if the content has another form, or one of its recipients cannot be read. */
  readonly content?: MessageContent;
  readonly problems: readonly Problem[];
}

/** Every recipient of a message as a chat id. Fields of another form are skipped: the schema reports them. */
function readRecipients(
  fields: Readonly<Record<string, unknown>>,
  content: MessageContent | undefined,
): ReadRecipients {
  const to = recipientSchema.exactOptional().safeParse(fields['to']).data;
  const country = readCountryField(countryField.safeParse(fields['defaultCountry']).data);
  // Without a known country a number would get a second problem that has the same remedy.
  if ('problems' in country) return { problems: country.problems, ...present({ content }) };
  const read = to === undefined ? undefined : readRecipientField('to', to, country.country);
  const inContent = content === undefined ? undefined : readContentRecipients(content, country.country);
  const problems = [...(read !== undefined && 'problems' in read ? read.problems : []), ...(inContent?.problems ?? [])];
  return {
    problems,
    ...(read !== undefined && 'chatId' in read ? read : {}),
    ...(inContent !== undefined && inContent.problems.length === 0 ? { content: inContent.content } : {}),
  };
}

function checkTimes({ sendAt, expiresAt }: Pick<MessageRequest, 'sendAt' | 'expiresAt'>): Problem[] {
  if (sendAt === undefined || expiresAt === undefined || Date.parse(expiresAt) > Date.parse(sendAt)) return [];
  return [{ path: 'expiresAt', message: 'is not after sendAt: the message would never be sent' }];
}

function checkSensitive({ content: { kind }, sensitive }: Pick<MessageRequest, 'content' | 'sensitive'>): Problem[] {
  if (sensitive !== true || SENSITIVE_KINDS.includes(kind)) return [];
  const message = `is not possible for a ${kind}, which has no text that could be hidden. Send one of: ${SENSITIVE_KINDS.join(', ')}`;
  return [{ path: 'sensitive', message }];
}

const NO_PROBLEMS = { problems: [], warnings: [] } as const;

function checkRecipient(content: MessageContent, to: unknown): Problem[] {
  if (needsRecipient(content.kind) && to === undefined) {
    return [{ path: 'to', message: `is missing: a ${content.kind} is sent to one chat` }];
  }
  if (!needsRecipient(content.kind) && to !== undefined) {
    return [{ path: 'to', message: `is not allowed here: a ${content.kind} is sent to the account's contacts` }];
  }
  return [];
}

function checkLimits(
  content: MessageContent,
  chatId: string | undefined,
  checkOperation: CheckOperation | undefined,
): { problems: readonly Problem[]; warnings: readonly string[] } {
  if (checkOperation === undefined) return NO_PROBLEMS;
  // A missing or unreadable recipient is already reported. The placeholder lets everything else be checked.
  const { operation, request } = asOperation(needsRecipient(content.kind) ? (chatId ?? SOME_CHAT) : undefined, content);
  try {
    return { problems: [], warnings: checkOperation(operation, request).warnings };
  } catch (error) {
    return { problems: problemsOfRefusal(error, (path) => pathInMessage(content.kind, path)), warnings: [] };
  }
}

/**
 * Returns what `read` returns, and converts the paths of its problems to those of the caller's input.
 * @throws AppError INPUT_INVALID
 */
export function withPaths<Read>(what: string, pathOf: (path: string) => string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    throw inputInvalid(what, problemsOfRefusal(error, pathOf));
  }
}

/** The problems of an INPUT_INVALID, with the paths of the caller's input. @throws any other error */
export function problemsOfRefusal(error: unknown, pathOf: (path: string) => string): Problem[] {
  if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
  return (error.problems ?? []).map(({ path, message }) => ({ path: pathOf(path), message }));
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

const MAX_LENGTH = 2_000;

/**
 * Reasons not to post events to this URL. The address behind its host name is checked only when an event is posted.
 * @param path  the name of the field in a problem
 * @param allowPrivate  whether this machine and private networks are allowed; undefined: only the worker checks this
 */
export function checkTarget(path: string, target: string | undefined, allowPrivate: boolean | undefined): Problem[] {
  const url = target === undefined ? undefined : parseUrl(target);
  if (target === undefined || url === undefined) return [];
  const problems: Problem[] = [];
  if (target.length > MAX_LENGTH) problems.push({ path, message: `is longer than ${MAX_LENGTH} characters` });
  if (url.username !== '' || url.password !== '') {
    problems.push({ path, message: 'contains credentials: remove them, since each post is signed instead' });
  }
  if (allowPrivate === false && namesPrivateHost(url)) {
    const message = 'is on this machine or in a private network. To allow this, set EVERPOST_ALLOW_PRIVATE_TARGETS=yes';
    problems.push({ path, message });
  }
  return problems;
}
