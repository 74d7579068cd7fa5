/** The view of a key that is limited to the instance `main`, with and without objects of another instance. */
import { expect } from 'vitest';
import { SCOPES, type Scope } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { operationId, operationKeyHash, replayId } from '../../../src/starter/ids.js';
import { hashOf, newKeyId, newKeyText } from '../../../src/api/keyring.js';
import type { ApiOptions } from '../../../src/api/index.js';
import { eventually } from '../../support/eventually.js';
import { aLedger } from '../../support/ledger/ledger.js';
import { ALICE, aDirectory, anInstance, someApi, someKeys } from '../api-parts.js';

export const NOW = Date.parse('2026-03-01T10:00:00.000Z');
export const OPS = 'the-key-of-ops';
const clock = { nowMs: () => NOW };
const OTHER = { name: 'other', idInstance: '1101000002' };
const TEXT = { kind: 'text', text: 'Hello' } as const;

export type World = Awaited<ReturnType<typeof aWorld>>;

/** @param others whether an instance `other` exists */
export async function aWorld({ others, ...options }: Partial<ApiOptions> & { readonly others: boolean }) {
  const instances = aDirectory(anInstance(), ...(others ? [anInstance(OTHER)] : []));
  const parts = await someApi({ instances, clock, apiKeys: someKeys(OPS), ...options });
  return {
    ...parts,
    /** A request with this key. */
    with: (key: string, method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      parts.call(method, path, body, {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      }),
  };
}

/** The same key in each of these ledgers, which have the secret of the first one. */
export async function aKey(
  ledgers: readonly Ledger[],
  scopes: readonly Scope[],
  instances?: readonly string[],
): Promise<string> {
  const id = newKeyId();
  const key = newKeyText(id, ledgers[0]!.digest);
  for (const { apiKeys } of ledgers) {
    const limits = { scopes, instances };
    await apiKeys.create({ id, name: `key-${id}`, hash: hashOf(key), ...limits, createdBy: 'test', nowMs: NOW });
  }
  return key;
}

/** Path parts that name an object, by path prefix. */
export type Objects = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Occurs in every text, name and URL of the instance's objects, and nowhere else. */
export const markOf = (instance: string) => `mark-of-${instance}`;
/** The numbers of each instance's recipients begin with it. */
export const numbersOf = (instance: string) => (instance === 'main' ? '155500001' : '155500002');

/** Talks with each instance. */
const CONTACT = '15550000399';

/** One object of each kind, of this instance. */
export async function objectsOf({ ledger, with: request }: World, instance: string): Promise<Objects> {
  const [mark, number] = [markOf(instance), numbersOf(instance)];
  const to = `${number}01`;
  const content = { kind: 'text', text: `Hello ${mark}` };
  const key = { 'idempotency-key': 'shared', 'x-request-id': mark };
  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const found = await request(OPS, method, path, body, { ...key, ...headers });
    if (found.status >= 300) throw new Error(`${method} ${path}: ${found.status} ${JSON.stringify(found.body)}`);
    return found.body;
  }
  const message = await ask('POST', '/v1/messages', { instance, to, content, reference: mark });
  const edit = await ask('POST', `/v1/messages/${message.id}/edits`, { text: `Bye ${mark}` });
  const campaign = await ask('POST', '/v1/campaigns', { instance, content, name: mark, autoPause: 'off' });
  const lines = `phone,name\n${number}02,${mark}\n${number}03,${mark}\nno number of ${mark},x\n`;
  const csv = { 'content-type': 'text/csv' };
  await ask('PUT', `/v1/campaigns/${campaign.id}/recipients`, lines, csv);
  await ask('POST', `/v1/campaigns/${campaign.id}/start`, { acceptRejected: true });
  await ask('POST', `/v1/campaigns/${campaign.id}/amend?timeoutMs=0`, { text: `Sorry ${mark}` });
  const schedule = await ask('POST', '/v1/schedules', { ...aSchedule(instance), note: mark, paused: true });
  const job = await ask('POST', '/v1/jobs', { instance, kind: 'stories', everyMinutes: 60 });
  const url = `https://example.com/${mark}`;
  const endpoint = await ask('POST', '/v1/event-endpoints', { instance, url, description: mark });
  await ask('POST', '/v1/suppressions', { instance, to: `${number}04`, note: mark });
  await ask('POST', `/v1/instances/${instance}/pause?timeoutMs=0`);
  const operation = operationId(operationKeyHash('getSettings', instance, 'shared'));
  const row = { id: operation, method: 'getSettings', instance, requestHash: 'hash', request: {} } as const;
  await ledger.operations.open({ ...row, nowMs: NOW });
  await ledger.operations.finish(operation, { state: 'done', result: { wid: mark } }, NOW);
  const replay = replayId(instance, 'shared');
  await ledger.replays.begin({ id: replay, sinceMs: NOW, instance }, NOW);
  const template = { instance, elementName: `welcome-${instance}` };
  const definition = { ...template, templateType: 'TEXT', content: mark } as never;
  const requestedAt = new Date(NOW).toISOString();
  await ledger.templates.submit({ ...template, definition, definitionHash: 'hash', requestedAt }, NOW);
  for (const story of [1, 2]) {
    const idMessage = `${mark}-S${story}`;
    await ledger.account.storeStories(instance, [{ idMessage, atMs: NOW, story: { text: mark } }], NOW);
  }
  const groupId = `${number}-1400000000@g.us`;
  await ledger.account.storeSnapshot(instance, groupId, { fields: { subject: mark }, participants: [] }, NOW);
  await storeNotifications(ledger, instance);
  await ask(
    'POST',
    '/v1/messages',
    { instance, to: CONTACT, content: { kind: 'text', text: `Dear ${mark}` } },
    {
      'idempotency-key': 'contact',
    },
  );
  const said = { instance, chatId: `${number}06@c.us`, idMessage: `${mark}-P1`, text: `stop ${mark}`, word: 'stop' };
  await ledger.possibleOptOuts.record({ ...said, language: 'en', atMs: NOW, nowMs: NOW });
  const [possible] = (await ledger.possibleOptOuts.list({ instance })).items;
  const tested = await ask('POST', `/v1/event-endpoints/${endpoint.id}/test`);
  // The newest event. On a server the list ends before the oldest open transaction of any database.
  await eventually(async () => {
    const { body } = await request(OPS, 'GET', '/v1/events?order=newest');
    expect(body.items).toContainEqual(expect.objectContaining({ id: tested.event }));
  });
  return {
    '/v1/contacts': { to: CONTACT },
    '/v1/suppressions/possible': { id: possible?.id ?? 'missing' },
    '/v1/messages': { id: message.id, editId: edit.id },
    '/v1/campaigns': { id: campaign.id },
    '/v1/schedules': { id: schedule.id },
    '/v1/jobs': { id: job.id },
    '/v1/operations': { method: 'getSettings', id: operation },
    '/v1/notifications': { id: replay },
    '/v1/event-endpoints': { id: endpoint.id },
    '/v1/events': { id: tested.event },
    '/v1/templates': template,
    '/v1/instances': { name: instance },
    '/v1/groups': { instance, groupId },
  };
}

