/** Plays what workers and pages repeat: messages that end in every way, and every operation of the API. */
import { setTimeout as delay } from 'node:timers/promises';
import { MESSAGE_STATES, SCOPES } from '../../src/contract/index.js';
import { operationsOf, urlOf, type Operation, type Wanted } from '../api/odd/requests.js';
import { aTemplate } from '../conformance/template-requests.js';
import { objectsOf } from '../api/keys/two-worlds.js';
import { ID_OF_MAIN, WEBHOOK_TOKEN, type Everything } from './everything.js';
import { MAIN, RUNNING } from './world.js';

/** @returns what went wrong */
export async function playEverything(everything: Everything): Promise<string[]> {
  const faults = [
    ...(await playLives(everything)),
    ...(await playCampaign(everything)),
    ...(await playTimezones(everything)),
    ...(await playPool(everything)),
  ];
  await playYellowCard(everything);
  return [...faults, ...(await playApi(everything))];
}

/** A request that has to succeed. */
function poster({ request }: Everything, faults: string[]) {
  return async (path: string, body?: unknown, headers?: Record<string, string>, key?: string) => {
    const { status, body: response } = await request('POST', path, body, headers, key);
    if (status >= 400 && status < 500) faults.push(`POST ${path}: ${status} ${JSON.stringify(response)}`);
    return response;
  };
}

const SENT_WITHIN_MS = 60_000;

/** Its forecast reads the counts of its timezones, the day's cap and the last line. */
async function playTimezones(everything: Everything): Promise<string[]> {
  const faults: string[] = [];
  const post = poster(everything, faults);
  const { id } = await post('/v1/campaigns', {
    instance: MAIN,
    // Its view counts the results of each variant.
    variants: ['A', 'B'].map((name) => ({ name, share: '50%', content: { kind: 'text', text: `Hello ${name}` } })),
    sendingWindows: { timezone: 'recipient', windows: [{ from: '00:00', until: '23:59' }] },
    limits: { perDay: 20, jitter: { minMs: 0, maxMs: 1_000 } },
  });
  const zones = ['Europe/Lisbon', 'Asia/Tokyo'];
  const rows = Array.from({ length: 40 }, (_, at) => `${15559000300 + at},${zones[at % 2]}`);
  const headers = { 'content-type': 'text/csv' };
  await everything.request('PUT', `/v1/campaigns/${id}/recipients`, ['phone,timezone', ...rows].join('\n'), headers);
  await post(`/v1/campaigns/${id}/start`);
  const { body } = await everything.request('GET', `/v1/campaigns/${id}`);
  return body.counts?.pending > 0 ? faults : [...faults, `the campaign with timezones is ${JSON.stringify(body)}`];
}

/** Two accounts share the recipients; then one is taken from the list, and its messages move. */
async function playPool(everything: Everything): Promise<string[]> {
  const faults: string[] = [];
  const post = poster(everything, faults);
  const content = { kind: 'text', text: 'Hello from one of us' };
  const instances = [MAIN, 'i-9'];
  const { id } = await post('/v1/campaigns', { instances, content, autoPause: 'off', limits: { perDay: 500 } });
  const phones = Array.from({ length: 60 }, (_, at) => 15559000400 + at).join('\n');
  await everything.request('PUT', `/v1/campaigns/${id}/recipients`, `phone\n${phones}`, { 'content-type': 'text/csv' });
  await post(`/v1/campaigns/${id}/start`);
  await post('/v1/messages', { instances, to: '15559000401', content });
  const untilMs = performance.now() + SENT_WITHIN_MS;
  const accounts = async () => (await everything.request('GET', `/v1/campaigns/${id}`)).body.accounts;
  const isRead = (all: { counts: { pending: number; delivered: number } }[]): boolean =>
    all.some(({ counts }) => counts.pending + counts.delivered > 0);
  while (!isRead(await accounts())) {
    if (performance.now() > untilMs) return [...faults, 'no account of the pool has a recipient'];
    await delay(200);
  }
  // The job that watches pools runs every two seconds.
  await delay(2_500);
  await everything.request('PATCH', `/v1/campaigns/${id}`, { instances: [MAIN] });
  return faults;
}

