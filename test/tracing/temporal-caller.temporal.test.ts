import { ROOT_CONTEXT, context, propagation, trace, type Context } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import { Client } from '@temporalio/client';
import { afterEach, expect, onTestFinished } from 'vitest';
import { createEverpost } from '../../src/index.js';
import { passingTrace } from '../../src/starter/temporal/trace-header.js';
import { createTracing } from '../../src/tracing/spans.js';
import { aLiveApi } from '../api/live-api.js';
import { eventually } from '../support/eventually.js';
import { test } from '../support/temporal/temporal.js';

const CALLER = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331', traceFlags: 1 };

/** A backend with OpenTelemetry's SDK, in which this span is active. */
function anActiveSpan(active: Context): void {
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  context.setGlobalContextManager({
    active: () => active,
    with: (_, work, self, ...args) => work.call(self, ...args),
    bind: (_, target) => target,
    enable() {
      return this;
    },
    disable() {
      return this;
    },
  });
}

afterEach(() => {
  propagation.disable();
  context.disable();
});

function someTracing() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  return { tracing: createTracing({ tracer: provider.getTracer('test'), shareOfRecipients: 1 }), exporter };
}

test('the typed client passes the trace of its backend through Temporal to the message', async ({
  temporal,
  taskQueue,
}) => {
  const { tracing, exporter } = someTracing();
  const live = await aLiveApi(temporal, taskQueue, { tracing });
  onTestFinished(() => live.close());
  const client = new Client({
    connection: temporal.connection,
    namespace: temporal.namespace,
    interceptors: { workflow: [passingTrace] },
  });
  const everpost = createEverpost({ client, taskQueue });
  anActiveSpan(trace.setSpanContext(ROOT_CONTEXT, CALLER));
  const { id } = await everpost.send({ instance: 'main', to: '15551234567', content: { kind: 'text', text: 'Hello' } });
  await eventually(async () => expect((await live.call('GET', `/v1/messages/${id}`)).body.state).toMatch(/sent|deliv/));

  const spans = await eventually(() => {
    const found = exporter.getFinishedSpans().filter((span) => span.spanContext().traceId === CALLER.traceId);
    expect(found.map(({ name }) => name).toSorted()).toEqual([
      'POST sendMessage',
      'claim',
      'open message',
      'send main',
    ]);
    return found;
  });
  const [open, send] = ['open message', 'send main'].map((name) => spans.find((span) => span.name === name)!);
  expect(open?.parentSpanContext?.spanId).toBe(CALLER.spanId);
  expect(send?.parentSpanContext?.spanId).toBe(open?.spanContext().spanId);
});

test('without a trace in the backend the start has no header, and the message begins a trace of its own', async ({
  temporal,
  taskQueue,
}) => {
  const { tracing, exporter } = someTracing();
  const live = await aLiveApi(temporal, taskQueue, { tracing });
  onTestFinished(() => live.close());
  const everpost = createEverpost({ client: live.client, taskQueue });
  await everpost.send({ instance: 'main', to: '15551234568', content: { kind: 'text', text: 'Hello' } });
  await eventually(() => {
    const open = exporter.getFinishedSpans().find(({ name }) => name === 'open message');
    expect(open).toMatchObject({ parentSpanContext: undefined });
  });
});
