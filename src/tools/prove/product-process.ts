import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { present, type FaultPoint } from '../../contract/index.js';
import type { Environment } from '../../config/index.js';
import type { Teardown } from '../../compose/index.js';
import { PROVE_TIMES } from './times.js';
import type { Weakness } from './weakness.js';

/** The program's own start, three folders above both `src/tools/prove` and `dist/tools/prove`. */
const PROGRAM = fileURLToPath(new URL('../../../bin/everpost.js', import.meta.url));

/** Where a process ends itself: at the point, when it comes by for that time, counted from 1. */
export interface KillPoint {
  readonly at: FaultPoint;
  readonly hit: number;
}

/**
 * The product as one process or several, each with a worker, an API and a receiver. Killed and started again on the
 * same ledger: an embedded one of a single process, a PostgreSQL that several share.
 */
export interface ProductUnderTest {
  readonly processes: number;
  /** Where its API is; the same after every start, whichever process answers. */
  readonly apiUrl: string;
  /** @param place  of a process that does not run, from 0 */
  start(place: number): ProductRun;
}

export interface ProductRun {
  readonly pid: number;
  /** When it takes requests; never, when it ends before. */
  readonly ready: Promise<void>;
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** SIGKILL, as when the power fails. */
  kill(): void;
  /** It ends itself at this point; at none: what was asked before holds no more, once this returns. */
  killAt(point: KillPoint | undefined): Promise<void>;
}

export interface ProductOptions {
  readonly dir: string;
  /** One for each process. */
  readonly ports: readonly number[];
  /** Where they are reached together. */
  readonly apiUrl: string;
  readonly temporalAddress: string;
  readonly instancesFile: string;
  /** A PostgreSQL that the processes share. */
  readonly databaseUrl: string | undefined;
  readonly env: Environment;
  readonly without: Weakness | undefined;
  readonly teardown: Teardown;
}

export function productUnderTest(options: ProductOptions): ProductUnderTest {
  const { dir, ports, apiUrl, without, teardown } = options;
  const processes = ports.length;
  const running = new Set<ChildProcess>();
  const killRunning = (): void => running.forEach((child) => child.kill('SIGKILL'));
  teardown.add(
    'product',
    async () => {
      killRunning();
      await Promise.all([...running].map((child) => once(child, 'exit')));
    },
    killRunning,
  );

  function start(place: number): ProductRun {
    const weakened = without === undefined ? [] : ['--without', without];
    const name = processes === 1 ? 'product' : `product-${place + 1}`;
    const log = openSync(path.join(dir, `${name}.log`), 'a');
    const child = spawn(
      process.execPath,
      [PROGRAM, PRODUCT_COMMAND, '--port', String(ports[place]), '--data-dir', path.join(dir, name), ...weakened],
      // The channel tells it when we are gone: it must not outlive us. A group of its own: Ctrl-C is ours to answer.
      { env: productEnvironment(options), stdio: ['ignore', log, log, 'ipc'], detached: true },
    );
    closeSync(log);
    running.add(child);
    // A message to a process that has just been killed cannot be sent.
    child.on('error', () => undefined);
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    void ended.then(() => running.delete(child));
    let isReady = false;
    return {
      pid: child.pid ?? 0,
      ready: new Promise((resolve) => {
        child.on('message', (message) => {
          if (message !== 'ready') return;
          isReady = true;
          resolve();
        });
      }),
      ended: ended.then(([code, signal]) => ({ code, signal })),
      kill: () => void child.kill('SIGKILL'),
      async killAt(point) {
        if (!child.connected) return;
        child.send(point ?? 'live', () => undefined);
        // Before it is ready it comes by no point.
        if (point === undefined && isReady) await Promise.race([ended, heard(child)]);
      },
    };
  }

  return { processes, apiUrl, start };
}

function heard(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', function listen(message) {
      if (message !== 'live') return;
      child.off('message', listen);
      resolve();
    });
  });
}

export const PRODUCT_COMMAND = 'prove-product';

/** Nothing of the user's own settings: neither a database nor an account of theirs takes part. */
function productEnvironment({ env, databaseUrl, temporalAddress, instancesFile }: ProductOptions) {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'EVERPOST_LOG_LEVEL'].filter((name) => env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, env[name]])),
    ...present({ DATABASE_URL: databaseUrl }),
    TEMPORAL_ADDRESS: temporalAddress,
    EVERPOST_INSTANCES_FILE: instancesFile,
    EVERPOST_GATEWAY_TIMEOUT: `${PROVE_TIMES.gatewayTimeoutMs}ms`,
    EVERPOST_SETTLE_TIME: `${PROVE_TIMES.settleTimeMs}ms`,
    EVERPOST_EDIT_CONFIRM_TIMEOUT: `${PROVE_TIMES.editConfirmTimeoutMs}ms`,
  };
}
