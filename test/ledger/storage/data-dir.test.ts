import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import { lockDataDir } from '../../../src/ledger/storage/data-dir.js';
import { closeDataDir, makeDataDir, openLedger } from '../../../src/ledger/index.js';
import { processStart } from '../../../src/process/index.js';
import { aDataDir } from '../../support/ledger/embedded-database.js';
import { aFolder } from '../../support/folder.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

let dataDir: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  dataDir = await aDataDir();
});

afterAll(async () => {
  for (const child of children) await kill(child);
  await rm(dataDir, { recursive: true, force: true });
});

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Runs a writer until it has printed this many lines. */
async function writer(untilLines: number): Promise<{ child: ChildProcess; lines: string[] }> {
  const script = new URL('./writer-process.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dataDir], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => lines.push(line));
  for await (const _ of reader) if (lines.length >= untilLines) break;
  return { child, lines };
}

/** How a process ended that opens a data directory: its exit code and signal. */
async function opened(dir: string, ...most: number[]): Promise<unknown[]> {
  const script = new URL('./opener-process.js', import.meta.url).pathname;
  const child = spawn(process.execPath, [script, dir, ...most.map(String)], { stdio: ['ignore', 'ignore', 'inherit'] });
  children.push(child);
  return once(child, 'exit');
}

describe('a data directory', () => {
  it('keeps every acknowledged write through kill -9, and the next process takes it over', async () => {
    const { child, lines } = await writer(25);
    await expect(openLedger({ dataDir }, UNENCRYPTED)).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: expect.stringContaining(`process ${child.pid}`),
    });
    await kill(child);

    const ledger = await openLedger({ dataDir }, UNENCRYPTED);
    try {
      const states = await Promise.all(lines.map((id) => ledger.messages.snapshot(id as MessageId)));
      expect(states.map((snapshot) => snapshot?.state)).toEqual(lines.map(() => 'accepted'));
    } finally {
      await ledger.close();
    }
    expect(await readdir(dataDir)).toEqual(['ledger']);
  });

  it('is refused to a second opener in the same process, and is free after close', async () => {
    const ledger = await openLedger({ dataDir }, UNENCRYPTED);
    await expect(openLedger({ dataDir }, UNENCRYPTED)).rejects.toMatchObject({ code: 'DATA_DIR_IN_USE' });
    await ledger.close();
    await expect(ledger.ping()).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });

    const again = await openLedger({ dataDir }, UNENCRYPTED);
    await again.ping();
    await again.close();
  });
});

describe('the permissions of a data directory', () => {
  let parent: string;
  const modeOf = async (path: string): Promise<string> => ((await stat(path)).mode & 0o777).toString(8);

  beforeEach(() => {
    parent = aFolder();
  });

  it('are limited to its owner when it is created', async () => {
    await makeDataDir(join(parent, 'above', 'data'));
    expect(await modeOf(join(parent, 'above', 'data'))).toBe('700');
    expect(await closeDataDir(join(parent, 'above', 'data'))).toBeUndefined();
  });

  it('are removed for others, from all its files too, when an earlier version had allowed them', async () => {
    const dir = join(parent, 'data');
    await mkdir(join(dir, 'ledger', 'base'), { recursive: true });
    await writeFile(join(dir, 'ledger', 'base', '1'), '');
    for (const path of [dir, join(dir, 'ledger'), join(dir, 'ledger', 'base')]) await chmod(path, 0o755);
    await chmod(join(dir, 'ledger', 'base', '1'), 0o644);

    expect(await closeDataDir(dir)).toBeUndefined();
    const paths = [dir, join(dir, 'ledger'), join(dir, 'ledger', 'base'), join(dir, 'ledger', 'base', '1')];
    expect(await Promise.all(paths.map(modeOf))).toEqual(['700', '700', '700', '600']);
  });

  it('stay unchanged, and are returned, when it holds no ledger, since other programs may use it', async () => {
    await writeFile(join(parent, 'something'), '');
    await chmod(parent, 0o755);

    expect(await closeDataDir(parent)).toBe('755');
    expect(await modeOf(parent)).toBe('755');
  });

  it('are the same for every file of a new database, also when the first start was killed while it unpacked them', async () => {
    const dir = join(parent, 'data');
    // Of 1,200 files.
    expect(await opened(dir, 200)).toEqual([null, 'SIGKILL']);
    expect(await readdir(dir)).not.toContain('ledger');
    expect(await opened(dir)).toEqual([0, null]);

    expect(await readdir(dir)).toEqual(['ledger']);
    const files = await readdir(join(dir, 'ledger'), { recursive: true, withFileTypes: true });
    const modes = await Promise.all(files.map(({ parentPath, name }) => modeOf(join(parentPath, name))));
    expect(new Set(modes)).toEqual(new Set(['700', '600']));
  });

  it('are the same for its lock', async () => {
    const lock = await lockDataDir(join(parent, 'ledger.lock'));
    expect(await modeOf(join(parent, 'ledger.lock'))).toBe('600');
    await lock.release();
  });
});

describe('the lock of a data directory', () => {
  let dir: string;
  let lockPath: string;

  beforeEach(() => {
    dir = aFolder();
    lockPath = join(dir, 'ledger.lock');
  });

  const written = async (holder: object | string) =>
    writeFile(lockPath, typeof holder === 'string' ? holder : JSON.stringify(holder));
  const self = { pid: process.pid, startedAt: processStart(process.pid), host: hostname() };

  it.each<[string, object | string]>([
    ['by a process that is gone', { ...self, pid: 2 ** 22 + 1 }],
    ['by a pid that another process has now', { ...self, startedAt: 'before the last boot' }],
    ['in a file that a power cut left empty', ''],
    ['in a file that no everpost process wrote', '{"pid":"1"}'],
  ])('is taken over when it is held %s', async (_, holder) => {
    await written(holder);
    const lock = await lockDataDir(lockPath);

    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toMatchObject(self);
    await lock.release();
    expect(await readdir(dir)).toEqual([]);
  });

  it.each<[string, object]>([
    ['by a live process', self],
    ['on another host, whose processes cannot be checked', { ...self, pid: 2 ** 22 + 1, host: 'elsewhere' }],
  ])('is refused when it is held %s', async (_, holder) => {
    await written(holder);
    await expect(lockDataDir(lockPath)).rejects.toMatchObject({
      code: 'DATA_DIR_IN_USE',
      message: expect.stringContaining(lockPath),
    });
    expect(JSON.parse(await readFile(lockPath, 'utf8'))).toEqual(holder);
  });

  it('goes to one of many processes that find the same stale lock at once', async () => {
    for (let round = 0; round < 20; round += 1) {
      await written({ ...self, pid: 2 ** 22 + 1, round });
      const takers = await Promise.allSettled(Array.from({ length: 6 }, () => lockDataDir(lockPath)));

      const taken = takers.flatMap((taker) => (taker.status === 'fulfilled' ? [taker.value] : []));
      expect(taken).toHaveLength(1);
      await taken[0]?.release();
      expect(await readdir(dir)).toEqual([]);
    }
  });
});
