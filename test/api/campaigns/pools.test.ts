/** Campaigns and messages over several accounts, through the API. */
import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { importRecipients } from '../../support/campaign.js';
import { useLedger } from '../../support/ledger/ledger.js';
import type { CampaignId } from '../../../src/contract/index.js';
import { NOW } from '../../ledger/cast.js';
import { accepted, DispatchCast } from '../../ledger/dispatch/cast.js';
import { aDirectory, anInstance, refusal, someApi, type ApiDependencies } from '../api-parts.js';

const ledger = useLedger();
const content = { kind: 'text', text: 'Hello {{name}}' };
let api: ApiDependencies;
let id: string;

beforeAll(async () => {
  const names = ['north', 'south', 'west', 'east', 'inland', 'hill', 'dale'];
  const instances = aDirectory(...names.map((name, at) => anInstance({ name, idInstance: `110100000${at}` })));
  api = await someApi({ ledger, instances, clock: { nowMs: () => NOW } });
  return () => api.close();
});
beforeEach(() => {
  id = `sale-${randomUUID().slice(0, 8)}`;
});

const define = (body: object) => api.call('PUT', `/v1/campaigns/${id}`, { content, ...body });
const patch = (body: object) => api.call('PATCH', `/v1/campaigns/${id}`, body, { 'idempotency-key': randomUUID() });

async function running(instances: readonly string[], recipients = 10) {
  expect(await define({ instances })).toMatchObject({ status: 201 });
  await importRecipients(ledger, id as never, recipients, NOW);
  expect(await api.call('POST', `/v1/campaigns/${id}/start`)).toMatchObject({ status: 202 });
}

