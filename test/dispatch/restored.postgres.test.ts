/** Thirty messages, and a backup by pg_dump that is restored by pg_restore: RETURN-1 to RETURN-3. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decideByEvidence } from '../../src/activities/index.js';
import { LEDGER_WENT_BACK } from '../../src/contract/index.js';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { aDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';
import { aRealWorld, MINUTE, SECOND, type RealWorld } from './real-world.js';

const run = promisify(execFile);
const MESSAGES = 30;

let folder: string;
let url: string;
let ledger: Ledger;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'everpost-restored-'));
  url = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl: url }, UNENCRYPTED);
});
afterEach(async () => {
  await ledger.close();
  await dropDatabase(url);
  await rm(folder, { recursive: true });
});

const dump = () => run('pg_dump', ['--format=custom', `--file=${join(folder, 'ledger.dump')}`, url]);
const restore = () => run('pg_restore', ['--clean', '--if-exists', `--dbname=${url}`, join(folder, 'ledger.dump')]);

/** Ten of thirty messages are delivered; then the backup is taken, and the others are delivered. */
async function deliveredAfterBackup(): Promise<RealWorld> {
  const world = await aRealWorld({ ledger });
  for (let text = 1; text <= MESSAGES; text += 1) await world.single(undefined, `text ${text}`);
  while (world.delivered().length < 10) await world.pass(SECOND);
  await dump();
  while (world.delivered().length < MESSAGES) await world.pass(SECOND);
  return world;
}

const unresolved = async () =>
  (await ledger.views.messages({ state: 'unresolved', reason: LEDGER_WENT_BACK, limit: 500 })).items;

it('a ledger that was restored while nothing ran sends nothing twice, and sends what is new', async () => {
  const world = await deliveredAfterBackup();
  await restore();
  world.serve();
  await world.pass(MINUTE);
  expect(new Set(world.delivered()).size).toBe(MESSAGES);
  expect(world.delivered()).toHaveLength(MESSAGES);
  const inDoubt = await unresolved();
  expect(inDoubt.length).toBeGreaterThan(0);

  const later = await world.single(undefined, 'requested later');
  await world.pass(MINUTE);
  expect(await world.state(later)).not.toBe('pending');
  expect(world.delivered()).toContain('requested later');

  const times = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 2_000, settleTimeMs: 2_000, editConfirmTimeoutMs: 2_000 };
  const { gateway } = world;
  const decide = decideByEvidence({ ledger, gateway, clock: world, times, timesOf: () => times });
  for (const { id } of inDoubt) expect((await decide(id)).state).toMatch(/accepted|sent|delivered|read/);
  expect(await unresolved()).toEqual([]);
  await world.pass(MINUTE);
  expect(world.delivered()).toHaveLength(MESSAGES + 1);
}, 120_000);

it('a ledger that is restored under a worker that goes on sends nothing twice', async () => {
  const world = await deliveredAfterBackup();
  await restore();
  world.wake();
  await world.pass(2 * MINUTE);
  expect(new Set(world.delivered()).size).toBe(MESSAGES);
  expect(world.delivered()).toHaveLength(MESSAGES);
  expect((await unresolved()).length).toBeGreaterThan(0);
}, 120_000);
