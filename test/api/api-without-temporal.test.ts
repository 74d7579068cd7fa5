import { describe, expect, it } from 'vitest';
import type { AttemptOutcome, MessageId } from '../../src/contract/index.js';
import { editId, messageId, requestHash } from '../../src/starter/ids.js';
import { useLedger } from '../support/ledger/ledger.js';
import {
  ALICE,
  SYSTEM_CLOCK,
  aDirectory,
  anInstance,
  someKeys,
  useApi,
  refusal,
  ownApi,
  type ApiDependencies,
} from './api-parts.js';
import { claimDue, shiftOf } from '../support/shift.js';
import { eventually } from '../support/eventually.js';

const HELLO = { instance: 'main', to: '+1 555 000 0001', content: { kind: 'text', text: 'Hello' } };
/** The content that HELLO is parsed into. */
const HELLO_REQUEST = { instance: 'main', chatId: ALICE, content: { kind: 'text', text: 'Hello' } } as const;
const HOUR_MS = 3_600_000;
const LONG = 'x'.repeat(20_001);
const UNKNOWN_ID = messageId('main', 'unknown');

async function aRow(parts: ApiDependencies, key: string): Promise<MessageId> {
  const id = messageId('main', key);
  const nowMs = SYSTEM_CLOCK.nowMs();
  const hash = requestHash(HELLO_REQUEST);
  await parts.ledger.intake.open({
    id,
    requestHash: hash,
    request: HELLO_REQUEST,
    expiresAtMs: nowMs + HOUR_MS,
    nowMs,
  });
  return id;
}

/** One for all tests here: a ledger takes a second to create. */
const ledger = useLedger();

