/** Erasures over HTTP: requested twice, carried out by a background job. */
import { expect, it } from 'vitest';
import { eraseRecipients } from '../../src/worker/index.js';
import { SYSTEM_CLOCK, useApi } from './api-parts.js';

const parts = useApi();

it('a repeated request gets the same erasure until it is finished, and its receipt does not show the number', async () => {
  const to = '15550417001';
  const body = { to };
  const begun = await parts.call('POST', '/v1/recipients/erasures', body);
  const again = await parts.call('POST', '/v1/recipients/erasures', body);

  expect(begun).toMatchObject({ status: 202, body: { state: 'pending', requestedBy: 'loopback' } });
  const { id } = begun.body as { id: string };
  expect(again).toMatchObject({ status: 200, body: { id } });

  const log = () => undefined;
  await eraseRecipients({ ledger: parts.ledger, keptForMs: 1_000, clock: SYSTEM_CLOCK, log }).round();

  const shown = await parts.call('GET', `/v1/recipients/erasures/${id}`);
  expect(shown).toMatchObject({ status: 200, body: { state: 'done' } });
  expect(JSON.stringify(shown.body)).not.toContain(to);
});

it('refuses a group, which has several members', async () => {
  const refused = await parts.call('POST', '/v1/recipients/erasures', { to: '15550417001-1400000000@g.us' });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ path: 'to', message: expect.stringMatching(/^is a group/) }] },
  });
});

it('responds 404 for an erasure that does not exist', async () => {
  const shown = await parts.call('GET', '/v1/recipients/erasures/ers_0');
  expect(shown).toMatchObject({ status: 404, body: { code: 'ERASURE_NOT_FOUND' } });
});

it.each([
  ['POST', '/pause', {}, '15550417101'],
  ['POST', '/resume', {}, '15550417102'],
  ['POST', '/trigger', {}, '15550417103'],
  ['PATCH', '', { cron: ['@daily'] }, '15550417104'],
])('ends the schedule to the recipient at once: %s %s is refused', async (method, command, body, to) => {
  const message = { instance: 'main', to, content: { kind: 'text', text: 'Hello' } };
  const created = await parts.call('POST', '/v1/schedules', { cron: ['0 0 1 1 *'], message });
  const { id } = created.body as { id: string };
  await parts.call('POST', '/v1/recipients/erasures', { to });
  expect(await parts.call(method, `/v1/schedules/${id}${command}`, body)).toMatchObject({
    status: 409,
    body: { code: 'SCHEDULE_ENDED' },
  });
});
