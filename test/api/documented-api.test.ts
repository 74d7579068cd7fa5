import { describe, expect, it } from 'vitest';
import { undocumentedIn, type Exchange } from './documented-api.js';

const LISTED = {
  id: 'msg_1',
  instance: 'main',
  chatId: '15551234567@c.us',
  content: { kind: 'text', text: 'Hello' },
  state: 'sent',
  version: 3,
  priority: 'normal',
  category: 'marketing',
  onUnknown: 'manual',
  createdAt: '2026-03-01T10:00:00.000Z',
  expiresAt: '2026-03-02T10:00:00.000Z',
  campaignId: 'spring',
  line: 2,
};

function aList(item: object, more: Partial<Exchange> = {}): Exchange {
  return {
    method: 'GET',
    path: '/v1/messages',
    requestType: '',
    status: 200,
    responseType: 'application/json',
    responseBody: JSON.stringify({ items: [item] }),
    ...more,
  };
}

function aProblem(status: number, code: string): Partial<Exchange> {
  const document = { type: `urn:everpost:error:${code}`, title: 'T', status, code, detail: 'D' };
  return { status, responseType: 'application/problem+json', responseBody: JSON.stringify(document) };
}

describe('the comparison of exchanges with the OpenAPI document', () => {
  it('accepts a documented exchange', () => {
    expect(undocumentedIn(aList(LISTED))).toEqual([]);
    expect(undocumentedIn(aList(LISTED, aProblem(503, 'LEDGER_UNAVAILABLE')))).toEqual([]);
  });

  it.each<[string, Exchange, string]>([
    ['a field', aList({ ...LISTED, colour: 'red' }), 'colour'],
    ['a missing field', aList({ ...LISTED, version: undefined }), 'version'],
    ['a value', aList({ ...LISTED, createdAt: 'yesterday' }), '/items/0/createdAt'],
    ['a status', aList(LISTED, { status: 206 }), 'status is not documented'],
    ['a problem of another route', aList(LISTED, aProblem(409, 'EDIT_NOT_TEXT')), 'status is not documented'],
    [
      'an undocumented code under a documented status',
      aList(LISTED, aProblem(422, 'INSTANCE_NOT_FOUND')),
      'code INSTANCE_NOT_FOUND',
    ],
    ['a content type', aList(LISTED, { responseType: 'text/plain' }), 'type text/plain'],
    ['a route', aList(LISTED, { path: '/v1/message' }), 'route'],
  ])('finds an undocumented %s', (_, exchange, found) => {
    expect(undocumentedIn(exchange).join('\n')).toContain(found);
  });

  it('finds an undocumented request that was accepted', () => {
    const body = { instance: 'main', to: '15551234567', content: { kind: 'text', text: 'Hello' } };
    const begun = { id: 'msg_1', state: 'pending', instance: 'main', kind: 'text' };
    const send = { method: 'POST', status: 202, responseBody: JSON.stringify(begun) };

    expect(undocumentedIn(aList({}, { ...send, requestBody: JSON.stringify(body) }))).toEqual([]);
    const odd = { ...send, requestBody: JSON.stringify({ ...body, subject: 'Hello' }) };
    expect(undocumentedIn(aList({}, odd)).join('\n')).toMatch(/request.*subject/);
  });
});
