import { setTimeout as delay } from 'node:timers/promises';
import type { Log, Tracing } from '../contract/index.js';

export interface TracingSettings {
  readonly protocol: 'http/protobuf' | 'http/json';
  /** Whether an operator chose a sampler, which then decides about recipients of campaigns, too. */
  readonly isSamplerChosen: boolean;
}

export interface OpenedTracing {
  readonly tracing: Tracing;
  /** Exports the spans that wait, as far as the collector takes them at once. */
  close(): Promise<void>;
}

/** TRACE-4. */
const SHARE_OF_RECIPIENTS = 0.01;
const FLUSH_WITHIN_MS = 2_000;
const LOG_EVERY_MS = 60_000;

/**
 * Loads OpenTelemetry's SDK and exporter, which read their own variables. Spans wait in a bounded queue; when it is full,
 * or while the collector does not respond, they are dropped and nothing else waits.
 */
export async function openTracing(
  { protocol, isSamplerChosen }: TracingSettings,
  { version, log }: { readonly version: string; readonly log: Log },
): Promise<OpenedTracing> {
  const [
    { diag, DiagLogLevel },
    { BasicTracerProvider, BatchSpanProcessor },
    resources,
    { OTLPTraceExporter },
    { createTracing },
  ] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    protocol === 'http/json'
      ? import('@opentelemetry/exporter-trace-otlp-http')
      : import('@opentelemetry/exporter-trace-otlp-proto'),
    import('./spans.js'),
  ]);
  diag.setLogger(diagnostics(log), { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
  const ours = resources.resourceFromAttributes({ 'service.name': 'everpost', 'service.version': version });
  const chosen = resources.detectResources({ detectors: [resources.envDetector] });
  const provider = new BasicTracerProvider({
    resource: resources.defaultResource().merge(ours).merge(chosen),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter())],
  });
  const tracer = provider.getTracer('everpost', version);
  return {
    tracing: createTracing({ tracer, shareOfRecipients: isSamplerChosen ? 1 : SHARE_OF_RECIPIENTS }),
    async close() {
      const ended = new AbortController();
      const flushed = provider.shutdown().catch(() => undefined);
      const tooLong = delay(FLUSH_WITHIN_MS, undefined, { signal: ended.signal }).catch(() => undefined);
      await Promise.race([flushed, tooLong]);
      ended.abort();
    },
  };
}

/** One line a minute. The SDK's own texts may contain the address of the collector or a header. */
function diagnostics(log: Log) {
  let nextMs = 0;
  const report = (): void => {
    if (performance.now() < nextMs) return;
    nextMs = performance.now() + LOG_EVERY_MS;
    log({
      level: 'warn',
      message:
        'Traces are not exported completely: the collector of OTEL_EXPORTER_OTLP_ENDPOINT does not take them. Messages are not affected',
    });
  };
  const nothing = (): void => undefined;
  return { error: report, warn: report, info: nothing, debug: nothing, verbose: nothing };
}
