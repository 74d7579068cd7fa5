import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { simulatorInstance } from '../../src/config/index.js';
import { AppError, Secret, type InstanceConfig, type InstanceDirectory } from '../../src/contract/index.js';
import { createGateway } from '../../src/gateway/index.js';
import { startSimulator, type Simulator } from '../../src/simulator/index.js';
import { createReceiver, type Receiver } from '../../src/webhooks/index.js';
import { pollNotifications, startBackgroundJob } from '../../src/worker/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { eventually } from '../support/eventually.js';

const CHAT = '15550000001@c.us';
const clock = { nowMs: () => Date.now() };

/** A ledger takes a second to create, so all tests share one, each with an instance of its own. */
const ledger = useLedger();

let simulator: Simulator;
let receiver: Receiver;
/** The content of the instances file, read again at each poll. */
let instance: InstanceConfig;
let logged: { message: string; [fact: string]: unknown }[];

beforeEach(async (context) => {
  logged = [];
  simulator = await startSimulator({ settings: { incomingWebhook: 'yes' } });
  instance = { ...simulatorInstance(simulator.url), name: `i-${context.task.id}`, notifications: 'poll' };
  receiver = createReceiver({ ledger, instances, clock, log });
  onTestFinished(async () => {
    await receiver.close();
    await simulator.close();
  });
});

const instances: InstanceDirectory = { get: () => instance, names: () => [instance.name] };
const log = (entry: { message: string }): void => void logged.push(entry);

function aWorker(holder: string) {
  const gateway = createGateway({ instances, clock });
  const loop = { leases: ledger.leases, holder, log };
  const polls = startBackgroundJob(pollNotifications({ instances, gateway, receiver }, loop), loop);
  onTestFinished(async () => {
    await polls.stop();
    await gateway.close();
  });
  return polls;
}

