import type { Context } from 'hono';
import type { z } from 'zod';
import type { Caller, ErrorCode, Scope } from '../../contract/index.js';
import type { RouteDependencies } from './route-dependencies.js';

/** `none` asks for no key, `gateway` for the instance's webhook token. */
export type Access = 'none' | 'gateway' | readonly [scope: Scope, reach: Reach];

export type Reach =
  /** No instance. */
  | 'nothing'
  /** The whole installation: a limited key is refused. */
  | 'everything'
  /** The instances that body or query name: handlers see only the key's. */
  | 'named'
  /** `{instance}` or `{name}` in the path. */
  | 'instance'
  /** The object with the `{id}` in the path, or the template with this name. */
  | 'message'
  | 'campaign'
  /** Also one that is not there yet. */
  | 'campaignOrNew'
  | 'schedule'
  | 'template'
  | 'operation'
  | 'job'
  | 'replay'
  | 'eventEndpoint'
  | 'event';

export interface RouteResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Content types of a response that the handler writes itself, as a stream or as a page. */
  readonly rawTypes?: readonly string[];
}

/** The definition of a route: the server, openapi.json and the client follow from it. */
export interface RouteDefinition<
  Path extends string = string,
  Query extends z.ZodObject | undefined = z.ZodObject | undefined,
  Body extends z.ZodType | undefined = z.ZodType | undefined,
  BodyName extends string | undefined = string | undefined,
  Key extends true | undefined = true | undefined,
  Responses = Readonly<Record<number, RouteResponse>>,
> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With OpenAPI's braces: `/v1/messages/{id}`. */
  readonly path: Path;
  readonly summary: string;
  readonly description?: string;
  readonly query?: Query;
  readonly body?: Body;
  /**
   * Names the body in a refusal, e.g. `The edit of {id}`. Without it the handler gets the JSON unchecked, and names
   * the problems of the schema together with those that only it can see.
   */
  readonly bodyName?: BodyName;
  /** Content types of a body that the handler reads as it comes in, besides a JSON one, and what it holds. */
  readonly rawBodies?: Readonly<Record<string, string>>;
  /** Begins work: takes an Idempotency-Key. */
  readonly takesKey?: Key;
  /** Goes through a whole audience, or through a file of any size. */
  readonly takesLong?: true;
  /** By HTTP status. On a route with `timeoutMs`, 202 means: not ended yet, repeat the request. */
  readonly responses: Responses;
  /** Codes of its own, besides those any route may answer. */
  readonly problems: readonly ErrorCode[];
  /** The scope and reach that an API key needs. */
  readonly access: Access;
  /** False where the change itself records who asked: then only what is refused for its scope is in the audit list. */
  readonly isAudited?: false;
}

/** The request as its handler gets it: everything that the route declares, read and checked. */
export interface RouteRequest<Params, Query, Body, Key> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The caller's Idempotency-Key, or a new one. */
  readonly key: Key;
  readonly caller: Caller;
  readonly c: Context;
}

export interface ReplyHeaders {
  readonly location?: string;
  /** True when an earlier request had begun it. */
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

/** A value as a schema describes it, read-only. */
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

/** One route, complete: the types of its handler follow from its schemas. */
export function route<
  const Path extends string,
  const Responses extends Readonly<Record<number, RouteResponse>>,
  Result extends Replies<Responses>,
  Query extends z.ZodObject | undefined = undefined,
  Body extends z.ZodType | undefined = undefined,
  const BodyName extends string | undefined = undefined,
  Key extends true | undefined = undefined,
>(
  definition: RouteDefinition<Path, Query, Body, BodyName, Key, Responses> & {
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
  return definition as typeof definition & {
    readonly query: Query;
    readonly body: Body;
    readonly bodyName: BodyName;
  };
}

/** Puts values in place of the names in braces. */
export function fillPath(path: string, valueOf: (name: string) => string): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => valueOf(name));
}
