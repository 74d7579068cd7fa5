/** deploy/systemd: what can be checked without systemd. */
import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { problemsOf } from '../docs/known-command.js';
import { ROOT, composeWith, readSource } from './compose-file.js';
import { SETTINGS } from './settings.js';

const folder = 'deploy/systemd';
/** The settings of a unit in the order of the file; one that is repeated has all its values. */
async function unit(name: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const text = await readSource(`${folder}/${name}`);
  const found = new Map<string, string[]>();
  for (const [, key = '', value = ''] of text.matchAll(/^([A-Za-z]+)=(.*)$/gm)) {
    found.set(key, [...(found.get(key) ?? []), value]);
  }
  return found;
}

const names = ['worker', 'api', 'migrate'] as const;
const units = await Promise.all(names.map((name) => unit(`everpost-${name}.service`)));
const [worker, api, migrate] = units;
const common = await unit('everpost-.service.d/common.conf');

test('there is a unit for worker, API and migration, and one file for all of them', () => {
  expect(readdirSync(`${ROOT}/${folder}`).toSorted()).toEqual([
    'everpost-.service.d',
    'everpost-api.service',
    'everpost-migrate.service',
    'everpost-worker.service',
    'everpost.env.example',
    'everpost.sysusers.conf',
  ]);
});

test('every unit runs a command of everpost as the user that the package of users makes', async () => {
  expect(await readSource(`${folder}/everpost.sysusers.conf`)).toMatch(/^u everpost /m);
  for (const one of units) {
    const [command = ''] = one.get('ExecStart') ?? [];
    expect(command).toMatch(/^\/opt\/everpost\/bin\/everpost /);
    expect(problemsOf(command.replace('/opt/everpost/bin/', ''))).toEqual([]);
    expect(one.get('User')).toEqual(['everpost']);
  }
});

test('every variable is one that everpost reads', async () => {
  const ofUnits = [common, ...units].flatMap((one) => one.get('Environment') ?? []);
  const example = await readSource(`${folder}/everpost.env.example`);
  const ofExample = Array.from(example.matchAll(/^(?:# )?([A-Z_]+)=/gm), ([, name = '']) => name);
  const all = [...ofUnits.map((line) => line.replace(/=.*/, '')), ...ofExample];
  expect(all).toEqual(
    expect.arrayContaining(['DATABASE_URL_FILE', 'EVERPOST_METRICS_PORT', 'EVERPOST_INSTANCES_FILE']),
  );
  expect([...SETTINGS, 'NODE_ENV', 'NODE_OPTIONS']).toEqual(expect.arrayContaining(all));
});

test('the secrets of databases are credentials, and only the migration has that of its role', () => {
  for (const one of [common, migrate]) {
    const ids = (one?.get('LoadCredential') ?? []).map((line) => line.replace(/:.*/, ''));
    const files = (one?.get('Environment') ?? []).filter((line) => /_FILE=/.test(line));
    expect(ids).toHaveLength(1);
    expect(files.map((line) => line.replace(/^.*=/, ''))).toEqual(ids.map((id) => `%d/${id}`));
  }
  expect([worker, api].flatMap((one) => one?.get('LoadCredential') ?? [])).toEqual([]);
});

test('a process has the time to stop that docs/operate.md names, and starts again', async () => {
  const page = await readSource('docs/operate.md');
  const times = /Allow the worker (\d+) seconds, the API (\d+)/.exec(page)?.slice(1);
  expect([worker, api].map((one) => one?.get('TimeoutStopSec')?.[0])).toEqual(times);
  expect([worker, api, migrate].map((one) => one?.get('Restart')?.[0])).toEqual(['always', 'always', undefined]);
});

test('a process has the memory that it has in compose, and neither rights nor devices', async () => {
  const { worker: service } = (await composeWith()).services;
  expect(common.get('MemoryMax')?.[0]?.toLowerCase()).toBe(service?.mem_limit);
  expect(common.get('Environment')).toContain(`NODE_OPTIONS=${service?.environment?.['NODE_OPTIONS']}`);
  expect(Object.fromEntries(common)).toMatchObject({
    ProtectSystem: ['strict'],
    NoNewPrivileges: ['yes'],
    CapabilityBoundingSet: [''],
    PrivateDevices: ['yes'],
  });
  // V8 could not start.
  expect([common, ...units].some((one) => one.has('MemoryDenyWriteExecute'))).toBe(false);
});
