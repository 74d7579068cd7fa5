/** The view of a key that is limited to the instance `main`, with and without objects of another instance. */
import type { Scope } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { editId, messageId, operationId, operationKeyHash, replayId } from '../../../src/starter/ids.js';
import { hashOf, newKeyId, newKeyText } from '../../../src/starter/keyring.js';
import type { ApiOptions } from '../../../src/starter/index.js';
import { ALICE, aDirectory, anInstance, someApi, someKeys } from '../api-parts.js';

export const NOW = Date.parse('2026-03-01T10:00:00.000Z');
export const OPS = 'the-key-of-ops';
const clock = { nowMs: () => NOW };
const OTHER = { name: 'other', idInstance: '1101000002' };
const GROUP = '120363043968066561@g.us';
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

/** Path parts that name an object of the instance `other`, by path prefix. */
export type Foreign = Readonly<Record<string, Readonly<Record<string, string>>>>;

export async function otherObjects({ ledger, with: ask }: World): Promise<Foreign> {
  const send = { instance: 'other', to: ALICE, content: TEXT };
  const key = { 'idempotency-key': 'shared' };
  const message = messageId('other', 'shared');
  await ask(OPS, 'POST', '/v1/messages', send, key);
  await ask(OPS, 'POST', `/v1/messages/${message}/edits`, { text: 'Bye' }, key);
  const campaign = await ask(OPS, 'POST', '/v1/campaigns', { instance: 'other', content: TEXT }, key);
  const schedule = await ask(OPS, 'POST', '/v1/schedules', aSchedule('other'), key);
  const job = await ask(OPS, 'POST', '/v1/jobs', { instance: 'other', kind: 'stories', everyMinutes: 60 });
  const url = 'https://example.com/hook';
  const endpoint = await ask(OPS, 'POST', '/v1/event-endpoints', { instance: 'other', url }, key);
  const tested = await ask(OPS, 'POST', `/v1/event-endpoints/${endpoint.body.id}/test`);
  await ask(OPS, 'POST', '/v1/suppressions', { instance: 'other', to: ALICE });
  await ask(OPS, 'POST', '/v1/suppressions', { to: ALICE });
  await ask(OPS, 'POST', '/v1/instances/other/pause?timeoutMs=0');
  const operation = operationId(operationKeyHash('getSettings', 'other', 'shared'));
  const row = { id: operation, method: 'getSettings', instance: 'other', requestHash: 'hash', request: {} } as const;
  await ledger.operations.open({ ...row, nowMs: NOW });
  await ledger.operations.finish(operation, { state: 'done', result: {} }, NOW);
  const replay = replayId('other', 'shared');
  await ledger.replays.begin({ id: replay, sinceMs: NOW, instance: 'other' }, NOW);
  const template = { instance: 'other', elementName: 'welcome' };
  const definition = { ...template, templateType: 'TEXT' } as never;
  const requestedAt = new Date(NOW).toISOString();
  await ledger.templates.submit({ ...template, definition, definitionHash: 'hash', requestedAt }, NOW);
  await ledger.account.storeStories('other', [{ idMessage: 'S1', atMs: NOW, story: {} }], NOW);
  await ledger.account.storeSnapshot('other', GROUP, { fields: {}, participants: [] }, NOW);
  // Not ALICE, who is suppressed: nothing is recorded of her.
  const said = { instance: 'other', chatId: '15550000006@c.us', idMessage: 'P1', text: 'stop please', word: 'stop' };
  await ledger.possibleOptOuts.record({ ...said, language: 'en', atMs: NOW, nowMs: NOW });
  const [possible] = (await ledger.possibleOptOuts.list({ instance: 'other' })).items;
  if (possible === undefined) throw new Error('The possible opt-out was not recorded.');
  return {
    '/v1/suppressions/possible': { id: possible.id },
    '/v1/messages': { id: message, editId: editId(message, 'shared') },
    '/v1/campaigns': { id: campaign.body.id },
    '/v1/schedules': { id: schedule.body.id },
    '/v1/jobs': { id: job.body.id },
    '/v1/operations': { method: 'getSettings', id: operation },
    '/v1/notifications': { id: replay },
    '/v1/event-endpoints': { id: endpoint.body.id },
    '/v1/events': { id: tested.body.event },
    '/v1/templates': template,
    '/v1/instances': { name: 'other' },
    '/v1/groups': { instance: 'other', groupId: GROUP },
  };
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
  importSuppressions: () => ({}),
  createEventEndpoint: (instance) => ({ instance, url: 'https://example.com/hook' }),
  beginReplay: (instance) => ({ instance, since: new Date(NOW - 1_000).toISOString() }),
  beginOperation: (instance) => ({ instance }),
  createSchedule: aSchedule,
  beginJob: (instance) => ({ instance, kind: 'stories', everyMinutes: 60 }),
};
