import { readFileSync } from 'node:fs';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  ParentBasedSampler,
  SimpleSpanProcessor,
  type Sampler,
} from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import type { CampaignId, MessageId, SpanFacts } from '../../src/contract/index.js';
import { ATTRIBUTES, SPANS, createTracing } from '../../src/tracing/spans.js';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331';
const MESSAGE: SpanFacts = { instance: 'main', messageId: 'msg_1' as MessageId };

function someTracing({ sampler, random }: { sampler?: Sampler; random?: () => number } = {}) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({
    spanProcessors: [new SimpleSpanProcessor(exporter)],
    ...(sampler && { sampler }),
  });
  const tracer = provider.getTracer('test');
  const tracing = createTracing({ tracer, shareOfRecipients: 0.01, ...(random && { random }) });
  return { tracing, exported: () => exporter.getFinishedSpans() };
}

it('a request continues the trace of its caller, and has its name and result when it ends', () => {
  const { tracing, exported } = someTracing();
  const span = tracing.begin('request', {}, { parent: { traceparent: `${PARENT}-01` } });
  span.end({ method: 'POST', route: '/v1/messages', httpStatus: 503, code: '503' });
  const [request] = exported();
  expect(request).toMatchObject({
    name: 'POST /v1/messages',
    parentSpanContext: { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' },
    attributes: {
      'http.request.method': 'POST',
      'http.route': '/v1/messages',
      'http.response.status_code': 503,
      'error.type': '503',
    },
    // Without a text (TRACE-1).
    status: { code: 2 },
    events: [],
  });
  expect(span.context?.traceparent).toBe(`00-0af7651916cd43dd8448eb211c80319c-${request?.spanContext().spanId}-01`);
});

it('a caller whose trace is not sampled gets no span and no context', () => {
  const { tracing, exported } = someTracing();
  const span = tracing.begin('request', {}, { parent: { traceparent: `${PARENT}-00` } });
  span.end({ method: 'POST', route: '/v1/messages' });
  expect(span.context).toBeUndefined();
  expect(exported()).toEqual([]);
});

it('one recipient of a campaign in a hundred has a trace, of its own (TRACE-4)', () => {
  let turn = 0;
  const { tracing, exported } = someTracing({ random: () => (turn++ % 100) / 100 });
  const facts = { ...MESSAGE, campaignId: 'cmp_1' as CampaignId };
  const contexts = Array.from({ length: 300 }, () => {
    const span = tracing.begin('recipient', facts);
    span.end();
    return span.context;
  });
  expect(contexts.filter((context) => context !== undefined)).toHaveLength(3);
  expect(new Set(exported().map((span) => span.spanContext().traceId)).size).toBe(3);
  expect(exported()[0]).toMatchObject({ name: 'create main', attributes: { 'everpost.campaign.id': 'cmp_1' } });
});

it('a sampler that takes no new traces still takes those of callers', () => {
  const sampler = new ParentBasedSampler({ root: new AlwaysOffSampler() });
  const { tracing, exported } = someTracing({ sampler, random: () => 0 });
  for (const name of ['request', 'recipient'] as const) tracing.begin(name, MESSAGE).end();
  tracing.begin('request', {}, { parent: { traceparent: `${PARENT}-01` } }).end();
  expect(exported()).toHaveLength(1);
});

it('docs/traces.md lists every span and every attribute (TRACE-1)', () => {
  const page = readFileSync(new URL('../../docs/traces.md', import.meta.url), 'utf8');
  const facts: SpanFacts = { instance: 'NAME', method: 'METHOD', route: 'ROUTE', operation: 'sendMessage' };
  for (const { nameOf } of Object.values(SPANS)) {
    const name = nameOf({ ...facts, outcome: 'STATE' }).replace('METHOD sendMessage', 'POST sendMessage');
    expect(page).toContain(`| \`${name}\``);
  }
  for (const attribute of Object.values(ATTRIBUTES)) expect(page).toContain(`| \`${attribute}\``);
});
