import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { codeOf } from '../../contract/index.js';
import { processStart } from '../../process/index.js';

/*
 * Records which Temporal server belongs to a directory, so that the next start finds the server of a killed everpost.
 * The lock of the data directory excludes another everpost that still runs.
 */
const recordSchema = z.object({
  pid: z.number(),
  /** Distinguishes the process from a later one with the same pid. */
  identity: z.string(),
});
type ServerRecord = z.infer<typeof recordSchema>;

function fileIn(dir: string): string {
  return path.join(dir, 'temporal.json');
}

/** Writes the record atomically and synchronously, so that a kill of this process cannot come before it. */
export function recordServer(dir: string, record: ServerRecord): void {
  writeFileSync(`${fileIn(dir)}.new`, JSON.stringify(record));
  renameSync(`${fileIn(dir)}.new`, fileIn(dir));
}

export function forgetServer(dir: string): void {
  rmSync(fileIn(dir), { force: true });
}

/**
 * Ends the server that a killed everpost left running, and no other process.
 * @returns the pid that was ended, if there was one
 */
export async function endOrphan(dir: string): Promise<number | undefined> {
  let text: string;
  try {
    text = readFileSync(fileIn(dir), 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  const { data: record } = recordSchema.safeParse(JSON.parse(text));
  if (record === undefined) throw new Error(`${fileIn(dir)} is not a record of a Temporal server. Delete it.`);
  const isEnded = await endProcess(record);
  forgetServer(dir);
  return isEnded ? record.pid : undefined;
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
export async function endProcess({ pid, identity }: ServerRecord, graceMs = TERMINATE_GRACE_MS): Promise<boolean> {
  const lives = () => processStart(pid) === identity;
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
