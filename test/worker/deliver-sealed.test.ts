/** Deliveries of a worker that lacks the encryption key of an endpoint's secrets. */
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { atRest } from '../../src/codec/index.js';
import { parseEncryptionKeys, Secret, type LogEntry } from '../../src/contract/index.js';
import { ledgerParts } from '../../src/ledger/open-ledger.js';
import { Store } from '../../src/ledger/storage/store.js';
import { deliverEvents, startBackgroundJob } from '../../src/worker/index.js';
import { createEventPoster } from '../../src/worker/post-event.js';
import { NOW } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';
import { aDatabase, TEXT_KEY } from '../support/ledger/ledger.js';
import { anEventTarget } from './event-target.js';

const keys = (id: string, byte: number) => parseEncryptionKeys(`${id}:${Buffer.alloc(32, byte).toString('base64')}`);

it('post nothing unsigned, delay no other endpoint, and are signed by a worker that has the key', async () => {
  const { db, ledger, close } = await aDatabase();
  const store = new Store(db);
  const withKey = {
    ...ledger,
    ...ledgerParts(store, { atRest: atRest(keys('mine', 1)), gatherMs: 0, textKey: TEXT_KEY }),
  };
  const without = { ...ledger, ...ledgerParts(store, { atRest: atRest(undefined), gatherMs: 0, textKey: TEXT_KEY }) };
  const poster = createEventPoster({ allowPrivate: true });
  const [sealed, plain] = await Promise.all([anEventTarget(), anEventTarget()]);
  const logged: LogEntry[] = [];
  let aheadMs = 0;
  const log = (entry: LogEntry) => void logged.push(entry);
  const deliver = (own: typeof ledger) =>
    startBackgroundJob(deliverEvents({ ledger: own, poster, clock: { nowMs: () => Date.now() + aheadMs }, log }), {
      leases: own.leases,
      holder: 'w',
      log,
    });
  const common = { instance: 'main', events: ['*'], raw: false, requestHash: 'h' };
  const authorization = new Secret('Bearer velvet otter');
  const { secret } = await withKey.eventEndpoints.create(
    { ...common, id: 'evp_1', url: sealed.url, authorization },
    NOW,
  );
  await without.eventEndpoints.create({ ...common, id: 'evp_2', url: plain.url }, NOW);
  await ledger.receipts.store('main', { a: 1 }, NOW, { event: { type: 'message.received', key: 'a' } });

  const lacking = deliver(without);
  await eventually(() => expect(plain.requests).toHaveLength(1));
  await eventually(async () =>
    expect(await without.eventEndpoints.view('evp_1')).toMatchObject({
      waiting: 1,
      problem: 'ENCRYPTION_KEY_MISSING',
      secretsProblem: expect.stringContaining('Add it to EVERPOST_ENCRYPTION_KEYS') as string,
    }),
  );
  await lacking.stop();
  expect(sealed.requests).toEqual([]);
  expect(logged).toContainEqual(expect.objectContaining({ level: 'warn', endpoint: 'evp_1' }));

  aheadMs = 60_000;
  const having = deliver(withKey);
  onTestFinished(async () => {
    await having.stop();
    await poster.close();
    await Promise.all([sealed.close(), plain.close()]);
    await close();
  });
  await eventually(() => expect(sealed.requests).toHaveLength(1));
  const [request] = sealed.requests;
  expect(request?.headers.authorization).toBe('Bearer velvet otter');
  const headers = request?.headers as Record<string, string>;
  // The library accepts timestamps of the last five minutes, and the worker's clock is one ahead.
  expect(new Webhook(secret?.reveal() ?? '').verify(request?.body.toString() ?? '', headers)).toMatchObject({
    data: { a: 1 },
  });
  await eventually(async () => expect(await withKey.eventEndpoints.view('evp_1')).toMatchObject({ waiting: 0 }));
});
