import { type Dispatcher, Pool } from 'undici';
import type { Clock } from '../contract/index.js';
import type { WireRequest } from './wire-request.js';

/**
 * One request and its outcome. Tracks whether bytes may have left:
 *
 * - waiting:   for a connection. Whatever ends it here ends it as `not_sent`: the gateway never saw the request.
 * - left:      undici is about to write. From now on everything but a whole response is `lost`: the outcome is unknown.
 * - listening: `lost` was returned because the time was over; a late response still arrives through `late`.
 * - over.
 *
 * A request is written at most once. Neither undici nor this module repeats it.
 */
export type Outcome = Responded | NotSent | Lost;

export interface Responded {
  readonly kind: 'responded';
  readonly httpStatus: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** By the injected clock, milliseconds: when the request's bytes left. */
  readonly leftAtMs: number;
  /** When the response's headers arrived. */
  readonly respondedAtMs: number;
}

export interface NotSent {
  readonly kind: 'not_sent';
  readonly why: 'deadline' | 'unreachable' | 'closed';
  /** A bare error code such as ECONNREFUSED, or a few words. Never an address. */
  readonly detail: string;
}

export interface Lost {
  readonly kind: 'lost';
  readonly detail: string;
  /** After a timeout, while it is still listened to: the response if one comes, undefined if none does. */
  readonly late?: Promise<Responded | undefined>;
}

interface ExchangeLimits {
  readonly deadline: Deadline;
  /** For getting a connection. */
  readonly connectTimeoutMs: number;
  /** From leaving to the end of the response's body. */
  readonly responseTimeoutMs: number;
  /** How long a timed-out request is still listened to; 0 ends it at the timeout. */
  readonly listenMs: number;
  /** Aborted when no caller waits for the response. */
  readonly stop?: AbortSignal | undefined;
}

/** More than a queue of a hundred thousand items; a larger response is invalid. */
const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;
const MAX_TIMER_MS = 2 ** 31 - 1;

/** @param onLeft  called once the request has been given to the socket */
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
        headers: {
          accept: 'application/json',
          'user-agent': 'everpost',
          ...wire.headers,
        },
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
    // One millisecond more, so that the deadline has passed by any clock reading when the timer fires.
    const untilDeadlineMs = Math.max(0, deadline.leftMs() + 1);
    const giveUp: NotSent =
      untilDeadlineMs < connectTimeoutMs
        ? { kind: 'not_sent', why: 'deadline', detail: 'no connection before the deadline' }
        : { kind: 'not_sent', why: 'unreachable', detail: `no connection in ${connectTimeoutMs} ms` };
    this.#setTimer(Math.min(untilDeadlineMs, connectTimeoutMs), () => {
      this.#finish(giveUp);
    });
    if (stop?.aborted === true) this.#giveUp();
  }

  /** undici calls this on the way to the socket's write; aborting here writes nothing. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#phase === 'waiting' && this.#limits.deadline.passed()) {
      this.#finish({ kind: 'not_sent', why: 'deadline', detail: 'the deadline passed' });
    }
    if (this.#phase !== 'waiting') {
      // Cancelled meanwhile, or started a second time; neither may write.
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#phase = 'left';
    this.#controller = controller;
    this.#leftAtMs = this.#clock.nowMs();
    // undici writes head and body before it yields.
    if (this.#onLeft !== undefined) queueMicrotask(this.#onLeft);
    this.#setTimer(this.#limits.responseTimeoutMs, () => {
      this.#timedOut();
    });
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    httpStatus: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // 1xx answers come before the real one.
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
    if (this.#sizeBytes > MAX_RESPONSE_BYTES)
      controller.abort(Object.assign(new Error('response too large'), { code: 'RESPONSE_TOO_LARGE' }));
    else this.#chunks.push(chunk);
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
    const detail = transportDetail(error);
    if (this.#phase === 'left' || this.#phase === 'listening') this.#finish({ kind: 'lost', detail });
    else this.#finish({ kind: 'not_sent', why: isClosed(error) ? 'closed' : 'unreachable', detail });
  }

  #timedOut(): void {
    const { responseTimeoutMs, listenMs } = this.#limits;
    const detail = `no whole response in ${responseTimeoutMs} ms`;
    if (listenMs <= 0) {
      this.#finish({ kind: 'lost', detail });
      this.#controller?.abort(new Error('timed out'));
      return;
    }
    this.#phase = 'listening';
    const late = new Promise<Responded | undefined>((resolve) => {
      this.#resolveLate = resolve;
    });
    this.#setTimer(listenMs, () => {
      this.#finish({ kind: 'lost', detail });
      this.#controller?.abort(new Error('timed out'));
    });
    this.#resolve({ kind: 'lost', detail, late });
  }

  readonly #giveUp = (): void => {
    const detail = 'given up';
    this.#finish(this.#phase === 'waiting' ? { kind: 'not_sent', why: 'closed', detail } : { kind: 'lost', detail });
    this.#controller?.abort(new Error(detail));
  };

  #finish(outcome: Outcome): void {
    if (this.#phase === 'over') return;
    clearTimeout(this.#timer);
    this.#limits.stop?.removeEventListener('abort', this.#giveUp);
    this.#phase = 'over';
    // The outcome was returned at the timeout; a second call to resolve has no effect.
    this.#resolve(outcome);
    this.#resolveLate?.(outcome.kind === 'responded' ? outcome : undefined);
  }

  #setTimer(ms: number, run: () => void): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(run, Math.min(ms, MAX_TIMER_MS));
  }
}

/** Only the code: messages of transport errors contain addresses, and parser errors contain received data. */
function transportDetail(error: Error): string {
  const code = 'code' in error ? error.code : undefined;
  return typeof code === 'string' && /^[A-Z0-9_]+$/.test(code) ? code : error.name;
}

function isClosed(error: Error): boolean {
  return ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED'].includes(transportDetail(error));
}

/**
 * The instant after which no byte of a request may leave.
 *
 * Checked by two clocks: the injected clock notices that the process was suspended, also before the call; the monotonic
 * clock notices passing time while the other is set back or stopped.
 */
export interface Deadline {
  passed(): boolean;
  /** Milliseconds left; negative once passed. Infinity without a deadline. */
  leftMs(): number;
}

const NO_DEADLINE: Deadline = { passed: () => false, leftMs: () => Number.POSITIVE_INFINITY };

/** @param deadlineMs  milliseconds since the Unix epoch by `clock` */
export function deadlineAt(deadlineMs: number | undefined, clock: Clock): Deadline {
  if (deadlineMs === undefined) return NO_DEADLINE;
  const monotonicMs = performance.now() + (deadlineMs - clock.nowMs());
  const leftMs = () => Math.min(deadlineMs - clock.nowMs(), monotonicMs - performance.now());
  return { leftMs, passed: () => leftMs() < 0 };
}

/** A request with a lost response occupies its connection until listening ends, so there are spare connections. */
const CONNECTIONS_PER_ORIGIN = 64;

interface Connections {
  to(origin: string): Dispatcher;
  /** Ends every connection and whatever is under way on it. */
  close(): Promise<void>;
}

/**
 * Kept-alive connections, a pool per origin, one request at a time on each: with pipelining, one lost response would
 * make the ones behind it unknown as well.
 */
export function createConnections(connectTimeoutMs: number): Connections {
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
