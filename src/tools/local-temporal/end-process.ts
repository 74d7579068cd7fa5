import { setTimeout as delay } from 'node:timers/promises';
import { processStart } from '../../process/index.js';

const POLL_MS = 20;

/**
 * How long a process gets to end by itself before it is killed. Temporal's server takes a second, on a slow machine
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
