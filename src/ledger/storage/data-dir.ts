/**
 * One process per data directory: the embedded database would be damaged by a second one.
 *
 * The lock is a file that contains its holder's pid and start time. It appears complete (a link to a finished file) or
 * not at all. A lock whose holder is gone, after a kill or a power failure, is replaced. The right to replace it is
 * itself such a lock, named after the stale content: of two processes that found the same stale lock, only one replaces
 * it, and the other then sees a live holder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { chmod, link, mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { AppError, codeOf } from '../../contract/index.js';
import { processStart } from '../../process/index.js';

interface Holder {
  readonly pid: number;
  readonly startedAt: string;
  readonly host: string;
}

export interface DataDirLock {
  release(): Promise<void>;
}

/** @throws AppError DATA_DIR_IN_USE, naming the process that holds it */
export async function lockDataDir(path: string): Promise<DataDirLock> {
  const holder = { pid: process.pid, startedAt: processStart(process.pid), host: hostname() };
  // The nonce makes the content of each lock unique, also if one process takes it twice.
  const own = JSON.stringify({ ...holder, nonce: randomUUID() });
  await take(path, own);
  return {
    async release() {
      if ((await readIfThere(path)) === own) await unlink(path);
    },
  };
}

async function take(path: string, own: string): Promise<void> {
  for (;;) {
    if (await placeNew(path, own)) return;
    const found = await readIfThere(path);
    if (found === undefined) continue;
    const holder = parseHolder(found);
    const isHere = holder?.host === hostname();
    // A holder on another host (a shared disk, another container) cannot be checked and counts as alive.
    if (holder !== undefined && (!isHere || processStart(holder.pid) === holder.startedAt)) {
      const who = isHere ? `process ${holder.pid}` : `process ${holder.pid} on host ${holder.host}`;
      throw new AppError(
        'DATA_DIR_IN_USE',
        `The data directory is in use by ${who} (${path}). Stop it, or choose another one with --data-dir or EVERPOST_DATA_DIR. ` +
          'If that process is surely not running, delete the file.',
      );
    }
    const guard = `${path}.${createHash('sha256').update(found).digest('hex').slice(0, 12)}`;
    await take(guard, own);
    try {
      if ((await readIfThere(path)) === found) {
        await place(path, own, rename);
        return;
      }
    } finally {
      await unlink(guard);
    }
  }
}

async function placeNew(path: string, content: string): Promise<boolean> {
  try {
    await place(path, content, async (from, to) => {
      try {
        await link(from, to);
      } finally {
        await unlink(from);
      }
    });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function place(path: string, content: string, move: (from: string, to: string) => Promise<void>): Promise<void> {
  const finished = `${path}.${process.pid}.${randomUUID()}`;
  await writeFile(finished, content, { mode: 0o600 });
  await move(finished, path);
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** @returns undefined for content that no holder wrote, e.g. after a power failure */
function parseHolder(content: string): Holder | undefined {
  try {
    const { pid, startedAt, host } = JSON.parse(content) as Partial<Holder>;
    if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof host !== 'string') return undefined;
    return { pid, startedAt, host };
  } catch {
    return undefined;
  }
}

/** The files contain messages and phone numbers, so only the owner may read them. */
export const OWNER_ONLY_DIR = 0o700;
export const OWNER_ONLY_FILE = 0o600;
const GROUP_AND_OTHERS = 0o077;

/**
 * Creates the directory, with access only for its owner, and its parents. Node's own recursive mkdir never returns
 * below /proc, where directories cannot be created.
 * @throws Error with the system's code, such as EACCES, or EEXIST if a file has that name
 */
export function makeDataDir(dataDir: string): Promise<void> {
  return makeWithParents(dataDir, OWNER_ONLY_DIR);
}

/**
 * Removes the access of group and others from a data directory of an earlier version. Only if it contains a ledger: the
 * operator may have named a directory that other programs use, too.
 * @returns its mode if others still have access, e.g. `755`; undefined if they do not
 */
export async function closeDataDir(dataDir: string): Promise<string | undefined> {
  const { mode } = await stat(dataDir);
  if ((mode & GROUP_AND_OTHERS) === 0) return undefined;
  const isOurs = (await readdir(dataDir)).includes('ledger');
  try {
    if (isOurs) {
      await closeAll(dataDir);
      return undefined;
    }
  } catch (error) {
    // The directory belongs to another user, e.g. a container's volume: only a warning is possible.
    if (codeOf(error) !== 'EPERM') throw error;
  }
  return (mode & 0o777).toString(8);
}

/**
 * The embedded database writes some files readable by every user, among them a cache of its system tables at its first
 * start and after a crash.
 */
export async function closeDatabaseFiles(dir: string): Promise<void> {
  const { mode } = await stat(join(dir, 'global', 'pg_internal.init'));
  if ((mode & GROUP_AND_OTHERS) !== 0) await closeAll(dir);
}

async function closeAll(dir: string): Promise<void> {
  await chmod(dir, OWNER_ONLY_DIR);
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    const path = join(dir, entry.name);
    if (entry.isDirectory()) await closeAll(path);
    else if (entry.isFile()) {
      await chmod(path, OWNER_ONLY_FILE).catch((error: unknown) => {
        // The database deletes its own files at any time; a missing file needs no change.
        if (codeOf(error) !== 'ENOENT') throw error;
      });
    }
  }
}

async function makeWithParents(dir: string, mode?: number): Promise<void> {
  try {
    await makeOne(dir, mode);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT' || dirname(dir) === dir) throw error;
    await makeWithParents(dirname(dir));
    await makeOne(dir, mode);
  }
}

async function makeOne(dir: string, mode?: number): Promise<void> {
  try {
    await mkdir(dir, mode);
  } catch (error) {
    const isThere = await stat(dir).then(
      (found) => found.isDirectory(),
      () => false,
    );
    if (!isThere) throw error;
  }
}
