import { AppError, type OperationName } from '../../src/contract/index.js';
import type { CallOptions, Gateway } from '../../src/gateway/index.js';
import type { LedClock } from './led-clock.js';

/** The outcome of one POST. */
export interface Behaviour {
  readonly latencyMs: number;
  /** @default 'accepted' */
  readonly kind?: 'accepted' | 'lost' | 'lost-accepted' | 'late' | 'refused' | 'busy' | 'unauthorized' | 'rejected';
  /** For `busy`. */
  readonly retryAfterMs?: number;
  /** Wait at the rate limit before the bytes may leave. */
  readonly gateMs?: number;
}

export interface Post {
  readonly instance: string;
  readonly token: string;
  readonly chatId: string;
  readonly atMs: number;
  readonly behaviour: Behaviour;
  endedAtMs?: number;
}

interface Account {
  intervalMs: number;
  readonly waiting: { readonly token: string; readonly atMs: number }[];
  lastReleaseMs: number;
  readonly releases: { readonly token: string; readonly atMs: number }[];
}

/** The text of each POST is the token of its attempt. */
export class FakeGateway implements Pick<Gateway, 'call'> {
  readonly posts: Post[] = [];
  readings = 0;
  inFlight = 0;
  behaviour: (instance: string) => Behaviour = () => ({ latencyMs: 50 });
  readingMs = 50;
  readonly #accounts = new Map<string, Account>();
  readonly #clock: LedClock;
  readonly #intervalMs: number;

  constructor(clock: LedClock, intervalMs = 500) {
    this.#clock = clock;
    this.#intervalMs = intervalMs;
  }

  readonly call: Gateway['call'] = async (instance, name, request, options = {}) => {
    const response = await this.#call(instance, name, request, options);
    return { response: response as never, httpStatus: 200 };
  };

  account(instance: string): Account {
    const known = this.#accounts.get(instance);
    const account = known ?? {
      intervalMs: this.#intervalMs,
      waiting: [],
      releases: [],
      lastReleaseMs: Number.NEGATIVE_INFINITY,
    };
    this.#accounts.set(instance, account);
    this.#release(account);
    return account;
  }

  setInterval(instance: string, intervalMs: number): void {
    this.account(instance).intervalMs = intervalMs;
  }

  /** Adds an item of another sender. */
  addForeign(instance: string): void {
    this.#enqueue(instance, 'foreign');
  }

  async #call(instance: string, name: OperationName, request: unknown, options: CallOptions): Promise<unknown> {
    if (name === 'getSettings') return { delaySendMessagesMilliseconds: this.#intervalMs };
    if (name === 'sendMessage') return this.#post(instance, request as { chatId: string; message: string }, options);
    this.readings += 1;
    await this.#clock.sleep(this.readingMs);
    return this.account(instance).waiting.map(({ token }) => ({ type: 'sendMessage', messageID: token }));
  }

  async #post(instance: string, request: { chatId: string; message: string }, options: CallOptions): Promise<unknown> {
    const behaviour = this.behaviour(instance);
    if (behaviour.gateMs !== undefined) await this.#clock.sleep(behaviour.gateMs);
    if (this.#clock.wall.nowMs() > (options.deadlineMs ?? 0))
      throw new AppError('GATEWAY_DEADLINE_PASSED', 'Too late.');
    const { chatId, message: token } = request;
    const post: Post = { instance, token, chatId, atMs: this.#clock.nowMs(), behaviour };
    this.posts.push(post);
    this.inFlight += 1;
    options.onLeft?.();
    try {
      await this.#clock.sleep(behaviour.latencyMs / 2);
      if (['accepted', 'lost-accepted', 'late'].includes(behaviour.kind ?? 'accepted')) this.#enqueue(instance, token);
      await this.#clock.sleep(behaviour.latencyMs / 2);
      return this.#respond(post, options);
    } finally {
      post.endedAtMs = this.#clock.nowMs();
      this.inFlight -= 1;
    }
  }

  #respond({ token, behaviour }: Post, options: CallOptions): { idMessage: string } {
    const retryAfterMs = behaviour.retryAfterMs ?? 1_000;
    switch (behaviour.kind ?? 'accepted') {
      case 'accepted':
        return { idMessage: `id-${token}` };
      case 'late':
        this.#clock.after(2_000, () => {
          void options.onLate?.({ response: { idMessage: `id-${token}` }, httpStatus: 200 });
        });
        throw new AppError('GATEWAY_OUTCOME_UNKNOWN', 'No response in time.');
      case 'lost':
      case 'lost-accepted':
        throw new AppError('GATEWAY_OUTCOME_UNKNOWN', 'The response never came.');
      case 'refused':
        throw new AppError('GATEWAY_UNREACHABLE', 'No connection.');
      case 'busy':
        throw new AppError('GATEWAY_BUSY', 'Too many requests.', { retryAfterMs, httpStatus: 429 });
      case 'unauthorized':
        throw new AppError('GATEWAY_UNAUTHORIZED', 'The token is not accepted.', { httpStatus: 401 });
      case 'rejected':
        throw new AppError('GATEWAY_REJECTED', 'Invalid.', { httpStatus: 400 });
    }
  }

  #enqueue(instance: string, token: string): void {
    this.account(instance).waiting.push({ token, atMs: this.#clock.nowMs() });
    this.#release(this.account(instance));
  }

  /** Releases the items that are due. */
  #release(account: Account): void {
    const nowMs = this.#clock.nowMs();
    for (let first = account.waiting[0]; first !== undefined; first = account.waiting[0]) {
      const atMs = Math.max(first.atMs, account.lastReleaseMs + account.intervalMs);
      if (atMs > nowMs) return;
      account.lastReleaseMs = atMs;
      account.releases.push({ token: first.token, atMs });
      account.waiting.shift();
    }
  }
}
