import { request as httpRequest, type Agent } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { startSimulator, type Simulator, type SimulatorOptions } from '../../src/simulator/index.js';
import { startWebhookServer, type WebhookServer } from '../conformance/webhook-server.js';
import { aFolder } from '../support/folder.js';

export const CHAT = '15550000001@c.us';
export const START_MS = Date.parse('2026-01-01T00:00:00.000Z');
export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

export interface SimulatorResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly json: unknown;
}

export interface CallOptions {
  readonly verb?: string;
  readonly idInstance?: string;
  readonly agent?: Agent;
}

/** A simulator that ends with its test, on a clock that only the test moves. */
export async function aSimulator(options: SimulatorOptions = {}): Promise<Simulator> {
  const simulator = await startSimulator({ clock: { nowMs: () => START_MS }, rateLimits: false, ...options });
  onTestFinished(() => simulator.close());
  return simulator;
}

export function aWebhookServer(): Promise<WebhookServer> {
  return startWebhookServer();
}

/** The path of a data file, which is removed after the test. */
export function aDataFile(): string {
  return join(aFolder(), 'below', 'simulator.ndjson');
}

/** One request; rejects as the socket does without a whole response. */
export function send(
  url: string,
  { verb = 'GET', body, agent }: { readonly verb?: string; readonly body?: unknown; readonly agent?: Agent } = {},
): Promise<SimulatorResponse> {
  return new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = payload === undefined ? {} : { 'Content-Type': 'application/json' };
    const request = httpRequest(url, { method: verb, headers, agent: agent ?? false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        const json: unknown = text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined;
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
      });
    });
    request.on('error', reject);
    request.end(payload);
  });
}

export async function call(
  simulator: Simulator,
  method: string,
  body?: unknown,
  { verb = body === undefined ? 'GET' : 'POST', idInstance = '1101000001', agent }: CallOptions = {},
): Promise<SimulatorResponse> {
  const url = `${simulator.url}/waInstance${idInstance}/${method}/simulator-token`;
  return await send(url, { verb, body, ...(agent === undefined ? {} : { agent }) });
}

/** Sends a text, which has to be accepted; returns its id. */
export async function sendText(simulator: Simulator, message: string, chatId = CHAT): Promise<string> {
  const response = await call(simulator, 'sendMessage', { chatId, message });
  expect(response.status, response.text).toBe(200);
  return (response.json as { idMessage: string }).idMessage;
}

/** A control endpoint, which has to answer 200 or 204. */
export async function control(simulator: Simulator, verb: string, path: string, body?: unknown): Promise<unknown> {
  const response = await send(`${simulator.url}/_sim${path}`, { verb, body });
  expect([200, 204], `${verb} ${path}: ${response.text}`).toContain(response.status);
  return response.json;
}

export async function patch(simulator: Simulator, change: unknown): Promise<void> {
  await control(simulator, 'PATCH', '/instances/1101000001', change);
}

export function texts(simulator: Simulator): (string | null)[] {
  return simulator.delivered().map(({ text }) => text);
}
