import { randomUUID } from 'node:crypto';
import { describe, expect } from 'vitest';
import { test } from '../../support/temporal/temporal.js';
import { aLiveApi, type LiveApi } from '../live-api.js';

let live: LiveApi;
test.beforeAll(async ({ temporal }) => {
  live = await aLiveApi(temporal, `audiences-${randomUUID()}`);
});
test.afterAll(() => live.close());

const GROUP = '120363043968066561@g.us';
/** The chat id of the simulator's account. */
const OWN = '11101000001@c.us';
const JSON_BODY = { 'content-type': 'application/json' };

/** A draft, by its path; operations that follow from it have keys of their own. */
async function aCampaign(text = 'Hello {{name|you}}'): Promise<string> {
  const id = `c-${randomUUID()}`;
  const { status } = await live.call('POST', '/v1/campaigns', {
    id,
    instance: 'main',
    content: { kind: 'text', text },
  });
  expect(status).toBe(201);
  return `/v1/campaigns/${id}`;
}

describe('a group', () => {
  test('becomes an audience of the participants with known numbers, except the account itself', async () => {
    await live.control('POST', 'instances/1101000001/groups', {
      groupId: GROUP,
      subject: 'Neighbours',
      participants: [
        { id: '15550000011@c.us', isAdmin: false, isSuperAdmin: false },
        { id: OWN, isAdmin: true, isSuperAdmin: true },
        { id: '', lid: '77000111222@lid', isAdmin: false, isSuperAdmin: false },
        { id: '15550000012@c.us', isAdmin: false, isSuperAdmin: false },
      ],
    });
    const path = await aCampaign();
    const imported = await live.call('PUT', `${path}/recipients`, { group: GROUP }, JSON_BODY);
    expect(imported).toMatchObject({
      status: 200,
      body: { lines: 4, verdicts: { accepted: 2, own_account: 1, lid_only: 1 }, unchanged: false },
    });
    expect(await live.call('PUT', `${path}/recipients`, { group: GROUP }, JSON_BODY)).toMatchObject({
      body: { unchanged: true },
    });
    const { body } = await live.call('GET', path);
    expect(body).toMatchObject({ audience: 2 });
  });

  test('changes nothing without the account, and the response names the refusal', async () => {
    const path = await aCampaign();
    const response = await live.call('PUT', `${path}/recipients`, { group: '120363000000000000@g.us' }, JSON_BODY);
    expect(response).toMatchObject({ status: 400, body: { code: 'OPERATION_FAILED' } });
    expect((await live.call('GET', path)).body).toMatchObject({ audience: 0 });
    expect((await live.call('GET', path)).body).not.toHaveProperty('importing');
  });
});

describe('a plan', () => {
  test("reads the account's queue and its pace", async () => {
    const { body } = await live.call('GET', `${await aCampaign()}/plan`);
    expect(body).toMatchObject({
      forecast: { depth: 0, depthFrom: 'read', releaseIntervalMs: 500, intervalFrom: 'settings', durationSeconds: 0 },
      warnings: [{ code: 'NO_RECIPIENTS' }],
    });
  });
});

describe('a test send', () => {
  test("sends one recipient's message to another phone, once for its key", async () => {
    const path = await aCampaign();
    const csv = 'phone,name\n15550000021,Ann\n15550000022,Bob\n';
    const upload = await fetch(`${live.url}${path}/recipients`, {
      method: 'PUT',
      body: csv,
      headers: { 'content-type': 'text/csv' },
    });
    expect(upload.status).toBe(200);
    const mine = '15550000029';
    const key = { 'Idempotency-Key': randomUUID() };
    const begun = await live.call('POST', `${path}/test`, { to: mine, line: 3 }, key);
    expect(begun).toMatchObject({ status: 202, body: { kind: 'text' } });
    await live.call('GET', `/v1/messages/${begun.body.id}?wait=delivered&timeoutMs=60000`);
    const again = await live.call('POST', `${path}/test`, { to: mine, line: 3 }, key);
    expect(again.body.id).toBe(begun.body.id);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(live.phoneOf(mine)).toMatchObject([{ text: 'Hello Bob' }]);
    expect(live.phoneOf('15550000022')).toEqual([]);
  });
});
