import type { z } from 'zod';

/**
 * Everything the client knows of one gateway operation. Verb, durability and beta stand in the contract module's table.
 */
export interface OperationContract<Request extends z.ZodType = z.ZodType, Response extends z.ZodType = z.ZodType> {
  /** For help and OpenAPI; says beta or deprecated in words where it is so. */
  readonly description: string;
  /** Every documented limit, and no field that is not documented: a mistyped one must not vanish. */
  readonly request: Request;
  /**
   * What is relied on is strict, everything else is kept as it came. Times are added under names that say their unit.
   */
  readonly response: Response;
  /** Requests a second that one instance may make; an instance's `rateLimits` overrides it. */
  readonly perSecond: number;
  /** Path segment before `waInstance…`; an instance's `paths` overrides it. */
  readonly pathPrefix?: string;
  /** The body as the gateway wants it, where that differs from the request. */
  toWire?(request: z.output<Request>): unknown;
  /** What the path carries behind the token, where it carries more. */
  pathAfterToken?(request: z.output<Request>): string;
  /** How long the gateway may hold its response back on purpose; that comes on top of the HTTP timeout. */
  holdsMs?(request: z.output<Request>): number;
  /** What the gateway advises against but takes. */
  warnings?(request: z.output<Request>): string[];
  /** The recipient it reaches, for instances that may write to listed chats only. Absent: it reaches none. */
  reaches?(request: z.output<Request>): readonly string[] | 'everyone';
  /** Finds a refusal that the gateway dressed as a 200. */
  refusalIn200?(raw: unknown): string | undefined;
}

/** Keeps the precise types of one contract while checking it against the common shape. */
export function operation<Request extends z.ZodType, Response extends z.ZodType>(
  contract: OperationContract<Request, Response>,
): OperationContract<Request, Response> {
  return contract;
}
