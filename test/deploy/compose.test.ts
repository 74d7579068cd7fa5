/** docker-compose.yml: what can be checked without a Docker engine. */
import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { SIMULATOR_PORT } from '../../src/config/index.js';
import { SEARCH_ATTRIBUTES } from '../../src/contract/index.js';
import { jobsOf } from '../../scripts/stack/compose.js';
import { ROOT, composeWith, readSource } from './compose-file.js';
import { SETTINGS } from './settings.js';

const compose = await composeWith();
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === 'everpost:local');

const JOBS = jobsOf(compose);

test('every service has an exact image, limits for memory and logs, and a restart policy', () => {
  expect(services.map(([name]) => name)).toContain('worker');
  for (const [name, { image, build, mem_limit, logging, restart }] of services) {
    if (build === undefined) expect(image, name).toMatch(/^[\w./-]+:v?\d+\.\d+[\w.-]*$/);
    expect(mem_limit, name).toMatch(/^\d+[mg]$/);
    expect(logging, name).toMatchObject({ driver: 'json-file', options: { 'max-size': '10m', 'max-file': '3' } });
    expect(restart, name).toBe(JOBS.has(name) ? 'on-failure:5' : 'unless-stopped');
  }
});

test('every service that does not end by itself has a health check', () => {
  expect([...JOBS].toSorted()).toEqual(['postgres-roles', 'temporal-namespace', 'temporal-schema']);
  for (const [name, { healthcheck }] of services) {
    if (!JOBS.has(name)) expect(healthcheck?.test[0], name).toBe('CMD');
  }
});

test('our services write to no file but /tmp, have no capabilities, and run as the owner of the secrets', () => {
  expect(ours.map(([name]) => name).toSorted()).toEqual(['api', 'simulator', 'worker']);
  for (const [name, service] of ours) {
    expect(service, name).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      user: '1000:1000',
    });
  }
});

test('every secret is a file of its own, which only the services that need it see', () => {
  expect(Object.keys(compose.secrets)).toEqual(['postgres_password', 'database_url', 'temporal_password']);
  for (const [name, { environment = {}, secrets = [], user }] of services) {
    const read = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(\w+)$/.exec(value)?.[1] ?? []);
    expect(read.toSorted(), name).toEqual(secrets.toSorted());
    // The image of PostgreSQL starts as root.
    if (secrets.length > 0 && name !== 'postgres') expect(user, name).toBe('1000:1000');
  }
});

test('no service has a secret in its environment', () => {
  const named = services.flatMap(([, { environment = {} }]) =>
    Object.keys(environment).filter((name) => /PASSWORD|PWD|TOKEN|SECRET|KEYS|DATABASE_URL/.test(name)),
  );
  expect(named.filter((name) => !name.endsWith('_FILE'))).toEqual([]);
});

test('compose names the script that prepares it', async () => {
  await expect(composeWith({})).rejects.toThrow('RUN_AS: is not set, run deploy/prepare.sh first');
});

test('the variables of .env reach worker and API, except those that the file sets and the example names', async () => {
  const example = await readSource('deploy/compose.env.example');
  const [, fixed = ''] = /docker-compose\.yml sets\n((?:# .*\n)+?)# EVERPOST_LOG_LEVEL/.exec(example) ?? [];
  for (const name of ['worker', 'api']) {
    const { environment = {}, env_file: files } = compose.services[name] ?? {};
    expect(files).toEqual([{ path: '.env', required: false }]);
    const set = Object.keys(environment).filter((variable) => variable !== 'NODE_OPTIONS');
    expect(SETTINGS).toEqual(expect.arrayContaining(set));
    for (const variable of set) {
      const isFromEnv = JSON.stringify(await composeWith({ RUN_AS: '1:1', [variable]: 'from .env' })).includes(
        'from .env',
      );
      expect(isFromEnv || fixed.includes(variable), variable).toBe(true);
    }
  }
});

test('the example environment only names variables that have an effect', async () => {
  const file = await readSource('docker-compose.yml');
  const example = await readSource('deploy/compose.env.example');
  const named = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, name = '']) => name);
  expect(named).toContain('RUN_AS');
  for (const name of named) expect(file.includes(`\${${name}:`) || SETTINGS.includes(name), name).toBe(true);
});

test('every mount is a folder or a volume: a container never sees a file that is replaced', async () => {
  const own = await composeWith({ RUN_AS: '1:1', CONFIG_DIR: './deploy' });
  const mounts = Object.values(own.services).flatMap(({ volumes = [] }) => volumes);
  expect(mounts).toContain('./deploy:/etc/everpost:ro');
  for (const mount of mounts) {
    const [source = '', , mode] = mount.split(':');
    if (source in own.volumes) continue;
    expect(existsSync(`${ROOT}/${source}`) && statSync(`${ROOT}/${source}`).isDirectory(), mount).toBe(true);
    expect(mode, mount).toBe('ro');
  }
});

test('every service waits only for services that exist, in a way that they can fulfil', () => {
  for (const [name, { depends_on: needed = {} }] of services) {
    for (const [other, { condition }] of Object.entries(needed)) {
      expect(compose.services, `${name} needs ${other}`).toHaveProperty(other);
      expect(condition).toBe(JOBS.has(other) ? 'service_completed_successfully' : 'service_healthy');
    }
  }
});

test('publishes every port on loopback only', () => {
  const ports = services.flatMap(([, { ports: published = [] }]) => published);
  expect(ports.length).toBeGreaterThan(0);
  expect(ports.filter((port) => !port.startsWith('127.0.0.1:'))).toEqual([]);
});

test('the health checks ask the ports at which the processes listen', () => {
  const { worker, api, simulator } = compose.services;
  expect(worker?.healthcheck?.test.at(-1)).toContain(`:${worker?.environment?.['EVERPOST_METRICS_PORT']}/readyz`);
  expect(api?.healthcheck?.test.at(-1)).toContain(`:${api?.environment?.['EVERPOST_HTTP_PORT']}/readyz`);
  expect(simulator?.command).toContain(String(SIMULATOR_PORT));
  expect(simulator?.healthcheck?.test.at(-1)).toContain(`:${SIMULATOR_PORT}/`);
});

test('the namespace job registers every search attribute', async () => {
  const script = await readSource('deploy/temporal/create-namespace.sh');
  const commands = [...script.matchAll(/--type (\w+) \\\n((?: +--name \w+)+)/g)];
  const registered = commands.flatMap(([, kind, names = '']) => {
    return [...names.matchAll(/--name (\w+)/g)].map(([, name]) => [name, kind]);
  });
  expect(Object.fromEntries(registered)).toEqual(SEARCH_ATTRIBUTES);
});