describe('a campaign with `instances`', () => {
  it('is shown with its accounts, and listed under each of them', async () => {
    await running(['north', 'south']);
    const { body } = await api.call('GET', `/v1/campaigns/${id}`);
    expect(body).toMatchObject({ instance: 'north', instances: ['north', 'south'], state: 'running' });
    expect(body.accounts.map(({ instance }: { instance: string }) => instance)).toEqual(['north', 'south']);
    for (const [instance, isListed] of [
      ['south', true],
      ['west', false],
    ] as const) {
      const list = await api.call('GET', `/v1/campaigns?instance=${instance}&limit=500`);
      expect(list.body.items.some((one: { id: string }) => one.id === id)).toBe(isListed);
    }
  });

  it.each([
    [{ instances: ['north', 'north'] }, 'instances[1]', /again/],
    [{ instances: [] }, 'instances', /./],
    [{ instance: 'north', instances: ['south'] }, 'instance', /either instance or instances/],
    [{}, 'instance', /is missing/],
  ])('is refused with %j, naming %s', async (body, path, message) => {
    const refused = await define(body);
    expect(refused).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(refused.body.errors).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it('is refused with an account that is not configured, which the error names', async () => {
    const refused = await define({ instances: ['north', 'nowhere'] });
    expect(refused.body).toMatchObject({ code: 'INSTANCE_NOT_FOUND', errors: [{ path: 'instances[1]' }] });
    expect(refused.body.errors[0].message).toContain('nowhere');
  });

  it('takes a whole new list of accounts while it runs, and refuses an unknown one', async () => {
    await running(['north', 'south']);
    expect(await patch({ instances: ['west', 'north'] })).toMatchObject({
      status: 200,
      body: { instance: 'west', instances: ['west', 'north'] },
    });
    const { body } = await api.call('GET', `/v1/campaigns/${id}`);
    expect(body.accounts).toMatchObject([
      { instance: 'west' },
      { instance: 'north' },
      { instance: 'south', outWhy: 'removed' },
    ]);
    expect((await patch({ instances: ['west', 'nowhere'] })).body).toMatchObject({
      code: 'INSTANCE_NOT_FOUND',
      errors: [{ path: 'instances[1]' }],
    });
    expect(await patch({ instances: ['south'] })).toMatchObject({ body: { instance: 'south' } });
  });

  it('responds to a removal once nothing more is posted from the account', async () => {
    await running(['hill', 'dale'], 4);
    const hill = await DispatchCast.begun(ledger, {}, 'hill');
    const compose = () => ({ content: { kind: 'text' as const, text: randomUUID() } });
    await ledger.dispatch.readAhead(id as CampaignId, { limit: 4, compose, nowMs: NOW });
    const claimed = await hill.claim({ free: 1 });
    expect(claimed).toHaveLength(1);
    const remove = (key: string) =>
      api.call('PATCH', `/v1/campaigns/${id}?timeoutMs=0`, { instances: ['dale'] }, { 'idempotency-key': key });
    expect(await remove('one')).toMatchObject({ status: 202 });
    expect(await hill.claim({ free: 4 })).toEqual([]);
    await hill.write(...claimed.map((due) => accepted(due)));
    expect(await remove('one')).toMatchObject({ status: 200, body: { instance: 'dale' } });
  });

  it('resumes one account, and refuses one that it does not have', async () => {
    await running(['north', 'south']);
    const resume = (body: object) =>
      api.call('POST', `/v1/campaigns/${id}/resume`, body, { 'idempotency-key': randomUUID() });
    expect(await resume({ instance: 'south' })).toMatchObject({
      status: 200,
      body: { progress: { state: 'running' } },
    });
    expect((await resume({ instance: 'west' })).body).toMatchObject({
      code: 'INPUT_INVALID',
      errors: [{ path: 'instance' }],
    });
  });

  it('has a plan that says what each account carries, and what one more would bring', async () => {
    await running(['east', 'inland'], 9);
    const { body } = await api.call('GET', `/v1/campaigns/${id}/plan`);
    expect(body.forecast.accounts).toMatchObject([
      { instance: 'east', recipients: 5 },
      { instance: 'inland', recipients: 4 },
    ]);
    expect(body.forecast.durationSeconds).toBe(60);
    expect(Date.parse(body.forecast.withOneMore.finishesAt)).toBe(NOW + 30_000);
  });

  it('starts only if every account has the approved template, in one language', async () => {
    await define({ instances: ['north', 'south'], content: { kind: 'template', elementName: 'hello', params: [] } });
    await importRecipients(ledger, id as never, 1, NOW);
    const refused = await api.call('POST', `/v1/campaigns/${id}/start`);
    expect(refused).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(refused.body.errors.map(({ path }: { path: string }) => path)).toEqual(['instances[0]', 'instances[1]']);
    expect(refused.body.errors[0].message).toContain('north');
  });

  it('starts only if every account has the approved template of every variant', async () => {
    const variants = [
      { name: 'A', share: '50%', content },
      { name: 'B', share: '50%', content: { kind: 'template', elementName: 'hello', params: [] } },
    ];
    await define({ instances: ['north', 'south'], content: undefined, variants });
    await importRecipients(ledger, id as never, 1, NOW);
    const refused = await api.call('POST', `/v1/campaigns/${id}/start`);
    expect(refused).toMatchObject(refusal(422, 'INPUT_INVALID'));
    expect(refused.body.errors).toHaveLength(2);
  });
});

describe('a message with `instances`', () => {
  const send = (body: object, key: string = randomUUID()) =>
    api.call(
      'POST',
      '/v1/messages',
      { content: { kind: 'text', text: randomUUID() }, ...body },
      { 'idempotency-key': key },
    );

  it('is sent by the account that talked with the recipient last; a repeated request is the same message', async () => {
    const to = '15551239999';
    await ledger.conversations.heard(
      { instance: 'south', chatId: `${to}@c.us`, receivedAtMs: NOW - 1_000 },
      NOW - 1_000,
    );
    const body = { to, instances: ['north', 'south'], content: { kind: 'text', text: 'Hello' } };
    const first = await send(body, 'one');
    expect(first).toMatchObject({ status: 202, body: { instance: 'south' } });
    await ledger.conversations.heard({ instance: 'north', chatId: `${to}@c.us`, receivedAtMs: NOW }, NOW);
    expect(await send(body, 'one')).toMatchObject({ status: 202, body: { id: first.body.id, instance: 'south' } });
    expect(await send({ ...body, instances: ['north', 'west'] }, 'one')).toMatchObject(
      refusal(422, 'IDEMPOTENCY_MISMATCH'),
    );
  });

  it('is refused with an unknown or doubled account, or with both fields', async () => {
    for (const [senders, path] of [
      [{ instances: ['north', 'nowhere'] }, 'instances[1]'],
      [{ instances: ['north', 'north'] }, 'instances[1]'],
      [{ instance: 'north', instances: ['south'] }, 'instance'],
    ] as const) {
      const refused = await send({ to: '15551239998', ...senders });
      expect(refused.body).toMatchObject({ code: 'INPUT_INVALID', errors: [{ path }] });
    }
  });
});
