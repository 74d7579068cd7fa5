import { type Dispatcher, Pool } from 'undici';
import { type Clock, codeOf } from '../contract/index.js';
import type { WireRequest } from './wire-request.js';

/**
 * Makes one request and tracks whether bytes may have left. Its phases:
 *
 * - waiting:   for a connection. Any end is `not_sent`: the gateway never saw the request.
 * - left:      undici is about to write. Any end without a complete response is `lost`: the outcome is unknown.
 * - listening: `lost` was returned at the timeout. A late response resolves `late`.
 * - over:      the outcome is final.
 *
 * A request is written at most once. Neither undici nor this module repeats it.
 */
export type Outcome = Responded | NotSent | Lost;

export interface Responded {
  readonly kind: 'responded';
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** When the bytes of the request left, in milliseconds by the injected clock. */
  readonly leftAtMs: number;
  /** When the headers of the response arrived. */
  readonly respondedAtMs: number;
}

export interface NotSent {
  readonly kind: 'not_sent';
  readonly why: 'deadline' | 'unreachable' | 'closed';
  /** An error code such as ECONNREFUSED, or a few words. It never contains an address. */
  readonly detail: string;
}

export interface Lost {
  readonly kind: 'lost';
  readonly why: 'no_response' | 'too_large';
  readonly detail: string;
  /** Present after a timeout with `listenMs`: resolves with a late response, or with undefined if none comes. */
  readonly late?: Promise<Responded | undefined>;
}

interface ExchangeLimits {
  readonly deadline: Deadline;
  /** The time limit to get a connection. */
  readonly connectTimeoutMs: number;
  /** The time limit from the first byte of the request to the end of the response. */
  readonly responseTimeoutMs: number;
  /** How long the response to a timed-out request is still awaited. 0 ends the request at the timeout. */
  readonly listenMs: number;
  /** A larger response is not read: parsing it would block all other work. */
  readonly maxResponseBytes: number;
  /** Aborted when no caller waits for the response. */
  readonly stop?: AbortSignal | undefined;
}

const MAX_TIMER_MS = 2 ** 31 - 1;
/**
 * A gateway that did not take a connection in this part of the connect timeout is unreachable, also if the deadline
 * ended the wait. In less time a gateway that is well may be slow, and only the deadline is the reason.
 */
const SHOWS_UNREACHABLE = 0.2;

