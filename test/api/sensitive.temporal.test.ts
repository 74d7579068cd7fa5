/** The texts of sensitive messages are in no response, event, output, log line or history, in any state. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';
import { dispatchTaskQueue } from '../../src/contract/index.js';
import { everpost } from '../cli/fake-terminal.js';
import { eventually } from '../support/eventually.js';
import { PrivateScan } from '../support/private-scan.js';
import { test } from '../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from './live-api.js';

const PLANTED = {
  text: 'otp 902113',
  edit: 'otp 771204',
  early: 'otp 550917',
  caption: 'caption 318840',
  fileName: 'invoice-663021.pdf',
  status: 'status 447710',
  question: 'question 226415',
  option: 'option 884902',
  rejected: 'otp 119372',
  unknown: 'otp 603388',
} as const;
const TO = '15550107788';
/** Read with ids that the test knows. */
const PATHS = (JSON.parse(readFileSync('openapi.json', 'utf8')) as { paths: Record<string, object> }).paths;

async function responding(live: LiveApi, method: string, path: string, body?: unknown) {
  const headers = { 'Idempotency-Key': randomUUID(), 'content-type': 'application/json' };
  const response = await live.call(method, path, body, headers);
  expect(response, `${method} ${path} ${JSON.stringify(response.body)}`).toMatchObject({
    status: expect.toSatisfy((status: number) => status < 300),
  });
  return response.body;
}

async function send(
  live: LiveApi,
  content: { readonly kind: string; readonly [field: string]: unknown },
): Promise<string> {
  const to = content.kind === 'status' ? {} : { to: TO };
  const { id } = await responding(live, 'POST', '/v1/messages', { instance: 'main', sensitive: true, ...to, content });
  return id as string;
}

const until = (live: LiveApi, id: string, state: RegExp) =>
  eventually(async () => {
    const view = await responding(live, 'GET', `/v1/messages/${id}`);
    expect(view).toMatchObject({ state: expect.stringMatching(state) });
    return view;
  });

const TAKEN = /^(?:sent|delivered|read)$/;

/** One message of every kind, in every state that it can have. */
async function messagesOf(live: LiveApi): Promise<{ ids: string[]; editId: string }> {
  const text = await send(live, { kind: 'text', text: PLANTED.text });
  const { idMessage } = await until(live, text, TAKEN);
  const edit = await responding(live, 'POST', `/v1/messages/${text}/edits?timeoutMs=60000`, { text: PLANTED.edit });
  expect(edit).toMatchObject({ outcome: 'edited', text: '••••', textLength: 10 });
  const others = [
    await send(live, { kind: 'file', url: 'https://x.test/f', fileName: PLANTED.fileName, caption: PLANTED.caption }),
    await send(live, { kind: 'status', text: PLANTED.status }),
    await send(live, {
      kind: 'poll',
      message: PLANTED.question,
      options: [{ optionName: PLANTED.option }, { optionName: 'none of them' }],
    }),
  ];
  for (const id of others) await until(live, id, TAKEN);

  const refusal = { method: 'sendMessage', kind: 'status', accepted: false, times: 1 };
  const body = { message: `'${PLANTED.rejected}' is refused` };
  await live.control('POST', 'faults', { ...refusal, status: 400, body });
  const rejected = await send(live, { kind: 'text', text: PLANTED.rejected });
  expect((await until(live, rejected, /^rejected$/)).reasonText).toBe("'[message]' is refused");

  await live.control('POST', 'faults', { method: 'sendMessage', kind: 'lose-answer', accepted: true, times: 1 });
  const unknown = await send(live, { kind: 'text', text: PLANTED.unknown });
  await until(live, unknown, TAKEN);

  const early = { instance: 'main', sensitive: true, to: TO, content: { kind: 'text', text: PLANTED.early } };
  const { id: waiting } = await responding(live, 'POST', '/v1/messages', { ...early, sendAt: '2990-01-01T00:00:00Z' });
  await responding(live, 'POST', `/v1/messages/${waiting}/edits`, { text: `${PLANTED.early} again` });

  // The recipient quotes the message.
  const quote = { stanzaId: idMessage, typeMessage: 'textMessage', textMessage: PLANTED.text };
  const extendedTextMessageData = { text: 'is this mine?', stanzaId: idMessage };
  const quoting = {
    typeWebhook: 'incomingMessageReceived',
    instanceData: { idInstance: 1_101_000_001 },
    idMessage: 'R1',
    senderData: { chatId: `${TO}@c.us` },
    messageData: { typeMessage: 'quotedMessage', extendedTextMessageData, quotedMessage: quote },
  };
  const headers = { Authorization: 'Bearer hook-token' };
  expect(await live.call('POST', '/webhooks/main', quoting, headers)).toMatchObject({ status: 200 });
  return { ids: [text, ...others, rejected, unknown, waiting], editId: edit.id };
}

