/**
 * One process per data directory: the embedded database would be damaged by a second one.
 *
 * The lock is a file that names its holder by pid and start time. It appears whole (a link to a finished file) or not
 * at all. One whose holder is gone, after a kill or a power cut, is replaced; the right to replace it is itself such a
 * lock, named after the very content that was found stale, so that of two who found the same only one replaces it and
 * the other then sees a living holder.
 */
import { createHash, randomUUID } from 'node:crypto';
import { link, readFile, rename, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { AppError } from '../contract/index.js';
import { processStart } from '../process/index.js';

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
  // The nonce makes each lock's content its own, also when one process takes it twice.
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
    if (holder !== undefined && mayLive(holder)) throw inUse(path, holder);
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
    if (hasCode(error, 'EEXIST')) return false;
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
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** @returns undefined for a content that no holder wrote, such as what a power cut leaves */
function parseHolder(content: string): Holder | undefined {
  try {
    const { pid, startedAt, host } = JSON.parse(content) as Partial<Holder>;
    if (typeof pid !== 'number' || typeof startedAt !== 'string' || typeof host !== 'string') return undefined;
    return { pid, startedAt, host };
  } catch {
    return undefined;
  }
}

/** On another host (a shared disk, another container) it cannot be checked: then it counts as alive. */
function mayLive({ pid, startedAt, host }: Holder): boolean {
  return host !== hostname() || processStart(pid) === startedAt;
}

function inUse(path: string, { pid, host }: Holder): AppError {
  const who = host === hostname() ? `process ${pid}` : `process ${pid} on host ${host}`;
  return new AppError(
    'DATA_DIR_IN_USE',
    `The data directory is in use by ${who} (${path}). Stop it, or choose another one with --data-dir or EVERPOST_DATA_DIR. ` +
      'If it surely no longer runs, delete that file.',
  );
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
