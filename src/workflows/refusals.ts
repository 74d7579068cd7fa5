/**
 * The checks inside the workflow: the inputs of updates, and the depth of the input of a run. The first activity checks
 * everything else, since schemas would load zod into every cached workflow.
 */
import { ActivityFailure, ApplicationFailure, allHandlersFinished, condition } from '@temporalio/workflow';
import {
  BREAKS_LINE,
  BREAKS_LINE_WORDS,
  INPUT_LIMITS,
  RETRY_SCOPES,
  REVIEW_STATUS,
  UNSENDABLE,
  UNSENDABLE_WORDS,
  WAITABLE_STATES,
  isCampaignId,
  isRecord,
  type FailureDetails,
  type Problem,
} from '../contract/index.js';

/**
 * The deepest valid input has five levels. Activity inputs are serialized as JSON, which fails at thousands of levels.
 */
const MAX_LEVELS = 32;
const BYTE_ORDER_MARK = '\uFEFF';

/** @param what  the subject of the error message, e.g. `The edit` */
export function refuse(what: string, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  const words = problems.map(({ path, message }) => (path === '' ? message : `${path} ${message}`)).join('; ');
  throw refusal('INPUT_INVALID', `${what} is refused: ${words}. Correct it and ask again; nothing was begun.`, {
    problems,
  });
}

export function refusal(type: string, message: string, details: Omit<FailureDetails, 'next'> = {}): ApplicationFailure {
  return ApplicationFailure.nonRetryable(message, type, { next: 'stop', ...details } satisfies FailureDetails);
}

/** The failure of the activity itself, with which the run or the update fails. */
export function asOwnFailure(error: unknown): unknown {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || cause.nonRetryable !== true) return error;
  return ApplicationFailure.nonRetryable(cause.message, cause.type, ...(cause.details ?? []));
}

/** Runs a step of an update, and converts its failure by {@link asOwnFailure}. */
export async function failingAsItself<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw asOwnFailure(error);
  }
}

/** The first step of a run, which reads or writes the row. A run whose first step fails has no row. */
export class Opening {
  #failure: unknown;

  /**
   * Makes updates that arrived meanwhile fail for the same reason, before the run fails.
   * @returns the failure of the run
   */
  async failed(error: unknown): Promise<unknown> {
    this.#failure = asOwnFailure(error);
    await condition(allHandlersFinished);
    return this.#failure;
  }

