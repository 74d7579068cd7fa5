/** The main jobs through @everpost/client, against an API with everything behind it. */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createClient,
  EverpostError,
  itemsOf,
  type Client,
  type Imported,
  type NewCampaign,
  type ReportPage,
  type SendRequest,
} from '../../src/http-client/index.js';
import { aLiveApi, type LiveApi } from '../starter/live-api.js';
import { test } from '../support/temporal/temporal.js';

let live: LiveApi;
let api: Client;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `http-client-${randomUUID()}`);
  api = createClient({ baseUrl: live.url });
});
test.afterAll(() => live.close());

/** The longest wait that the API allows. */
const PATIENCE_MS = 60_000;

let lastNumber = 15570000000;
const aRecipient = (): string => String(++lastNumber);

/** As a stream of unknown length. */
function importCsv(id: string, csv: string): Promise<Imported> {
  return api.importRecipients({ id, file: { type: 'text/csv', body: new Blob([csv]).stream() } });
}

const textOf = (stream: ReadableStream<Uint8Array>): Promise<string> => new Response(stream).text();

describe('the client', () => {
  test('sends a message, shows it, lists it and edits it', async () => {
    const to = aRecipient();
    const reference = randomUUID();
    const body: SendRequest = { instance: 'main', to, reference, content: { kind: 'text', text: 'Hello' } };
    const { id, ...delivered } = await api.sendAndWait({ body, state: 'delivered', waitMs: PATIENCE_MS });
    expect(delivered).toMatchObject({ chatId: `${to}@c.us`, attempts: [{ outcome: 'accepted' }] });

    const edit = await api.editMessage({ id, body: { text: 'Hello again' }, waitMs: PATIENCE_MS });
    expect(edit).toMatchObject({ messageId: id, outcome: 'edited' });
    expect(await api.getEdit({ id, editId: edit.id })).toEqual(edit);

    const { items } = await api.listMessages({ query: { reference } });
    expect(items).toMatchObject([{ id, reference }]);
    expect(live.phoneOf(to)).toMatchObject([{ text: 'Hello again' }]);
  });

  test('gets the problems of a request with its status', async () => {
    const body: SendRequest = { instance: 'main', to: 'missing', content: { kind: 'text', text: 'Hello' } };
    const refused = await api.sendMessage({ body }).catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(EverpostError);
    expect(refused).toMatchObject({ status: 422, code: 'INPUT_INVALID', errors: [{ path: 'to' }] });
    expect(refused).toHaveProperty('requestId', expect.stringMatching(/./));
  });

  test('imports, plans, starts and reports a campaign', async () => {
    const recipients = [aRecipient(), aRecipient()];
    const definition: NewCampaign = { instance: 'main', content: { kind: 'text', text: 'Hello {{name}}' } };
    const { id } = await api.beginCampaign({ body: definition });
    const csv = ['phone,name', ...recipients.map((phone, at) => `${phone},P${at}`), 'no number,X'].join('\n');
    expect(await importCsv(id, csv)).toMatchObject({ lines: 3, unchanged: false });
    expect(await textOf(await api.getRejectedRecipients({ id }))).toContain('4,');

    expect(await api.planCampaign({ id })).toMatchObject({ audience: 2, canStart: true });
    await api.startCampaign({ id });
    const ended = await api.getCampaign({ id, query: { wait: 'ended', timeoutMs: PATIENCE_MS } });
    expect(ended).toMatchObject({ state: 'completed', audience: 2 });

    const lines = [];
    for await (const { line } of itemsOf(api.listRecipients, { id, query: { limit: 1 } })) lines.push(line);
    expect(lines).toEqual([2, 3]);
    const report = JSON.parse(await textOf(await api.getReportJson({ id }))) as ReportPage;
    expect(report).toMatchObject({ campaign: { id }, items: [{ line: 2 }, { line: 3 }] });
    // A message of a campaign names its source.
    const list = await api.listMessages({ query: { to: recipients[0] } });
    expect(list.items).toMatchObject([{ campaignId: id, line: 2 }]);
    expect((await api.listCampaigns({ query: { state: 'completed' } })).items.map((campaign) => campaign.id)).toContain(
      id,
    );
  });

  test('controls a campaign', async () => {
    const definition: NewCampaign = {
      instance: 'main',
      content: { kind: 'text', text: 'Hello' },
      highWater: 1,
    };
    const { id } = await api.beginCampaign({ body: definition });
    const csv = ['phone', ...Array.from({ length: 20 }, aRecipient)].join('\n');
    await importCsv(id, csv);
    await api.startCampaign({ id });

    expect(await api.pauseCampaign({ id })).toMatchObject({ progress: { state: 'paused' } });
    const changed = await api.updateCampaign({ id, body: { content: { kind: 'text', text: 'Hello all' } } });
    expect(changed).toMatchObject({ state: 'paused' });
    expect(await api.resumeCampaign({ id })).toMatchObject({ progress: { id } });
    expect(await api.cancelCampaign({ id })).toMatchObject({ progress: { audience: 20 } });
    const ended = await api.getCampaign({ id, query: { wait: 'ended', timeoutMs: PATIENCE_MS } });
    expect(ended).toMatchObject({ state: 'cancelled', content: { text: 'Hello all' } });
  });

  test('validates, submits, shows and decides a template', async () => {
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
    expect(await api.validateTemplate({ body: { template } })).toMatchObject({ ok: true });
    await api.submitTemplate({ body: { instance: 'main', template } });
    const query = { wait: 'submitted', timeoutMs: PATIENCE_MS } as const;
    const submitted = await api.getTemplate({ instance: 'main', elementName, query });
    expect(submitted).toMatchObject({ elementName, state: 'submitted' });
    const decided = await api.setTemplateReview({ instance: 'main', elementName, body: { status: 'APPROVED' } });
    expect(decided).toMatchObject({ status: 'APPROVED' });
  });

  test('maintains the suppression list', async () => {
    const to = aRecipient();
    const entry = await api.addSuppression({ body: { to, note: 'asked by phone' } });
    expect(entry).toMatchObject({ chatId: `${to}@c.us`, scope: 'marketing' });
    expect((await api.listSuppressions({ query: { to } })).items).toEqual([entry]);
    expect(await api.removeSuppression({ body: { to } })).toMatchObject({ removed: [{ id: entry.id }], left: [] });
    expect((await api.listSuppressions({ query: { to } })).items).toEqual([]);
  });

  test("shows instances, runs an operation, and reads the API's health", async () => {
    expect((await api.listInstances()).items).toMatchObject([{ name: 'main' }]);
    const method = 'getStateInstance';
    const query = { wait: 'true', timeoutMs: PATIENCE_MS } as const;
    const begun = await api.beginOperation({ method, body: { instance: 'main' }, query });
    expect(begun).toMatchObject({ method: 'getStateInstance', state: 'done' });
    expect(await api.getOperation({ method, id: begun.id })).toMatchObject({ id: begun.id });
    expect(await api.readyz()).toEqual({ status: 'ok' });
  });
});
