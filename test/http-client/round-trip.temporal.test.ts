/** The main jobs through @everpost/client, against an API with everything behind it. */
import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import {
  createClient,
  EverpostError,
  itemsOf,
  type Client,
  type NewCampaign,
  type ReportPage,
  type SendRequest,
} from '../../src/http-client/index.js';
import { aLiveApi, type LiveApi } from '../api/live-api.js';
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
    // As a stream of unknown length.
    const file = { type: 'text/csv', body: new Blob([csv]).stream() };
    expect(await api.importRecipients({ id, file })).toMatchObject({ lines: 3, unchanged: false });
    expect(await textOf(await api.getRejectedRecipients({ id }))).toContain('4,');

    expect(await api.planCampaign({ id })).toMatchObject({ audience: 2, canStart: true });
    await api.startCampaign({ id, body: { acceptRejected: true } });
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
});