async function journals(live: LiveApi, scan: PrivateScan): Promise<void> {
  const chatId = `${TO}@c.us`;
  for (const [method, request] of [
    ['lastOutgoingMessages', { minutes: 60 }],
    ['showMessagesQueue', {}],
  ] as const) {
    const path = `/v1/operations/${method}?wait=end&timeoutMs=60000`;
    const { id, state, result } = await responding(live, 'POST', path, { instance: 'main', request });
    expect(state).toBe('done');
    scan.look(method, result);
    scan.look(`stored ${method}`, await responding(live, 'GET', `/v1/operations/${method}/${id}`));
    if (method === 'lastOutgoingMessages') expect(JSON.stringify(result)).toContain(chatId);
  }
}

async function everyResponse(live: LiveApi, scan: PrivateScan, ids: readonly string[], editId: string) {
  // On a server the list ends before the oldest open transaction of any database.
  const events = await eventually(async () => {
    const { items } = await responding(live, 'GET', '/v1/events?limit=500');
    expect(items.length).toBeGreaterThan(10);
    return items;
  });
  const paths = Object.entries(PATHS).flatMap(([path, methods]) => ('get' in methods ? [path] : []));
  for (const path of paths.filter((one) => !one.includes('{'))) {
    scan.look(path, await (await fetch(live.url + path)).text());
  }
  for (const id of ids) scan.look('message', await responding(live, 'GET', `/v1/messages/${id}`));
  scan.look('edit', await responding(live, 'GET', `/v1/messages/${ids[0]}/edits/${editId}`));
  scan.look('instance', await responding(live, 'GET', '/v1/instances/main'));
  for (const { id } of events) scan.look('event', await responding(live, 'GET', `/v1/events/${id}`));
}

async function everyOutput(live: LiveApi, scan: PrivateScan, ids: readonly string[], temporalAddress: string) {
  const env = { EVERPOST_API_URL: live.url, TEMPORAL_ADDRESS: temporalAddress };
  const commands = [
    ['message', 'list'],
    ['message', 'list', '--json'],
    ['event', 'list'],
    ['instance', 'show', 'main'],
    ['doctor'],
    ...ids.flatMap((id) => [
      ['message', 'show', id],
      ['message', 'show', id, '--json'],
    ]),
  ];
  for (const args of commands) {
    const { out, err } = await everpost(args, { env });
    scan.look(`everpost ${args.join(' ')}`, [...out, ...err]);
    if (args[1] === 'show' && args[0] === 'message') expect(out.join('\n')).toContain('••••');
  }
}

describe('SENSITIVE-1 the text of a sensitive message', () => {
  test('SENSITIVE-1 is shown nowhere, and arrives', async ({ temporal, taskQueue }) => {
    const scan = new PrivateScan(PLANTED);
    const live = await aLiveApi(temporal, taskQueue, { log: (entry) => scan.look('log', entry) });
    try {
      await responding(live, 'POST', '/v1/event-endpoints', { instance: 'main', events: ['*'] });
      const { ids, editId } = await messagesOf(live);
      await eventually(async () => {
        const { items } = await responding(live, 'GET', '/v1/events?type=message.received');
        expect(items).toMatchObject([
          {
            data: {
              messageData: {
                extendedTextMessageData: { text: 'is this mine?' },
                quotedMessage: { textMessage: '••••' },
              },
            },
          },
        ]);
      });
      await journals(live, scan);
      await everyResponse(live, scan, ids, editId);
      await everyOutput(live, scan, ids, temporal.address);
      await scan.readTemporal({ client: live.client, taskQueues: [taskQueue, dispatchTaskQueue(taskQueue)] });

      expect(scan.found).toEqual([]);
      expect(scan.read).toBeGreaterThan(50_000);
      const texts = JSON.stringify(live.phoneOf(TO));
      for (const text of [PLANTED.edit, PLANTED.caption, PLANTED.question, PLANTED.unknown]) {
        expect(texts).toContain(text);
      }
    } finally {
      await live.close();
    }
  });
});