async function control(verb: string, path: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${simulator.url}/_sim${path}`, { method: verb, body: JSON.stringify(body) });
  expect(response.ok).toBe(true);
  const text = await response.text();
  return text === '' ? undefined : JSON.parse(text);
}

async function incoming(textMessage: string): Promise<string> {
  const path = '/instances/1101000001/incoming';
  return ((await control('POST', path, { chatId: CHAT, textMessage })) as { idMessage: string }).idMessage;
}

async function settings(changed: Record<string, string>): Promise<void> {
  await control('PATCH', '/instances/1101000001', { settings: changed });
}

/** Ids of the messages whose notifications still wait at the gateway. */
async function waiting(): Promise<unknown[]> {
  const shown = (await control('GET', '/instances/1101000001')) as {
    notifications: { body: { idMessage: string } }[];
  };
  return shown.notifications.map(({ body }) => body.idMessage);
}

/** Ids of the messages whose notifications came to the receiver, once for each time. */
function accepted(): { readonly ids: unknown[] } {
  const ids: unknown[] = [];
  const accept = receiver.accept;
  vi.spyOn(receiver, 'accept').mockImplementation(async (name, rawBody) => {
    await accept(name, rawBody);
    ids.push((JSON.parse(Buffer.from(rawBody).toString()) as { idMessage: unknown }).idMessage);
  });
  return { ids };
}

function asked(method: string): number {
  return simulator.requests().filter((request) => request.method === method).length;
}

/** Proves FETCH-1 to FETCH-4. */
describe('an account whose notifications are fetched', () => {
  test('gives them in order, and has each deleted', async () => {
    const { ids } = accepted();
    const before = [await incoming('one'), await incoming('two')];
    aWorker('worker');
    await eventually(() => expect(ids).toEqual(before));
    const third = await incoming('three');
    await eventually(() => expect(ids).toEqual([...before, third]));
    await eventually(async () => expect(await waiting()).toEqual([]));
  });

  test('keeps one that the ledger could not accept, and gives it again', async () => {
    const { ids } = accepted();
    const away = new AppError('LEDGER_UNAVAILABLE', 'The ledger is away.');
    const store = vi.spyOn(ledger.receipts, 'store').mockRejectedValueOnce(away);
    onTestFinished(() => store.mockRestore());
    const idMessage = await incoming('one');
    aWorker('worker');
    await eventually(() => expect(logged).toMatchObject([{ error: { code: 'LEDGER_UNAVAILABLE' } }]));
    expect(asked('deleteNotification')).toBe(0);
    expect(await waiting()).toEqual([idMessage]);
    await eventually(() => expect(ids).toEqual([idMessage]));
    await eventually(async () => expect(await waiting()).toEqual([]));
  });

  test('gives one again that was stored but not deleted, and the ledger knows it', async () => {
    const { ids } = accepted();
    const stored = vi.spyOn(ledger.receipts, 'store');
    onTestFinished(() => stored.mockRestore());
    await control('POST', '/faults', { method: 'deleteNotification', kind: 'reset', accepted: false });
    const idMessage = await incoming('one');
    aWorker('worker');
    await eventually(() => expect(ids).toEqual([idMessage, idMessage]));
    const outcomes = await Promise.all(
      stored.mock.results.map(({ value }) => value as Promise<{ duplicate: boolean }>),
    );
    expect(outcomes.map(({ duplicate }) => duplicate)).toEqual([false, true]);
    await eventually(async () => expect(await waiting()).toEqual([]));
  });

  test('is polled by one worker, and by another when that one stops', async () => {
    const first = aWorker('first');
    await eventually(() => expect(asked('receiveNotification')).toBeGreaterThan(0));
    const taken = vi.spyOn(ledger.leases, 'acquire');
    onTestFinished(() => taken.mockRestore());
    aWorker('second');
    await eventually(() => expect(taken).toHaveBeenCalled());
    expect(await taken.mock.results[0]?.value).toBe(false);
    await first.stop();
    const { ids } = accepted();
    const idMessage = await incoming('one');
    await eventually(() => expect(ids).toEqual([idMessage]));
  });

  test('loses none when a worker stops during a poll', async () => {
    const { ids } = accepted();
    const polls = aWorker('worker');
    await eventually(() => expect(asked('receiveNotification')).toBeGreaterThan(0));
    await polls.stop();
    const idMessage = await incoming('one');
    await eventually(() => expect(simulator.requests().at(-1)?.status).toBe(200));
    expect([ids, asked('deleteNotification'), await waiting()]).toEqual([[], 0, [idMessage]]);
  });

  test('is polled again when it stops refusing, which it does while it has a webhook address', async () => {
    const { ids } = accepted();
    await settings({ webhookUrl: 'http://127.0.0.1:1/' });
    aWorker('worker');
    await eventually(() => expect(logged).toMatchObject([{ error: { code: 'GATEWAY_REJECTED' } }]));
    expect(logged[0]).toHaveProperty('error.gatewayText', expect.stringContaining('custom webhook url is set'));
    await settings({ webhookUrl: '' });
    const idMessage = await incoming('one');
    await eventually(() => expect(ids).toEqual([idMessage]));
  });

  test('is polled with the token and the mode of the current instances file', async () => {
    const { ids } = accepted();
    const right = instance;
    instance = { ...right, apiTokenInstance: new Secret('an-old-one') };
    aWorker('worker');
    await eventually(() => expect(logged).toMatchObject([{ error: { code: 'GATEWAY_UNAUTHORIZED' } }]));
    instance = right;
    const first = await incoming('one');
    await eventually(() => expect(ids).toEqual([first]));
    instance = { ...right, notifications: 'push' };
    await eventually(() => expect(asked('deleteNotification')).toBeGreaterThan(0));
    const second = await incoming('two');
    await eventually(() => expect(simulator.requests().at(-1)?.status).toBe(200));
    instance = right;
    await eventually(() => expect(ids).toEqual([first, second]));
  });
});
