import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { z } from 'zod';
import { type AppError, ERROR_NEXT, type ErrorCode, present } from '../contract/index.js';
import type { Shape } from '../contract/schemas.js';

export const problemSchema = z
  .object({
    type: z.string().describe('`urn:everpost:error:<code>`'),
    title: z.string().describe('The code in words'),
    status: z.number().describe('HTTP status'),
    code: z.string().describe('Stable code. docs/errors.md describes each code'),
    detail: z.string().describe('What failed, why, and the remedy'),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('The fields that have a problem'),
    candidates: z
      .array(z.string())
      .optional()
      .describe('Only with ID_AMBIGUOUS: up to 5 ids that begin with the given one'),
    retryAfterMs: z.number().optional().describe('Milliseconds to wait before a retry'),
  })
  .meta({ id: 'Problem', description: 'RFC 9457' });

/** Codes with their own status. Those that end in `_NOT_FOUND` have 404; others follow from what the caller does next. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  API_UNAUTHORIZED: 401,
  AUTHENTICATION_THROTTLED: 429,
  CAMPAIGN_EMPTY: 409,
  CAMPAIGN_ENDED: 409,
  CAMPAIGN_FROZEN: 409,
  CAMPAIGN_INCOMPLETE: 409,
  CAMPAIGN_NOT_STARTED: 409,
  CAMPAIGN_RECIPIENTS_REMOVED: 410,
  CAMPAIGN_REJECTED_LINES: 409,
  CAMPAIGN_STOPPED: 409,
  COMMAND_SUPERSEDED: 409,
  EDIT_NOT_POSSIBLE: 409,
  EDIT_NOT_TEXT: 409,
  IDEMPOTENCY_MISMATCH: 422,
  ID_AMBIGUOUS: 409,
  IMPORT_SUPERSEDED: 409,
  INPUT_TOO_LARGE: 413,
  INSTANCE_NOT_AUTHORIZED: 409,
  KEY_BUSY: 429,
  KEY_EXISTS: 409,
  KEY_FILES_LIMITED: 413,
  KEY_INSTANCES_LIMITED: 403,
  KEY_RATE_LIMITED: 429,
  KEY_SCOPE_MISSING: 403,
  MEDIA_TYPE_UNSUPPORTED: 415,
  POSSIBLE_OPT_OUT_ACCEPTED: 409,
  REQUEST_FORBIDDEN: 403,
  RESOLVE_NOT_POSSIBLE: 409,
  REQUEST_TIMED_OUT: 504,
  SCHEDULE_DELETED: 409,
  SCHEDULE_RUNS_OPEN: 409,
  SCHEDULE_ENDED: 409,
  TEMPLATE_DIFFERS: 409,
  TEMPLATE_NOT_SUBMITTED: 409,
  TEMPORAL_SETUP_NEEDED: 503,
  WEBHOOK_UNVERIFIED: 401,
};
const STATUS_BY_NEXT = { stop: 400, wait: 503, ask: 502, human: 503, bug: 500 } as const;

const DEFAULT_RETRY_AFTER_MS = 5_000;

/** Codes that have status 422 if the request could be parsed and the error names single fields. */
const NAMES_FIELDS: readonly ErrorCode[] = ['INPUT_INVALID', 'INSTANCE_NOT_FOUND'];

export function statusOf({ code, problems = [] }: AppError): number {
  return problems.length > 0 && NAMES_FIELDS.includes(code) ? 422 : defaultStatusOf(code);
}

function defaultStatusOf(code: ErrorCode): number {
  return STATUS[code] ?? (code.endsWith('_NOT_FOUND') ? 404 : STATUS_BY_NEXT[ERROR_NEXT[code]]);
}

/** Every status that responses with this code have, for the OpenAPI document. */
export function statusesOf(code: ErrorCode): readonly number[] {
  return NAMES_FIELDS.includes(code) ? [defaultStatusOf(code), 422] : [defaultStatusOf(code)];
}

/**
 * Responds with the problem. Headers that were set before stay, e.g. the Idempotency-Key.
 * @param status  a status other than the code's own, e.g. 405
 */
export function responseProblem(c: Context, error: AppError, status: number = statusOf(error)): Response {
  const retryAfterMs = error.retryAfterMs ?? (status === 503 ? DEFAULT_RETRY_AFTER_MS : undefined);
  // MESSAGE_NOT_FOUND → "Message not found".
  const words = error.code.replaceAll('_', ' ').toLowerCase();
  const document: Shape<typeof problemSchema> = {
    type: `urn:everpost:error:${error.code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status,
    code: error.code,
    detail: error.message,
    ...present({ errors: error.problems, candidates: error.candidates, retryAfterMs }),
  };
  c.header('Content-Type', 'application/problem+json');
  if (retryAfterMs !== undefined) c.header('Retry-After', String(Math.ceil(retryAfterMs / 1_000)));
  if (status === 401) c.header('WWW-Authenticate', 'Bearer');
  return c.body(JSON.stringify(document), status as ContentfulStatusCode);
}