async function playCampaign(everything: Everything): Promise<string[]> {
  const faults: string[] = [];
  const post = poster(everything, faults);
  const content = { kind: 'text', text: 'Hello' };
  const { id } = await post('/v1/campaigns', { instance: MAIN, content, name: 'played', autoPause: 'off' });
  // The gateway releases two a second, so that it is running when it is paused; the last recipient is a duplicate.
  const phones = Array.from({ length: 100 }, (_, at) => 15559000100 + at);
  const lines = ['phone', ...phones, phones[0]].join('\n');
  await everything.request('PUT', `/v1/campaigns/${id}/recipients`, lines, { 'content-type': 'text/csv' });
  await post(`/v1/campaigns/${id}/start`, { acceptRejected: true });
  const untilMs = performance.now() + SENT_WITHIN_MS;
  const isSent = async () => (await everything.request('GET', `/v1/campaigns/${id}`)).body.counts.delivered > 0;
  // An amendment edits what was sent.
  while (!(await isSent())) {
    if (performance.now() > untilMs) return [...faults, 'no message of the campaign was delivered'];
    await delay(200);
  }
  await post(`/v1/campaigns/${id}/amend`, { text: 'Hello all' });
  const areOpen = async () =>
    (await everything.request('GET', `/v1/campaigns/${id}/amendments`)).body.items[0].expected !== undefined;
  while (!(await areOpen())) {
    if (performance.now() > untilMs) return [...faults, 'the amendment opened no edit'];
    await delay(200);
  }
  await post(`/v1/campaigns/${id}/pause`);
  return faults;
}

async function playYellowCard({ request, simulator }: Everything): Promise<void> {
  const isPaused = async () => (await request('GET', `/v1/instances/${MAIN}`)).body.pauses.length > 0;
  await simulator.patchInstance({ state: 'yellowCard' });
  while (!(await isPaused())) await delay(100);
  await simulator.patchInstance({ state: 'authorized' });
  while (await isPaused()) await request('POST', `/v1/instances/${MAIN}/resume?timeoutMs=1000`);
}

const INCOMING_WITH_LID = {
  typeWebhook: 'incomingMessageReceived',
  instanceData: { idInstance: ID_OF_MAIN, wid: '15559000000@c.us', typeInstance: 'whatsapp' },
  timestamp: 1_700_000_000,
  idMessage: 'INCOMING0001',
  senderData: { chatId: '15559000008@c.us', sender: '12345678901234@lid' },
  messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: 'Hello' } },
};

const outgoingTo = (chatId: string) => ({
  ...INCOMING_WITH_LID,
  typeWebhook: 'outgoingAPIMessageReceived',
  idMessage: 'OUTGOING0001',
  senderData: { chatId },
});

/** Lost responses, edits, STOP words, files, callbacks, templates, a gateway that is down. */
async function playLives(everything: Everything): Promise<string[]> {
  const { request, simulator } = everything;
  const faults: string[] = [];
  const post = poster(everything, faults);
  const text = (to: string, more: object = {}) =>
    post('/v1/messages', { instance: MAIN, to, content: { kind: 'text', text: `Hello ${to}` }, ...more });
  await simulator.addFault({ method: 'sendMessage', kind: 'lose-answer', accepted: true, times: 1 });
  await text('15559000001', { priority: 'urgent' });
  // Waits behind the first one, whose outcome is unknown.
  await text('15559000001', { priority: 'urgent' });
  await simulator.addFault({ method: 'sendMessage', kind: 'reset', accepted: false, times: 1 });
  await text('15559000002', { priority: 'urgent', onUnknown: 'auto' });
  const callback = { statusCallback: 'http://127.0.0.1:9/callback' };
  const { id: calledBackId } = await text('15559000003', { ...callback, typing: '1s', sensitive: true });
  await request('GET', `/v1/messages/${calledBackId}`);
  const { fileId } = await post('/v1/files', 'an image', { 'content-type': 'image/jpeg' });
  const file = { kind: 'file', fileId, fileName: 'a.jpg' };
  await post('/v1/messages', { instance: MAIN, to: '15559000004', content: file });
  await text('15559000005', { sendAt: new Date(Date.now() + 3_000).toISOString() });
  const { id: sentId } = await text('15559000007', { priority: 'urgent' });
  // Its run shows an edit that is posted, not one that comes before the send.
  await request('GET', `/v1/messages/${sentId}?wait=sent&timeoutMs=10000`);
  await post(`/v1/messages/${sentId}/edits?timeoutMs=5000`, { text: 'Hello again' });
  await everything.sendByWorkflow({ instance: MAIN, to: '15559000009', content: { kind: 'text', text: 'Hello' } });
  await post('/v1/templates', { instance: MAIN, template: aTemplate() });
  for (const said of ['STOP', 'START', 'please stop writing to me']) {
    await simulator.incoming({ chatId: '15559000006@c.us', textMessage: said });
  }
  await post(`/webhooks/${MAIN}`, INCOMING_WITH_LID, {}, WEBHOOK_TOKEN);
  // It may be what the POST of a message in doubt has become.
  const inDoubt = await request('GET', `/v1/messages?instance=${MAIN}&state=unknown`);
  await post(`/webhooks/${MAIN}`, outgoingTo(inDoubt.body.items[0].chatId), {}, WEBHOOK_TOKEN);
  // It refuses the requests of this play, too.
  await simulator.outageMs(1_000);
  await delay(1_500);
  return faults;
}

