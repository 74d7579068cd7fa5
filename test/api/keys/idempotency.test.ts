/** KEYRING-4: the Idempotency-Keys of one API key are not those of another. */
import { describe, expect, it } from 'vitest';
import { messageId } from '../../../src/index.js';
import { ROUTES } from '../../../src/api/routes/routes.js';
import type { Route } from '../../../src/api/route.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { ALICE, ownApi, someKeys, useApi } from '../api-parts.js';
import { BEGINNING } from './two-worlds.js';

const ledger = useLedger();
const parts = useApi({ ledger, apiKeys: someKeys('key-of-a', 'key-of-b') });
const [A, B] = ['key-of-a', 'key-of-b'];
const MESSAGE = { instance: 'main', to: ALICE, content: { kind: 'text', text: 'Hello' } };

const ask = (key: string, method: string, path: string, body: unknown, idempotencyKey: string) =>
  parts.call(method, path, body, {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'idempotency-key': idempotencyKey,
  });

let spare = 0;

async function aLedgerKey(): Promise<{ name: string; key: string }> {
  const name = `own-${++spare}`;
  const { body } = await ask(A, 'POST', '/v1/keys', { name, scopes: ['read', 'send', 'admin'] }, 'x');
  return body;
}

/** Commands for an object, by route: their bodies and the field of their response that differs between two commands. */
const BEGINNING_ROUTES = Object.entries<Route>(ROUTES).filter(
  ([name, { takesKey, path }]) => takesKey === true && !path.includes('{') && BEGINNING[name] !== undefined,
);

describe('an Idempotency-Key', () => {
  it.each(BEGINNING_ROUTES)('of another API key begins other work: %s', async (name, { path }) => {
    const body = BEGINNING[name]?.('main');
    const [ofA, again, ofB] = [
      await ask(A, 'POST', path, body, name),
      await ask(A, 'POST', path, body, name),
      await ask(B, 'POST', path, body, name),
    ];
    expect(ofA.status, JSON.stringify(ofA.body)).toBeLessThan(300);
    expect(again.body.id).toBe(ofA.body.id);
    expect(ofB.body.id).not.toBe(ofA.body.id);
    expect(ofB.headers.get('idempotent-replayed')).toBeNull();
    // The caller gets its own text back, to repeat the request with it.
    expect(ofB.headers.get('idempotency-key')).toBe(name);
  });

  it('with another body is no conflict for another API key', async () => {
    expect((await ask(A, 'POST', '/v1/messages', MESSAGE, 'order')).status).toBe(202);
    const other = { ...MESSAGE, content: { kind: 'text', text: 'Bye' } };
    expect((await ask(B, 'POST', '/v1/messages', other, 'order')).status).toBe(202);
    expect((await ask(A, 'POST', '/v1/messages', other, 'order')).status).toBe(422);
  });

  it('of another API key is another edit and another command', async () => {
    const { id } = (await ask(A, 'POST', '/v1/messages', MESSAGE, 'edited')).body;
    const edit = (key: string) =>
      ask(key, 'POST', `/v1/messages/${id}/edits?timeoutMs=0`, { text: 'Hello again' }, 'edit');
    const [ofA, again, ofB] = [await edit(A), await edit(A), await edit(B)];
    expect([again.body.id === ofA.body.id, ofB.body.id === ofA.body.id]).toEqual([true, false]);

    const command = (key: string, what: string, idempotencyKey: string) =>
      ask(key, 'POST', `/v1/instances/main/${what}?timeoutMs=0`.replace(/(resume).*/, '$1'), undefined, idempotencyKey);
    await command(A, 'pause', 'p');
    await command(A, 'resume', 'r');
    expect((await command(B, 'pause', 'p')).body.instance.pauses).toHaveLength(1);
    expect((await command(B, 'resume', 'r')).body.instance.pauses).toEqual([]);
    expect((await command(A, 'pause', 'p')).body.instance.pauses).toEqual([]);
  });

  it('stays that of its API key after a rotation, in another process, and with the secret of another name', async () => {
    const { name, key } = await aLedgerKey();
    const begun = await ask(key, 'POST', '/v1/messages', MESSAGE, 'rotated');
    const rotated = (await ask(A, 'POST', `/v1/keys/${name}/rotate`, {}, 'x')).body.key;
    for (const secret of [key, rotated]) {
      expect((await ask(secret, 'POST', '/v1/messages', MESSAGE, 'rotated')).body.id).toBe(begun.body.id);
    }
    const next = await ownApi({ ledger, apiKeys: someKeys('new-secret-of-a') });
    const headers = (bearer: string) => ({ authorization: `Bearer ${bearer}`, 'idempotency-key': 'rotated' });
    expect((await next.call('POST', '/v1/messages', MESSAGE, headers(rotated))).body.id).toBe(begun.body.id);
    const ofA = await ask(A, 'POST', '/v1/messages', MESSAGE, 'rotated');
    expect((await next.call('POST', '/v1/messages', MESSAGE, headers('new-secret-of-a'))).body.id).toBe(ofA.body.id);
  });

  it('without an API key is that of a start through Temporal', async () => {
    const open = await ownApi({ ledger });
    const { body } = await open.call('POST', '/v1/messages', MESSAGE, { 'idempotency-key': 'order-17' });
    expect(body.id).toBe(messageId('main', 'order-17'));
    expect((await ask(A, 'POST', '/v1/messages', MESSAGE, 'order-17')).body.id).not.toBe(body.id);
  });
});
