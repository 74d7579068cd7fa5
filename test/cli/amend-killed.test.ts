/** An amendment whose process, which runs all of everpost, is killed. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import type { Amendment } from '../../src/contract/index.js';
import { isAlive, startDev, type DevProcess } from './dev-process.js';
import { everpost, type CliRun } from './fake-terminal.js';
import { aDataDir } from '../support/embedded-database.js';
import { eventually } from '../support/eventually.js';

const RECIPIENTS = 6;

let dataDir: string;
let dev: DevProcess;

beforeAll(async () => {
  dataDir = await aDataDir();
  dev = await startDev(dataDir);
  return async () => {
    if (isAlive(dev.pid)) await dev.end('SIGTERM');
    rmSync(dataDir, { recursive: true });
  };
});

function command(...args: string[]): Promise<CliRun> {
  return everpost(args, { env: { EVERPOST_API_URL: dev.facts.apiUrl, EVERPOST_DATA_DIR: dataDir } });
}

async function simulator(what: string, body?: unknown): Promise<unknown> {
  const response = await fetch(`${dev.facts.simulatorUrl}/_sim/${what}`, {
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
    headers: { 'content-type': 'application/json' },
  });
  return response.json();
}

async function phones(): Promise<{ text: string; edits: unknown[] }[]> {
  return (await simulator('delivered')) as { text: string; edits: unknown[] }[];
}

async function amendment(): Promise<Amendment> {
  const { out } = await command('campaign', 'show', 'sale', '--json');
  const [newest] = (JSON.parse(out[0] ?? '') as { amendments: Amendment[] }).amendments;
  if (newest === undefined) throw new Error('no amendment');
  return newest;
}

it('an amendment continues after a kill between an edit and its record, and every phone shows the new text', async () => {
  const recipients = Array.from({ length: RECIPIENTS }, (_, index) => `1555000100${index},P${index}`);
  writeFileSync(path.join(dataDir, 'sale.csv'), ['phone,name', ...recipients].join('\n'));
  const definition = { instance: 'main', content: { kind: 'text', text: 'Dear {{name}}, at nine' } };
  const file = path.join(dataDir, 'sale.yaml');
  writeFileSync(file, JSON.stringify({ id: 'sale', ...definition, recipients: { file: 'sale.csv' } }));
  expect((await command('campaign', 'start', file)).exitCode).toBe(0);
  await eventually(async () => expect(await phones()).toHaveLength(RECIPIENTS));
  await simulator('faults', { method: 'editMessage', kind: 'late-answer', ms: 60_000, accepted: true, times: 1 });

  const begun = await command('campaign', 'amend', 'sale', '--text', 'Dear {{name}}, at TEN', '--yes');
  expect(begun.exitCode).toBe(0);
  await eventually(async () => expect((await phones()).some(({ edits }) => edits.length > 0)).toBe(true));
  await dev.end('SIGKILL');
  dev = await startDev(dataDir);

  await eventually(async () => expect((await amendment()).state).toBe('ended'));
  expect((await amendment()).counts).toMatchObject({ edited: RECIPIENTS, pending: 0, unconfirmed: 0 });
  expect((await phones()).map(({ text }) => text).toSorted()).toEqual(
    Array.from({ length: RECIPIENTS }, (_, index) => `Dear P${index}, at TEN`),
  );
  const { out } = await command('campaign', 'report', 'sale');
  expect(out.join('\n').match(/,1,2,edited,/g)).toHaveLength(RECIPIENTS);
  expect((await dev.end('SIGTERM')).code).toBe(0);
});
