/**
 * The main jobs through a client that was generated from openapi.json, against an API with all that stands behind it.
 */
import { randomUUID } from 'node:crypto';
import { HttpError, ok } from '@oazapfts/runtime';
import { describe, expect } from 'vitest';
import { aLiveApi, type LiveApi } from '../starter/live-api.js';
import { test } from '../support/temporal.js';
import * as api from './generated.js';

let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `generated-client-${randomUUID()}`);
  api.defaults.baseUrl = live.url;
});
test.afterAll(() => live.close());

/** The longest wait that the API allows. */
const PATIENCE_MS = 60_000;

let lastNumber = 15570000000;
const aRecipient = (): string => String(++lastNumber);
const aKey = () => ({ idempotencyKey: randomUUID() });

/** What a message is asked for by, and shown with once it is in the ledger. */
async function message(id: string, wait: 'accepted' | 'delivered'): Promise<api.Message> {
  const found = await ok(api.getMessage(id, { wait, timeoutMs: PATIENCE_MS }));
  if (!('version' in found)) throw new Error(`Message ${id} has no row yet.`);
  return found;
}

/** Without the generated function: the generator knows one content type for each body, and here takes JSON. */
async function importCsv(id: string, csv: string): Promise<api.Imported> {
  const headers = { 'Content-Type': 'text/csv' };
  const response = await fetch(`${live.url}/v1/campaigns/${id}/recipients`, { method: 'PUT', headers, body: csv });
  expect(response.status).toBe(200);
  return (await response.json()) as api.Imported;
}