  /** Waits for the end of the first step. */
  async until(isOpen: () => boolean): Promise<void> {
    await condition(() => isOpen() || this.#failure !== undefined);
    if (this.#failure !== undefined) throw this.#failure;
  }
}

export function checkDepth(input: unknown): Problem[] {
  return unless(!isDeeperThan(input, MAX_LEVELS), '', `the input has more than ${MAX_LEVELS} levels`);
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

export function checkEdit(edit: unknown): Problem[] {
  return inObject(edit, ({ id, ...fields }) => {
    if (id !== undefined && Object.keys(fields).length === 0) {
      return unless(typeof id === 'string', 'id', 'is not the id of an edit');
    }
    const { text, key, ...others } = fields;
    return [
      ...checkText(text),
      ...checkWords('key', key, 1, INPUT_LIMITS.keyCharacters),
      ...unknownFields(id === undefined ? others : { id, ...others }),
    ];
  });
}

function checkText(text: unknown): Problem[] {
  const path = 'text';
  const most = INPUT_LIMITS.textCharacters;
  if (typeof text !== 'string' || text === '') return [{ path, message: 'is missing: give the whole new text' }];
  return [
    ...unless(text.length <= most, path, `has ${text.length} characters, at most ${most} are allowed`),
    ...unless(!UNSENDABLE.test(text), path, UNSENDABLE_WORDS),
    ...unless(!text.startsWith(BYTE_ORDER_MARK), path, 'begins with a byte order mark'),
  ];
}

export function checkWaitFor(request: unknown): Problem[] {
  return inObject(request, ({ state, timeoutMs, ...others }) => {
    const given = state === undefined ? 'is missing' : `${JSON.stringify(state)} is no state`;
    return [
      ...unless(isOneOf(WAITABLE_STATES, state), 'state', `${given}: give one of ${WAITABLE_STATES.join(', ')}`),
      ...unknownFields(others),
      ...checkNumber('timeoutMs', timeoutMs, 0, INPUT_LIMITS.waitMs),
    ];
  });
}

export function checkReview(review: unknown): Problem[] {
  return inObject(review, ({ status, reason, templateId, ...others }) => [
    ...unless(
      typeof status === 'string' && REVIEW_STATUS.test(status),
      'status',
      'is no word of a review, e.g. APPROVED',
    ),
    ...checkWords('reason', reason, 0, INPUT_LIMITS.reviewReasonCharacters),
    ...checkWords('templateId', templateId, 1, Infinity),
    ...unknownFields(others),
  ]);
}

export function checkCampaign(input: unknown): Problem[] {
  return inObject(input, ({ campaignId, progress, ...others }) => {
    const isOwn = isRecord(progress) && progress['id'] === campaignId && isRecord(progress['counts']);
    return [
      ...unless(typeof campaignId === 'string' && isCampaignId(campaignId), 'campaignId', 'is no id of a campaign'),
      ...unless(
        progress === undefined || isOwn,
        'progress',
        'is for the runs that everpost starts itself: leave it out',
      ),
      ...unknownFields(others),
    ];
  });
}

export function checkChange(change: unknown): Problem[] {
  return inObject(change, ({ highWater, deadline, name, startAt, ...others }) => {
    const breaks = typeof name === 'string' && BREAKS_LINE.test(name);
    return [
      ...unknownFields(others),
      ...checkTime('deadline', deadline),
      ...checkWords('name', name, 1, INPUT_LIMITS.campaignNameCharacters),
      ...unless(!breaks, 'name', BREAKS_LINE_WORDS),
      ...checkTime('startAt', startAt),
      ...unless(
        [highWater, deadline, name, startAt].some((given) => given !== undefined),
        '',
        'give highWater, deadline, name or startAt; a new text goes by the HTTP API',
      ),
      ...checkNumber('highWater', highWater, 1, INPUT_LIMITS.highWater),
    ];
  });
}

/** @param order  the optional last argument of a command, with the newest command that its sender knows */
export function checkCommand(order: unknown): Problem[] {
  if (order === undefined || order === null) return [];
  if (!isRecord(order)) return [{ path: '', message: 'the last argument is no JSON object' }];
  const { after, ...others } = order;
  const isSequence = after === undefined || (typeof after === 'number' && Number.isSafeInteger(after) && after >= 0);
  return [
    ...unknownFields(others),
    ...unless(isSequence, 'after', 'is no commandSequence of a campaign, a whole number'),
  ];
}

export function checkRetry(retry: unknown): Problem[] {
  return inObject(retry, ({ scopes, reasons, maySendTwice, deadline, ...others }) => {
    const areScopes = isListOfTexts(scopes) && scopes.every((scope) => isOneOf(RETRY_SCOPES, scope));
    return [
      ...unknownFields(others),
      ...checkTime('deadline', deadline),
      ...unless(areScopes, 'scopes', `is a list of one or more of ${RETRY_SCOPES.join(', ')}`),
      ...unless(reasons === undefined || isListOfTexts(reasons), 'reasons', 'is a list of one or more texts'),
      ...unless(maySendTwice === undefined || typeof maySendTwice === 'boolean', 'maySendTwice', 'is true or false'),
      ...unless(
        maySendTwice !== true || !areScopes || scopes.includes('unknown'),
        'maySendTwice',
        'is about the scope unknown, which is not asked for',
      ),
    ];
  });
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function checkTime(path: string, time: unknown): Problem[] {
  const isTime = typeof time === 'string' && RFC_3339.test(time) && !Number.isNaN(Date.parse(time));
  return unless(time === undefined || isTime, path, 'is no RFC 3339 time, e.g. 2030-01-31T12:00:00Z');
}

function checkNumber(path: string, given: unknown, least: number, most: number): Problem[] {
  const isWithin = Number.isInteger(given) && Number(given) >= least && Number(given) <= most;
  return unless(given === undefined || isWithin, path, `is no whole number from ${least} to ${most}`);
}

function checkWords(path: string, words: unknown, least: number, most: number): Problem[] {
  const isText = typeof words === 'string' && words.length >= least && words.length <= most && !UNSENDABLE.test(words);
  const range = most === Infinity ? `${least} or more` : `${least} to ${most}`;
  return unless(words === undefined || isText, path, `is no text of ${range} characters`);
}

export function unknownFields(others: Readonly<Record<string, unknown>>): Problem[] {
  return Object.keys(others).map((path) => ({ path, message: 'is not a known field' }));
}

/** The problems in an input's fields. */
export function inObject(input: unknown, check: (fields: Record<string, unknown>) => Problem[]): Problem[] {
  return isRecord(input) ? check(input) : [{ path: '', message: 'the input is no JSON object' }];
}

export function unless(isValid: boolean, path: string, message: string): Problem[] {
  return isValid ? [] : [{ path, message }];
}

function isOneOf(words: readonly string[], word: unknown): boolean {
  return words.some((known) => known === word);
}

function isListOfTexts(list: unknown): list is string[] {
  return (
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((one) => typeof one === 'string' && one !== '' && !UNSENDABLE.test(one))
  );
}
