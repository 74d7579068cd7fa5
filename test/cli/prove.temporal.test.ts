import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Weakness } from '../../src/cli/prove/weakness.js';

const PROGRAM = fileURLToPath(new URL('../../bin/everpost.js', import.meta.url));
const RUN_MS = 360_000;

/** One kill while a request is on its way, Temporal's server killed beside it, two messages afterwards. */
const SIZE = ['--kills', '1', '--messages', '3', '--seed', '41', '--minutes', '5'];

interface Run {
  readonly exitCode: number | null;
  readonly facts: { readonly ok: boolean; readonly failures: readonly string[]; readonly [fact: string]: unknown };
}

async function prove(without?: Weakness): Promise<Run> {
  const weakened = without === undefined ? [] : ['--without', without];
  const child = spawn(process.execPath, [PROGRAM, 'prove', '--json', ...SIZE, ...weakened], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const [out, err, [exitCode]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  const kept = /kept in (\S+)/.exec(err)?.[1];
  if (kept !== undefined) await rm(kept, { recursive: true });
  return { exitCode, facts: JSON.parse(out) as Run['facts'] };
}

/** All at once: each of them mostly waits. */
const runs: { whole?: Run; withoutClaim?: Run; withoutReconciler?: Run } = {};
beforeAll(async () => {
  [runs.whole, runs.withoutClaim, runs.withoutReconciler] = await Promise.all([
    prove(),
    prove('claim'),
    prove('reconciler'),
  ]);
}, RUN_MS);

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
});
