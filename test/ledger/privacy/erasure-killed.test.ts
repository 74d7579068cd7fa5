/** ERASE-3: an erasure whose process is killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { openLedger, type ErasureReceipt, type Ledger } from '../../../src/ledger/index.js';
import { eraseRecipients } from '../../../src/worker/index.js';
import { aDataDir } from '../../support/ledger/embedded-database.js';
import { sampleOf } from '../../support/runs.js';
import { Cast, NOW } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

const NUMBER = '15550399001';
const CHAT = `${NUMBER}@c.us`;
const MESSAGES = 4;
/** Fractions of all statements after which the process is killed; `npm test` uses the first one. */
const KILLED_AFTER = sampleOf([0.7, 0.1, 0.4, 0.95]);

let root: string;
let seeded: string;
let erasure: string;
/** The attempt of the message that is sending. */
let token: string;
let copies = 0;

beforeAll(async () => {
  root = await mkdtemp(path.join(tmpdir(), 'everpost-erasure-'));
  const dataDir = await aDataDir();
  seeded = path.join(root, 'seeded');
  const ledger = await openLedger({ dataDir }, UNENCRYPTED);
  const c = new Cast(ledger);
  for (let at = 0; at < MESSAGES; at += 1) {
    const id = await c.accepted(`A${at}`, {
      chatId: CHAT,
      text: `velvet otter ${NUMBER}`,
      reference: 'for Quillamina',
    });
    await c.accepted(`B${at}`, { text: `Call ${NUMBER}` });
    await c.edit(id, `copper heron ${at}`);
  }
  token = (await c.claimed(await c.pending({ chatId: CHAT }))).token;
  await c.pending({ chatId: CHAT });
  const begun = await ledger.erasures.begin({ chatId: CHAT, requestedBy: 'test', nowMs: NOW });
  erasure = begun.receipt.id;
  await ledger.close();
  await rename(dataDir, seeded);
});
afterAll(() => rm(root, { recursive: true, force: true }));

async function aCopy(): Promise<string> {
  copies += 1;
  const dataDir = path.join(root, `copy-${copies}`);
  await cp(seeded, dataDir, { recursive: true });
  return dataDir;
}

async function inLedger<Result>(dataDir: string, work: (ledger: Ledger) => Promise<Result>): Promise<Result> {
  const ledger = await openLedger({ dataDir }, UNENCRYPTED);
  try {
    return await work(ledger);
  } finally {
    await ledger.close();
  }
}

/** @returns what the process printed before it killed itself or the test killed it */
async function killedEraser(dataDir: string, most = Infinity): Promise<string | undefined> {
  const script = new URL('./eraser-process.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dataDir, String(NOW), String(most)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  let printed: string | undefined;
  createInterface({ input: child.stdout }).once('line', (line) => {
    printed = line;
    child.kill('SIGKILL');
  });
  expect(await ended).toEqual([null, 'SIGKILL']);
  return printed;
}

/** Runs a round as the next worker process does. @returns also the number of its statements, as eraser-process.js counts */
function finish(dataDir: string): Promise<{ receipt: ErasureReceipt | undefined; statements: number }> {
  return inLedger(dataDir, async (ledger) => {
    const clock = { nowMs: () => NOW };
    const sent = vi.spyOn(PGlite.prototype, 'execProtocolStream');
    try {
      await eraseRecipients({ ledger, keptForMs: 1_000, clock, log: () => undefined }).round();
      const statements = sent.mock.calls.length;
      return { receipt: await ledger.erasures.find(erasure), statements };
    } finally {
      sent.mockRestore();
    }
  });
}

it('an erasure continues after a kill at any point, also during its wait, and its receipt adds up as without a kill', async () => {
  expect(await killedEraser(seeded)).toMatch(/^\d+$/);
  await inLedger(seeded, async (ledger) => {
    expect(await ledger.erasures.find(erasure)).toMatchObject({ state: 'pending', waiting: { messages: 1 }, rows: {} });
    await ledger.dispatch.recordOutcomes([
      { token, outcome: { kind: 'accepted', idMessage: 'LAST', httpStatus: 200 }, atMs: NOW },
    ]);
  });

  const { receipt: undisturbed, statements } = await finish(await aCopy());
  // The messages of the recipient, the one in flight, and the cancelled one.
  expect(undisturbed).toMatchObject({ state: 'done', rows: { messages: 2 * MESSAGES + 2, edits: MESSAGES } });

  for (const part of KILLED_AFTER) {
    const dataDir = await aCopy();
    expect(await killedEraser(dataDir, Math.floor(part * statements))).toBeUndefined();
    const { receipt } = await finish(dataDir);
    expect({ part, receipt }).toEqual({ part, receipt: undisturbed });
  }
});