describe('a client generated from openapi.json', () => {
  test('sends a message, shows it, lists it and edits it', async () => {
    const to = aRecipient();
    const reference = randomUUID();
    const request: api.SendRequest = { instance: 'main', to, reference, content: { kind: 'text', text: 'Hello' } };
    const begun = await ok(api.sendMessage(request, aKey()));

    const delivered = await message(begun.id, 'delivered');
    expect(delivered).toMatchObject({ chatId: `${to}@c.us`, attempts: [{ outcome: 'accepted' }] });

    const edit = await ok(api.editMessage(begun.id, { text: 'Hello again' }, { ...aKey(), timeoutMs: PATIENCE_MS }));
    expect(edit).toMatchObject({ messageId: begun.id, outcome: 'edited' });
    expect(await ok(api.getEdit(begun.id, edit.id))).toEqual(edit);

    const { items } = await ok(api.listMessages({ reference }));
    expect(items).toMatchObject([{ id: begun.id, reference }]);
    expect(live.phoneOf(to)).toMatchObject([{ text: 'Hello again' }]);
  });

  test('is told what is wrong with a request as a problem of its status', async () => {
    const request: api.SendRequest = { instance: 'main', to: 'missing', content: { kind: 'text', text: 'Hello' } };
    const refused = await ok(api.sendMessage(request)).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(HttpError);
    expect(refused).toMatchObject({ status: 422, data: { code: 'INPUT_INVALID', errors: [{ path: 'to' }] } });
  });

  test('imports, plans, starts and reports a campaign', async () => {
    const recipients = [aRecipient(), aRecipient()];
    const definition: api.NewCampaign = { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } };
    const { id } = await ok(api.beginCampaign(definition, aKey()));
    const csv = ['phone,name', ...recipients.map((phone, at) => `${phone},P${at}`), 'no number,X'].join('\n');
    expect(await importCsv(id, csv)).toMatchObject({ lines: 3, unchanged: false });
    expect((await api.getRejectedRecipients(id)).data).toContain('4,');

    expect(await ok(api.planCampaign(id))).toMatchObject({ audience: 2, canStart: true });
    await ok(api.startCampaign(id));
    const ended = await ok(api.getCampaign(id, { wait: 'ended', timeoutMs: PATIENCE_MS }));
    expect(ended).toMatchObject({ state: 'completed', audience: 2 });

    const { items } = await ok(api.listRecipients(id));
    expect(items.map(({ line }) => line)).toEqual([2, 3]);
    const report = await ok(api.getReportJson(id));
    expect(report).toMatchObject({ campaign: { id }, items: [{ line: 2 }, { line: 3 }] });
    // A message of a campaign carries where it comes from.
    const list = await ok(api.listMessages({ to: recipients[0] ?? '' }));
    expect(list.items).toMatchObject([{ campaignId: id, line: 2 }]);
    expect((await ok(api.listCampaigns({ state: 'completed' }))).items.map((campaign) => campaign.id)).toContain(id);
  });

  test('steers a campaign', async () => {
    const definition: api.NewCampaign = {
      instance: 'main',
      content: { kind: 'text', text: 'Hello' },
      highWater: 1,
    };
    const { id } = await ok(api.beginCampaign(definition, aKey()));
    const csv = ['phone', ...Array.from({ length: 20 }, aRecipient)].join('\n');
    await importCsv(id, csv);
    await ok(api.startCampaign(id));

    expect(await ok(api.pauseCampaign(id, aKey()))).toMatchObject({ progress: { state: 'paused' } });
    const changed = await ok(api.updateCampaign(id, { content: { kind: 'text', text: 'Hello all' } }, aKey()));
    expect(changed).toMatchObject({ state: 'paused' });
    expect(await ok(api.resumeCampaign(id, aKey()))).toMatchObject({ progress: { id } });
    expect(await ok(api.cancelCampaign(id, aKey()))).toMatchObject({ progress: { audience: 20 } });
    const ended = await ok(api.getCampaign(id, { wait: 'ended', timeoutMs: PATIENCE_MS }));
    expect(ended).toMatchObject({ state: 'cancelled', content: { text: 'Hello all' } });
  });

  test('lints, submits, shows and decides a template', async () => {
    const elementName = `greeting_${randomUUID().replaceAll('-', '_')}`;
    const template = {
      elementName,
      category: 'MARKETING',
      languageCode: 'en',
      templateType: 'TEXT',
      vertical: 'greetings',
      content: 'Hello {{1}}, welcome to our shop today',
      example: 'Hello Ann, welcome to our shop today',
    };
    expect(await ok(api.validateTemplate({ template }))).toMatchObject({ ok: true });
    await ok(api.submitTemplate({ instance: 'main', template }));
    const submitted = await ok(api.getTemplate('main', elementName, { wait: 'submitted', timeoutMs: PATIENCE_MS }));
    expect(submitted).toMatchObject({ elementName, state: 'submitted' });
    const decided = await ok(api.setTemplateReview('main', elementName, { status: 'APPROVED' }));
    expect(decided).toMatchObject({ status: 'APPROVED' });
  });

  test('keeps the suppression list', async () => {
    const to = aRecipient();
    const entry = await ok(api.addSuppression({ to, note: 'asked by phone' }));
    expect(entry).toMatchObject({ chatId: `${to}@c.us`, scope: 'marketing' });
    expect((await ok(api.listSuppressions({ to }))).items).toEqual([entry]);
    expect(await ok(api.removeSuppression({ to }))).toMatchObject({ removed: [{ id: entry.id }], left: [] });
    expect((await ok(api.listSuppressions({ to }))).items).toEqual([]);
  });

  test('shows instances, runs an operation, and asks how the API is', async () => {
    expect((await ok(api.listInstances())).items).toMatchObject([{ name: 'main' }]);
    const begun = await ok(
      api.beginOperation('getStateInstance', { instance: 'main' }, { ...aKey(), wait: 'true', timeoutMs: PATIENCE_MS }),
    );
    expect(begun).toMatchObject({ method: 'getStateInstance', state: 'done' });
    expect(await ok(api.getOperation('getStateInstance', begun.id))).toMatchObject({ id: begun.id });
    expect(await ok(api.readyz())).toEqual({ status: 'ok' });
  });
});
