/** The types of each route's method, from those that are made from openapi.json. */
import type { operations } from './openapi-types.js';
import type { ROUTES } from './routes.js';

export type RouteName = keyof typeof ROUTES & keyof operations;

type JsonContent<Holder> = Holder extends { readonly content: { readonly 'application/json': infer Json } }
  ? Json
  : never;

type Successes<Responses> = { [Status in keyof Responses & (200 | 201 | 202)]: JsonContent<Responses[Status]> };

/** The response of a route: its JSON, or its body as it comes in. */
export type ApiResponse<Name extends RouteName> = (typeof ROUTES)[Name] extends { readonly isStreamed: true }
  ? ReadableStream<Uint8Array>
  : Successes<operations[Name]['responses']>[keyof Successes<operations[Name]['responses']>];

/** A file in place of a JSON body. A stream is sent as it is read. */
export interface UploadedFile {
  /** E.g. `text/csv`. */
  readonly type: string;
  readonly body: NonNullable<RequestInit['body']> | AsyncIterable<Uint8Array>;
  readonly sizeBytes?: number | undefined;
}

/** Options of every call, whatever its route. */
export interface CallOptions<Result = unknown> {
  /** In place of a body, where the route takes one. */
  readonly file?: UploadedFile;
  /** Idempotency-Key: the same key and body are the same message, command or job. @default a new one */
  readonly key?: string | undefined;
  /** Repeats the request until the response is final, or for this long. @default one request */
  readonly waitMs?: number | undefined;
  /** Whether a response is final, besides that its status is not 202. @default always */
  readonly isDone?: (result: Result) => boolean;
  /** For one request. @default 30 s beyond the wait that was asked for; none for routes that go through an audience */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

/** Every field may also be undefined, which is the same as left out. */
export type Loose<Fields> = { readonly [Name in keyof Fields]?: Fields[Name] | undefined };

type PathParams<Name extends RouteName> = operations[Name]['parameters'] extends { readonly path: infer Path }
  ? Path
  : unknown;

type QueryParams<Name extends RouteName> = operations[Name]['parameters'] extends { readonly query?: infer Query }
  ? { readonly query?: Loose<Query> }
  : unknown;

type JsonBody<Name extends RouteName> = operations[Name] extends { readonly requestBody: infer Body }
  ? Body extends { readonly content: infer Content }
    ? Exclude<keyof Content, 'application/json'> extends never
      ? { readonly body: JsonContent<Body> }
      : { readonly body?: JsonContent<Body> }
    : unknown
  : operations[Name] extends { readonly requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? unknown
      : { readonly body?: JsonContent<NonNullable<Body>> }
    : unknown;

export type Given<Name extends RouteName> = PathParams<Name> &
  QueryParams<Name> &
  JsonBody<Name> &
  CallOptions<ApiResponse<Name>>;

/** A method, with nothing to give where nothing is needed. */
export type CallOf<Argument, Result> = (
  ...given: object extends Argument ? [given?: Argument] : [given: Argument]
) => Promise<Result>;

/** One method for each route, by its operationId in openapi.json. */
export type Calls = { readonly [Name in RouteName]: CallOf<Given<Name>, ApiResponse<Name>> };
