/**
 * `everpost doctor --fix` for an instance without a webhook token: with a real simulator, and an API that carries
 * setSettings. No Temporal is named: the doctor would wait five seconds for one that is away.
 */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { SIMULATOR_INSTANCE } from '../../src/config/index.js';
import { NEEDED_FLAGS } from '../../src/gateway/index.js';
import { startSimulator, type Settings } from '../../src/simulator/index.js';
import { everpost } from './fake-terminal.js';
import { aFolder } from '../support/folder.js';
import { listening } from '../support/listening.js';

const PUBLIC_URL = 'https://hooks.example.com';
const ADDRESS = `${PUBLIC_URL}/webhooks/shop`;

interface Place {
  readonly file: string;
  readonly env: Record<string, string>;
  /** What the API was asked to set, oldest first. */
  readonly asked: Record<string, unknown>[];
  /** The account's settings at the gateway, now. */
  settings(): Promise<Settings>;
  /** The token in the instances file. */
  token(): string | undefined;
}

/** An account without a webhook token, everything else in order. */
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
  it('calls a missing webhook token broken where other machines reach the receiver, and advises one elsewhere', async () => {
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
  it('makes a token, writes it into the instances file and sets it at the gateway, and shows it nowhere', async () => {
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

  it('makes another token each time', async () => {
    const [one, two] = [await aPlace({ webhookUrl: ADDRESS }), await aPlace({ webhookUrl: ADDRESS })];
    for (const { env } of [one, two]) await doctor(env, '--fix', '--yes');
    expect(one.token()).not.toBe(two.token());
  });

  it('sets it together with an address that is missing', async () => {
    const place = await aPlace({ webhookUrl: '' });
    await doctor(place.env, '--fix', '--yes');
    expect(place.asked).toEqual([{ webhookUrl: ADDRESS, webhookUrlToken: place.token() }]);
  });

  it('takes over a token that the gateway sends here already, so that the account need not restart', async () => {
    const place = await aPlace({ webhookUrl: ADDRESS, webhookUrlToken: 'set-in-the-console' });
    const { fixed, said } = await doctor(place.env, '--fix', '--yes');
    expect(place.token()).toBe('set-in-the-console');
    expect(place.asked).toEqual([]);
    expect(fixed).toEqual([{ instance: 'shop', settings: ['webhookToken'], outcome: 'set', wroteTo: place.file }]);
    expect(said).not.toMatch(/set-in-the-console|restarts/);
  });

  it("takes no token over from another server's address, and leaves that address its own", async () => {
    const theirs = { webhookUrl: 'https://other.example/hook', webhookUrlToken: 'of-the-other-server' };
    const place = await aPlace(theirs);
    await doctor({ ...place.env, EVERPOST_PUBLIC_URL: '' }, '--fix', '--yes');
    expect(place.token()).toMatch(/^[\w-]{43}$/);
    expect(place.asked).toEqual([]);
    expect(await place.settings()).toMatchObject(theirs);
  });

  it('writes the token while no API runs yet, which then can listen, and sets it at the gateway the next time', async () => {
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

  it('sets nothing when the file cannot be written, and says what to write there by hand', async () => {
    const place = await aPlace({ webhookUrl: ADDRESS });
    // No file can stand beside one with so long a name: that also stops a test that runs as root.
    const unwritable = path.join(path.dirname(place.file), `${'i'.repeat(240)}.json`);
    writeFileSync(unwritable, readFileSync(place.file));
    const { fixed, said } = await doctor({ ...place.env, EVERPOST_INSTANCES_FILE: unwritable }, '--fix', '--yes');
    expect(fixed).toMatchObject([{ outcome: 'refused', why: expect.stringContaining('{"env":"SHOP_WEBHOOK_TOKEN"}') }]);
    expect(place.asked).toEqual([]);
    expect(said).not.toContain('wroteTo');
  });

  it('leaves an account alone whose notifications are fetched', async () => {
    const place = await aPlace({ webhookUrl: '' }, { notifications: 'poll' });
    const { fixed } = await doctor(place.env, '--fix', '--yes');
    expect(fixed).toEqual([]);
    expect(place.token()).toBeUndefined();
  });
});
