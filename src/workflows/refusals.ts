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
  isSupportedTime,
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

export function refusal(type: string, message: string, details: Partial<FailureDetails> = {}): ApplicationFailure {
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
  return isDeeperThan(input, MAX_LEVELS) ? [{ path: '', message: `the input has more than ${MAX_LEVELS} levels` }] : [];
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

export function checkEdit(edit: unknown): Problem[] {
  // The HTTP API names an edit that has a row by its id alone.
  if (isRecord(edit) && edit['id'] !== undefined && Object.keys(edit).length === 1) {
    return checkFields(edit, { id: required((id) => typeof id === 'string', 'is not the id of an edit') });
  }
  return checkFields(edit, {
    text: (text: unknown): string | undefined => {
      const most = INPUT_LIMITS.textCharacters;
      if (typeof text !== 'string' || text === '') return 'is missing: give the whole new text';
      if (text.length > most) return `has ${text.length} characters, at most ${most} are allowed`;
      if (UNSENDABLE.test(text)) return UNSENDABLE_WORDS;
      return text.startsWith(BYTE_ORDER_MARK) ? 'begins with a byte order mark' : undefined;
    },
    key: optionalText(1, INPUT_LIMITS.keyCharacters),
  });
}

export function checkWaitFor(request: unknown): Problem[] {
  return checkFields(request, {
    state(state) {
      if (WAITABLE_STATES.some((known) => known === state)) return undefined;
      const given = state === undefined ? 'is missing' : `${JSON.stringify(state)} is no state`;
      return `${given}: give one of ${WAITABLE_STATES.join(', ')}`;
    },
    timeoutMs: optionalNumber(0, INPUT_LIMITS.waitMs),
  });
}

export function checkReview(review: unknown): Problem[] {
  return checkFields(review, {
    status: required(
      (status) => typeof status === 'string' && REVIEW_STATUS.test(status),
      'is no word of a review, e.g. APPROVED',
    ),
    reason: optionalText(0, INPUT_LIMITS.reviewReasonCharacters),
    templateId: optionalText(1, Infinity),
  });
}

export function checkCampaign(input: unknown): Problem[] {
  return checkFields(input, {
    campaignId: required((id) => typeof id === 'string' && isCampaignId(id), 'is no id of a campaign'),
    progress: optional(
      (progress) =>
        isRecord(input) && isRecord(progress) && progress['id'] === input['campaignId'] && isRecord(progress['counts']),
      'is for the runs that everpost starts itself: leave it out',
    ),
  });
}

export function checkChange(change: unknown): Problem[] {
  const nameText = optionalText(1, INPUT_LIMITS.campaignNameCharacters);
  const checks = {
    deadline: OPTIONAL_TIME,
    name: (name: unknown) => nameText(name) ?? (BREAKS_LINE.test(String(name)) ? BREAKS_LINE_WORDS : undefined),
    startAt: OPTIONAL_TIME,
    highWater: optionalNumber(1, INPUT_LIMITS.highWater),
  };
  const isEmpty = isRecord(change) && Object.keys(checks).every((name) => change[name] === undefined);
  const message = 'give highWater, deadline, name or startAt; a new text goes by the HTTP API';
  return [...checkFields(change, checks), ...(isEmpty ? [{ path: '', message }] : [])];
}

/** @param order  the optional last argument of a command, with the newest command that its sender knows */
export function checkCommand(order: unknown): Problem[] {
  if (order === undefined || order === null) return [];
  const after = optional(
    (sequence) => Number.isSafeInteger(sequence) && Number(sequence) >= 0,
    'is no commandSequence of a campaign, a whole number',
  );
  return checkFields(order, { after }, 'the last argument');
}

export function checkRetry(retry: unknown): Problem[] {
  const scopes = isRecord(retry) ? retry['scopes'] : undefined;
  const areScopes = isListOfTexts(scopes) && scopes.every((scope) => RETRY_SCOPES.some((known) => known === scope));
  return checkFields(retry, {
    scopes: required(() => areScopes, `is a list of one or more of ${RETRY_SCOPES.join(', ')}`),
    reasons: optional(isListOfTexts, 'is a list of one or more texts'),
    maySendTwice(given) {
      if (given !== undefined && typeof given !== 'boolean') return 'is true or false';
      const isInVain = given === true && areScopes && !scopes.includes('unknown');
      return isInVain ? 'is about the scope unknown, which is not asked for' : undefined;
    },
    deadline: OPTIONAL_TIME,
  });
}

/** @returns the problem with the value of a field, if any */
type Check = (given: unknown) => string | undefined;

/** The problems of an input that may have these fields and no others. */
export function checkFields(input: unknown, checks: Readonly<Record<string, Check>>, what = 'the input'): Problem[] {
  if (!isRecord(input)) return [{ path: '', message: `${what} is no JSON object` }];
  const known = Object.entries(checks).flatMap(([path, check]) => {
    const message = check(input[path]);
    return message === undefined ? [] : [{ path, message }];
  });
  const others = Object.keys(input).filter((path) => !Object.hasOwn(checks, path));
  return [...known, ...others.map((path) => ({ path, message: 'is not a known field' }))];
}

export function required(isValid: (given: unknown) => boolean, message: string): Check {
  return (given) => (isValid(given) ? undefined : message);
}

function optional(isValid: (given: unknown) => boolean, message: string): Check {
  return required((given) => given === undefined || isValid(given), message);
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;
const OPTIONAL_TIME = optional(
  (time) => typeof time === 'string' && RFC_3339.test(time) && isSupportedTime(Date.parse(time)),
  'is no RFC 3339 time in the years 1 to 9998, e.g. 2030-01-31T12:00:00Z',
);

function optionalNumber(least: number, most: number): Check {
  return optional(
    (given) => Number.isInteger(given) && Number(given) >= least && Number(given) <= most,
    `is no whole number from ${least} to ${most}`,
  );
}

function optionalText(least: number, most: number): Check {
  const isText = (text: unknown): boolean =>
    typeof text === 'string' && text.length >= least && text.length <= most && !UNSENDABLE.test(text);
  const range = most === Infinity ? `${least} or more` : `${least} to ${most}`;
  return optional(isText, `is no text of ${range} characters`);
}

function isListOfTexts(list: unknown): list is string[] {
  const isText = (one: unknown): boolean => typeof one === 'string' && one !== '' && !UNSENDABLE.test(one);
  return Array.isArray(list) && list.length > 0 && list.every(isText);
}
