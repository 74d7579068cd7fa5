/**
 * What is checked in the workflow itself: the inputs of updates, and the little that must hold before an activity can
 * be given the input of a run. Everything else is checked by the first activity: schemas would load zod into every
 * cached workflow.
 */
import { ActivityFailure, ApplicationFailure } from '@temporalio/workflow';
import {
  BREAKS_LINE,
  BREAKS_LINE_WORDS,
  MAX_CAMPAIGN_NAME_CHARACTERS,
  MAX_KEY_CHARACTERS,
  RETRY_SCOPES,
  UNSENDABLE,
  UNSENDABLE_WORDS,
  WAITABLE_STATES,
  isCampaignId,
  type FailureDetails,
  type Problem,
} from '../contract/index.js';

const MAX_TEXT_CHARACTERS = 20_000;
const MAX_WAIT_MS = 7 * 24 * 60 * 60 * 1000;
/**
 * The deepest input that is valid has five. An activity's input is written as JSON, which fails thousands of levels
 * down.
 */
const MAX_LEVELS = 32;
const MAX_REASON_CHARACTERS = 500;
const MAX_HIGH_WATER = 10_000;
const BYTE_ORDER_MARK = '\uFEFF';

/** @param what said in the message, e.g. `The edit` */
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

/** The failure of an activity that is not retried is what the run, or the update, fails with. */
export function asOwnFailure(error: unknown): unknown {
  const cause = error instanceof ActivityFailure ? error.cause : undefined;
  if (!(cause instanceof ApplicationFailure) || cause.nonRetryable !== true) return error;
  return ApplicationFailure.nonRetryable(cause.message, cause.type, ...(cause.details ?? []));
}

/** Runs a step for an update, which fails as {@link asOwnFailure} says. */
export async function failingAsItself<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw asOwnFailure(error);
  }
}

export function checkDepth(input: unknown): Problem[] {
  return isDeeperThan(input, MAX_LEVELS) ? [{ path: '', message: `the input has more than ${MAX_LEVELS} levels` }] : [];
}

export function checkEdit(edit: unknown): Problem[] {
  if (!isRecord(edit)) return [{ path: '', message: 'the input is no JSON object' }];
  if (Object.keys(edit).join() === 'id') {
    return typeof edit['id'] === 'string' ? [] : [{ path: 'id', message: 'is not the id of an edit' }];
  }
  const { text, key, ...others } = edit;
  return [...checkText(text), ...checkWords('key', key, 1, MAX_KEY_CHARACTERS), ...unknownFields(others)];
}

export function checkWaitFor(request: unknown): Problem[] {
  if (!isRecord(request)) return [{ path: '', message: 'the input is no JSON object' }];
  const { state, timeoutMs, ...others } = request;
  const problems = unknownFields(others);
  if (typeof state !== 'string' || !WAITABLE_STATES.includes(state)) {
    const given = state === undefined ? 'is missing' : `${JSON.stringify(state)} is no state`;
    problems.unshift({ path: 'state', message: `${given}: give one of ${WAITABLE_STATES.join(', ')}` });
  }
  const isTime =
    typeof timeoutMs === 'number' && Number.isInteger(timeoutMs) && timeoutMs >= 0 && timeoutMs <= MAX_WAIT_MS;
  if (timeoutMs !== undefined && !isTime) {
    problems.push({ path: 'timeoutMs', message: `is no whole number from 0 to ${MAX_WAIT_MS}` });
  }
  return problems;
}

export function unknownFields(others: Readonly<Record<string, unknown>>): Problem[] {
  return Object.keys(others).map((path) => ({ path, message: 'is not a known field' }));
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

function checkText(text: unknown): Problem[] {
  const path = 'text';
  if (typeof text !== 'string' || text === '') return [{ path, message: 'is missing: give the whole new text' }];
  const problems: Problem[] = [];
  if (text.length > MAX_TEXT_CHARACTERS) {
    problems.push({ path, message: `has ${text.length} characters, at most ${MAX_TEXT_CHARACTERS} are allowed` });
  }
  if (UNSENDABLE.test(text)) problems.push({ path, message: UNSENDABLE_WORDS });
  if (text.startsWith(BYTE_ORDER_MARK)) problems.push({ path, message: 'begins with a byte order mark' });
  return problems;
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1));
}

const REVIEW_STATUS = /^[A-Z][A-Z_]{0,63}$/;

export function checkReview(review: unknown): Problem[] {
  if (!isRecord(review)) return [{ path: '', message: 'the input is no JSON object' }];
  const { status, reason, templateId, ...others } = review;
  const isWord = typeof status === 'string' && REVIEW_STATUS.test(status);
  return [
    ...(isWord ? [] : [{ path: 'status', message: 'is no word of a review, e.g. APPROVED' }]),
    ...checkWords('reason', reason, 0, MAX_REASON_CHARACTERS),
    ...checkWords('templateId', templateId, 1, Infinity),
    ...unknownFields(others),
  ];
}