/** One of each kind that a summary counts: applied, waiting, failed, of an unknown type, and the last of the quota. */
async function storeNotifications({ receipts, conversations }: Ledger, instance: string): Promise<void> {
  const mark = markOf(instance);
  const event = { type: 'message.received', key: mark } as const;
  const store = (idMessage: string, facts: object, body: object = {}) =>
    receipts.store(instance, { idMessage: `${mark}-${idMessage}`, ...body }, NOW, { ...facts, event });
  const senderData = { chatId: `${CONTACT}@c.us`, senderName: mark };
  const messageData = { typeMessage: 'textMessage', textMessageData: { textMessage: `from ${mark}` } };
  const chatId = senderData.chatId;
  await store('N1', { kind: 'incomingMessageReceived', chatId }, { senderData, messageData });
  await conversations.heard({ instance, chatId, receivedAtMs: NOW }, NOW);
  const failed = await store('N2', { kind: `kind-${mark}`, oddity: 'unknown_kind', oddType: mark });
  await receipts.markApplied(new Map([[failed.id, { outcome: 'failed: test', problem: mark }]]));
  await store('N3', { kind: 'quotaExceeded' }, { quotaData: { method: mark } });
}

/** A world, and the objects of `main` in it. */
export interface Seen {
  readonly world: World;
  readonly own: Objects;
}

/** The name of a key that is limited to other. */
export const OTHER_KEY = 'shop-of-other';

/** The same objects of `main` in two worlds, one of which also has objects of `other` and of every instance. */
export async function twoWorlds() {
  const shared = await aSeenWorld({ others: true });
  const { world } = shared;
  const ledger = { ...(await aLedger()), digest: world.ledger.digest };
  const alone = await aSeenWorld({ others: false, ledger });
  const foreign = await objectsOf(world, 'other');
  await world.with(OPS, 'POST', '/v1/suppressions', { to: ALICE, note: markOf('other') });
  const theirs = { name: OTHER_KEY, scopes: SCOPES, instances: ['other'] };
  const { key } = (await world.with(OPS, 'POST', '/v1/keys', theirs)).body;
  await world.with(key, 'POST', '/v1/instances/other/pause?timeoutMs=0');
  const limited = await aKey([world.ledger, alone.world.ledger], SCOPES, ['main']);
  const close = () => Promise.all([world.close(), alone.world.close().then(() => ledger.close())]);
  return { shared, alone, foreign, limited, close };
}

async function aSeenWorld(options: Parameters<typeof aWorld>[0]): Promise<Seen> {
  const world = await aWorld({ ...options, temporalTimeoutMs: 5 });
  return { world, own: await objectsOf(world, 'main') };
}

function aSchedule(instance: string) {
  return {
    campaign: { instance, content: TEXT },
    recipients: { file: 'list.csv' },
    cron: ['0 9 * * MON'],
    timezone: 'Europe/Lisbon',
  };
}

/** Bodies that begin work for an instance: a new route needs one here. */
export const BEGINNING: Readonly<Record<string, (instance: string) => object>> = {
  sendMessage: (instance) => ({ instance, to: ALICE, content: TEXT }),
  beginCampaign: (instance) => ({ instance, content: TEXT }),
  submitTemplate: (instance) => ({
    instance,
    template: { elementName: 'hi', languageCode: 'en', category: 'UTILITY', templateType: 'TEXT', content: 'Hello' },
  }),
  addSuppression: (instance) => ({ instance, to: ALICE }),
  removeSuppression: (instance) => ({ instance, to: ALICE }),
  markChatRead: (instance) => ({ instance, to: ALICE, until: new Date(NOW).toISOString() }),
  importSuppressions: () => ({}),
  createEventEndpoint: (instance) => ({ instance, url: 'https://example.com/hook' }),
  beginReplay: (instance) => ({ instance, since: new Date(NOW - 1_000).toISOString() }),
  beginOperation: (instance) => ({ instance }),
  createSchedule: aSchedule,
  beginJob: (instance) => ({ instance, kind: 'stories', everyMinutes: 60 }),
};
