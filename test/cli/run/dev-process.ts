import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { DevStackFacts } from '../../../src/tools/dev/dev-record.js';
import { processStart } from '../../../src/process/index.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/everpost.js', import.meta.url));

export interface DevProcess {
  readonly facts: DevStackFacts & { readonly ready: true };
  readonly pid: number;
  /** Its standard error. */
  told(): string;
  /** All its child processes and theirs. */
  descendants(): number[];
  /** Sends a signal and waits for the end of the process. */
  end(signal: NodeJS.Signals): Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/**
 * Starts `everpost dev --json` as a supervisor would, and returns when it reports that it is ready.
 * @param ports its options for ports; none: the default ports, where they are free
 */
export async function startDev(
  dataDir: string,
  env: Record<string, string> = {},
  ports: readonly string[] = ['--http-port', '0'],
): Promise<DevProcess> {
  const child = spawn(process.execPath, [PROGRAM, 'dev', '--json', ...ports, '--data-dir', dataDir], {
    env: { ...process.env, TEMPORAL_ADDRESS: '', DATABASE_URL: '', EVERPOST_INSTANCES_FILE: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  let told = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (told += text));
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([first]) => String(first)),
    exited.then(([code]) => {
      throw new Error(`everpost dev ended with ${code}: ${told}`);
    }),
  ]);
  const { pid = 0 } = child;
  return {
    facts: JSON.parse(line) as DevProcess['facts'],
    pid,
    told: () => told,
    descendants: () => descendantsOf(pid),
    async end(signal) {
      child.kill(signal);
      const [code, endedBy] = await exited;
      return { code, signal: endedBy };
    },
  };
}

function descendantsOf(pid: number): number[] {
  const parents = new Map<number, number>();
  for (const line of execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n')) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (child !== undefined && parent !== undefined) parents.set(child, parent);
  }
  const found = [pid];
  for (const known of found) {
    for (const [child, parent] of parents) if (parent === known) found.push(child);
  }
  return found.slice(1).filter((descendant) => isAlive(descendant));
}

/** A zombie counts as ended: only its parent has not read its exit code yet. */
export function isAlive(pid: number): boolean {
  return processStart(pid) !== undefined;
}
