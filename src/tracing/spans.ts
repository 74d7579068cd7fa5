/**
 * The spans of everpost: their names, kinds and attributes.
 *
 * TRACE-1 A span's attributes come from {@link SpanFacts} only. No error is recorded with its message, and no event has a
 *    text, so that no number, text, name, token or URL is exported.
 * TRACE-2 A message's row has the context of the span that created it, if that is sampled. All later spans of the message
 *    are its children, in any process and at any time. A span that a killed process did not export has no children
 *    outside that process, so that the rest of the trace stays connected.
 * TRACE-3 A receipt has a parent and not a link, also hours later: a message has one receipt of each kind, and who opens its
 *    trace asks whether it arrived.
 * TRACE-4 A recipient of a campaign has a trace of its own, since one trace with 100,000 messages can be neither stored nor
 *    shown. Unless OTEL_TRACES_SAMPLER is set, one recipient in a hundred has one.
 */
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, type Attributes, type Tracer } from '@opentelemetry/api';
import type { OpenSpan, SpanFacts, SpanName, Tracing } from '../contract/index.js';
import { spanContextOf, traceContextOf } from './trace-context.js';

interface SpanShape {
  readonly kind: SpanKind;
  nameOf(facts: SpanFacts): string;
  readonly attributes?: Attributes;
}

const messaging = (name: string, type = name): Attributes => ({
  'messaging.system': 'everpost',
  'messaging.operation.name': name,
  'messaging.operation.type': type,
});

/** @source https://opentelemetry.io/docs/specs/semconv/messaging/messaging-spans/ and …/http/http-spans/ */
export const SPANS: Readonly<Record<SpanName, SpanShape>> = {
  request: {
    kind: SpanKind.SERVER,
    nameOf: ({ method, route }) => (route === undefined ? 'HTTP' : `${method} ${route}`),
  },
  open: { kind: SpanKind.INTERNAL, nameOf: () => 'open message' },
  recipient: { kind: SpanKind.PRODUCER, nameOf: named('create'), attributes: messaging('create') },
  send: { kind: SpanKind.PRODUCER, nameOf: named('send'), attributes: messaging('send') },
  claim: { kind: SpanKind.INTERNAL, nameOf: () => 'claim' },
  post: { kind: SpanKind.CLIENT, nameOf: ({ method, operation }) => `${method} ${operation}` },
  reconcile: { kind: SpanKind.INTERNAL, nameOf: named('reconcile') },
  receipt: {
    kind: SpanKind.CONSUMER,
    nameOf: ({ outcome }) => `receipt ${outcome}`,
    attributes: messaging('receipt', 'process'),
  },
  edit: { kind: SpanKind.PRODUCER, nameOf: named('edit'), attributes: messaging('edit', 'send') },
};

function named(verb: string) {
  return ({ instance }: SpanFacts): string => `${verb} ${instance}`;
}

/** Semantic conventions of OpenTelemetry where they exist. */
export const ATTRIBUTES: Readonly<Record<keyof SpanFacts, string>> = {
  instance: 'messaging.destination.name',
  messageId: 'messaging.message.id',
  campaignId: 'everpost.campaign.id',
  attempt: 'everpost.attempt',
  operation: 'everpost.operation',
  method: 'http.request.method',
  route: 'http.route',
  host: 'server.address',
  port: 'server.port',
  httpStatus: 'http.response.status_code',
  outcome: 'everpost.outcome',
  code: 'error.type',
  gatewayAt: 'everpost.gateway_at',
};

/** A span that is not sampled. */
const NO_SPAN: OpenSpan = { context: undefined, end: () => undefined };

export interface TracingOptions {
  readonly tracer: Tracer;
  /** Which recipients of campaigns the sampler is asked about at all (TRACE-4). From 0 to 1. */
  readonly shareOfRecipients: number;
  /** @default Math.random */
  readonly random?: () => number;
}

export function createTracing({ tracer, shareOfRecipients, random = Math.random }: TracingOptions): Tracing {
  return {
    begin(name, facts, { parent, atMs } = {}) {
      if (name === 'recipient' && random() >= shareOfRecipients) return NO_SPAN;
      const { kind, nameOf, attributes } = SPANS[name];
      const from = parent && spanContextOf(parent);
      const span = tracer.startSpan(
        nameOf(facts),
        { kind, attributes: { ...attributes, ...attributesOf(facts) }, ...(atMs !== undefined && { startTime: atMs }) },
        from === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, from),
      );
      if (!span.isRecording()) return NO_SPAN;
      return {
        context: traceContextOf(span.spanContext()),
        end(last = {}, endedAtMs) {
          span.setAttributes(attributesOf(last));
          span.updateName(nameOf({ ...facts, ...last }));
          if (last.code !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
          span.end(endedAtMs);
        },
      };
    },
  };
}

function attributesOf(facts: SpanFacts): Attributes {
  return Object.fromEntries(
    Object.entries(facts).flatMap(([fact, value]) =>
      value === undefined ? [] : [[ATTRIBUTES[fact as keyof SpanFacts], value]],
    ),
  );
}
