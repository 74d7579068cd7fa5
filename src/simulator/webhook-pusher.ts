import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Command, GatewayModel } from './gateway-model.js';
import type { Instance } from './account/instance.js';

export interface WebhookPusherOptions {
  model(): GatewayModel;
  nowMs(): number;
  /** Milliseconds of real time to wait for a response. */
  readonly timeoutMs: number;
  /** Receives the result of each push. */
  record(command: Command): void;
  /** Receives errors of `record`. */
  onError(error: unknown): void;
}

/** Pushes due notifications to the client's server, one at a time for each instance. */
export class WebhookPusher {
  readonly #options: WebhookPusherOptions;
  readonly #underWay = new Map<string, Promise<void>>();
  #stopped = new AbortController();

  constructor(options: WebhookPusherOptions) {
    this.#options = options;
  }

  /** When the next push is due, except those under way. */
  nextDueAtMs(): number | undefined {
    const idle = this.#options.model().instances.filter(({ idInstance }) => !this.#underWay.has(idInstance));
    const times = idle.map((one) => this.#options.model().nextNotification(one)?.atMs).filter((at) => at !== undefined);
    return times.length === 0 ? undefined : Math.min(...times);
  }

  /** Starts the pushes that are due. */
  pump(): void {
    for (const instance of this.#options.model().instances) {
      if (this.#underWay.has(instance.idInstance)) continue;
      const next = this.#options.model().nextNotification(instance);
      if (next === undefined || next.atMs > this.#options.nowMs()) continue;
      const stop = this.#stopped.signal;
      const pushed = this.#push(instance, next.notification.number, JSON.stringify(next.notification.body), stop);
      this.#underWay.set(
        instance.idInstance,
        pushed.catch((error: unknown) => this.#options.onError(error)),
      );
    }
  }

  /** Waits until every due push has a response. */
  async settle(): Promise<void> {
    for (;;) {
      this.pump();
      if (this.#underWay.size === 0) return;
      await Promise.all(this.#underWay.values());
    }
  }

  /** Aborts the pushes under way; their results are not recorded. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await Promise.all(this.#underWay.values());
    this.#stopped = new AbortController();
  }

  async #push(instance: Instance, number: number, body: string, stop: AbortSignal): Promise<void> {
    const { idInstance, settings } = instance;
    const { webhookUrlToken: token } = settings;
    // Source: the document's rules for webhookUrlToken: Basic and Bearer as given, anything else is a bearer token.
    const isWhole = token.startsWith('Basic ') || token.startsWith('Bearer ');
    const authorization = isWhole ? token : `Bearer ${token}`;
    const headers = {
      'Content-Type': 'application/json; charset=utf-8',
      ...(token === '' ? {} : { Authorization: authorization }),
    };
    const startedAtMs = this.#options.nowMs();
    const status = await post(settings.webhookUrl, headers, body, {
      timeoutMs: this.#options.timeoutMs,
      stop,
    });
    this.#underWay.delete(idInstance);
    if (stop.aborted) return;
    this.#options.record({ do: 'notified', idInstance, number, taken: status === 200, startedAtMs });
  }
}

/** @returns the status; undefined without a complete response */
function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  { timeoutMs, stop }: { readonly timeoutMs: number; readonly stop: AbortSignal },
): Promise<number | undefined> {
  return new Promise((resolve) => {
    if (!URL.canParse(url) || stop.aborted) {
      resolve(undefined);
      return;
    }
    const target = new URL(url);
    const send = target.protocol === 'https:' ? httpsRequest : httpRequest;
    // No keep-alive: if the receiver closed a connection between two pushes, the second push would fail.
    const options = {
      method: 'POST',
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
      agent: false,
    };
    const request = send(target, { ...options, signal: stop }, (response) => {
      response.resume();
      response.once('end', () => resolve(response.statusCode));
      response.once('error', () => resolve(undefined));
      response.once('close', () => resolve(undefined));
    });
    // The receiver is unreachable or too slow, or the connection was reset. The outbox retries the push.
    request.once('error', () => resolve(undefined));
    const timer = setTimeout(() => request.destroy(), timeoutMs);
    request.once('close', () => clearTimeout(timer));
    request.end(body);
  });
}
