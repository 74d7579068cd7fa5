import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What tells one process from every other that has had or will have its pid: boot and start time.
 * @returns undefined when no such process lives (a zombie, dead but not yet fetched by its parent, does not)
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : posixIdentity(pid);
}

function linuxIdentity(pid: number): string | undefined {
  let stat: string;
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined; // no such file: no such process
  }
  // The second field is the program's name in brackets and may itself hold spaces and brackets: count from its end.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  if (state === 'Z' || state === 'X' || startTicks === undefined) return undefined;
  // Ticks count from boot, so the same pid and ticks could come again after one.
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${startTicks}`;
}

function posixIdentity(pid: number): string | undefined {
  try {
    const started = execFileSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
    const [state = '', ...time] = started.split(/\s+/);
    return state === '' || state.startsWith('Z') ? undefined : time.join(' ');
  } catch {
    return undefined; // ps fails when there is no such process
  }
}

const POLL_MS = 20;

/** How long a process gets to end by itself before it is killed. */
const TERMINATE_GRACE_MS = 5_000;

/**
 * Ends exactly the process that had this pid and identity: asks with SIGTERM, and kills after the grace time.
 * @returns false when it was gone already
 */
export async function endProcess(pid: number, identity: string, graceMs = TERMINATE_GRACE_MS): Promise<boolean> {
  const lives = (): boolean => processIdentity(pid) === identity;
  if (!lives()) return false;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // Gone between the look and the signal is what we want; not allowed to is not.
      if (lives()) throw error;
    }
    const until = performance.now() + graceMs;
    while (lives() && performance.now() < until) await delay(POLL_MS);
    if (!lives()) return true;
  }
  throw new Error(`process ${pid} outlived SIGKILL by ${graceMs} ms`);
}
