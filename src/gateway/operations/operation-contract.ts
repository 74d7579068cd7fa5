import type { z } from 'zod';

/** The contract of one gateway operation. The table in the contract module has its verb, durability and beta state. */
export interface OperationContract<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** For help and OpenAPI. It says if the operation is beta or deprecated. */
  readonly description: string;
  /** Has every documented limit and refuses unknown fields, so that a misspelled field is an error. */
  readonly request: Request;
  /** Converts another form of the request, which documents show too, before it is checked. */
  asDocumented?(request: unknown): unknown;
  /**
   * Strict for fields that everpost relies on. Others are passed on unchanged. Times are added under names with their
   * unit.
   */
  readonly response: Response;
  /** Requests per second of one instance. The instance's `rateLimits` overrides it. */
  readonly perSecond: number;
  /** The path segment before `waInstance…`. The instance's `paths` overrides it. */
  readonly pathPrefix?: string;
  /** The body in the gateway's form, if it differs from the request. */
  toWire?(request: z.output<Request>): unknown;
  /** A body that is not JSON. The size limit of JSON does not apply to it. */
  toRawBody?(request: z.output<Request>): {
    readonly bytes: Uint8Array;
    /** `content-type` and other headers of the operation. */
    readonly headers: Readonly<Record<string, string>>;
  };
  /** Whether the request goes to the instance's `mediaUrl`. */
  readonly onMediaHost?: true;
  /** The path segment after the token, if any. */
  pathAfterToken?(request: z.output<Request>): string;
  /** How long the gateway may delay its response on purpose, in addition to the HTTP timeout. */
  holdsMs?(request: z.output<Request>): number;
  /** Warnings about values that the gateway accepts but advises against. */
  warnings?(request: z.output<Request>): string[];
  /** The chats that the request reaches, for `allowedRecipients`. Absent if it reaches no recipient. */
  reaches?(request: z.output<Request>): readonly string[] | 'everyone';
  /** The text of a rejection inside a 200, if it is one. */
  rejectionIn200?(raw: unknown): string | undefined;
}

/** Checks a contract against the common shape and keeps its precise types. */
export function operation<Request extends z.ZodType, Response extends z.ZodType>(
  contract: OperationContract<Request, Response>,
): OperationContract<Request, Response> {
  return contract;
}
