import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Weakness } from '../../../src/tools/prove/weakness.js';

const PROGRAM = fileURLToPath(new URL('../../../bin/everpost.js', import.meta.url));
const RUN_MS = 360_000;

/** One kill during a request, Temporal's server killed with it, two messages afterwards. */
const SIZE = ['--kills', '1', '--messages', '3', '--seed', '41', '--minutes', '5'];

interface Run {
  readonly exitCode: number | null;
  readonly facts: { readonly ok: boolean; readonly failures: readonly string[]; readonly [fact: string]: unknown };
  /** Command lines of processes that outlived it. */
  readonly running: readonly string[];
  /** The number of folders that it left. */
  readonly folders: number;
}

interface Started {
  readonly child: ChildProcessByStdio<null, Readable, Readable>;
  readonly exited: Promise<number | null>;
  readonly dir: string;
}

async function start(args: readonly string[]): Promise<Started> {
  const dir = await mkdtemp(join(tmpdir(), 'everpost-prove-test-'));
  const child = spawn(process.execPath, [PROGRAM, 'prove', '--json', ...args], {
    env: { ...process.env, TMPDIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, exited: new Promise((resolve) => child.once('exit', resolve)), dir };
}

async function proveWithout(weakness: Weakness): Promise<Run> {
  const { child, exited, dir } = await start([...SIZE, '--without', weakness]);
  child.stderr.resume();
  const [out, exitCode] = await Promise.all([text(child.stdout), exited]);
  return { exitCode, facts: JSON.parse(out) as Run['facts'], ...(await clearUp(dir)) };
}

/** The first of three kills comes 0.8 seconds after the product begins to start; the next start is interrupted. */
async function interrupt(): Promise<Omit<Run, 'facts'>> {
  const { child, exited, dir } = await start(['--kills', '3', '--messages', '2', '--seed', '101']);
  child.stdout.resume();
  for await (const line of createInterface(child.stderr)) if (line.startsWith('kill 1')) child.kill('SIGINT');
  return { exitCode: await exited, ...(await clearUp(dir)) };
}

/** What a run has left behind; removes it. Every process of a run has its folder among its arguments. */
async function clearUp(dir: string): Promise<Pick<Run, 'running' | 'folders'>> {
  const all = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  const folders = await readdir(dir);
  await rm(dir, { recursive: true });
  return { running: all.filter((args) => args.includes(dir)), folders: folders.length };
}

/**
 * All at once: each of them mostly waits. With every rule in force a run succeeds, which is a step of `npm run verify`.
 */
let runs: { withoutClaim: Run; withoutReconciler: Run; interrupted: Omit<Run, 'facts'> };
beforeAll(async () => {
  const [withoutClaim, withoutReconciler, interrupted] = await Promise.all([
    proveWithout('claim'),
    proveWithout('reconciler'),
    interrupt(),
  ]);
  runs = { withoutClaim, withoutReconciler, interrupted };
}, RUN_MS);

describe('everpost prove', () => {
  it('fails when claims give no right to post: a message was sent twice', () => {
    expect(runs.withoutClaim).toMatchObject({ exitCode: 1, facts: { ok: false, failures: ['1 sent twice'] } });
  });

  it('fails without witnesses: an accepted message is unresolved', () => {
    expect(runs.withoutReconciler).toMatchObject({
      exitCode: 1,
      facts: { ok: false, failures: ['1 unresolved although the gateway had accepted them'] },
    });
  });

  it('kills at the named point, and Temporal’s server with it', () => {
    expect(runs.withoutReconciler.facts).toMatchObject({
      happened: {
        'killed at bytes.left': { planned: 1, fired: 1 },
        "Temporal's server killed": { planned: 1, fired: 1 },
      },
    });
  });

  it('leaves nothing when it is interrupted, and only its folder when it fails', () => {
    expect(runs.interrupted).toEqual({ exitCode: 1, running: [], folders: 0 });
    expect(runs.withoutClaim).toMatchObject({ running: [], folders: 1 });
    expect(runs.withoutReconciler).toMatchObject({ running: [], folders: 1 });
  });
});
