import { beforeAll, describe, expect, it } from 'vitest';
import type { CampaignId, MessageId, TemplateDefinition } from '../../src/contract/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { ALICE, SYSTEM_CLOCK, useApi, refusal } from './api-parts.js';

const NOW = SYSTEM_CLOCK.nowMs();
const IDS = ['msg_7k3m000000000001', 'msg_7k3m0000zzzzzzzz', 'msg_7k3n000000000001'] as const;

const ledger = useLedger();
const parts = useApi({ ledger });
beforeAll(async () => {
  for (const id of [...IDS, ...Array.from({ length: 7 }, (_, at) => `msg_many00000000000${at}`)]) await aMessage(id);
  for (const id of ['sale', 'sale-1', 'sale-10', 'spring-reminder']) await aCampaign(id);
  for (const name of ['order_ready', 'order_late', 'welcome']) await aTemplate(name);
  for (const [id, method] of [
    ['op_7k3m000000000001', 'readChat'],
    ['op_7k3m000000000002', 'getSettings'],
    ['op_9w3m000000000001', 'getSettings'],
    ['op_9w3m000000000002', 'getSettings'],
  ] as const) {
    await ledger.operations.open({ id, method, instance: 'main', requestHash: 'h', request: {}, nowMs: NOW });
    await ledger.operations.finish(id, { state: 'done', result: {} }, NOW);
  }
});

async function aMessage(id: string): Promise<void> {
  const request = { instance: 'main', chatId: ALICE, content: { kind: 'text', text: id } } as const;
  const times = { expiresAtMs: NOW + 3_600_000, nowMs: NOW };
  await ledger.intake.open({ id: id as MessageId, requestHash: 'h', request, ...times });
}

async function aCampaign(id: string): Promise<void> {
  const definition = { instance: 'main', content: { kind: 'text', text: 'Hello' } } as const;
  await ledger.audiences.open({ id: id as CampaignId, requestHash: 'h', definition, nowMs: NOW });
}

async function aTemplate(elementName: string): Promise<void> {
  const definition = { elementName, content: 'Hello' } as TemplateDefinition;
  const requestedAt = new Date(NOW).toISOString();
  await ledger.templates.submit({ instance: 'main', elementName, definition, definitionHash: 'h', requestedAt }, NOW);
}

describe('the prefix of a message id', () => {
  it.each([
    ['the whole id', IDS[0]],
    ['the whole id without msg_', IDS[0].slice(4)],
    ['a unique prefix', 'msg_7k3m00000'],
    ['a unique prefix without msg_', '7k3m00000'],
    ['capitals, with letters that look like digits', 'MSG_7K3MOOOOO'],
  ])('finds the message by %s, and the response has the whole id', async (_, given) => {
    expect(await parts.call('GET', `/v1/messages/${given}`)).toMatchObject({ status: 200, body: { id: IDS[0] } });
  });

  it('is refused with the ids of all when several messages share it', async () => {
    expect(await parts.call('GET', '/v1/messages/7k3m')).toMatchObject({
      status: 409,
      body: {
        code: 'ID_AMBIGUOUS',
        detail: '2 messages have an id that begins with msg_7k3m. Give more characters of the id.',
        candidates: [IDS[0], IDS[1]],
      },
    });
    const { body } = await parts.call('POST', '/v1/messages/many/resolve', { outcome: 'accepted' });
    expect(body).toMatchObject({ code: 'ID_AMBIGUOUS', detail: expect.stringContaining('More than 5 messages') });
    expect(body.candidates).toHaveLength(5);
  });

  it.each([
    ['GET', '/v1/messages/7k3m/edits/edt_0000000000000000'],
    ['POST', '/v1/messages/7k3m/cancel'],
    ['GET', '/v1/campaigns/sale-/recipients'],
    ['GET', '/v1/campaigns/sale-/rejected-recipients.csv'],
    ['GET', '/v1/campaigns/sale-/plan'],
    ['GET', '/v1/campaigns/sale-/report.csv'],
    ['GET', '/v1/campaigns/sale-/report.ndjson'],
    ['GET', '/v1/campaigns/sale-/report.json'],
    ['GET', '/v1/campaigns/sale-/report.html'],
    ['GET', '/v1/operations/getSettings/op_9w3m'],
  ])('is refused by %s %s', async (method, path) => {
    expect(await parts.call(method, path)).toMatchObject(refusal(409, 'ID_AMBIGUOUS'));
  });

  it.each([
    ['that matches nothing', '7k3p'],
    ['of three characters', '7k3'],
    ['with a character that ids never contain', '7k3u'],
    ['with a wildcard', '7k3%25'],
    ['longer than an id', `${IDS[0]}0`],
  ])('%s finds nothing', async (_, given) => {
    expect(await parts.call('GET', `/v1/messages/${given}`)).toMatchObject(refusal(404, 'MESSAGE_NOT_FOUND'));
  });
});

describe('the prefix of an operation id', () => {
  it('finds it among the operations of its method', async () => {
    expect(await parts.call('GET', '/v1/operations/getSettings/7k3m')).toMatchObject({
      status: 200,
      body: { id: 'op_7k3m000000000002' },
    });
    expect(await parts.call('GET', '/v1/operations/reboot/op_7k3m')).toMatchObject({ status: 404 });
  });
});

describe('the prefix of a campaign id', () => {
  it('finds it for requests that read', async () => {
    expect(await parts.call('GET', '/v1/campaigns/spri')).toMatchObject({ body: { id: 'spring-reminder' } });
    expect(await parts.call('GET', '/v1/campaigns/spri/recipients')).toMatchObject({ status: 200 });
    expect(await parts.call('GET', '/v1/campaigns/spr')).toMatchObject({ status: 404 });
  });

  it('finds the campaign with exactly that id, when one exists', async () => {
    expect(await parts.call('GET', '/v1/campaigns/sale')).toMatchObject({ body: { id: 'sale' } });
    expect(await parts.call('GET', '/v1/campaigns/sale-')).toMatchObject({
      status: 409,
      body: { code: 'ID_AMBIGUOUS', candidates: ['sale-1', 'sale-10'] },
    });
  });

  it('is not accepted by requests that change the campaign', async () => {
    for (const what of ['start', 'pause', 'resume', 'cancel']) {
      const response = await parts.call('POST', `/v1/campaigns/spring/${what}`);
      expect(response).toMatchObject(refusal(404, 'CAMPAIGN_NOT_FOUND'));
    }
  });
});

describe('the prefix of a template name', () => {
  it('finds it within its instance', async () => {
    expect(await parts.call('GET', '/v1/templates/main/welc')).toMatchObject({ body: { elementName: 'welcome' } });
    expect(await parts.call('GET', '/v1/templates/main/order')).toMatchObject({
      status: 409,
      body: { candidates: ['order_late', 'order_ready'] },
    });
    expect(await parts.call('GET', '/v1/templates/other/welc')).toMatchObject({ status: 404 });
  });
});
