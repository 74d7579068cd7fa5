import type { Context } from 'hono';
import { z } from 'zod';
import type { Caller, ErrorCode, Scope, TraceContext } from '../contract/index.js';
import type { RouteDependencies } from './route-dependencies.js';

/** `none` requires no key, `gateway` the instance's webhook token, `any` a key with any scope. */
export type Access = 'none' | 'gateway' | 'any' | readonly [scope: Scope, reach: Reach];

export type Reach =
  /** No instance. */
  | 'nothing'
  /** The whole installation: a limited key is refused. */
  | 'everything'
  /** The instances in the body or the query: the handler sees only those of the key. */
  | 'named'
  /** `{instance}` or `{name}` in the path. */
  | 'instance'
  /** The object with the `{id}` in the path, or the template with the `{elementName}`. */
  | 'message'
  | 'campaign'
  /** Also an object that does not exist yet. */
  | 'campaignOrNew'
  | 'schedule'
  | 'template'
  | 'operation'
  | 'job'
  | 'replay'
  | 'eventEndpoint'
  | 'possibleOptOut'
  | 'event';

export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Content types of a response that the handler writes itself, as a stream or as a page. */
  readonly rawTypes?: readonly string[];
}

/** What a route takes, does and returns. The server, openapi.json and the client are derived from it. */
export interface Definition<
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  BodyName extends string | undefined = string | undefined,
  Key extends true | undefined = true | undefined,
  Responses = Readonly<Record<number, RouteResponse>>,
> {
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Names the body in an error, e.g. `The edit of {id}`. Without it the handler gets the unchecked JSON, and reports
   * the schema's problems together with its own.
   */
  readonly bodyName?: BodyName;
  /** A request without a body is one with an empty object. */
  readonly mayOmitBody?: true;
  /** Content types of a body that the handler reads as a stream, besides a JSON body, and their contents. */
  readonly rawBodies?: Readonly<Record<string, string>>;
  /** The request begins work: it has an Idempotency-Key. */
  readonly takesKey?: Key;
  /** The request reads a whole audience or a file of any size, or waits for the gateway. */
  readonly takesLong?: true;
  /** By HTTP status. On a route with `timeoutMs`, 202 means: not ended yet, repeat the request. */
  readonly responses: Responses;
  /**
   * Error codes of the route, besides those of every route, and of every route with a body, a query or a key.
   * @default none
   */
  readonly problems?: readonly ErrorCode[];
  /** The scope and reach that an API key needs. */
  readonly access: Access;
  /** A second scope, for a request that changes something and whose response shows texts or numbers of others. */
  readonly alsoNeeds?: Scope;
  /** False if the change itself records its requester. Then the audit list has only requests without the scope. */
  readonly isAudited?: false;
}

export interface RouteDefinition extends Definition {
  readonly method: Lowercase<Method>;
  /** In OpenAPI's notation: `/v1/messages/{id}`. */
  readonly path: string;
}

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The request as its handler gets it: everything that the route declares, parsed and checked. */
export interface RouteRequest<Params, Query, Body, Key> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The caller's Idempotency-Key as one of its API key, or a new one. */
  readonly key: Key;
  readonly caller: Caller;
  /** Of its span. Undefined if that is not sampled. */
  readonly trace: TraceContext | undefined;
  readonly c: Context;
}

export interface ReplyHeaders {
  readonly location?: string;
  /** True if an earlier request had begun it. */
  readonly isReplay?: boolean;
}

export interface JsonReply<Status, Body> extends ReplyHeaders {
  readonly status: Status;
  readonly body: Body;
}

export function reply<Status extends number, Body>(
  status: Status,
  body: Body,
  headers: ReplyHeaders = {},
): JsonReply<Status, Body> {
  return { ...headers, status, body };
}

export interface Route extends RouteDefinition {
  handle(
    // oxlint-disable-next-line typescript/no-explicit-any -- each handler has its own
    request: RouteRequest<any, any, any, any>,
    dependencies: RouteDependencies,
  ): Promise<Response | JsonReply<number, unknown>>;
}

/** The parts of a path in braces. */
export type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [Key in Name]: string } & PathParams<Rest>
  : unknown;

/** The read-only type of a value that the schema describes. */
export type Sent<Value> = Value extends readonly (infer Item)[]
  ? readonly Sent<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Sent<Value[Key]> }
    : Value;

type Replies<Responses> = {
  [Status in keyof Responses]: Responses[Status] extends { readonly rawTypes: readonly string[] }
    ? Response
    : Responses[Status] extends { readonly schema: infer Schema extends z.ZodType }
      ? JsonReply<Status, Sent<z.output<Schema>>>
      : Response;
}[keyof Responses];

type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** Defines a route, e.g. `GET /v1/messages/{id}`: the types of its handler are derived from its path and schemas. */
export function route<
  const Path extends string,
  const Responses extends Readonly<Record<number, RouteResponse>>,
  Result extends Replies<Responses>,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  const BodyName extends string | undefined = undefined,
  Key extends true | undefined = undefined,
>(
  endpoint: `${Method} ${Path}`,
  definition: Definition<Query, Body, BodyName, Key, Responses> & {
    handle(
      request: RouteRequest<
        PathParams<Path>,
        Output<Query>,
        BodyName extends string ? Output<Body> : unknown,
        Key extends true ? string : undefined
      >,
      dependencies: RouteDependencies,
    ): Promise<Result>;
  },
) {
  const [method, path] = endpoint.split(' ') as [Method, Path];
  return { method: method.toLowerCase(), path, ...definition } as typeof definition & {
    readonly method: Lowercase<Method>;
    readonly path: Path;
    readonly query: Query;
    readonly body: Body;
    readonly bodyName: BodyName;
  };
}

/** Replaces the names in braces with values. */
export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
}

/** One page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item, id: string) {
  return z.object({ items: z.array(item), cursor: z.string().optional() }).meta({ id });
}

/** The responses of a route that lists its items page by page. */
export function onePage<Item extends z.ZodType>(
  item: Item,
  id: string,
  description = 'One page; `cursor` leads to the next',
) {
  return { 200: { description, schema: pageOf(item, id) } };
}

/** The longest wait of a request. A caller that waits longer repeats the request. */
const MAX_WAIT_MS = 60_000;

/** Less than proxies usually wait for a response. */
export const WAIT_MS = 25_000;

/** `timeoutMs` of every route that waits. */
export function waitMs(defaultMs = WAIT_MS) {
  return z.coerce
    .number()
    .int()
    .min(0)
    .transform((timeoutMs) => Math.min(timeoutMs, MAX_WAIT_MS))
    .default(defaultMs)
    .describe(`How long the request waits, in milliseconds, at most ${MAX_WAIT_MS}. Default: ${defaultMs}`);
}

/**
 * The query of a route that waits on request.
 * @param what  e.g. `the campaign has ended`
 */
export function waitQuery<const Waits extends readonly string[]>(waits: Waits, what: string) {
  const description = `Wait until ${what}. After \`timeoutMs\` the response shows its current state`;
  return z.strictObject({ wait: z.enum(waits).optional().describe(description), timeoutMs: waitMs() });
}

/** The query parameter of lists whose objects belong to instances. */
export const instanceFilter = z.string().exactOptional().describe('Only objects of this instance. Default: all');
