import type { Problem } from './openapi-types.js';

/** What went wrong, as the API said it; without a response, the code is API_UNREACHABLE. */
export class EverpostError extends Error {
  override readonly name = 'EverpostError';
  /** Stable; the errors page of everpost's documents describes each one. */
  readonly code: string;
  /** HTTP status; none when there was no response. */
  readonly status: number | undefined;
  /** The path of every invalid field, e.g. `content.text`, and what is wrong with it. */
  readonly errors: NonNullable<Problem['errors']>;
  /** Of ID_AMBIGUOUS: ids that begin with the given one. */
  readonly candidates: readonly string[];
  /** How long the API asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;
  /** What the API calls this request in its log. */
  readonly requestId: string | undefined;
  /** The Idempotency-Key of the request: asking again with it never does it twice. */
  readonly key: string | undefined;

  constructor(message: string, facts: EverpostErrorFacts) {
    super(message, { cause: facts.cause });
    this.code = facts.code;
    this.status = facts.status;
    this.errors = facts.errors ?? [];
    this.candidates = facts.candidates ?? [];
    this.retryAfterMs = facts.retryAfterMs;
    this.requestId = facts.requestId;
    this.key = facts.key;
  }
}

interface EverpostErrorFacts {
  readonly code: string;
  readonly status?: number | undefined;
  readonly errors?: Problem['errors'] | undefined;
  readonly candidates?: readonly string[] | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly requestId?: string | undefined;
  readonly key?: string | undefined;
  readonly cause?: unknown;
}

/** The error that a response other than 2xx describes, or 2xx without JSON. */
export function errorOf(response: Response, text: string, key: string | undefined): EverpostError {
  const { status, headers } = response;
  const problem = jsonOrNothing(text) as Partial<Problem> | null | undefined;
  const facts = { status, key, requestId: headers.get('x-request-id') ?? undefined };
  if (typeof problem?.code !== 'string') {
    const retryAfterMs = retryAfterMsOf(headers.get('retry-after'));
    return new EverpostError(`What answers at ${response.url} is not everpost's API (HTTP ${status}).`, {
      ...facts,
      code: 'API_UNREACHABLE',
      retryAfterMs,
    });
  }
  const { code, errors, candidates, retryAfterMs } = problem;
  const message = problem.detail ?? problem.title ?? `The API answered ${status}.`;
  return new EverpostError(message, { ...facts, code, errors, candidates, retryAfterMs });
}

/** Seconds only: a date depends on the clock of whatever proxy wrote it. */
function retryAfterMsOf(header: string | null): number | undefined {
  return header !== null && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined;
}

export function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
