/** A bot behind an endpoint with `raw`, while the process that runs all of everpost is killed. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { aDataDir } from '../support/embedded-database.js';
import { eventually } from '../support/eventually.js';
import { runsEverything } from '../support/runs.js';
import { anEventTarget, type EventTarget } from '../worker/event-target.js';
import { isAlive, startDev, type DevProcess } from './dev-process.js';
import { everpost } from './fake-terminal.js';

/** No message is sent to it: the test plays the gateway. */
const ACCOUNT = { baseUrl: 'http://127.0.0.1:1', idInstance: '1', apiTokenInstance: 'x', webhookToken: 'hook' };
const CHATS = 4;
/** `npm run verify` kills it a second time. */
const KILLS = runsEverything ? 2 : 1;
const BETWEEN_KILLS = 20;

let dataDir: string;
let env: Record<string, string>;
let dev: DevProcess;
let bot: EventTarget;

beforeAll(async () => {
  dataDir = await aDataDir();
  const instances = path.join(dataDir, 'instances.json');
  writeFileSync(instances, JSON.stringify({ main: ACCOUNT }));
  env = { EVERPOST_ALLOW_PRIVATE_TARGETS: 'yes', EVERPOST_INSTANCES_FILE: instances };
  let requests = 0;
  // Every eighth request fails: the chat of a failed one waits for seconds.
  bot = await anEventTarget((response) => response.writeHead(++requests % 8 === 0 ? 500 : 200).end());
  dev = await startDev(dataDir, env);
});
afterAll(async () => {
  if (isAlive(dev.pid)) await dev.end('SIGTERM');
  await bot.close();
  rmSync(dataDir, { recursive: true });
});

/** With whitespace that no parser keeps; every seventh is invalid JSON. */
function notification(at: number): string {
  const chatId = `1555000000${at % CHATS}@c.us`;
  if (at % 7 === 6) return `{ "typeWebhook": broken ${at}`;
  const body = { typeWebhook: 'incomingMessageReceived', idMessage: `M${at}`, senderData: { chatId }, at };
  return JSON.stringify(body, undefined, at % 3);
}

/** As the gateway does: repeated until it is accepted. */
async function push(body: string): Promise<void> {
  await eventually(async () => {
    const response = await fetch(`${dev.facts.apiUrl}/webhooks/main`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', authorization: 'Bearer hook' },
    });
    expect(response.status).toBe(200);
  });
}

it('the bot gets every notification, byte for byte and in the order of its chat', async () => {
  const args = ['event', 'endpoint', 'create', '--instance', 'main', '--url', bot.url, '--raw', '--json'];
  const created = await everpost(args, { env: { EVERPOST_API_URL: dev.facts.apiUrl } });
  expect(created.exitCode).toBe(0);
  const pushed: string[] = [];
  for (let kill = 0; kill <= KILLS; kill += 1) {
    for (let one = 0; one < BETWEEN_KILLS; one += 1) {
      const body = notification(pushed.length);
      await push(body);
      pushed.push(body);
    }
    if (kill === KILLS) break;
    await dev.end('SIGKILL');
    dev = await startDev(dataDir, env);
  }

  const came = () => [...new Set(bot.requests.map(({ body }) => body.toString()))];
  await eventually(() => expect(came().toSorted()).toEqual(pushed.toSorted()));

  for (let chat = 0; chat < CHATS; chat += 1) {
    const ofChat = (all: readonly string[]) => all.filter((body) => body.includes(`1555000000${chat}@c.us`));
    expect(ofChat(came())).toEqual(ofChat(pushed));
  }
  const { out } = await everpost(['event', 'endpoint', 'list', '--json'], {
    env: { EVERPOST_API_URL: dev.facts.apiUrl },
  });
  expect(JSON.parse(out[0] ?? '')).toMatchObject({ items: [{ instance: 'main', raw: true, failed: 0 }] });
  expect((await dev.end('SIGTERM')).code).toBe(0);
});
