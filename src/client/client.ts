/**
 * The HTTP API as a client sees it: one method for each route, typed by the route itself. At run time it knows only the
 * generated table of routes, so that a command does not load the server.
 */
import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { Agent, fetch, type Response as HttpResponse } from 'undici';
import type { z } from 'zod';
import { AppError, ERROR_NEXT, isErrorCode, parseJson, type Problem } from '../contract/index.js';
import type { JsonReply, PathParams, Routes, Sent } from '../starter/index.js';
import { ROUTES } from './routes.js';

/** What of a route a request depends on. */
interface Route {
  readonly method: string;
  readonly path: string;
  readonly takesKey?: true;
  readonly takesLong?: true;
  readonly isStreamed?: true;
}

type RouteName = keyof Routes;

/** What a route answers: its JSON, or its body as it comes in. */
export type ApiResponse<Name extends RouteName> =
  Awaited<ReturnType<Routes[Name]['handle']>> extends infer Result
    ? Result extends Response
      ? AsyncIterable<Uint8Array>
      : Result extends JsonReply<number, infer Body>
        ? Body
        : never
    : never;

/** A file in place of a JSON body, sent as it is read. */
export interface UploadedFile {
  readonly type: string;
  readonly body: Readable;
  readonly sizeBytes?: number | undefined;
}

type Query = Readonly<Record<string, string | number | undefined>>;

type GivenQuery<Schema> = Schema extends z.ZodObject
  ? { readonly query?: { readonly [Name in keyof z.input<Schema>]?: string | number | undefined } }
  : unknown;

/** Without a name for its refusals, the API checks the body as a whole, and a caller may pass on whatever it was given. */
type GivenBody<Schema, Name> = Schema extends z.ZodType
  ? Name extends string
    ? { readonly body: Sent<z.input<Schema>> }
    : { readonly body?: unknown }
  : unknown;

interface CallOptions<Result> {
  /** In place of a body. */
  readonly file?: UploadedFile;
  /** The caller's own, so that the request can be repeated. @default a new one, where the route takes one */
  readonly key?: string | undefined;
  /** Asks again until the response is final, or for this long. @default asks once */
  readonly waitMs?: number | undefined;
  /** Whether a response is final, besides that its status is not 202. @default always */
  readonly isDone?: (result: Result) => boolean;
}

type Given<Name extends RouteName> = PathParams<Routes[Name]['path']> &
  GivenQuery<Routes[Name]['query']> &
  GivenBody<Routes[Name]['body'], Routes[Name]['bodyName']> &
  CallOptions<ApiResponse<Name>>;

type Call<Name extends RouteName> = (
  ...given: object extends Given<Name> ? [given?: Given<Name>] : [given: Given<Name>]
) => Promise<ApiResponse<Name>>;

/**
 * Every method throws AppError: API_UNREACHABLE when nothing answers, else the code that the API answered with.
 */
export type ApiClient = { readonly [Name in RouteName]: Call<Name> } & {
  readonly url: string;
  close(): Promise<void>;
};

export interface ApiClientOptions {
  readonly url: string;
  /** Who named the address, for messages. */
  readonly origin?: string;
  /** Sent as a Bearer token. */
  readonly apiKey?: { reveal(): string };
}

/** What every call may be given, whatever its route. */
interface AnyGiven extends CallOptions<unknown> {
  readonly query?: Query;
  readonly body?: unknown;
}

/** The API answers a wait within this time; longer ones are asked again. */
const ONE_WAIT_MS = 25_000;
/** The longest wait that the API grants, and then some for the response. */
const RESPONSE_MS = 55_000;

