/**
 * `everpost doctor --fix` for an instance without a webhook token: with a real simulator, and an API that runs
 * setSettings. No Temporal is configured: the doctor would wait five seconds for an unavailable one.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SIMULATOR_INSTANCE } from '../../../src/config/index.js';
import { NEEDED_FLAGS } from '../../../src/gateway/index.js';
import { startSimulator, type Settings } from '../../../src/simulator/index.js';
import { everpost } from '../fake-terminal.js';
import { aFolder } from '../../support/folder.js';
import { listening } from '../../support/listening.js';

const PUBLIC_URL = 'https://hooks.example.com';
const ADDRESS = `${PUBLIC_URL}/webhooks/shop`;

interface Place {
  readonly file: string;
  readonly env: Record<string, string>;
  /** The settings that the API was asked for, oldest first. */
  readonly asked: Record<string, unknown>[];
  /** The account's current settings at the gateway. */
  settings(): Promise<Settings>;
  /** The token in the instances file. */
  token(): string | undefined;
}

/** An account without a webhook token, and otherwise correct. */
async function aPlace(settings: Partial<Settings>, entry: object = {}): Promise<Place> {
  const flags = Object.fromEntries(NEEDED_FLAGS.map(({ name }) => [name, 'yes']));
  const simulator = await startSimulator({ rateLimits: false, settings: { ...flags, ...settings } });
  const base = `${simulator.url}/waInstance${SIMULATOR_INSTANCE.idInstance}`;
  const asked: Record<string, unknown>[] = [];
  const api = createServer((request, response) => {
    void (async () => {
      if (request.method !== 'POST') return response.writeHead(404).end();
      const { request: change } = (await json(request)) as { request: Record<string, unknown> };
      asked.push(change);
      const saved = await fetch(`${base}/setSettings/${SIMULATOR_INSTANCE.token}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(change),
      });
      response.setHeader('content-type', 'application/json');
      return response.end(JSON.stringify({ id: 'op_1', state: 'done', result: await saved.json() }));
    })();
  });
  const folder = aFolder();
  onTestFinished(() => simulator.close());
  const file = path.join(folder, 'instances.json');
  const shop = {
    baseUrl: simulator.url,
    idInstance: SIMULATOR_INSTANCE.idInstance,
    apiTokenInstance: SIMULATOR_INSTANCE.token,
    ...entry,
  };
  writeFileSync(file, JSON.stringify({ shop }));
  return {
    file,
    asked,
    env: {
      EVERPOST_API_URL: await listening(api),
      EVERPOST_INSTANCES_FILE: file,
      EVERPOST_PUBLIC_URL: PUBLIC_URL,
      EVERPOST_DATA_DIR: folder,
    },
    settings: async () => (await (await fetch(`${base}/getSettings/${SIMULATOR_INSTANCE.token}`)).json()) as Settings,
    token: () => (JSON.parse(readFileSync(file, 'utf8')) as { shop: { webhookToken?: string } }).shop.webhookToken,
  };
}

async function doctor(env: Record<string, string>, ...options: string[]) {
  const { out, err } = await everpost(['doctor', '--json', ...options], { env });
  const response = JSON.parse(out[0] ?? '') as {
    findings: { subject: string; verdict: string; found: string; remedy?: string }[];
    fixed?: object[];
  };
  const about = response.findings.filter(({ found }) => /webhookToken|webhookUrl/.test(found));
  return { about, fixed: response.fixed, said: [...out, ...err].join('\n') };
}

describe('the doctor', () => {
  it('reports a missing webhook token as broken when other machines reach the receiver, and as advice otherwise', async () => {
    const { env } = await aPlace({ webhookUrl: ADDRESS });
    expect((await doctor(env)).about).toMatchObject([
      { subject: 'instance shop', verdict: 'broken', remedy: expect.stringContaining('everpost doctor --fix') },
    ]);
    const elsewhere = { ...env, EVERPOST_PUBLIC_URL: '' };
    expect((await doctor(elsewhere)).about).toMatchObject([{ subject: 'instance shop', verdict: 'advice' }]);
    const exposed = { ...elsewhere, EVERPOST_HTTP_HOST: '0.0.0.0' };
    expect((await doctor(exposed)).about).toMatchObject([{ subject: 'instance shop', verdict: 'broken' }]);
  });

  it('changes nothing without --fix', async () => {
    const { env, asked, token } = await aPlace({ webhookUrl: ADDRESS });
    await doctor(env);
    expect({ asked, token: token() }).toEqual({ asked: [], token: undefined });
  });
});

describe('everpost doctor --fix', () => {
  it('generates a token, writes it into the instances file and sets it at the gateway, without showing it', async () => {
    const place = await aPlace({ webhookUrl: ADDRESS });
    const { fixed, said } = await doctor(place.env, '--fix', '--yes');

    const token = place.token() ?? '';
    expect(token).toMatch(/^[\w-]{43}$/);
    expect(place.asked).toEqual([{ webhookUrlToken: token }]);
    expect(await place.settings()).toMatchObject({ webhookUrl: ADDRESS, webhookUrlToken: token });
    expect(statSync(place.file).mode & 0o777).toBe(0o600);
    expect(fixed).toEqual([
      { instance: 'shop', settings: ['webhookToken', 'webhookUrlToken'], outcome: 'set', wroteTo: place.file },
    ]);
    expect(said).not.toContain(token);
    expect((await doctor(place.env)).about).toEqual([]);
  });

  it('generates another token each time', async () => {
    const [one, two] = [await aPlace({ webhookUrl: ADDRESS }), await aPlace({ webhookUrl: ADDRESS })];
    for (const { env } of [one, two]) await doctor(env, '--fix', '--yes');
    expect(one.token()).not.toBe(two.token());
  });

  it('sets it together with a missing address', async () => {
    const place = await aPlace({ webhookUrl: '' });
    await doctor(place.env, '--fix', '--yes');
    expect(place.asked).toEqual([{ webhookUrl: ADDRESS, webhookUrlToken: place.token() }]);
  });

  it('adopts a token that the gateway sends here already, so that the account need not restart', async () => {
    const place = await aPlace({ webhookUrl: ADDRESS, webhookUrlToken: 'set-in-the-console' });
    const { fixed, said } = await doctor(place.env, '--fix', '--yes');
    expect(place.token()).toBe('set-in-the-console');
    expect(place.asked).toEqual([]);
    expect(fixed).toEqual([{ instance: 'shop', settings: ['webhookToken'], outcome: 'set', wroteTo: place.file }]);
    expect(said).not.toMatch(/set-in-the-console|restarts/);
  });

  it("adopts no token from another server's address, and leaves that address unchanged", async () => {
    const theirs = { webhookUrl: 'https://other.example/hook', webhookUrlToken: 'of-the-other-server' };
    const place = await aPlace(theirs);
    await doctor({ ...place.env, EVERPOST_PUBLIC_URL: '' }, '--fix', '--yes');
    expect(place.token()).toMatch(/^[\w-]{43}$/);
    expect(place.asked).toEqual([]);
    expect(await place.settings()).toMatchObject(theirs);
  });

  it('writes the token while no API runs, which then can listen, and sets it at the gateway the next time', async () => {
    const place = await aPlace({ webhookUrl: ADDRESS });
    const { fixed } = await doctor({ ...place.env, EVERPOST_API_URL: 'http://127.0.0.1:1' }, '--fix', '--yes');
    const token = place.token();
    expect(token).toBeDefined();
    expect(fixed).toMatchObject([
      { outcome: 'not answered', wroteTo: place.file, why: expect.stringContaining('Then run: everpost doctor --fix') },
    ]);
    await doctor(place.env, '--fix', '--yes');
    expect(place.token()).toBe(token);
    expect(await place.settings()).toMatchObject({ webhookUrlToken: token });
  });

  it('sets nothing when the file cannot be written, and shows what to write there by hand', async () => {
    const place = await aPlace({ webhookUrl: ADDRESS });
    // A temporary file beside one with so long a name is impossible, also for a test that runs as root.
    const unwritable = path.join(path.dirname(place.file), `${'i'.repeat(240)}.json`);
    writeFileSync(unwritable, readFileSync(place.file));
    const { fixed, said } = await doctor({ ...place.env, EVERPOST_INSTANCES_FILE: unwritable }, '--fix', '--yes');
    expect(fixed).toMatchObject([{ outcome: 'refused', why: expect.stringContaining('{"env":"SHOP_WEBHOOK_TOKEN"}') }]);
    expect(place.asked).toEqual([]);
    expect(said).not.toContain('wroteTo');
  });

  it('leaves an account unchanged whose notifications are fetched', async () => {
    const place = await aPlace({ webhookUrl: '' }, { notifications: 'poll' });
    const { fixed } = await doctor(place.env, '--fix', '--yes');
    expect(fixed).toEqual([]);
    expect(place.token()).toBeUndefined();
  });
});
