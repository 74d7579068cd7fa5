/** docker-compose.yml as processes of this machine (`npm run stack`): what needs no Go and no PostgreSQL. */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { jobsOf, readCompose, startOrder } from '../../scripts/stack/compose.js';
import { startOf } from '../../scripts/stack/dockerfile.js';
import { commandsOf } from '../../scripts/stack/operate-page.js';
import { processOf, variables, withAddresses, type Machine } from '../../scripts/stack/process-of.js';
import { aFolder } from '../support/folder.js';
import { ROOT, composeWith, readSource } from './compose-file.js';

const compose = await composeWith();
const names = Object.keys(compose.services);
const addresses = Object.fromEntries(names.map((name, at) => [name, `127.1.1.${at + 10}`]));
const machine: Machine = {
  everpost: { cwd: '/image/everpost', ...startOf(await readSource('Dockerfile')) },
  dir: '/run-folder',
  dotEnv: { RUN_AS: '1000:1000', EVERPOST_LOG_LEVEL: 'debug' },
  path: '/usr/bin',
  addresses,
  published: { '127.0.0.1:8233': '127.0.0.1:18233' },
  databaseUser: { uid: 101, gid: 104 },
};
const processes = names.map((name) => processOf(compose, name, machine));
const of = (name: string) => processOf(compose, name, machine);

/** docker-compose.yml with a text replaced. */
function changed(from: string, to: string) {
  const text = readFileSync(`${ROOT}/docker-compose.yml`, 'utf8');
  expect(text).toContain(from);
  const file = `${aFolder()}/docker-compose.yml`;
  writeFileSync(file, text.replace(from, to));
  return readCompose(file, { RUN_AS: '1000:1000' });
}

test.each([
  ['a key of a service', 'stop_grace_period: 45s', 'network_mode: host', 'network_mode of worker'],
  ['a value', 'restart: unless-stopped', 'restart: always', 'restart of worker'],
  ['a port beyond loopback', "ports: ['127.0.0.1:7233:7233']", "ports: ['7233:7233']", 'ports of temporal'],
  ['a capability', 'cap_drop: [ALL]', 'cap_drop: [CHOWN]', 'cap_drop of worker'],
  ['a source of a secret', "database_url: { file: '${", "database_url: { environment: '${", 'secret database_url'],
  ['an option of a volume', 'volumes:\n  postgres:\n', 'volumes:\n  postgres: { external: true }\n', 'volume postgres'],
  ['a part of the file', '\nsecrets:\n', '\nnetworks: {}\nsecrets:\n', 'networks'],
])('%s that a process cannot honour is an error', async (_, from, to, problem) => {
  await expect(changed(from, to)).rejects.toThrow(problem);
});

test('an image that the script does not know is an error', async () => {
  const other = await changed('image: temporalio/ui:', 'image: temporalio/other:');
  expect(() => processOf(other, 'temporal-ui', machine)).toThrow('temporalio/other');
});

test('each service starts after those that it waits for', () => {
  const order = startOrder(compose);
  expect(order.toSorted()).toEqual(names.toSorted());
  for (const [name, { depends_on: needed = {} }] of Object.entries(compose.services)) {
    for (const other of Object.keys(needed)) expect(order.indexOf(other)).toBeLessThan(order.indexOf(name));
  }
  expect([...jobsOf(compose)].toSorted()).toEqual(['postgres-roles', 'temporal-namespace', 'temporal-schema']);
});

test('nothing is left that exists only in containers: no name of a host, no mount, no address of everything', () => {
  const host = new RegExp(`(?:^|//|@)(?:${names.join('|')})(?::\\d|/|$)`);
  for (const { name, command, env, check } of processes) {
    const values = Object.entries(env).filter(([variable]) => !/USER$|ALLOWED_HOSTS$/.test(variable));
    for (const text of [...command, ...check, ...values.map(([, value]) => value)]) {
      // Programs have the names of services.
      if (text === 'postgres' || text === 'worker' || text === 'api' || text === 'simulator') continue;
      expect(text, name).not.toMatch(host);
      expect(text, name).not.toMatch(/^\/(run\/|etc\/|deploy|var\/)|0\.0\.0\.0|127\.0\.0\.1(?!:18233)/);
    }
  }
});

test('a worker has the command of the image, its variables, and those of .env', () => {
  expect(of('worker')).toMatchObject({
    command: ['node', 'bin/everpost.js', 'worker'],
    cwd: '/image/everpost',
    user: { uid: 1000, gid: 1000 },
    isUnprivileged: true,
    restarts: Infinity,
    graceMs: 45_000,
    env: {
      NODE_ENV: 'production',
      EVERPOST_LOG_LEVEL: 'debug',
      EVERPOST_HTTP_HOST: addresses['worker'],
      DATABASE_URL_FILE: '/run-folder/deploy/secrets/database-url',
      EVERPOST_INSTANCES_FILE: '/run-folder/deploy/config/instances.json',
      EVERPOST_DATA_DIR: '/run-folder/images/everpost',
      TEMPORAL_ADDRESS: `${addresses['temporal']}:7233`,
    },
  });
  expect(of('worker').check.at(-1)).toContain(`http://${addresses['worker']}:9090/readyz`);
});

test('a job runs its script of deploy, and is tried again as often as the file says', () => {
  expect(of('temporal-schema')).toMatchObject({
    command: ['/bin/sh', '/run-folder/deploy/temporal/setup-schema.sh'],
    restarts: 5,
    check: [],
    env: { POSTGRES_SEEDS: addresses['postgres'], POSTGRES_USER: 'temporal' },
  });
});

test('PostgreSQL does not run as root, listens only at its address, and ends as its image does', () => {
  const { command, user, stopSignal, env } = of('postgres');
  expect(command.slice(0, 3)).toEqual(['postgres', '-c', 'max_connections=200']);
  expect(command).toContain(`listen_addresses=${addresses['postgres']}`);
  expect({ user, stopSignal, data: env['PGDATA'] }).toEqual({
    user: machine.databaseUser,
    stopSignal: 'SIGINT',
    data: '/run-folder/volumes/postgres',
  });
});

test('a published port that was taken is replaced where the file names it', () => {
  expect(of('temporal-ui').env['TEMPORAL_CORS_ORIGINS']).toBe('http://127.0.0.1:18233');
});

test('the files of deploy name hosts, and passwords are not mistaken for them', () => {
  const url = withAddresses('postgres://everpost:7a@postgres:5432/everpost', addresses);
  expect(url).toBe(`postgres://everpost:7a@${addresses['postgres']}:5432/everpost`);
  expect(withAddresses('"baseUrl": "http://simulator:8090",', addresses)).toContain(`//${addresses['simulator']}:8090`);
});

test('the variables of .env are read as compose reads them', () => {
  expect(variables('# A=1\nRUN_AS=1000:1000\nB=\n')).toEqual({ RUN_AS: '1000:1000', B: '' });
});

test('every command of docs/operate.md inside a container can be run', async () => {
  const page = await readSource('docs/operate.md');
  expect(commandsOf(page)).toContainEqual({
    service: 'api',
    args: ['node', 'bin/everpost.js', 'doctor', '--fix', '--yes'],
  });
  expect(() => commandsOf('docker compose exec --index 2 api ls')).toThrow('cannot run');
});
