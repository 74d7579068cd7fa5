/** deploy/prepare.sh: what it creates is what docker-compose.yml needs, and what everpost can start with. */
import { execFile } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { assertProtected } from '../../src/api/index.js';
import { SIMULATOR_PORT, fixedInstances, loadConfig } from '../../src/config/index.js';
import { aFolder } from '../support/folder.js';
import { ROOT, composeWith } from './compose-file.js';

const run = promisify(execFile);

/** A clone whose files only their owner may read. */
async function aClone(): Promise<{ root: string; prepare(): Promise<unknown> }> {
  const root = aFolder();
  mkdirSync(`${root}/deploy`);
  for (const path of ['postgres', 'temporal', 'prepare.sh', 'compose.env.example', 'instances.example.json']) {
    cpSync(`${ROOT}/deploy/${path}`, `${root}/deploy/${path}`, { recursive: true });
  }
  await run('chmod', ['-R', 'go=', `${root}/deploy`]);
  return { root, prepare: () => run('sh', ['deploy/prepare.sh'], { cwd: root }) };
}

const modeOf = (path: string) => statSync(path).mode & 0o777;
const textOf = (root: string, path: string) => readFileSync(`${root}/deploy/${path}`, 'utf8').trim();

const CREATED = [
  'secrets/postgres-password',
  'secrets/temporal-password',
  'secrets/database-url',
  'config/api-keys',
  'config/main-webhook-token',
  'config/instances.json',
];

test('it creates new secrets that only their owner can read, and the id under which compose runs everpost', async () => {
  const { root, prepare } = await aClone();
  await prepare();
  const [, uid, gid] = /^RUN_AS=(\d+):(\d+)$/m.exec(readFileSync(`${root}/.env`, 'utf8')) ?? [];
  for (const path of CREATED) {
    const { uid: owner, gid: group } = statSync(`${root}/deploy/${path}`);
    expect([path, modeOf(`${root}/deploy/${path}`), owner, group]).toEqual([path, 0o600, Number(uid), Number(gid)]);
  }
  const secrets = CREATED.slice(0, 5).map((path) => textOf(root, path));
  expect(new Set(secrets).size).toBe(5);
  for (const secret of secrets)
    expect(secret).toMatch(/^(postgres:\/\/everpost:)?[0-9a-f]{64}(@postgres:5432\/everpost)?$/);
  const { secrets: files, services } = await composeWith();
  expect(
    Object.values(files)
      .map(({ file }) => file.replace('./deploy/', ''))
      .toSorted(),
  ).toEqual(CREATED.filter((path) => path.startsWith('secrets/')).toSorted());
  expect(services['worker']?.volumes).toEqual(['./deploy/config:/etc/everpost:ro']);
});

test('it lets every user read the scripts, also in a clone that was made with umask 077', async () => {
  const { root, prepare } = await aClone();
  await prepare();
  for (const folder of ['postgres', 'temporal']) {
    expect(modeOf(`${root}/deploy/${folder}`) & 0o055).toBe(0o055);
    const names = readdirSync(`${root}/deploy/${folder}`);
    expect(names).not.toEqual([]);
    for (const name of names) expect(modeOf(`${root}/deploy/${folder}/${name}`) & 0o044, name).toBe(0o044);
  }
});

test('a second run changes nothing, and creates a file again that was removed', async () => {
  const { root, prepare } = await aClone();
  await prepare();
  const all = () => [...CREATED.map((path) => textOf(root, path)), readFileSync(`${root}/.env`, 'utf8')];
  const before = all();
  await prepare();
  expect(all()).toEqual(before);
  rmSync(`${root}/deploy/config/api-keys`);
  await prepare();
  expect(textOf(root, 'config/api-keys')).not.toBe(before[3]);
});

test("worker and API start beyond loopback with what it creates, and reach compose's simulator", async () => {
  const { root, prepare } = await aClone();
  await prepare();
  const { services } = await composeWith();
  for (const name of ['worker', 'api']) {
    const inside = Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => {
      const path = value
        .replace('/run/secrets/database_url', `${root}/deploy/secrets/database-url`)
        .replace('/etc/everpost', `${root}/deploy/config`);
      return [variable, path] as const;
    });
    const config = loadConfig(Object.fromEntries(inside), { cwd: root });
    const problems: unknown[] = [];
    const instances = config.instances?.open((entry) => problems.push(entry)) ?? fixedInstances([]);
    expect(problems).toEqual([]);
    expect(instances.names()).toEqual(['main']);
    expect(instances.get('main').baseUrl).toBe(`http://simulator:${SIMULATOR_PORT}`);
    expect(config.http.host).toBe('0.0.0.0');
    expect(() => assertProtected(config.http.host, { hasKeys: config.http.hasApiKeys, instances })).not.toThrow();
    expect(config.databaseUrl?.reveal()).toBe(textOf(root, 'secrets/database-url'));
    if (name === 'api') expect([config.http.allowedHosts, config.publicUrl]).toEqual([['api'], 'http://api:8080']);
  }
  chmodSync(`${root}/deploy/secrets/database-url`, 0o644);
  const env = { DATABASE_URL_FILE: `${root}/deploy/secrets/database-url` };
  expect(() => loadConfig(env, { cwd: root })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
