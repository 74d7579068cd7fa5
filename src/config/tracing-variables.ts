/**
 * OpenTelemetry's variables that everpost reads itself. Its SDK reads the others, such as OTEL_EXPORTER_OTLP_HEADERS and
 * OTEL_BSP_MAX_QUEUE_SIZE: docs/traces.md.
 */
import { httpUrl, oneOf, type Variable } from './variable.js';

const SAMPLERS = [
  ...(['always_on', 'always_off', 'traceidratio'] as const),
  ...(['parentbased_always_on', 'parentbased_always_off', 'parentbased_traceidratio'] as const),
] as const;

/** Both by HTTP; gRPC would need a library of its own. */
const PROTOCOLS = ['http/protobuf', 'http/json'] as const;

export const TRACING_VARIABLES = {
  otlpEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    parse: httpUrl,
    unset: 'no traces',
    meaning: 'The OpenTelemetry collector that gets traces, e.g. http://localhost:4318. See docs/traces.md.',
  },
  otlpTracesEndpoint: {
    name: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
    parse: httpUrl,
    unset: 'OTEL_EXPORTER_OTLP_ENDPOINT with `/v1/traces`',
    meaning: 'The complete URL that gets traces.',
  },
  otlpProtocol: {
    name: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    parse: oneOf(PROTOCOLS),
    default: 'http/protobuf',
    meaning: 'How traces are sent: `http/protobuf` or `http/json`.',
  },
  tracesSampler: {
    name: 'OTEL_TRACES_SAMPLER',
    parse: oneOf(SAMPLERS),
    unset: 'every request, and one recipient of a campaign in a hundred',
    meaning: `Which traces are sampled: ${SAMPLERS.map((name) => `\`${name}\``).join(', ')}. OTEL_TRACES_SAMPLER_ARG is its ratio.`,
  },
  sdkDisabled: {
    name: 'OTEL_SDK_DISABLED',
    parse: (text) => text.toLowerCase() === 'true',
    default: 'false',
    meaning: '`true` turns traces off.',
  },
} as const satisfies Readonly<Record<string, Variable<unknown>>>;
