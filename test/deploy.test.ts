import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { fixedInstances, loadConfig, SIMULATOR_PORT, VARIABLES } from '../src/config/index.js';
import { SEARCH_ATTRIBUTES } from '../src/contract/index.js';
import { assertProtected } from '../src/api/index.js';
import { aFolder } from './support/folder.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): Promise<string> => readFile(`${root}/${path}`, 'utf8');

const SECRETS = ['POSTGRES_PASSWORD', 'EVERPOST_API_KEYS', 'MAIN_WEBHOOK_TOKEN'];

interface Compose {
  readonly services: Readonly<
    Record<string, { readonly environment?: Readonly<Record<string, string>>; readonly ports?: readonly string[] }>
  >;
}

/** The file with its variables inserted, as by compose. @throws Error for a variable that compose requires */
async function composeWith(env: Readonly<Record<string, string>>): Promise<Compose> {
  const text = await read('docker-compose.yml');
  const filled = text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind: string, rest: string) => {
    const value = env[name] ?? '';
    if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
    return value === '' ? rest : value;
  });
  return parse(filled, { merge: true }) as Compose;
}

describe('the deployment', () => {
  test('has a namespace job that registers every search attribute', async () => {
    const script = await read('deploy/temporal/create-namespace.sh');
    const registered = [...script.matchAll(/--name (\w+)/g)].map(([, name]) => name);
    expect(new Set(registered)).toEqual(new Set(Object.keys(SEARCH_ATTRIBUTES)));
    expect(script).toContain('--type Keyword');
    expect(new Set(Object.values(SEARCH_ATTRIBUTES))).toEqual(new Set(['Keyword']));
  });

  test('sets only variables in docker-compose.yml that everpost reads', async () => {
    const compose = await read('docker-compose.yml');
    const set = [...compose.matchAll(/^\s+(EVERPOST_\w+|DATABASE_URL):/gm)].map(([, name]) => name);
    const known = Object.values(VARIABLES).map(({ name }) => name);
    expect(set.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(set));
  });

  test("has a valid example instances file, which leads to compose's simulator", async () => {
    // A checkout's file is readable by all, which causes a warning; an operator's is not.
    const file = join(aFolder(), 'instances.json');
    await writeFile(file, await read('deploy/instances.example.json'), { mode: 0o600 });
    const env = { EVERPOST_INSTANCES_FILE: file, MAIN_WEBHOOK_TOKEN: 'made by the operator' };
    const config = loadConfig(env, { cwd: root });
    const problems: unknown[] = [];
    const directory = config.instances?.open((entry) => problems.push(entry));
    expect(directory?.names()).toEqual(['main']);
    expect(problems).toEqual([]);
    expect(await read('deploy/instances.example.json')).toContain(`http://simulator:${SIMULATOR_PORT}"`);
    expect(await read('docker-compose.yml')).toContain(`--port, '${SIMULATOR_PORT}'`);
  });

  test('authenticates the notifications of every example instance by a token that the operator generates', async () => {
    const example = JSON.parse(await read('deploy/instances.example.json')) as Record<string, object>;
    expect(example).toMatchObject({ main: { webhookToken: { env: 'MAIN_WEBHOOK_TOKEN' } } });
    const config = loadConfig({ EVERPOST_INSTANCES_FILE: 'deploy/instances.example.json' }, { cwd: root });
    expect(() => config.instances?.open(() => undefined)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });

  test('starts with no secret that the operator did not generate, and names the instructions', async () => {
    for (const secret of SECRETS) {
      const others = Object.fromEntries(SECRETS.filter((name) => name !== secret).map((name) => [name, 'made']));
      await expect(composeWith(others), secret).rejects.toThrow(`${secret}: see deploy/compose.env.example`);
      await expect(composeWith({ ...others, [secret]: '' }), secret).rejects.toThrow(secret);
    }
    const { services } = await composeWith(Object.fromEntries(SECRETS.map((name) => [name, `made-${name}`])));
    expect(services['api']?.environment).toMatchObject({
      DATABASE_URL: 'postgres://everpost:made-POSTGRES_PASSWORD@postgres:5432/everpost',
      EVERPOST_API_KEYS: 'made-EVERPOST_API_KEYS',
      MAIN_WEBHOOK_TOKEN: 'made-MAIN_WEBHOOK_TOKEN',
    });
    expect(services['worker']?.environment).toMatchObject({ MAIN_WEBHOOK_TOKEN: 'made-MAIN_WEBHOOK_TOKEN' });
    const secretNames = /PASSWORD|PWD|TOKEN|SECRET/;
    const literal = Object.values(services)
      .flatMap(({ environment = {} }) => Object.entries(environment))
      .filter(([name, value]) => secretNames.test(name) && !value.startsWith('made-'));
    expect(literal).toEqual([]);
  });

  test('names exactly the required secrets in the example environment, and gives none', async () => {
    const lines = (await read('deploy/compose.env.example')).split('\n').filter((line) => /^[^#]/.test(line));
    expect(lines).toEqual(SECRETS.map((name) => `${name}=`));
    const made = /for name in ([\w ]+); do/.exec(await read('deploy/compose.env.example'))?.[1];
    expect(made).toBe(SECRETS.join(' '));
  });

  test('starts its API beyond loopback, and serves only its known host names', async () => {
    const { services } = await composeWith(Object.fromEntries(SECRETS.map((name) => [name, `made-${name}`])));
    const { EVERPOST_INSTANCES_FILE: _, ...environment } = services['api']?.environment ?? {};
    const example = { EVERPOST_INSTANCES_FILE: 'deploy/instances.example.json' };
    const config = loadConfig({ ...environment, ...example }, { cwd: root });
    const instances = config.instances?.open(() => undefined) ?? fixedInstances([]);
    expect(config.http.host).toBe('0.0.0.0');
    expect(() => assertProtected(config.http.host, { hasKeys: config.http.hasApiKeys, instances })).not.toThrow();
    expect(config.http.allowedHosts).toEqual(['api']);
    expect(config.publicUrl).toBe('http://api:8080');
  });

  test('publishes every port on loopback only', async () => {
    const { services } = await composeWith(Object.fromEntries(SECRETS.map((name) => [name, 'made'])));
    const ports = Object.values(services).flatMap(({ ports: published = [] }) => published);
    expect(ports.length).toBeGreaterThan(0);
    expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
  });
});