/** @param onLeft  called when the request was written to the socket */
export function exchange(
  dispatcher: Dispatcher,
  wire: WireRequest,
  limits: ExchangeLimits,
  clock: Clock,
  onLeft?: () => void,
): Promise<Outcome> {
  return new Promise((resolve) => {
    dispatcher.dispatch(
      {
        method: wire.verb,
        path: wire.path,
        body: wire.body ?? null,
        headers: { accept: 'application/json', 'user-agent': 'everpost', ...wire.headers },
        // One timer covers headers and body, so that a slow body cannot keep a request open forever.
        headersTimeout: 0,
        bodyTimeout: 0,
      },
      new ExchangeHandler(resolve, limits, clock, onLeft),
    );
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #resolve: (outcome: Outcome) => void;
  readonly #limits: ExchangeLimits;
  readonly #clock: Clock;
  readonly #onLeft: (() => void) | undefined;
  #phase: 'waiting' | 'left' | 'listening' | 'over' = 'waiting';
  #timer: NodeJS.Timeout | undefined;
  #resolveLate: ((responded: Responded | undefined) => void) | undefined;
  #controller: Dispatcher.DispatchController | undefined;
  #leftAtMs = 0;
  #respondedAtMs = 0;
  #httpStatus = 0;
  #headers: Record<string, string> = {};
  #chunks: Buffer[] = [];
  #sizeBytes = 0;

  constructor(resolve: (outcome: Outcome) => void, limits: ExchangeLimits, clock: Clock, onLeft?: () => void) {
    this.#resolve = resolve;
    this.#limits = limits;
    this.#clock = clock;
    this.#onLeft = onLeft;
    const { deadline, connectTimeoutMs, stop } = limits;
    stop?.addEventListener('abort', this.#giveUp, { once: true });
    // One millisecond more, so that every clock shows the deadline as passed when the timer fires.
    const untilDeadlineMs = Math.max(0, deadline.remainingMs() + 1);
    const connectMs = Math.min(untilDeadlineMs, connectTimeoutMs);
    const giveUp: NotSent =
      connectMs < connectTimeoutMs * SHOWS_UNREACHABLE
        ? { kind: 'not_sent', why: 'deadline', detail: 'no connection before the deadline' }
        : { kind: 'not_sent', why: 'unreachable', detail: `no connection in ${Math.round(connectMs)} ms` };
    this.#setTimer(connectMs, () => this.#finish(giveUp));
    if (stop?.aborted === true) this.#giveUp();
  }

  /** undici calls this directly before it writes to the socket. After an abort here it writes nothing. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#phase === 'waiting' && this.#limits.deadline.passed()) {
      this.#finish({ kind: 'not_sent', why: 'deadline', detail: 'the deadline passed' });
    }
    if (this.#phase !== 'waiting') {
      // The request was cancelled meanwhile, or is started a second time. Neither may write.
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#phase = 'left';
    this.#controller = controller;
    this.#leftAtMs = this.#clock.nowMs();
    // undici writes head and body synchronously, so the microtask runs after the write.
    if (this.#onLeft !== undefined) queueMicrotask(this.#onLeft);
    this.#setTimer(this.#limits.responseTimeoutMs, () => this.#timedOut());
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // A 1xx response comes before the final one.
    if (httpStatus < 200) return;
    this.#respondedAtMs = this.#clock.nowMs();
    this.#httpStatus = httpStatus;
    for (const [name, value] of Object.entries(headers)) {
      const first = Array.isArray(value) ? value[0] : value;
      if (first !== undefined) this.#headers[name.toLowerCase()] = first;
    }
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#sizeBytes += chunk.length;
    const { maxResponseBytes } = this.#limits;
    if (this.#sizeBytes <= maxResponseBytes) return void this.#chunks.push(chunk);
    this.#finish({ kind: 'lost', why: 'too_large', detail: `more than ${maxResponseBytes} bytes` });
    controller.abort(new Error('response too large'));
  }

  onResponseEnd(): void {
    this.#finish({
      kind: 'responded',
      httpStatus: this.#httpStatus,
      headers: this.#headers,
      body: Buffer.concat(this.#chunks),
      leftAtMs: this.#leftAtMs,
      respondedAtMs: this.#respondedAtMs,
    });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    // The code alone: messages of transport errors contain addresses, and those of parser errors received data.
    const code = codeOf(error);
    const detail = code !== undefined && /^[A-Z0-9_]+$/.test(code) ? code : error.name;
    if (this.#phase === 'left' || this.#phase === 'listening') {
      this.#finish({ kind: 'lost', why: 'no_response', detail });
    } else {
      const why = ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'].includes(detail) ? 'closed' : 'unreachable';
      this.#finish({ kind: 'not_sent', why, detail });
    }
  }

  #timedOut(): void {
    const { responseTimeoutMs, listenMs } = this.#limits;
    const lost: Lost = { kind: 'lost', why: 'no_response', detail: `no whole response in ${responseTimeoutMs} ms` };
    const end = () => {
      this.#finish(lost);
      this.#controller?.abort(new Error('timed out'));
    };
    if (listenMs <= 0) return end();
    this.#phase = 'listening';
    const late = new Promise<Responded | undefined>((resolve) => {
      this.#resolveLate = resolve;
    });
    this.#setTimer(listenMs, end);
    this.#resolve({ ...lost, late });
  }

  readonly #giveUp = (): void => {
    const detail = 'given up';
    this.#finish(
      this.#phase === 'waiting'
        ? { kind: 'not_sent', why: 'closed', detail }
        : { kind: 'lost', why: 'no_response', detail },
    );
    this.#controller?.abort(new Error(detail));
  };

  #finish(outcome: Outcome): void {
    if (this.#phase === 'over') return;
    clearTimeout(this.#timer);
    this.#limits.stop?.removeEventListener('abort', this.#giveUp);
    this.#phase = 'over';
    // If the outcome was returned at the timeout, a second call to resolve has no effect.
    this.#resolve(outcome);
    this.#resolveLate?.(outcome.kind === 'responded' ? outcome : undefined);
  }

  #setTimer(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
  }
}

/**
 * The time after which no byte of a request may leave. The injected clock shows that the process was suspended; the
 * monotonic clock shows the passing of time if the other clock is set back.
 */
export interface Deadline {
  passed(): boolean;
  /** Milliseconds until the deadline; negative after it, Infinity without one. */
  remainingMs(): number;
}

/** @param deadlineMs  milliseconds since the Unix epoch by `clock` */
export function deadlineAt(deadlineMs: number | undefined, clock: Clock): Deadline {
  if (deadlineMs === undefined) return { passed: () => false, remainingMs: () => Number.POSITIVE_INFINITY };
  const monotonicMs = performance.now() + (deadlineMs - clock.nowMs());
  const remainingMs = () => Math.min(deadlineMs - clock.nowMs(), monotonicMs - performance.now());
  return { remainingMs, passed: () => remainingMs() < 0 };
}

/**
 * All instances of a gateway share its origin, and the window of each limits what it has under way. With fewer
 * connections, an instance whose responses are slow, or awaited late, would delay the others. A limit against a leak.
 */
const CONNECTIONS_PER_ORIGIN = 4_096;

/**
 * Keeps a pool of connections per origin, with one request at a time on each connection. With pipelining, a lost
 * response would also make the outcomes of the requests behind it unknown.
 */
export function createConnections(connectTimeoutMs: number): {
  to(origin: string): Dispatcher;
  /** Ends all connections and their requests. */
  close(): Promise<void>;
} {
  const pools = new Map<string, Pool>();
  let closed = false;
  return {
    to(origin) {
      const known = pools.get(origin);
      if (known !== undefined) return known;
      const pool = new Pool(origin, {
        connections: CONNECTIONS_PER_ORIGIN,
        pipelining: 1,
        allowH2: false,
        connectTimeout: connectTimeoutMs,
      });
      // A pool created after close is closed at once, and its requests end as not sent.
      if (closed) void pool.destroy();
      pools.set(origin, pool);
      return pool;
    },
    async close() {
      closed = true;
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
