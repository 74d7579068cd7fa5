import { describe, expect, it } from 'vitest';
import { refusal } from '../api-parts.js';
import { HELLO, RECIPIENTS, useCampaigns } from './drafts.js';

const { parts, aCampaign, importing } = useCampaigns();

const TO = '15550000099';
const NAMED = { content: { kind: 'text', text: 'Hello {{name}}' } };

const test = (path: string, body: object, key?: string) =>
  parts.call('POST', `${path}/test`, body, key === undefined ? {} : { 'idempotency-key': key });

async function messageOf(path: string, body: object) {
  const begun = await test(path, body);
  expect(begun).toMatchObject({ status: 202, body: { instance: 'main', kind: 'text' } });
  return (await parts.call('GET', begun.headers.get('location') ?? '')).body;
}

describe('a test of a campaign', () => {
  it('is a message of its own with the values of the first recipient, or of the given line (TESTSEND-1)', async () => {
    const { id, path } = await aCampaign(NAMED);
    await importing(path, RECIPIENTS);
    const facts = { chatId: `${TO}@c.us`, testOf: id, category: 'marketing', priority: 'urgent' };
    const first = await messageOf(path, { to: TO });
    expect(first).toMatchObject({ ...facts, line: 2, content: { text: 'Hello Ann' } });
    expect(first).not.toHaveProperty('campaignId');
    expect(await messageOf(path, { to: TO, line: 4 })).toMatchObject({ line: 4, content: { text: 'Hello Cid' } });
    const { body } = await parts.call('GET', `/v1/messages?to=${TO}`);
    expect(body.items).toMatchObject([{ testOf: id }, { testOf: id }]);
  });

  it('is in no count and no report of its campaign (TESTSEND-1)', async () => {
    const { path } = await aCampaign(NAMED);
    await importing(path, RECIPIENTS);
    await messageOf(path, { to: '15550000001' });
    expect(await parts.call('GET', path)).toMatchObject({ body: { audience: 3, counts: { pending: 3 }, done: 0 } });
    const { body } = await parts.call('GET', `${path}/report.json`);
    expect(body.items).toMatchObject([{ attempts: 0 }, { attempts: 0 }, { attempts: 0 }]);
    expect(body.items).toHaveLength(3);
  });

  it('needs no recipients for a content without variables', async () => {
    const { path } = await aCampaign();
    const message = await messageOf(path, { to: TO });
    expect(message).toMatchObject({ content: { text: 'Hello' } });
    expect(message).not.toHaveProperty('line');
    const named = await aCampaign(NAMED);
    const refused = await test(named.path, { to: TO });
    expect(refused).toMatchObject(refusal(409, 'CAMPAIGN_EMPTY'));
    expect(refused.body.detail).toMatch(/\{\{name\}\}.*everpost campaign import FILE/);
  });

  it('is sent once for its key, also after a change of the content and the end of the campaign (TESTSEND-3)', async () => {
    const { path } = await aCampaign(NAMED);
    await importing(path, RECIPIENTS);
    const begun = await test(path, { to: TO, line: 3 }, 'once');
    expect(await parts.call('PUT', path, HELLO)).toMatchObject({ status: 200 });
    expect(await parts.call('POST', `${path}/cancel`)).toMatchObject({ status: 200 });
    const again = await test(path, { to: TO, line: 3 }, 'once');
    expect(again).toMatchObject({ status: 202, body: begun.body });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await test(path, { to: TO }, 'once')).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
    expect(await test(path, { to: TO, line: 3 }, 'another')).toMatchObject(refusal(409, 'CAMPAIGN_ENDED'));
  });

  it("ends suppressed if its recipient is on the list, by the campaign's category (TESTSEND-2)", async () => {
    const to = '15550000098';
    expect(await parts.call('POST', '/v1/suppressions', { to })).toMatchObject({ status: 201 });
    const { path } = await aCampaign();
    expect(await messageOf(path, { to })).toMatchObject({ state: 'suppressed', reason: 'suppressed_operator' });
    const transactional = await aCampaign({ category: 'transactional' });
    expect(await messageOf(transactional.path, { to })).toMatchObject({ state: 'pending' });
  });

  it('reaches an allowed recipient under another spelling', async () => {
    const { path } = await aCampaign({ instance: 'staging' });
    expect(await test(path, { to: '1 55 1234 5678', defaultCountry: 'MX' })).toMatchObject({ status: 202 });
  });

  it.each([
    ['a line without a recipient', 'main', { to: TO, line: 1 }, 'line'],
    ['a line without a value for a variable', 'main', { to: TO, line: 5 }, 'line'],
    ['a recipient outside of allowedRecipients', 'staging', { to: '15550000009', line: 2 }, 'to'],
    ['no number', 'main', { line: 2 }, 'to'],
  ])('is refused with %s', async (_, instance, body, field) => {
    const { path } = await aCampaign({ ...NAMED, instance });
    await importing(path, `${RECIPIENTS}15550000004,\n`);
    expect(await test(path, body)).toMatchObject({ status: 422, body: { errors: [{ path: field }] } });
  });
});
