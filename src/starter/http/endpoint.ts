import type { z } from 'zod';
import type { ErrorCode } from '../../contract/index.js';

export interface EndpointResponse {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Content types of a response that is no JSON. */
  readonly rawTypes?: readonly string[];
}

export interface Endpoint {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** With OpenAPI's braces: `/v1/messages/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** Content types of a body that is taken as it is, besides a JSON one, and what it holds. */
  readonly rawBodies?: Readonly<Record<string, string>>;
  /** Begins work: takes an Idempotency-Key. */
  readonly takesKey?: true;
  /** Goes through a whole audience, or through a file of any size. */
  readonly takesLong?: true;
  /** By HTTP status. */
  readonly responses: Readonly<Record<number, EndpointResponse>>;
  /** Codes of its own, besides those any route may answer. */
  readonly problems: readonly ErrorCode[];
  /** @default 'api': a Bearer token where the API has some. `gateway`: the instance's webhook token. */
  readonly auth?: 'none' | 'gateway';
}
