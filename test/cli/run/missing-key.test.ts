/** CODEC-3: all of everpost without the key of the open runs, and with it again. */
import { rmSync } from 'node:fs';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { connectEverpost, type ConnectedEverpost } from '../../../src/index.js';
import { aDataDir } from '../../support/ledger/embedded-database.js';
import { eventually } from '../../support/eventually.js';
import { isAlive, startDev, type DevProcess } from './dev-process.js';
import { everpost } from '../fake-terminal.js';

const SECRETS = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
const OLD = `2026a:${SECRETS[0]}`;
const NEW = `2026b:${SECRETS[1]}`;

let dataDir: string;
let dev: DevProcess;

beforeAll(async () => {
  dataDir = await aDataDir();
  return async () => {
    if (isAlive(dev.pid)) await dev.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  };
});

async function startWith(keys: string): Promise<void> {
  dev = await startDev(dataDir, { EVERPOST_ENCRYPTION_KEYS: keys });
}

function clientWith(keys: string): ConnectedEverpost {
  const client = connectEverpost({ address: dev.facts.temporalAddress, encryptionKeys: keys });
  onTestFinished(() => client.close());
  return client;
}

async function api(method: string, route: string, body?: object) {
  const response = await fetch(dev.facts.apiUrl + route, {
    method,
    headers: { 'content-type': 'application/json', 'idempotency-key': 'once' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

async function gatewayFails(times: number): Promise<void> {
  const fault = { method: 'getSettings', kind: 'status', status: 429, times };
  await fetch(`${dev.facts.simulatorUrl}/_sim/faults`, { method: 'POST', body: JSON.stringify(fault) });
}

it('no run fails permanently while a key is missing; the key is named, and the runs continue once it is back (CODEC-3)', async () => {
  await startWith(OLD);
  const content = { kind: 'text', text: 'velvet otter' } as const;
  const message = await clientWith(OLD).send({ instance: 'main', to: '15550001111', content });
  await message.waitFor('delivered');
  // An activity whose input is encrypted, and which has to be retried.
  await gatewayFails(1_000);
  const operation = await api('POST', '/v1/operations/getSettings', { instance: 'main', request: {} });
  await dev.end('SIGTERM');

  await startWith(NEW);
  await fetch(`${dev.facts.simulatorUrl}/_sim/faults`, { method: 'DELETE' });
  expect(await api('GET', `/v1/messages/${message.id}`)).toMatchObject({ status: 200, body: { state: 'delivered' } });
  const edit = () => api('POST', `/v1/messages/${message.id}/edits?timeoutMs=1000`, { text: 'copper heron' });
  expect(await edit()).toMatchObject({
    status: 503,
    body: { code: 'ENCRYPTION_KEY_MISSING', detail: expect.stringContaining('key 2026a, which is not configured') },
  });
  // The run of the account is woken, and cannot continue.
  for (const action of ['pause', 'resume']) await api('POST', `/v1/instances/main/${action}`);
  const env = {
    EVERPOST_API_URL: dev.facts.apiUrl,
    EVERPOST_ENCRYPTION_KEYS: NEW,
    TEMPORAL_ADDRESS: dev.facts.temporalAddress,
  };
  await eventually(async () => {
    const { out } = await everpost(['doctor'], { env });
    expect(out.join('\n')).toMatch(/workflow task fails repeatedly.*key 2026a, which is not configured/);
  });
  const told = dev.told();
  expect(told).toMatch(
    /getSettings: A payload was encrypted with key 2026a, which is not configured. Add it to EVERPOST/,
  );
  expect(told).toMatch(/Failed to process Workflow Activation/);
  // No whole task with its payloads, and no key.
  expect(told).not.toMatch(/taskEncoded|"data"/);
  for (const secret of SECRETS) expect(told).not.toContain(secret);
  await dev.end('SIGTERM');

  await startWith(`${NEW},${OLD}`);
  await eventually(async () => expect(await edit()).toMatchObject({ status: 200, body: { outcome: 'edited' } }));
  await eventually(async () => {
    const shown = await api('GET', `/v1/operations/getSettings/${String(operation.body['id'])}`);
    expect(shown.body).toMatchObject({ state: 'done' });
  });
  const phones = await fetch(`${dev.facts.simulatorUrl}/_sim/delivered`);
  expect(await phones.json()).toMatchObject([{ text: 'copper heron' }]);
  const run = clientWith(`${NEW},${OLD}`).message(message.id);
  await eventually(async () => expect((await run.status()).state).toMatch(/sent|delivered|read/));
  // The worker encrypts with the new key now, which this client lacks.
  await expect(clientWith(OLD).message(message.id).status()).rejects.toMatchObject({ code: 'ENCRYPTION_KEY_MISSING' });
  expect((await dev.end('SIGTERM')).code).toBe(0);
});