export function createApiClient({ url, origin, apiKey }: ApiClientOptions): ApiClient {
  // How long a response may take is said with each request.
  const dispatcher = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 0, bodyTimeout: 0 });

  async function send(route: Route, given: AnyGiven): Promise<HttpResponse> {
    const { body, file, key } = given;
    const path = route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(Reflect.get(given, name))),
    );
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(given.query ?? {})) {
      if (value !== undefined) query.set(name, String(value));
    }
    return fetch(`${url}${path}${query.size === 0 ? '' : `?${query.toString()}`}`, {
      method: route.method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(file === undefined ? {} : { 'content-type': file.type }),
        // Told where it is known: the API refuses a file that is too large before it is on its way.
        ...(file?.sizeBytes === undefined ? {} : { 'content-length': String(file.sizeBytes) }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
      },
      dispatcher,
      ...(route.takesLong === true ? {} : { signal: AbortSignal.timeout(RESPONSE_MS) }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(file === undefined ? {} : { body: file.body, duplex: 'half' }),
    });
  }

  /** @returns the HTTP status, and the JSON or the body as it comes in */
  async function ask(route: Route, given: AnyGiven): Promise<readonly [status: number, result: unknown]> {
    let response;
    let text;
    try {
      response = await send(route, given);
      if (response.ok && route.isStreamed) return [response.status, response.body ?? []];
      text = await response.text();
    } catch (error) {
      throw unreachable({ url, origin }, error, given.key);
    }
    const json = jsonOrNothing(text);
    if (!response.ok || json === undefined) throw refusal(url, response.status, json);
    return [response.status, json];
  }

  async function call(route: Route, given: AnyGiven = {}): Promise<unknown> {
    const { waitMs, isDone = () => true, key = route.takesKey && randomUUID() } = given;
    if (waitMs === undefined) return (await ask(route, { ...given, key }))[1];
    const endMs = performance.now() + waitMs;
    for (;;) {
      const timeoutMs = Math.min(Math.max(0, Math.round(endMs - performance.now())), ONE_WAIT_MS);
      const [status, result] = await ask(route, { ...given, key, query: { ...given.query, timeoutMs } });
      if ((status !== 202 && isDone(result)) || performance.now() >= endMs) return result;
    }
  }

  const calls = Object.entries<Route>(ROUTES).map(([name, route]) => [name, (given?: AnyGiven) => call(route, given)]);
  return { ...(Object.fromEntries(calls) as ApiClient), url, close: () => dispatcher.close() };
}

function refusal(url: string, status: number, json: unknown): AppError {
  return problemOf(json, status) ?? invalidResponse(url, status);
}

function unreachable(
  { url, origin }: { readonly url: string; readonly origin: string | undefined },
  cause: unknown,
  key: string | undefined,
): AppError {
  const named = origin === undefined ? '' : ` (${origin})`;
  const again = key === undefined ? '' : ` Asking again with --key ${key} never does it twice.`;
  return new AppError(
    'API_UNREACHABLE',
    `everpost's API does not answer at ${url}${named}. Start it: everpost dev (or set EVERPOST_API_URL).${again}`,
    { cause },
  );
}

function invalidResponse(url: string, status: number): AppError {
  return new AppError(
    'API_UNREACHABLE',
    `What answers at ${url} is not everpost's API (HTTP ${status}). Check EVERPOST_API_URL.`,
    { httpStatus: status },
  );
}

/** A response of RFC 9457 as the error it describes. */
function problemOf(json: unknown, status: number): AppError | undefined {
  if (typeof json !== 'object' || json === null || !('code' in json)) return undefined;
  const { code, detail, title, errors, candidates, retryAfterMs } = json as Record<string, unknown>;
  const known = isErrorCode(code) ? code : 'INTERNAL';
  const message = [detail, title].find((words): words is string => typeof words === 'string' && words !== '');
  return new AppError(known, message ?? `The API answered ${status}.`, {
    httpStatus: status,
    ...(typeof retryAfterMs === 'number' && ERROR_NEXT[known] === 'wait' ? { retryAfterMs } : {}),
    ...(Array.isArray(errors) ? { problems: errors as Problem[] } : {}),
    ...(Array.isArray(candidates) ? { candidates: candidates.map(String) } : {}),
  });
}

function jsonOrNothing(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
