import { createTraceState, TraceFlags, type SpanContext } from '@opentelemetry/api';
import { present, type TraceContext } from '../contract/index.js';

/** @source https://www.w3.org/TR/trace-context/#traceparent-header */
const TRACEPARENT = /^(?!ff)[\da-f]{2}-(?!0{32})([\da-f]{32})-(?!0{16})([\da-f]{16})-([\da-f]{2})(?:-|$)/;
/** OpenTelemetry's member of `tracestate`: the threshold and the randomness of a sampler that decides by them. */
const OWN_MEMBER = /(?:^|,)\s*(ot=[\w:;.-]{1,256})\s*(?=,|$)/;

/** @returns undefined for a text that is no trace context: a new trace begins */
export function spanContextOf({ traceparent, tracestate }: Partial<TraceContext>): SpanContext | undefined {
  const [, traceId, spanId, flags] = TRACEPARENT.exec(traceparent ?? '') ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return undefined;
  const [, own] = OWN_MEMBER.exec(tracestate ?? '') ?? [];
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return { traceId, spanId, traceFlags, isRemote: true, ...(own && { traceState: createTraceState(own) }) };
}

/** @returns undefined for a span that is not sampled */
export function traceContextOf({ traceId, spanId, traceFlags, traceState }: SpanContext): TraceContext | undefined {
  if ((traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  const tracestate = traceState?.serialize();
  return { traceparent: `00-${traceId}-${spanId}-01`, ...present({ tracestate: tracestate || undefined }) };
}