function checkWords(path: string, words: unknown, least: number, most: number): Problem[] {
  if (words === undefined) return [];
  const isText = typeof words === 'string' && words.length >= least && words.length <= most && !UNSENDABLE.test(words);
  return isText
    ? []
    : [{ path, message: `is no text of ${least}${most === Infinity ? ' or more' : ` to ${most}`} characters` }];
}

export function checkCampaign(input: unknown): Problem[] {
  if (!isRecord(input)) return [{ path: '', message: 'the input is no JSON object' }];
  const { campaignId, progress, ...others } = input;
  return [
    ...(typeof campaignId === 'string' && isCampaignId(campaignId)
      ? []
      : [{ path: 'campaignId', message: 'is no id of a campaign' }]),
    ...(progress === undefined || (isRecord(progress) && progress['id'] === campaignId && isRecord(progress['counts']))
      ? []
      : [{ path: 'progress', message: 'is for the runs that everpost starts itself: leave it out' }]),
    ...unknownFields(others),
  ];
}

export function checkChange(change: unknown): Problem[] {
  if (!isRecord(change)) return [{ path: '', message: 'the input is no JSON object' }];
  const { highWater, deadline, name, startAt, ...others } = change;
  const problems = [
    ...unknownFields(others),
    ...checkTime('deadline', deadline),
    ...checkName(name),
    ...checkTime('startAt', startAt),
  ];
  if ([highWater, deadline, name, startAt].every((given) => given === undefined)) {
    problems.push({ path: '', message: 'give highWater, deadline, name or startAt; a new text goes by the HTTP API' });
  }
  const isMark = Number.isInteger(highWater) && Number(highWater) >= 1 && Number(highWater) <= MAX_HIGH_WATER;
  if (highWater !== undefined && !isMark) {
    problems.push({ path: 'highWater', message: `is no whole number from 1 to ${MAX_HIGH_WATER}` });
  }
  return problems;
}

function checkName(name: unknown): Problem[] {
  const breaks = typeof name === 'string' && BREAKS_LINE.test(name);
  return [
    ...checkWords('name', name, 1, MAX_CAMPAIGN_NAME_CHARACTERS),
    ...(breaks ? [{ path: 'name', message: BREAKS_LINE_WORDS }] : []),
  ];
}

/** @param order  the last argument of a command: the newest command that its sender knows of; may be left out */
export function checkCommand(order: unknown): Problem[] {
  if (order === undefined || order === null) return [];
  if (!isRecord(order)) return [{ path: '', message: 'the last argument is no JSON object' }];
  const { after, ...others } = order;
  const isSequence = after === undefined || (typeof after === 'number' && Number.isSafeInteger(after) && after >= 0);
  const problems = unknownFields(others);
  if (!isSequence) problems.push({ path: 'after', message: 'is no commandSequence of a campaign, a whole number' });
  return problems;
}

export function checkRetry(retry: unknown): Problem[] {
  if (!isRecord(retry)) return [{ path: '', message: 'the input is no JSON object' }];
  const { scopes, reasons, maySendTwice, deadline, ...others } = retry;
  const problems = [...unknownFields(others), ...checkTime('deadline', deadline)];
  const areScopes = isListOfTexts(scopes) && scopes.every((scope) => RETRY_SCOPES.some((known) => known === scope));
  if (!areScopes) problems.push({ path: 'scopes', message: `is a list of one or more of ${RETRY_SCOPES.join(', ')}` });
  if (reasons !== undefined && !isListOfTexts(reasons)) {
    problems.push({ path: 'reasons', message: 'is a list of one or more texts' });
  }
  if (maySendTwice !== undefined && typeof maySendTwice !== 'boolean') {
    problems.push({ path: 'maySendTwice', message: 'is true or false' });
  }
  if (maySendTwice === true && areScopes && !scopes.includes('unknown')) {
    problems.push({ path: 'maySendTwice', message: 'is about the scope unknown, which is not asked for' });
  }
  return problems;
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function checkTime(path: string, time: unknown): Problem[] {
  const isTime = typeof time === 'string' && RFC_3339.test(time) && !Number.isNaN(Date.parse(time));
  const message = 'is no RFC 3339 time, e.g. 2030-01-31T12:00:00Z';
  return time === undefined || isTime ? [] : [{ path, message }];
}

function isListOfTexts(list: unknown): list is string[] {
  return (
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((one) => typeof one === 'string' && one !== '' && !UNSENDABLE.test(one))
  );
}
