import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Environment } from '../../config/index.js';
import type { Teardown } from '../teardown.js';
import type { Kill } from './plan.js';
import { PROVE_TIMES } from './times.js';
import type { Weakness } from './weakness.js';

/** The program's own start, two folders above both `src/cli` and `dist/cli`. */
const PROGRAM = fileURLToPath(new URL('../../../bin/everpost.js', import.meta.url));

/** The product as one process: worker, API, receiver and embedded ledger. Killed and started again on the same data. */
export interface ProductUnderTest {
  /** Where its API is while it runs; the same after every start. */
  readonly apiUrl: string;
  /** Starts it; it will end itself when it reaches the point of `kill`, where that names one. */
  start(kill?: Kill): ProductRun;
}

export interface ProductRun {
  /** When it takes requests; never, when it ends before. */
  readonly ready: Promise<void>;
  /** How it ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** SIGKILL, as when the power fails. */
  kill(): void;
}

export function productUnderTest(options: {
  readonly dir: string;
  readonly port: number;
  readonly temporalAddress: string;
  readonly instancesFile: string;
  readonly env: Environment;
  readonly without: Weakness | undefined;
  readonly teardown: Teardown;
}): ProductUnderTest {
  const { dir, port, without, teardown } = options;
  let running: ChildProcess | undefined;
  const killRunning = (): void => void running?.kill('SIGKILL');
  teardown.add(
    'product',
    async () => {
      killRunning();
      if (running?.exitCode === null && running.signalCode === null) await once(running, 'exit');
    },
    killRunning,
  );

  return {
    apiUrl: `http://127.0.0.1:${port}`,
    start(kill) {
      const killAt = kill === undefined || kill.at === 'random' ? [] : ['--kill-at', `${kill.at}:${kill.hit}`];
      const weakened = without === undefined ? [] : ['--without', without];
      const log = openSync(path.join(dir, 'product.log'), 'a');
      const child = spawn(
        process.execPath,
        [
          PROGRAM,
          PRODUCT_COMMAND,
          '--port',
          String(port),
          '--data-dir',
          path.join(dir, 'product'),
          ...killAt,
          ...weakened,
        ],
        // The channel tells it when we are gone: it must not outlive us. A group of its own: Ctrl-C is ours to answer.
        { env: productEnvironment(options), stdio: ['ignore', log, log, 'ipc'], detached: true },
      );
      closeSync(log);
      running = child;
      const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
      return {
        ready: new Promise((resolve) => child.once('message', () => resolve())),
        ended: ended.then(([code, signal]) => ({ code, signal })),
        kill: () => void child.kill('SIGKILL'),
      };
    },
  };
}

export const PRODUCT_COMMAND = 'prove-product';

/** Nothing of the user's own settings: neither a database nor an account of theirs takes part. */
function productEnvironment({ temporalAddress, instancesFile, env }: Parameters<typeof productUnderTest>[0]) {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'EVERPOST_LOG_LEVEL'].filter((name) => env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, env[name]])),
    TEMPORAL_ADDRESS: temporalAddress,
    EVERPOST_INSTANCES_FILE: instancesFile,
    EVERPOST_GATEWAY_TIMEOUT: `${PROVE_TIMES.gatewayTimeoutMs}ms`,
    EVERPOST_SETTLE_TIME: `${PROVE_TIMES.settleTimeMs}ms`,
    EVERPOST_EDIT_CONFIRM_TIMEOUT: `${PROVE_TIMES.editConfirmTimeoutMs}ms`,
  };
}
