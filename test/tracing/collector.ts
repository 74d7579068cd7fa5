/** A collector of OpenTelemetry that keeps what it gets by OTLP as JSON. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

interface OtlpValue {
  readonly stringValue?: string;
  readonly intValue?: number | string;
}
interface OtlpAttribute {
  readonly key: string;
  readonly value: OtlpValue;
}
interface OtlpSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status: { readonly code: number };
}
interface OtlpRequest {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly OtlpAttribute[] };
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[];
  }[];
}

export interface CollectedSpan extends Pick<OtlpSpan, 'traceId' | 'spanId' | 'name' | 'kind'> {
  /** Absent for the first span of a trace. */
  readonly parent?: string;
  readonly attributes: Readonly<Record<string, string | number | undefined>>;
  readonly hasFailed: boolean;
  readonly service: Readonly<Record<string, string | number | undefined>>;
}

export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  readonly url: string;
  readonly spans: readonly CollectedSpan[];
  /** All bodies, as they came. */
  readonly bodies: readonly string[];
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const spans: CollectedSpan[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(body);
      spans.push(...spansIn(JSON.parse(body) as OtlpRequest));
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  return { url: await listeningAt(server), spans, bodies, close: () => closed(server) };
}

/** Takes requests and never responds. */
export async function startSlowCollector(): Promise<{ readonly url: string; asked(): number; close(): Promise<void> }> {
  let asked = 0;
  const server = createServer((request) => {
    request.resume();
    asked += 1;
  });
  return { url: await listeningAt(server), asked: () => asked, close: () => closed(server) };
}

async function listeningAt(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

function spansIn({ resourceSpans }: OtlpRequest): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap(({ spans }) =>
      spans.map(({ traceId, spanId, parentSpanId, name, kind, attributes, status }) => ({
        traceId,
        spanId,
        name,
        kind,
        ...(parentSpanId ? { parent: parentSpanId } : {}),
        attributes: valuesOf(attributes),
        hasFailed: status.code === 2,
        service: valuesOf(resource.attributes),
      })),
    ),
  );
}

function valuesOf(attributes: readonly OtlpAttribute[]) {
  return Object.fromEntries(
    attributes.map(({ key, value }) => [
      key,
      value.stringValue ?? (value.intValue === undefined ? undefined : Number(value.intValue)),
    ]),
  );
}
