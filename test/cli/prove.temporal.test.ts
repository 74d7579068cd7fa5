import { execFileSync, spawn, type ChildProcessByStdio } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Weakness } from '../../src/cli/prove/weakness.js';

const PROGRAM = fileURLToPath(new URL('../../bin/everpost.js', import.meta.url));
const RUN_MS = 360_000;

/** One kill while a request is on its way, Temporal's server killed beside it, two messages afterwards. */
const SIZE = ['--kills', '1', '--messages', '3', '--seed', '41', '--minutes', '5'];

interface Run {
  readonly exitCode: number | null;
  readonly facts: { readonly ok: boolean; readonly failures: readonly string[]; readonly [fact: string]: unknown };
}

/** Where runs keep what is theirs. */
let dir: string;

function start(args: readonly string[]): {
  child: ChildProcessByStdio<null, Readable, Readable>;
  exited: Promise<number | null>;
} {
  const child = spawn(process.execPath, [PROGRAM, 'prove', '--json', ...args], {
    env: { ...process.env, TMPDIR: dir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { child, exited: new Promise((resolve) => child.once('exit', resolve)) };
}

async function prove(without?: Weakness): Promise<Run> {
  const { child, exited } = start(without === undefined ? SIZE : [...SIZE, '--without', without]);
  child.stderr.resume();
  const [out, exitCode] = await Promise.all([text(child.stdout), exited]);
  return { exitCode, facts: JSON.parse(out) as Run['facts'] };
}

/** Asks for two kills and is interrupted after the first. */
async function interrupt(): Promise<{ exitCode: number | null; left: readonly string[] }> {
  const { child, exited } = start(['--kills', '2', '--messages', '4', '--seed', '41']);
  child.stdout.resume();
  for await (const line of createInterface(child.stderr)) if (line.startsWith('kill 1')) child.kill('SIGINT');
  return { exitCode: await exited, left: running() };
}

/** Whatever still runs on behalf of a run: its folder is among the arguments of all. */
function running(): readonly string[] {
  const all = execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' }).split('\n');
  return all.filter((args) => args.includes(dir));
}

/** All at once: each of them mostly waits. */
const runs: { whole?: Run; withoutClaim?: Run; withoutReconciler?: Run } = {};
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'everpost-prove-test-'));
  [runs.whole, runs.withoutClaim, runs.withoutReconciler] = await Promise.all([
    prove(),
    prove('claim'),
    prove('reconciler'),
  ]);
}, RUN_MS);
afterAll(() => rm(dir, { recursive: true }));

describe('everpost prove', () => {
  it('finds every message on its phone once, though the answer to one was lost with the worker', () => {
    expect(runs.whole).toMatchObject({
      exitCode: 0,
      facts: {
        ok: true,
        delivered: 3,
        happened: {
          'killed at bytes.left': { planned: 1, fired: 1 },
          "Temporal's server killed": { planned: 1, fired: 1 },
        },
      },
    });
  });

  it('fails when claims give no right to post: a message was sent twice', () => {
    expect(runs.withoutClaim).toMatchObject({ exitCode: 1, facts: { ok: false, failures: ['1 sent twice'] } });
  });

  it('fails when nobody asks the witnesses: a message that the gateway accepted is held', () => {
    expect(runs.withoutReconciler).toMatchObject({
      exitCode: 1,
      facts: { ok: false, failures: ['1 held although the gateway had accepted them'] },
    });
  });

  it(
    'leaves nothing behind when it is interrupted, and nothing but the folders of runs that failed',
    async () => {
      const { exitCode, left } = await interrupt();
      expect({ exitCode, left }).toEqual({ exitCode: 1, left: [] });
      expect(await readdir(dir)).toHaveLength(2);
    },
    RUN_MS,
  );
});
