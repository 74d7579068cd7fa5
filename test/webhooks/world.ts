/** A receiver on a real ledger, and the gateway's notifications to it. Each test has its own instance. */
import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import { AppError, Secret, type InstanceDirectory, type MessageId } from '../../src/contract/index.js';
import type { Evidence, Ledger, NotificationSummary } from '../../src/ledger/index.js';
import { createReceiver, type IncomingMessage, type Receiver, type ReceiverOptions } from '../../src/webhooks/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { perTest } from '../support/per-test.js';
import { claim } from '../support/send-once.js';

export const ID_INSTANCE = 1101000001;
const HOUR_MS = 60 * 60_000;

/** One ledger for all tests of a file; each call of the returned function gives the world of one test. */
export function useWorld(): () => World {
  const ledger = useLedger();
  return () => new World(ledger);
}

/** The world of the test that runs; it is closed after the test. */
export function useOwnWorld(): World {
  const the = perTest(useWorld());
  afterEach(() => the.close());
  return the;
}

export class World {
  readonly ledger: Ledger;
  readonly instance = `i-${randomUUID().slice(0, 8)}`;
  /** The messages that notifications changed, in order. */
  readonly changed: MessageId[] = [];
  readonly incoming: IncomingMessage[] = [];
  readonly logged: { readonly message: string }[] = [];
  /** By the receiver's clock. */
  nowMs = Date.now();
  readonly #receivers: Receiver[] = [];

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  readonly instances: InstanceDirectory = {
    names: () => [this.instance],
    get: (name) => {
      if (name !== this.instance) throw new AppError('INSTANCE_NOT_FOUND', `There is no instance ${name}.`);
      const webhookTokens = [new Secret('old-token'), new Secret('Basic bmV3')];
      const apiTokenInstance = new Secret('instance-token');
      return { name, baseUrl: 'http://127.0.0.1:9', idInstance: String(ID_INSTANCE), apiTokenInstance, webhookTokens };
    },
  };

  receiver(over: Partial<ReceiverOptions> = {}): Receiver {
    const receiver = createReceiver({
      ledger: this.ledger,
      instances: this.instances,
      clock: { nowMs: () => this.nowMs },
      onChanged: (id) => void this.changed.push(id),
      incoming: (message) => {
        this.incoming.push(message);
        return Promise.resolve();
      },
      log: (entry) => void this.logged.push(entry),
      ...over,
    });
    this.#receivers.push(receiver);
    return receiver;
  }

  async close(): Promise<void> {
    await Promise.all(this.#receivers.map((receiver) => receiver.close()));
  }

  /** Posts notifications and waits until they are applied. */
  async post(receiver: Receiver, ...bodies: readonly unknown[]): Promise<void> {
    for (const body of bodies) await receiver.receive(this.instance, 'Bearer old-token', bytes(body));
    await receiver.idle();
  }

  /** Gateway ids that are unique to this test. */
  idOf(name: string): string {
    return `${name} of ${this.instance}`;
  }

  notification(typeWebhook: string, fields: Readonly<Record<string, unknown>>, secondsAgo = 0) {
    const timestamp = Math.floor(this.nowMs / 1_000) - secondsAgo;
    return { typeWebhook, instanceData: { idInstance: ID_INSTANCE }, timestamp, ...fields };
  }

  status(name: string, status: string, fields: Readonly<Record<string, unknown>> = {}, secondsAgo = 0) {
    return this.notification('outgoingMessageStatus', { idMessage: this.idOf(name), status, ...fields }, secondsAgo);
  }

  async accepted(name: string): Promise<MessageId> {
    const id = `msg_${randomUUID()}` as MessageId;
    const { ledger, instance, nowMs } = this;
    const request = { instance, chatId: '15550000001@c.us', content: { kind: 'text', text: id } } as const;
    await ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: nowMs + HOUR_MS, nowMs });
    const token = await this.claim(id);
    if (token === undefined) throw new Error(`${id} could not be claimed`);
    await ledger.dispatch.recordOutcomes([
      { token, outcome: { kind: 'accepted', idMessage: this.idOf(name), httpStatus: 200 }, atMs: nowMs },
    ]);
    return id;
  }

  /** The token of the attempt, if the dispatcher of the instance may post the message. */
  async claim(id: MessageId): Promise<string | undefined> {
    const times = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 15_000, settleTimeMs: 15_000 };
    return (await claim({ ledger: this.ledger, clock: { nowMs: () => this.nowMs }, times }, id))?.token;
  }

  async state(id: MessageId): Promise<string | undefined> {
    return (await this.ledger.messages.snapshot(id))?.state;
  }

  async evidence(id: MessageId): Promise<readonly Evidence[]> {
    return (await this.ledger.views.message(id, Date.now()))?.evidence ?? [];
  }

  async summary(): Promise<NotificationSummary> {
    const all = await this.ledger.notifications.summaries([this.instance], this.nowMs - 24 * HOUR_MS);
    const own = all.find(({ instance }) => instance === this.instance);
    if (own === undefined) throw new Error('no summary');
    return own;
  }
}

export function bytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
}
