/**
 * The API client of commands: the calls of @everpost/client, typed by the routes, with AppErrors and one connection
 * pool.
 */
import { Agent, fetch } from 'undici';
import type { z } from 'zod';
import { AppError, ERROR_NEXT, type Milestone, hasReached, isDecided, isErrorCode } from '../contract/index.js';
import { type CallOf, type CallOptions, EverpostError, createClient } from '../http-client/index.js';
import type { JsonReply, PathParams, Routes, Sent } from '../api/index.js';
import type { MessageView } from '../ledger/index.js';

type RouteName = keyof Routes;

/** The response of a route: its JSON, or its body as a stream. */
export type ApiResponse<Name extends RouteName> =
  Awaited<ReturnType<Routes[Name]['handle']>> extends infer Result
    ? Result extends Response
      ? AsyncIterable<Uint8Array>
      : Result extends JsonReply<number, infer Body>
        ? Body
        : never
    : never;

type GivenQuery<Schema> = Schema extends z.ZodObject
  ? { readonly query?: { readonly [Name in keyof z.input<Schema>]?: string | number | undefined } }
  : unknown;

/** If a route names no body for its refusals, the API validates the whole body, and a caller may pass any value. */
type GivenBody<Schema, Name> = Schema extends z.ZodType
  ? Name extends string
    ? { readonly body: Sent<z.input<Schema>> }
    : { readonly body?: unknown }
  : unknown;

type Given<Name extends RouteName> = PathParams<Routes[Name]['path']> &
  GivenQuery<Routes[Name]['query']> &
  GivenBody<Routes[Name]['body'], Routes[Name]['bodyName']> &
  CallOptions<ApiResponse<Name>>;

/** Every method throws AppError: API_UNREACHABLE without a response, otherwise the code of the API's response. */
export type ApiClient = { readonly [Name in RouteName]: CallOf<Given<Name>, ApiResponse<Name>> } & {
  readonly url: string;
  close(): Promise<void>;
};

export interface ApiClientOptions {
  readonly url: string;
  /** The setting that the address comes from, for messages. */
  readonly origin?: string;
  /** Sent as a Bearer token. */
  readonly apiKey?: { reveal(): string };
}

export function createApiClient({ url, origin, apiKey }: ApiClientOptions): ApiClient {
  // Each request has its own timeout.
  const dispatcher = new Agent({ connect: { timeout: 5_000 }, headersTimeout: 0, bodyTimeout: 0 });
  const client = createClient({
    baseUrl: url,
    apiKey: () => apiKey?.reveal(),
    // An operator reads the error and repeats the command.
    retries: 0,
    fetch: (address, init) => fetch(address, { ...init, dispatcher } as never),
  });
  const calls = Object.entries(client).map(([name, call]) => [
    name,
    async (...given: never[]) => {
      try {
        return await (call as (...given: never[]) => Promise<unknown>)(...given);
      } catch (error) {
        throw error instanceof EverpostError ? appError(error, origin) : error;
      }
    },
  ]);
  return { ...(Object.fromEntries(calls) as ApiClient), url, close: () => dispatcher.close() };
}

function appError(error: EverpostError, origin: string | undefined): AppError {
  const { code, status: httpStatus, errors, candidates, retryAfterMs, key, cause } = error;
  const named = origin === undefined ? '' : ` (${origin})`;
  if (code === 'API_UNREACHABLE') {
    if (httpStatus !== undefined) return new AppError(code, `${error.message} Check EVERPOST_API_URL.`, { httpStatus });
    const again = key === undefined ? '' : ` Repeat the command with --key ${key}: it then takes effect only once.`;
    const message = `${error.message.slice(0, -1)}${named}. Start it: everpost dev (or set EVERPOST_API_URL).${again}`;
    return new AppError('API_UNREACHABLE', message, { cause });
  }
  const known = isErrorCode(code) ? code : 'INTERNAL';
  return new AppError(known, error.message, {
    ...(httpStatus === undefined ? {} : { httpStatus }),
    ...(retryAfterMs !== undefined && ERROR_NEXT[known] === 'wait' ? { retryAfterMs } : {}),
    ...(errors.length > 0 ? { problems: errors } : {}),
    ...(candidates.length > 0 ? { candidates } : {}),
  });
}

/** The known fields of a message: at first its id and state. */
export type MessageResponse = Pick<MessageView, 'id' | 'state'> & Partial<MessageView>;

export type TemplateResponse = ApiResponse<'submitTemplate'>;

/** The state of a template that a command waits for. */
export type TemplateMilestone = 'submitted' | 'decided';

/** A pause of a campaign waits for the POSTs under way, and a retry may update a million recipients. */
export const STEER_WITHIN_MS = 10 * 60_000;

/** Returns the message once it has reached the state or no longer can, or when the time is over. */
export function waitForMessage(api: ApiClient, id: string, wait: Milestone, waitMs: number): Promise<MessageResponse> {
  return api.getMessage({ id, query: { wait }, waitMs, isDone: ({ state }) => hasReached(state, wait) });
}

/** Returns the template once it has reached the state, or when the time is over. */
export function waitForTemplate(
  api: ApiClient,
  { instance, elementName }: { readonly instance: string; readonly elementName: string },
  wait: TemplateMilestone,
  waitMs: number,
): Promise<TemplateResponse> {
  return api.getTemplate({
    instance,
    elementName,
    query: { wait },
    waitMs,
    isDone: (template) => isDecided(template) || (wait === 'submitted' && template.state === 'submitted'),
  });
}
