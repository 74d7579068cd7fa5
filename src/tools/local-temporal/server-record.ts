import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError, codeOf } from '../../contract/index.js';
import { processStart } from '../../process/index.js';

/*
 * Records which Temporal server belongs to a data directory, so that the next start finds the server of a killed
 * everpost. The identity distinguishes a process from a later one with the same pid.
 */
const recordSchema = z.object({
  pid: z.number(),
  identity: z.string(),
  ownerPid: z.number(),
  ownerIdentity: z.string(),
});
type ServerRecord = z.infer<typeof recordSchema>;

/** Writes the record atomically and synchronously, so that a kill of this process cannot come before it. */
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
 * Ends the server that a killed everpost left running, and no other process.
 * @returns the pid that was ended, if there was one
 * @throws AppError DATA_DIR_IN_USE if the server's owner still runs
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
      `The Temporal server of this data directory (pid ${record.pid}) belongs to an everpost that still runs ` +
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
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const { data: record } = recordSchema.safeParse(JSON.parse(text));
  if (record === undefined) throw new Error(`${file} is not a record of a Temporal server. Delete it.`);
  return record;
}

const POLL_MS = 20;

/**
 * How long a process has to end after SIGTERM before SIGKILL. Temporal's server takes one second, or ten on a slow
 * machine.
 */
const TERMINATE_GRACE_MS = 20_000;

/**
 * Ends the process with this pid and identity: sends SIGTERM, and SIGKILL after the grace time.
 * @returns false if the process had ended before
 */
export async function endProcess(pid: number, identity: string, graceMs = TERMINATE_GRACE_MS): Promise<boolean> {
  const lives = (): boolean => processStart(pid) === identity;
  if (!lives()) return false;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // If the process ended before the signal, the goal is reached. Otherwise the signal is not permitted.
      if (lives()) throw error;
    }
    const until = performance.now() + graceMs;
    while (lives() && performance.now() < until) await delay(POLL_MS);
    if (!lives()) return true;
  }
  throw new Error(`process ${pid} outlived SIGKILL by ${graceMs} ms`);
}
