import type { OperationName } from './operations.js';
import type { CampaignId, MessageId } from './values/ids.js';

/**
 * The W3C context of a span, as header fields and a message's row have it. Of `tracestate` it has only OpenTelemetry's own
 * member: others are for the caller's own vendor, and may contain anything.
 */
export interface TraceContext {
  readonly traceparent: string;
  readonly tracestate?: string;
}

/**
 * The facts of a span. This list is closed, so that no number, text, name, token or URL can become an attribute: each
 * value is an id, a word of ours, a number, or a host of the instances file.
 */
export interface SpanFacts {
  readonly instance?: string | undefined;
  readonly messageId?: MessageId | undefined;
  readonly campaignId?: CampaignId | undefined;
  /** The number of the attempt, from 1. */
  readonly attempt?: number | undefined;
  /** The gateway's method. */
  readonly operation?: OperationName | undefined;
  readonly method?: string | undefined;
  /** A path template, never a path. */
  readonly route?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly httpStatus?: number | undefined;
  /** The outcome of an attempt, or the state that a receipt shows. */
  readonly outcome?: string | undefined;
  /** The code of an error: the span has failed. */
  readonly code?: string | undefined;
  /** When a receipt's event happened, by the gateway's clock. ISO UTC. */
  readonly gatewayAt?: string | undefined;
}

/** The spans that everpost makes: docs/traces.md lists them. */
export type SpanName = 'request' | 'open' | 'recipient' | 'send' | 'claim' | 'post' | 'reconcile' | 'receipt' | 'edit';

export interface OpenSpan {
  /** For its row and its children. Absent if the span is not sampled: then it has none. */
  readonly context: TraceContext | undefined;
  /** @param atMs  @default now */
  end(facts?: SpanFacts, atMs?: number): void;
}

/** Begins the spans of a process. Absent where tracing is off: then there is no span at all. */
export interface Tracing {
  /** @param from.parent  absent: a trace of its own. @param from.atMs  @default now */
  begin(
    name: SpanName,
    facts: SpanFacts,
    from?: { readonly parent?: Partial<TraceContext> | undefined; readonly atMs?: number },
  ): OpenSpan;
}

/** A status of a message, or its edited text, that was applied to it. */
export interface AppliedReceipt {
  readonly instance: string;
  readonly idMessage: string;
  /** `edited`: the phone shows an edited text. */
  readonly status: string;
  /** By the gateway's clock. */
  readonly atMs: number;
  readonly receivedAtMs: number;
}
