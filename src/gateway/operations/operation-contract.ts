import type { z } from 'zod';

interface RawBody {
  readonly bytes: Uint8Array;
  /** `content-type`, and others that the operation takes. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Everything the client knows about one gateway operation. The contract module's table has verb, durability and beta.
 */
export interface OperationContract<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** For help and OpenAPI; says beta or deprecated in words where it is so. */
  readonly description: string;
  /** Every documented limit, and no other field: a mistyped one must not be ignored. */
  readonly request: Request;
  /**
   * Strict for fields that everpost relies on; others are kept as they are. Times are added under names with their
   * unit.
   */
  readonly response: Response;
  /** Requests a second that one instance may make; an instance's `rateLimits` overrides it. */
  readonly perSecond: number;
  /** Path segment before `waInstance…`; an instance's `paths` overrides it. */
  readonly pathPrefix?: string;
  /** The body as the gateway wants it, where that differs from the request. */
  toWire?(request: z.output<Request>): unknown;
  /** The body as it goes over the wire, where that is no JSON; the limit on the size of JSON is not its own. */
  toRawBody?(request: z.output<Request>): RawBody;
  /** Served by the instance's `mediaUrl`. */
  readonly onMediaHost?: true;
  /** The path segment behind the token, if any. */
  pathAfterToken?(request: z.output<Request>): string;
  /** How long the gateway may hold its response back on purpose; that comes on top of the HTTP timeout. */
  holdsMs?(request: z.output<Request>): number;
  /** Values that the gateway advises against but accepts. */
  warnings?(request: z.output<Request>): string[];
  /** Chats that the request reaches, for `allowedRecipients`. Absent: it reaches no recipient. */
  reaches?(request: z.output<Request>): readonly string[] | 'everyone';
  /** Finds a refusal inside a 200. */
  refusalIn200?(raw: unknown): string | undefined;
}

/** Keeps the precise types of one contract while checking it against the common shape. */
export function operation<Request extends z.ZodType, Response extends z.ZodType>(
  contract: OperationContract<Request, Response>,
): OperationContract<Request, Response> {
  return contract;
}
