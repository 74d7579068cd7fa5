import type { Readable } from 'node:stream';
import { Agent, fetch, type Response } from 'undici';
import { AppError, ERROR_NEXT, isErrorCode, parseJson, type Problem } from '../contract/index.js';

export interface ApiClientOptions {
  readonly url: string;
  /** Who named the address, for messages. */
  readonly origin?: string;
  /** Sent as a Bearer token. */
  readonly apiKey?: { reveal(): string };
}

export interface Asked {
  readonly body?: unknown;
  /** In place of a JSON body, sent as it is read. */
  readonly stream?: { readonly type: string; readonly body: Readable; readonly sizeBytes?: number | undefined };
  readonly key?: string;
  readonly query?: Readonly<Record<string, string>>;
  /** @default a minute; 0: as long as it takes */
  readonly timeoutMs?: number;
}

/**
 * Requests to the HTTP API. Both throw AppError: API_UNREACHABLE when nothing answers, else the code that the API
 * answered with.
 */
export interface ApiRequests {
  readonly url: string;
  ask<Result>(method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, given?: Asked): Promise<Result>;
  /** The body of a response that is no JSON, as it comes in. */
  fetchBody(path: string, query?: Asked['query']): Promise<AsyncIterable<Uint8Array>>;
  close(): Promise<void>;
}

/** The longest wait that the API grants, and then some for the response. */
const RESPONSE_MS = 55_000;

export function createApiRequests({ url, origin, apiKey }: ApiClientOptions): ApiRequests {
  // How long a response may take is said with each request.
  const dispatcher = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 0, bodyTimeout: 0 });

  async function request(method: string, path: string, given: Asked): Promise<Response> {
    const { body, stream, key, timeoutMs = RESPONSE_MS } = given;
    const query = new URLSearchParams(given.query).toString();
    return fetch(`${url}${path}${query === '' ? '' : `?${query}`}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(stream === undefined ? {} : { 'content-type': stream.type }),
        // Told where it is known: the API refuses a file that is too large before it is on its way.
        ...(stream?.sizeBytes === undefined ? {} : { 'content-length': String(stream.sizeBytes) }),
        ...(key === undefined ? {} : { 'idempotency-key': key }),
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey.reveal()}` }),
      },
      dispatcher,
      ...(timeoutMs === 0 ? {} : { signal: AbortSignal.timeout(timeoutMs) }),
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(stream === undefined ? {} : { body: stream.body, duplex: 'half' }),
    });
  }

  return {
    url,

    async ask<Result>(...[method, path, given = {}]: Parameters<ApiRequests['ask']>): Promise<Result> {
      let response;
      let text;
      try {
        response = await request(method, path, given);
        text = await response.text();
      } catch (error) {
        throw unreachable({ url, origin }, error, given.key);
      }
      const json = jsonOrNothing(text);
      if (!response.ok || json === undefined) throw refusal(url, response.status, json);
      return json as Result;
    },

    async fetchBody(path, query = {}) {
      let response;
      try {
        response = await request('GET', path, { timeoutMs: 0, query });
        if (!response.ok) throw refusal(url, response.status, jsonOrNothing(await response.text()));
      } catch (error) {
        throw error instanceof AppError ? error : unreachable({ url, origin }, error, undefined);
      }
      return (response.body ?? []) as AsyncIterable<Uint8Array>;
    },

    close: () => dispatcher.close(),
  };
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