/** Every operation, those of lists with each of their filters and with each two of them; lists also with a page more. */
async function playApi({ request, ledger }: Everything): Promise<string[]> {
  const faults: string[] = [];
  const { key } = (await request('POST', '/v1/keys', { name: 'statements', scopes: SCOPES })).body;
  const ask = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(method, path.endsWith('/edits') ? `${path}?timeoutMs=0` : path, body, headers, key);
  const world = { ledger, with: (_: string, ...given: Parameters<typeof ask>) => ask(...given) };
  const operations = operationsOf(await objectsOf(world as Parameters<typeof objectsOf>[0], MAIN));
  const send = async (wanted: Wanted): Promise<string | undefined> => {
    const { status, body } = await Promise.race([
      ask(...requestOf(wanted)).catch(unread),
      delay(LONGEST_MS).then(unread),
    ]);
    if (isOfLedger(body?.code))
      faults.push(`${wanted.method} ${wanted.path} ${JSON.stringify(wanted.query)}: ${body.code}`);
    return wanted.method === 'get' && status === 200 ? body?.cursor : undefined;
  };
  for (const operation of operations.toSorted((one, other) => turnOf(one) - turnOf(other))) {
    for (const wanted of variantsOf(operation)) {
      const cursor = await send(wanted);
      if (cursor !== undefined) await send({ ...wanted, query: { ...wanted.query, cursor } });
    }
  }
  return faults;
}

/** What waits for a gateway goes on without this play. */
const LONGEST_MS = 3_000;

/** A request that is refused before its body was read may lose its connection. */
function unread(): Awaited<ReturnType<Everything['request']>> {
  return { status: 0, body: undefined };
}

/** A statement failed, or took longer than the ledger waits. */
export function isOfLedger(code: unknown): boolean {
  return code === 'LEDGER_UNAVAILABLE' || code === 'INTERNAL';
}

function turnOf({ name, good }: Operation): number {
  return name === 'revokeKey' ? 5 : ['get', 'post', 'patch', 'put', 'delete'].indexOf(good.method);
}

function requestOf(wanted: Wanted) {
  const { method, body, type } = wanted;
  const headers = type === undefined ? {} : { 'content-type': type };
  return [method.toUpperCase(), urlOf(wanted), body, headers] as const;
}

/** Filters of lists: values that many rows have, and values that few have. */
const FILTERS: Readonly<Record<string, readonly string[]>> = {
  instance: [MAIN, 'i-7'],
  // The last two are of deliveries.
  state: [...MESSAGE_STATES, 'waiting', 'failed'],
  unwell: ['true'],
  chatId: ['15570000005@c.us'],
  to: ['15570000005'],
  unread: ['true'],
  reason: ['cancelled', 'GATEWAY_REJECTED'],
  response: ['replied', 'opted_out'],
  order: ['newest'],
  reference: ['order-50'],
  idMessage: ['A500'],
  campaign: [RUNNING, 'cmp_3'],
};

function variantsOf({ name, good, places }: Operation): Wanted[] {
  // The period of the good request would deliver half a million events again.
  if (name === 'replayEvents') return [{ ...good, body: { from: new Date(Date.now() - 60_000).toISOString() } }];
  if (good.method !== 'get') return [good];
  // A contact with thousands of messages and notifications.
  if (name === 'listTimeline') return [{ ...good, params: { to: '15570000005' }, query: { limit: '100' } }, good];
  const filters = places.flatMap(({ name: place }): Filter[] => {
    const filter = place.replace('query ', '');
    return Object.hasOwn(FILTERS, filter) ? [{ filter, values: FILTERS[filter]! }] : [];
  });
  const one = filters.flatMap(({ filter, values }) => values.map((value) => ({ [filter]: value })));
  const two = filters.flatMap((first, at) => filters.slice(at + 1).flatMap((second) => pairsOf(first, second)));
  return [{}, ...one, ...two].map((query) => ({ ...good, query: { ...good.query, ...query } }));
}

interface Filter {
  readonly filter: string;
  readonly values: readonly string[];
}

/** Of the states, one that is rare, one of the newest messages, and one of most. */
const PAIRED: readonly string[] = ['unknown', 'pending', 'sent'];

function pairsOf(first: Filter, second: Filter): Readonly<Record<string, string>>[] {
  const some = ({ filter, values }: Filter) => (filter === 'state' ? PAIRED : values);
  return some(first).flatMap((one) => some(second).map((two) => ({ [first.filter]: one, [second.filter]: two })));
}
