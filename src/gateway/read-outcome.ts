import {
  AppError,
  type InstanceConfig,
  type OperationName,
  present,
  parseJson,
  wellFormed,
  wellFormedJson,
} from '../contract/index.js';
import { classify, type Failure } from './classify.js';
import type { Responded } from './exchange.js';
import { gatewayTextOf, textOf } from './gateway-text.js';
import { contractOf } from './operations/index.js';

/** The request whose outcome is classified. */
export interface Call {
  readonly instance: InstanceConfig;
  readonly operation: OperationName;
  readonly request: unknown;
}

/**
 * Reads a response by the contract of its operation.
 * @param nowMs  the time of our clock, for a Retry-After with a date
 * @throws AppError by the table in classify.ts
 */
export function responseOf(call: Call, { httpStatus, headers, body }: Responded, nowMs: number): unknown {
  const raw = rawBody(body);
  if (httpStatus < 200 || httpStatus > 299) {
    const waitMs = retryAfterMs(headers['retry-after'], headers['date'], nowMs);
    throw failed(call, 'status', { httpStatus, raw, waitMs });
  }
  const read = readResponse(call.operation, raw);
  if (read.kind === 'rejected') throw failed(call, 'rejected in a 2xx', { httpStatus, raw: read.words });
  if (read.kind === 'invalid') throw failed(call, 'invalid', { httpStatus, raw, detail: read.fields });
  return read.response;
}

interface Finding {
  readonly httpStatus?: number;
  readonly raw?: unknown;
  /** The time until the request could be sent, if known. */
  readonly waitMs?: number | undefined;
  readonly detail?: string;
  readonly connectionEnded?: true | undefined;
}

/**
 * Creates the error of a failure. It has no cause on purpose: transport errors contain addresses, and parser errors
 * contain received data. The text contains the code.
 */
export function failed(
  { instance, operation, request }: Call,
  failure: Failure['failure'],
  { httpStatus, raw, waitMs, detail, connectionEnded }: Finding,
): AppError {
  const { statusMeanings } = instance;
  const { code, because, remedy } = classify({
    failure,
    operation,
    words: textOf(raw),
    ...present({ httpStatus, statusMeanings }),
  });
  const gatewayText = gatewayTextOf(raw, instance.apiTokenInstance, request);
  const facts = [httpStatus === undefined ? '' : `HTTP ${httpStatus}`, detail ?? ''].filter((fact) => fact !== '');
  return new AppError(
    code,
    `${operation} for instance ${instance.name} ${VERDICT[failure]}: ${because} (${facts.join(', ')}). ${remedy}`,
    present({ httpStatus, retryAfterMs: waitMs, gatewayText, connectionEnded }),
  );
}

const VERDICT: Readonly<Record<Failure['failure'], string>> = {
  deadline: 'was not sent',
  unreachable: 'was not sent',
  closed: 'was not sent',
  lost: 'has no known outcome',
  'too large': 'has no known outcome',
  invalid: 'has no known outcome',
  'rejected in a 2xx': 'failed',
  status: 'failed',
};

/** The parsed JSON, or the text of a body that is not JSON; undefined for an empty body. */
export function rawBody(body: Buffer): unknown {
  // TextDecoder removes a byte order mark and does not throw on invalid UTF-8.
  const text = wellFormed(new TextDecoder().decode(body));
  if (text.trim() === '') return undefined;
  try {
    return parseJson(wellFormedJson(text));
  } catch {
    // The gateway also responds with plain text. The contract of the operation decides whether it is valid.
    return text;
  }
}

/** Reads a 2xx: strict for fields that everpost relies on, lenient for others. */
export function readResponse(name: OperationName, raw: unknown) {
  const contract = contractOf(name);
  const words = contract.rejectionIn200?.(raw);
  if (words !== undefined) return { kind: 'rejected' as const, words };
  const read = contract.response.safeParse(raw);
  if (read.success) return { kind: 'agreed' as const, response: read.data };
  const fields = [...new Set(read.error.issues.map(({ path }) => path.map(String).join('.') || 'the whole body'))];
  // The names of the fields without their values, which may be private.
  return { kind: 'invalid' as const, fields: fields.slice(0, 5).join(', ') };
}

const ONE_DAY_MS = 24 * 60 * 60 * 1000;
/** A shorter pause, such as `Retry-After: 0` or a date that has passed, would repeat the request in a hot loop. */
const ONE_SECOND_MS = 1_000;

/**
 * How long the gateway asks us to wait, in milliseconds: `Retry-After` in seconds or as a date. A date is compared with
 * the gateway's clock if the response shows it. At least a second, and at most a day, so that a wrong clock cannot stop
 * an instance for long.
 */
export function retryAfterMs(
  header: string | undefined,
  dateHeader: string | undefined,
  nowMs: number,
): number | undefined {
  const value = header?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+(?:\.\d+)?$/.test(value)) return pauseOf(Math.ceil(Number(value) * 1000));
  const untilMs = Date.parse(value);
  if (Number.isNaN(untilMs)) return undefined;
  const theirNowMs = Date.parse(dateHeader ?? '');
  return pauseOf(untilMs - (Number.isNaN(theirNowMs) ? nowMs : theirNowMs));
}

function pauseOf(waitMs: number): number {
  return Math.min(Math.max(waitMs, ONE_SECOND_MS), ONE_DAY_MS);
}
