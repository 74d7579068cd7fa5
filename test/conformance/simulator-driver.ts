import { expect, onTestFinished } from 'vitest';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { INSTANCE, CHAT, START_MS, TOKEN, type Json } from './scene.js';
import { startWebhookServer, type WebhookServer } from './webhook-server.js';

export interface SimulatorResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, `undefined` when it is empty or invalid JSON. */
  readonly json: unknown;
}

export interface RequestOptions {
  readonly instance?: string;
  readonly token?: string;
  readonly verb?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent unchanged, instead of the body's JSON. */
  readonly rawBody?: string;
}

export interface DriverOptions {
  /** Starts a copy of the simulator instead of the simulator itself. */
  readonly start?: typeof startSimulator;
  /** A field that is removed from everything that the gateway sends. */
  readonly dropField?: string;
}

/** A simulator with its own clock, used over HTTP as by a customer of the gateway. */
export class SimulatorDriver {
  readonly #simulator: Simulator;
  readonly #dropField: string | undefined;

  private constructor(simulator: Simulator, dropField: string | undefined) {
    this.#simulator = simulator;
    this.#dropField = dropField;
  }

  /** Ends with the test. */
  static async start(options: DriverOptions = {}): Promise<SimulatorDriver> {
    const { start = startSimulator, dropField } = options;
    const simulator = await start({ port: 0, clock: { nowMs: () => START_MS }, rateLimits: false });
    onTestFinished(() => simulator.close());
    return new SimulatorDriver(simulator, dropField);
  }

  async post(method: string, body: unknown, options: RequestOptions = {}): Promise<SimulatorResponse> {
    return await this.#operation(method, '', { verb: 'POST', rawBody: JSON.stringify(body), ...options });
  }

  async get(method: string, query = '', options: RequestOptions = {}): Promise<SimulatorResponse> {
    return await this.#operation(method, query, { verb: 'GET', ...options });
  }

  async #operation(method: string, query: string, options: RequestOptions): Promise<SimulatorResponse> {
    const prefix = method === 'readChat' ? '/v3' : '';
    const { instance = INSTANCE, token = TOKEN, verb = 'GET', headers = {}, rawBody } = options;
    const response = await this.#fetch(`${prefix}/waInstance${instance}/${method}/${token}${query}`, {
      method: verb,
      headers: { ...(rawBody === undefined ? {} : { 'Content-Type': 'application/json' }), ...headers },
      ...(rawBody === undefined ? {} : { body: rawBody }),
    });
    return { ...response, json: without(this.#dropField, response.json) };
  }

  /** Calls a control endpoint, which has to answer 2xx. */
  async control(verb: string, path: string, body?: unknown): Promise<unknown> {
    const response = await this.#fetch(`/_sim${path}`, {
      method: verb,
      ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    });
    expect(response.status, `${verb} /_sim${path}: ${response.text}`).toBeLessThan(300);
    return response.json;
  }

  async #fetch(path: string, init: RequestInit): Promise<SimulatorResponse> {
    const response = await fetch(`${this.#simulator.url}${path}`, init);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  }

  nowMs(): number {
    return this.#simulator.nowMs();
  }

  /** Moves the clock; all due events happen, and every due notification is answered. */
  async advance(advanceMs: number): Promise<void> {
    await this.#simulator.advance(advanceMs);
  }

  async instance(change: Json, instance = INSTANCE): Promise<void> {
    await this.control('PATCH', `/instances/${instance}`, change);
  }

  async settings(settings: Json): Promise<void> {
    await this.instance({ settings });
  }

  /** The messages on the phones, oldest first. */
  async delivered(chatId?: string): Promise<Json[]> {
    const query = chatId === undefined ? '' : `?chatId=${encodeURIComponent(chatId)}`;
    return (await this.control('GET', `/delivered${query}`)) as Json[];
  }

  async deliveredTexts(chatId?: string): Promise<unknown[]> {
    return (await this.delivered(chatId)).map((message) => message['text']);
  }

  async queue(): Promise<Json[]> {
    const response = await this.get('showMessagesQueue');
    expect(response.status).toBe(200);
    expect(Array.isArray(response.json)).toBe(true);
    return response.json as Json[];
  }

  /** Posts a request that has to be accepted; returns the id in the response. */
  async accepted(method: string, body: Json, options: RequestOptions = {}): Promise<string> {
    const response = await this.post(method, body, options);
    expect(response.status, response.text).toBe(200);
    const { idMessage } = response.json as { idMessage: unknown };
    expect(typeof idMessage).toBe('string');
    return idMessage as string;
  }

  async text(message: string, chatId = CHAT, more: Json = {}): Promise<string> {
    return await this.accepted('sendMessage', { chatId, message, ...more });
  }

  async incoming(textMessage: string, chatId = CHAT): Promise<string> {
    const { idMessage } = (await this.control('POST', `/instances/${INSTANCE}/incoming`, {
      chatId,
      textMessage,
    })) as { idMessage: string };
    return idMessage;
  }

  /** An event that the gateway only observes: `calls`, `blocks`, `device`, `quota`, `edits` or `deletions`. */
  async happens(what: string, given: Json = {}): Promise<Json | undefined> {
    return (await this.control('POST', `/instances/${INSTANCE}/${what}`, given)) as Json | undefined;
  }

  /** A message that the account's owner writes on the phone. */
  async phoneSent(textMessage: string, chatId = CHAT): Promise<string> {
    const { idMessage } = (await this.control('POST', `/instances/${INSTANCE}/sent-from-phone`, {
      chatId,
      textMessage,
    })) as { idMessage: string };
    return idMessage;
  }

  async isRead(idMessage: string): Promise<boolean> {
    const { incoming } = (await this.control('GET', `/instances/${INSTANCE}`)) as { incoming: Json[] };
    const message = incoming.find((one) => one['idMessage'] === idMessage);
    expect(message, `no incoming message ${idMessage}`).toBeDefined();
    return message?.['status'] === 'read';
  }

  /** The chat id of the instance's own account. */
  async wid(): Promise<string> {
    const { wid } = (await this.control('GET', `/instances/${INSTANCE}`)) as { wid: string };
    return wid;
  }

  /** A customer's server as webhookUrl, with these settings. */
  async webhook(settings: Json = {}): Promise<WebhookServer> {
    const server = await startWebhookServer((body) => without(this.#dropField, body));
    await this.settings({ webhookUrl: server.url, ...settings });
    return server;
  }

  /** The number of received requests. */
  async arrived(): Promise<number> {
    return ((await this.control('GET', '/requests')) as unknown[]).length;
  }

  async idle(): Promise<void> {
    await this.#simulator.idle();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The value without any occurrence of one field. */
function without(field: string | undefined, value: unknown): unknown {
  if (field === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item: unknown) => without(field, item));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => name !== field)
      .map(([name, inner]) => [name, without(field, inner)]),
  );
}
