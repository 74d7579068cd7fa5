import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadConfig, SIMULATOR_PORT, VARIABLES } from '../src/config/index.js';
import { SEARCH_ATTRIBUTES } from '../src/contract/index.js';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): Promise<string> => readFile(`${root}/${path}`, 'utf8');

describe('what is deployed', () => {
  test('the namespace job registers every search attribute', async () => {
    const script = await read('deploy/temporal/create-namespace.sh');
    const registered = [...script.matchAll(/--name (\w+)/g)].map(([, name]) => name);
    expect(new Set(registered)).toEqual(new Set(Object.keys(SEARCH_ATTRIBUTES)));
    expect(script).toContain('--type Keyword');
    expect(new Set(Object.values(SEARCH_ATTRIBUTES))).toEqual(new Set(['Keyword']));
  });

  test('every setting in docker-compose.yml is one that everpost reads', async () => {
    const compose = await read('docker-compose.yml');
    const set = [...compose.matchAll(/^\s+(EVERPOST_\w+|DATABASE_URL):/gm)].map(([, name]) => name);
    const known = Object.values(VARIABLES).map(({ name }) => name);
    expect(set.length).toBeGreaterThan(0);
    expect(known).toEqual(expect.arrayContaining(set));
  });

  test('the example instances file is valid and leads to the simulator that compose starts', async () => {
    const config = loadConfig({ EVERPOST_INSTANCES_FILE: 'deploy/instances.example.json' }, { cwd: root });
    const problems: unknown[] = [];
    const directory = config.instances?.open((entry) => problems.push(entry));
    expect(directory?.names()).toEqual(['main']);
    expect(problems).toEqual([]);
    expect(await read('deploy/instances.example.json')).toContain(`http://simulator:${SIMULATOR_PORT}"`);
    expect(await read('docker-compose.yml')).toContain(`--port, '${SIMULATOR_PORT}'`);
  });
});