describe('the API while Temporal is unavailable', () => {
  const parts = useApi({ ledger });

  it('is ready, and accepts a message: the row exists, and its workflow is started later', async () => {
    const response = await parts.call('POST', '/v1/messages', HELLO);

    expect(response).toMatchObject({ status: 202, body: { state: 'pending', instance: 'main', kind: 'text' } });
    const { id } = response.body;
    expect(await parts.call('GET', `/v1/messages/${id}`)).toMatchObject({
      status: 200,
      body: { id, state: 'pending' },
    });
    const wanted = await parts.ledger.messages.runsToStart(100, Date.now());
    expect(wanted).toContainEqual({ id, instance: 'main', kind: 'text', expiresAt: expect.any(String) });
    expect(await parts.call('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ok' } });
  });

  it('logs once that an instance could not be woken', async () => {
    const other = await ownApi({ ledger });
    for (const _ of [1, 2, 3]) expect(await other.call('POST', '/v1/messages', HELLO)).toMatchObject({ status: 202 });
    await eventually(() =>
      expect(other.logged).toMatchObject([{ level: 'warn', error: { code: 'TEMPORAL_UNAVAILABLE' } }]),
    );
  });

  it('edits a message that is pending', async () => {
    const { body } = await parts.call('POST', '/v1/messages', HELLO);

    const edited = await parts.call('POST', `/v1/messages/${body.id}/edits`, { text: 'New' });
    expect(edited).toMatchObject({ status: 200, body: { outcome: 'edited', via: 'before_send' } });
    expect((await parts.call('GET', `/v1/messages/${body.id}`)).body.content).toEqual({ kind: 'text', text: 'New' });
  });

  /** An API whose instance of this name has one message, with an attempt under way. */
  async function aSendingMessage(instance: string) {
    const { call } = await ownApi({ ledger, instances: aDirectory(anInstance({ name: instance })) });
    const { body } = await call('POST', '/v1/messages', { ...HELLO, instance });
    const nowMs = SYSTEM_CLOCK.nowMs();
    const [attempt] = await claimDue(ledger.dispatch, shiftOf(instance), nowMs);
    const end = (outcome: AttemptOutcome) =>
      ledger.dispatch.recordOutcomes([{ token: attempt?.token ?? '', outcome, atMs: nowMs }]);
    return { id: body.id as MessageId, call, end };
  }

  it('cancels a sending message when its request has ended, and answers with its state', async () => {
    const { id, call, end } = await aSendingMessage('sending');
    const cancelled = call('POST', `/v1/messages/${id}/cancel`);
    await eventually(async () =>
      expect((await ledger.views.message(id, Date.now()))?.evidence).toContainEqual(
        expect.objectContaining({ what: expect.stringContaining('cancel') }),
      ),
    );
    await end({ kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE' });
    expect(await cancelled).toMatchObject({ status: 200, body: { cancelled: true, state: 'cancelled' } });
  });

  it('resolves a message whose outcome is unknown', async () => {
    const { id, call, end } = await aSendingMessage('resolving');
    await end({ kind: 'unknown', code: 'GATEWAY_TIMEOUT' });
    const resolved = await call('POST', `/v1/messages/${id}/resolve`, { outcome: 'accepted' });
    expect(resolved).toMatchObject({ status: 200, body: { state: 'sent' } });
  });

  it('answers a repeated request from its row, for as long as the row exists', async () => {
    const id = await aRow(parts, 'seen before');

    const response = await parts.call('POST', '/v1/messages', HELLO, { 'Idempotency-Key': 'seen before' });

    expect(response).toMatchObject({ status: 202, body: { id, state: 'pending', instance: 'main', kind: 'text' } });
    expect(response.headers.get('idempotent-replayed')).toBe('true');
    expect(response.headers.get('location')).toBe(`/v1/messages/${id}`);
  });

  it('refuses another body under a key that has a row', async () => {
    await aRow(parts, 'taken');
    const other = { ...HELLO, content: { kind: 'text', text: 'Bye' } };

    const response = await parts.call('POST', '/v1/messages', other, { 'Idempotency-Key': 'taken' });
    expect(response).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
  });

  it('answers 202 to a repeated request after its expiry, and 422 to a new request with a passed expiry', async () => {
    const expired = { ...HELLO, expiresAt: '2020-01-01T00:00:00Z' };
    const id = messageId('main', 'late');
    const request = { ...HELLO_REQUEST, expiresAt: '2020-01-01T00:00:00.000Z' };
    await parts.ledger.intake.open({ id, requestHash: requestHash(request), request, expiresAtMs: 0, nowMs: 0 });

    const repeated = await parts.call('POST', '/v1/messages', expired, { 'Idempotency-Key': 'late' });
    expect(repeated).toMatchObject({ status: 202, body: { id } });
  });

  it('shows a row, lists rows page by page, and cancels one', async () => {
    const id = await aRow(parts, 'to be cancelled');

    expect(await parts.call('GET', `/v1/messages/${id}`)).toMatchObject({
      status: 200,
      body: { id, state: 'pending', chatId: ALICE, evidence: expect.any(Array), edits: [] },
    });
    const first = await parts.call('GET', '/v1/messages?instance=main&state=pending&to=15550000001&limit=1');
    expect(first.body.items).toHaveLength(1);
    const second = await parts.call('GET', `/v1/messages?limit=1&cursor=${first.body.cursor}`);
    expect(second.body.items[0].id).not.toBe(first.body.items[0].id);
    expect((await parts.call('GET', '/v1/messages?reference=unheard')).body).toEqual({ items: [] });

    expect(await parts.call('POST', `/v1/messages/${id}/cancel`)).toMatchObject({
      status: 200,
      body: { id, cancelled: true, state: 'cancelled' },
    });
  });

  it('answers a waiting reader as soon as the bell rings', async () => {
    const id = await aRow(parts, 'waited for');
    const waiting = parts.call('GET', `/v1/messages/${id}?wait=end&timeoutMs=60000`);
    await parts.ledger.messages.cancel(id, 'test', SYSTEM_CLOCK.nowMs());
    parts.bell.ring(id);

    expect(await waiting).toMatchObject({ status: 200, body: { state: 'cancelled' } });
  });

  it('answers from the row why an edit is not possible', async () => {
    const id = await aRow(parts, 'ended');
    await parts.ledger.messages.cancel(id, 'test', SYSTEM_CLOCK.nowMs());

    expect(await parts.call('POST', `/v1/messages/${id}/edits`, { text: 'New' })).toMatchObject(
      refusal(409, 'EDIT_NOT_POSSIBLE'),
    );
    expect(await parts.call('GET', `/v1/messages/${id}/edits/edt_1`)).toMatchObject(refusal(404, 'EDIT_NOT_FOUND'));
  });

  it('returns an ended edit again, and refuses another text under its key', async () => {
    const id = await aRow(parts, 'edited');
    const edit = editId(id, 'k');
    await parts.ledger.edits.open({ editId: edit, messageId: id, text: 'New', nowMs: SYSTEM_CLOCK.nowMs() });

    const again = await parts.call('POST', `/v1/messages/${id}/edits`, { text: 'New' }, { 'Idempotency-Key': 'k' });
    expect(again).toMatchObject({ status: 200, body: { id: edit, outcome: 'edited', via: 'before_send' } });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(await parts.call('GET', `/v1/messages/${id}/edits/${edit}`)).toMatchObject({ body: { outcome: 'edited' } });

    const other = await parts.call('POST', `/v1/messages/${id}/edits`, { text: 'Other' }, { 'Idempotency-Key': 'k' });
    expect(other).toMatchObject(refusal(422, 'IDEMPOTENCY_MISMATCH'));
  });

  it('begins no operation, and accepts the same request later', async () => {
    const body = { instance: 'main', request: {} };
    const headers = { 'Idempotency-Key': 'queue' };

    for (const _ of [1, 2]) {
      const response = await parts.call('POST', '/v1/operations/showMessagesQueue', body, headers);
      expect(response).toMatchObject(refusal(503, 'TEMPORAL_UNAVAILABLE'));
    }
  });
});

describe('a bad request', () => {
  const parts = useApi({ ledger });

  it('is refused when it removes a campaign that is no plan, and the campaign stays', async () => {
    const draft = { instance: 'main', content: { kind: 'text', text: 'Hello' } };
    expect((await parts.call('PUT', '/v1/campaigns/kept', draft)).status).toBeLessThan(300);

    const response = await parts.call('DELETE', '/v1/campaigns/kept');

    expect(response).toMatchObject(refusal(409, 'CAMPAIGN_FROZEN'));
    expect((await parts.call('GET', '/v1/campaigns/kept')).status).toBe(200);
  });

  it.each([
    ['an unknown route', 'GET /v1/nothing', undefined, 404, 'ROUTE_NOT_FOUND'],
    ['a method that the route lacks', 'DELETE /v1/messages', undefined, 405, 'ROUTE_NOT_FOUND'],
    ['no body', 'POST /v1/messages', '', 400, 'INPUT_INVALID'],
    ['an unknown instance', 'POST /v1/messages', { ...HELLO, instance: 'nowhere' }, 422, 'INSTANCE_NOT_FOUND'],
    ['an unknown field', 'POST /v1/messages', { ...HELLO, txt: 'x' }, 422, 'INPUT_INVALID'],
    ['a malformed recipient', 'POST /v1/messages', { ...HELLO, to: 'bob' }, 422, 'INPUT_INVALID'],
    ['an expiry that has passed', 'POST /v1/messages', { ...HELLO, expiresAt: '2020-01-01' }, 422, 'INPUT_INVALID'],
    ['an unknown state', 'GET /v1/messages?state=gone', undefined, 422, 'INPUT_INVALID'],
    ['a foreign cursor', 'GET /v1/messages?cursor=abc', undefined, 422, 'INPUT_INVALID'],
    ['an edit without a message', 'POST /v1/messages/msg_1/edits', { text: 'x' }, 404, 'MESSAGE_NOT_FOUND'],
    ['a cancellation without a message', 'POST /v1/messages/x/cancel', undefined, 404, 'MESSAGE_NOT_FOUND'],
    [
      'a resolution without a message',
      'POST /v1/messages/x/resolve',
      { outcome: 'accepted' },
      404,
      'MESSAGE_NOT_FOUND',
    ],
    ['an edit to 20,001 characters', `POST /v1/messages/${UNKNOWN_ID}/edits`, { text: LONG }, 422, 'INPUT_INVALID'],
    ['an unknown operation', 'POST /v1/operations/fly', { instance: 'main' }, 404, 'OPERATION_NOT_FOUND'],
    ['an operation that was not begun', 'GET /v1/operations/getSettings/op_1', undefined, 404, 'OPERATION_NOT_FOUND'],
  ])('is answered for %s by a problem document with its code', async (_, asked, body, status, code) => {
    const [method = '', path = ''] = asked.split(' ');
    const response = await parts.call(method, path, body);

    expect(response).toMatchObject({ status, body: { code, status, type: `urn:everpost:error:${code}` } });
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(response.body.detail).toMatch(/\S/);
    expect(parts.logged).toEqual([]);
  });

  it('is answered with the name of a repeated parameter', async () => {
    const { body } = await parts.call('GET', '/v1/messages?limit=2&to=15550000001&limit=3');
    expect(body.detail).toContain('limit is given more than once');
  });

  it.each([
    ['/v1/messages', { ...HELLO, content: { kind: 'text', text: LONG } }, 'content.text'],
    ['/v1/operations/sendMessage', { instance: 'main', request: { chatId: ALICE, message: LONG } }, 'request.message'],
    ['/v1/operations/sendMessage', { instance: 'main', request: { message: 'x' } }, 'request.chatId'],
    [
      '/v1/operations/sendTyping',
      { instance: 'main', request: { chatId: ALICE, typingTime: 999 } },
      'request.typingTime',
    ],
  ])('is answered with the invalid field as the caller wrote it: %s %#', async (path, request, field) => {
    const response = await parts.call('POST', path, request);
    expect(response).toMatchObject({ status: 422, body: { code: 'INPUT_INVALID', errors: [{ path: field }] } });
  });

  it('is refused for a key over 255 characters', async () => {
    const response = await parts.call('POST', '/v1/messages', HELLO, { 'Idempotency-Key': 'k'.repeat(256) });

    expect(response).toMatchObject(refusal(422, 'INPUT_INVALID'));
  });

  it('is answered with the right methods for a wrong one', async () => {
    const { headers } = await parts.call('PUT', '/v1/messages');

    expect(headers.get('allow')).toBe('POST, GET');
  });
});

it('the liveness is public, and the gateway authenticates itself in another way', async () => {
  const { call } = await ownApi({ ledger, apiKeys: someKeys('key') });
  expect(await call('GET', '/v1/instances')).toMatchObject(refusal(401, 'API_UNAUTHORIZED'));
  expect(await call('GET', '/livez')).toMatchObject({ status: 200 });
  const json = { 'Content-Type': 'application/json' };
  expect(await call('POST', '/webhooks/main', {}, json)).toMatchObject({ status: 200 });
});
