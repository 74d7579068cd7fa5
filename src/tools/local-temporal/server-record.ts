import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../contract/index.js';
import { processStart } from '../../process/index.js';

/*
 * Which Temporal server belongs to a data directory, written the moment it is started. A killed everpost leaves its
 * server behind (it runs in a process group of its own, so that Ctrl-C does not end it before the worker has drained);
 * the next start on the same directory finds it by this record. Pids come again, so each goes with its identity.
 */
const recordSchema = z.object({
  pid: z.number(),
  identity: z.string(),
  ownerPid: z.number(),
  ownerIdentity: z.string(),
});
type ServerRecord = z.infer<typeof recordSchema>;

/** Writes the record at once and whole, before anything else can happen to this process. */
export function recordServer(file: string, pid: number, identity: string): void {
  const ownerIdentity = processStart(process.pid);
  if (ownerIdentity === undefined) throw new Error('this process cannot be found in the process table');
  const record: ServerRecord = { pid, identity, ownerPid: process.pid, ownerIdentity };
  writeFileSync(`${file}.new`, JSON.stringify(record));
  renameSync(`${file}.new`, file);
}

export function forgetServer(file: string): void {
  rmSync(file, { force: true });
}

/**
 * Ends the server that a killed everpost left behind, and no other process.
 * @returns the pid that was ended, if there was one
 * @throws AppError DATA_DIR_IN_USE when the server's owner still runs
 */
export async function endOrphan(file: string): Promise<number | undefined> {
  const record = readRecord(file);
  if (record === undefined || processStart(record.pid) !== record.identity) {
    forgetServer(file);
    return undefined;
  }
  if (processStart(record.ownerPid) === record.ownerIdentity) {
    throw new AppError(
      'DATA_DIR_IN_USE',
      `Temporal's dev server of this data directory (pid ${record.pid}) belongs to an everpost that still runs ` +
        `(pid ${record.ownerPid}). Stop that one, or start with another --data-dir.`,
    );
  }
  await endProcess(record.pid, record.identity);
  forgetServer(file);
  return record.pid;
}

function readRecord(file: string): ServerRecord | undefined {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
  const { data: record } = recordSchema.safeParse(JSON.parse(text));
  if (record === undefined) throw new Error(`${file} is not a record of a Temporal server. Delete it.`);
  return record;
}

const POLL_MS = 20;

/**
 * How long a process gets to end after SIGTERM before it is killed. Temporal's server takes a second, on a slow machine
 * ten.
 */
const TERMINATE_GRACE_MS = 20_000;

/**
 * Ends exactly the process that had this pid and identity: asks with SIGTERM, and kills after the grace time.
 * @returns false when it was gone already
 */
export async function endProcess(pid: number, identity: string, graceMs = TERMINATE_GRACE_MS): Promise<boolean> {
  const lives = (): boolean => processStart(pid) === identity;
  if (!lives()) return false;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // Gone between the poll and the signal is what we want; not allowed to is not.
      if (lives()) throw error;
    }
    const until = performance.now() + graceMs;
    while (lives() && performance.now() < until) await delay(POLL_MS);
    if (!lives()) return true;
  }
  throw new Error(`process ${pid} outlived SIGKILL by ${graceMs} ms`);
}
