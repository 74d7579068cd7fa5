/**
 * One request of the API, retried where that is safe.
 *   CLIENT-1  A request is retried only if it reads, or carries an Idempotency-Key: the same for every try.
 *   CLIENT-2  A body that is a stream is sent once.
 */
import type { CallOptions, Loose } from './client-types.js';
import type { Problem } from './openapi-types.js';

export interface ClientOptions {
  /** Where the API is, e.g. `http://127.0.0.1:8080`. */
  readonly baseUrl: string;
  /** Sent as a Bearer token. A function is called for every request, so that a key can be rotated. */
  readonly apiKey?: string | (() => string | undefined | Promise<string | undefined>) | undefined;
  /** How often a request is retried after a lost connection, 429 or 503. @default 2 */
  readonly retries?: number;
  /** @default the one of the platform */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The facts of a route that a request depends on. */
export interface Route {
  readonly method: string;
  readonly path: string;
  readonly takesKey?: true;
  readonly takesLong?: true;
  readonly isStreamed?: true;
}

export interface AnyGiven extends CallOptions {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

export type Ask = (route: Route, given: AnyGiven) => Promise<Answer>;

type Answer = readonly [
  status: number,
  result: unknown,
  /** Set if the API could not wait for a change: when to ask again. */
  retryAfterMs?: number | undefined,
];

/** How long the API waits where a request says nothing of it. */
const SERVER_WAIT_MS = 25_000;
/** Beyond the wait. */
const RESPONSE_MS = 30_000;
const FIRST_DELAY_MS = 250;
const LONGEST_DELAY_MS = 30_000;

/** @returns a function that responds with the HTTP status, and the JSON or the body as it comes in */
export function askWith(options: ClientOptions): Ask {
  const { retries = 2, fetch = (url, init) => globalThis.fetch(url, init) } = options;

  async function askOnce(url: string, route: Route, given: AnyGiven): Promise<Answer> {
    const init = await initOf(options, route, given);
    let response;
    let text;
    try {
      response = await fetch(url, init);
      if (response.ok && route.isStreamed) return [response.status, response.body];
      text = await response.text();
    } catch (cause) {
      given.signal?.throwIfAborted();
      throw new EverpostError(`everpost's API does not answer at ${options.baseUrl}.`, {
        code: 'API_UNREACHABLE',
        key: given.key,
        cause,
      });
    }
    const json = jsonOrNothing(text);
    if (!response.ok || json === undefined) throw errorOf(response, text, given.key);
    return [response.status, json, retryAfterMsOf(response.headers.get('retry-after'))];
  }

  return async (route, given) => {
    const url = urlOf(options.baseUrl, route.path, given);
    const mayRetry = (route.method === 'GET' || given.key !== undefined) && !isStream(given.file?.body);
    for (let retried = 0; ; retried++) {
      try {
        return await askOnce(url, route, given);
      } catch (error) {
        const delayMs = error instanceof EverpostError ? delayBefore(error, retried) : undefined;
        if (!mayRetry || retried >= retries || delayMs === undefined) throw error;
        await sleep(delayMs, given.signal);
      }
    }
  };
}

function isStream(body: unknown): boolean {
  return typeof body === 'object' && body !== null && (Symbol.asyncIterator in body || 'getReader' in body);
}

function urlOf(baseUrl: string, path: string, given: AnyGiven): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value: unknown = Reflect.get(given, name);
    // These parts make another route: a list in place of one of its items. An encoded dot is still a dot in a URL.
    if (typeof value !== 'string' || ['', '.', '..'].includes(value) || /\p{Surrogate}/u.test(value)) {
      const problem = 'must be a text that is not empty, "." or "..", and is valid Unicode';
      throw new EverpostError(`The request is refused: ${name} ${problem}. Nothing was sent.`, {
        code: 'INPUT_INVALID',
        errors: [{ path: name, message: problem }],
      });
    }
    return encodeURIComponent(value);
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given.query ?? {})) {
    if (value !== undefined) query.set(name, String(value));
  }
  const search = query.toString();
  return `${baseUrl.replace(/\/+$/, '')}${filled}${search === '' ? '' : `?${search}`}`;
}

/** On Node 20 a timeout to which only `AbortSignal.any` refers never fires once memory was collected. */
const timeouts = new WeakMap<AbortSignal, AbortSignal>();

function within(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const timeout = AbortSignal.timeout(timeoutMs);
  if (signal === undefined) return timeout;
  const either = AbortSignal.any([signal, timeout]);
  timeouts.set(either, timeout);
  return either;
}

async function initOf({ apiKey }: ClientOptions, route: Route, given: AnyGiven): Promise<RequestInit> {
  const { body, file, key, query, signal } = given;
  const bearer = typeof apiKey === 'function' ? await apiKey() : apiKey;
  const waitMs = Number(query?.['timeoutMs'] ?? SERVER_WAIT_MS);
  const timeoutMs = given.timeoutMs ?? (route.takesLong ? undefined : waitMs + RESPONSE_MS);
  const type = file?.type ?? (body === undefined ? undefined : 'application/json');
  return {
    method: route.method,
    headers: {
      accept: 'application/json',
      ...(type === undefined ? {} : { 'content-type': type }),
      // Where it is known, the API refuses a file that is too large before it is sent.
      ...(file?.sizeBytes === undefined ? {} : { 'content-length': String(file.sizeBytes) }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    signal: timeoutMs === undefined ? (signal ?? null) : within(timeoutMs, signal),
    // A redirected POST would become a GET, and an API key would go to another server.
    redirect: 'error' as const,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(file === undefined ? {} : { body: file.body as RequestInit['body'], duplex: 'half' }),
  } as RequestInit;
}

/** @returns nothing when a retry cannot help */
function delayBefore({ status, retryAfterMs }: EverpostError, retried: number): number | undefined {
  if (status !== undefined && status !== 429 && status !== 503) return undefined;
  const delayMs = Math.max(retryAfterMs ?? 0, FIRST_DELAY_MS * 2 ** retried * (1 + Math.random()));
  return delayMs > LONGEST_DELAY_MS ? undefined : delayMs;
}

export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const abort = () => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller's own reason
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}

/** An error of the API. Without a response, the code is API_UNREACHABLE, or INPUT_INVALID if nothing was sent. */
export class EverpostError extends Error {
  override readonly name = 'EverpostError';
  /** Stable; the errors page of everpost's documents describes each one. */
  readonly code: string;
  /** HTTP status; none when there was no response. */
  readonly status: number | undefined;
  /** The path of every invalid field, e.g. `content.text`, and what is wrong with it. */
  readonly errors: NonNullable<Problem['errors']>;
  /** For ID_AMBIGUOUS: ids that begin with the given one. */
  readonly candidates: readonly string[];
  /** How long the API asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;
  /** Names this request in the API's log. */
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

type EverpostErrorFacts = Pick<EverpostError, 'code'> &
  Loose<Omit<EverpostError, 'code' | 'name' | 'message' | 'stack'>>;

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
