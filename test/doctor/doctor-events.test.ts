import { expect, test } from 'vitest';
import { checkEvents } from '../../src/doctor/check-ledger.js';
import { atRest } from '../../src/codec/index.js';
import { AppError, parseEncryptionKeys } from '../../src/contract/index.js';
import { ledgerParts } from '../../src/ledger/open-ledger.js';
import { Store } from '../../src/ledger/storage/store.js';
import { someApi } from '../api/api-parts.js';
import { aDatabase, TEXT_KEY } from '../support/ledger/ledger.js';
import { everpost } from '../cli/fake-terminal.js';

const HOUR = 60 * 60_000;
const URL = 'https://example.com/hook';

/** The doctor's findings on the endpoints of an API with a real ledger. */
async function aDoctor(options: Parameters<typeof someApi>[0] = {}) {
  const parts = await someApi(options);
  const { url } = await parts.api.listen({ host: '127.0.0.1', port: 0 });
  const { eventEndpoints, receipts } = parts.ledger;
  return {
    ...parts,
    ask: (nowMs = Date.now()) =>
      checkEvents(
        {
          listEventEndpoints: async () => {
            const { body } = await parts.call('GET', '/v1/event-endpoints');
            return body;
          },
        },
        nowMs,
      ),
    async endpoint(): Promise<string> {
      const body = { instance: 'main', url: URL };
      return (await parts.call('POST', '/v1/event-endpoints', body, { 'Idempotency-Key': crypto.randomUUID() })).body
        .id;
    },
    event: () =>
      receipts.store('main', { at: Date.now() }, Date.now(), { event: { type: 'message.received', key: 'chat' } }),
    disable: (id: string) => eventEndpoints.disable(id, 'HTTP 410', Date.now()),
    everpost: (...args: readonly string[]) => everpost(args, { env: { EVERPOST_API_URL: url } }),
  };
}

test('the doctor accepts an endpoint that takes its events, or that has just got one', async () => {
  const doctor = await aDoctor();
  await doctor.endpoint();
  await doctor.event();
  expect(await doctor.ask()).toEqual([]);
  await doctor.close();
});

test('the doctor names an endpoint that answered 410, and the command that enables it works', async () => {
  const doctor = await aDoctor();
  const id = await doctor.endpoint();
  await doctor.event();
  await doctor.disable(id);

  const [finding, ...others] = await doctor.ask();
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ subject: 'events main', verdict: 'broken' });
  expect(finding?.found).toMatch(new RegExp(`^${id} is disabled since .* \\(HTTP 410\\); 1 deliveries wait$`));
  const command = /everpost (event endpoint update \S+ --enable)$/.exec(finding?.remedy ?? '')?.[1] ?? '';
  expect((await doctor.everpost(...command.split(' '))).exitCode).toBe(0);

  expect(await doctor.ask()).toEqual([]);
  await doctor.close();
});

test('the doctor gives advice for an endpoint that an operator disabled', async () => {
  const doctor = await aDoctor();
  const id = await doctor.endpoint();
  await doctor.call('PATCH', `/v1/event-endpoints/${id}`, { enabled: false });
  expect(await doctor.ask()).toMatchObject([{ verdict: 'advice', found: expect.stringContaining('(operator)') }]);
  await doctor.close();
});

test('the doctor names an endpoint with long waits, and the result of its last try', async () => {
  const doctor = await aDoctor();
  const id = await doctor.endpoint();
  await doctor.event();
  const later = Date.now() + HOUR;
  expect(await doctor.ask(later)).toMatchObject([
    {
      verdict: 'broken',
      found: expect.stringContaining('no worker has tried yet'),
      remedy: expect.stringContaining('everpost worker'),
    },
  ]);

  const claim = { nowMs: Date.now(), leaseMs: 1, perTarget: 1, limit: 1, underWay: {} };
  const { due } = await doctor.ledger.deliveries.claim(claim);
  const outcomes = due.map((delivery) => ({ delivery, problem: 'HTTP 500', nextTryAtMs: later }));
  await doctor.ledger.deliveries.record(outcomes, Date.now());
  expect(await doctor.ask(later)).toMatchObject([
    {
      found: expect.stringMatching(/^1 deliveries wait for .*: HTTP 500$/),
      remedy: expect.stringContaining(`everpost event endpoint update ${id} --url`),
    },
  ]);
  await doctor.close();
});

test('the doctor reports what it could not check', async () => {
  const listEventEndpoints = () => Promise.reject(new AppError('LEDGER_UNAVAILABLE', 'away'));
  expect(await checkEvents({ listEventEndpoints }, 0)).toMatchObject([{ subject: 'events', verdict: 'unknown' }]);
});

test('the doctor names an endpoint whose encryption key is missing, the key, and a command that works if it is lost', async () => {
  const { db, ledger, close } = await aDatabase();
  const keys = parseEncryptionKeys(`lost:${Buffer.alloc(32, 1).toString('base64')}`);
  const common = { instance: 'main', url: URL, events: ['*'], raw: false, requestHash: 'h' };
  const sealing = ledgerParts(new Store(db), { atRest: atRest(keys), textKey: TEXT_KEY });
  await sealing.eventEndpoints.create({ ...common, id: 'evp_1' }, Date.now());
  const doctor = await aDoctor({ ledger });

  const [finding, ...others] = await doctor.ask();

  expect(others).toEqual([]);
  expect(finding).toMatchObject({ subject: 'events main', verdict: 'broken' });
  expect(finding?.found).toContain('evp_1: The stored event_endpoints.secrets of evp_1 was encrypted with key lost');
  const command = /everpost (event endpoint rotate-secret .*)$/.exec(finding?.remedy ?? '')?.[1] ?? '';
  expect((await doctor.everpost('event', 'endpoint', 'show', 'evp_1')).out.join()).toContain('key lost');
  expect((await doctor.everpost(...command.split(' '))).exitCode).toBe(0);
  expect(await doctor.ask()).toEqual([]);
  await doctor.close();
  await close();
});
