import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { present, type FaultPoint } from '../../contract/index.js';
import type { Environment } from '../../config/index.js';
import type { Teardown } from '../../compose/index.js';
import { PROVE_TIMES, type KillPoint } from './plan/faults.js';
import type { Version } from './plan/rolling.js';
import type { Weakness } from './weakness.js';

/** The start script, three folders above this folder, in `src` and in `dist`. */
const PROGRAM = fileURLToPath(new URL('../../../bin/everpost.js', import.meta.url));

/** The product as one process or several, each with a worker, an API and a receiver. */
export type ProductUnderTest = ReturnType<typeof productUnderTest>;
export type ProductRun = ReturnType<ProductUnderTest['start']>;

export interface ProductOptions {
  readonly dir: string;
  /** One port for each process. */
  readonly ports: readonly number[];
  readonly temporalAddress: string;
  readonly instancesFile: string;
  /** The PostgreSQL database that the processes share. */
  readonly databaseUrl: string | undefined;
  readonly env: Environment;
  readonly without: Weakness | undefined;
  /** The folder of the other version of a rolling upgrade. */
  readonly otherVersion: string | undefined;
  readonly teardown: Teardown;
}

/**
 * The processes that a run kills and starts again on the same ledger: an embedded database for a single process,
 * PostgreSQL for several.
 */
export function productUnderTest(options: ProductOptions) {
  const { dir, ports, without, otherVersion, teardown } = options;
  const processes = ports.length;
  const running = new Set<ChildProcess>();
  const programOf = (version: Version): string =>
    version === 'other' && otherVersion !== undefined ? path.join(otherVersion, 'bin', 'everpost.js') : PROGRAM;
  const killRunning = (): void => running.forEach((child) => child.kill('SIGKILL'));
  teardown.add(
    'product',
    async () => {
      killRunning();
      await Promise.all([...running].map((child) => once(child, 'exit')));
    },
    killRunning,
  );

  /** @param place  the number of a process that is not running, from 0 */
  function start(place: number, version: Version) {
    const weakened = without === undefined ? [] : ['--without', without];
    const name = processes === 1 ? 'product' : `product-${place + 1}`;
    const log = openSync(path.join(dir, `${name}.log`), 'a');
    const child = spawn(
      process.execPath,
      [programOf(version), PRODUCT_COMMAND, ...weakened],
      // The IPC channel closes if this process ends, and the child then ends too. The child has its own process group,
      // so that only this process handles Ctrl-C.
      {
        env: productEnvironment(options, ports[place], path.join(dir, name)),
        stdio: ['ignore', log, log, 'ipc'],
        detached: true,
      },
    );
    closeSync(log);
    running.add(child);
    // Sending a message to a killed process fails.
    child.on('error', () => undefined);
    const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    void ended.then(() => running.delete(child));
    let isReady = false;
    return {
      pid: child.pid ?? 0,
      /** Resolves when the process takes requests. It stays pending if the process ends before. */
      ready: new Promise<void>((resolve) => {
        child.on('message', (message) => {
          if (message !== 'ready') return;
          isReady = true;
          resolve();
        });
      }),
      /** How it ended. */
      ended: ended.then(([code, signal]) => ({ code, signal })),
      /** Sends SIGKILL, which acts as a power failure. */
      kill: () => void child.kill('SIGKILL'),
      /** Makes the process drain and end. */
      stop: () => void child.kill('SIGTERM'),
      /** Makes the process end itself at this point. Without a point, cancels an earlier request before it returns. */
      async killAt(point: KillPoint | undefined): Promise<void> {
        if (!child.connected) return;
        child.send(point ?? 'live', () => undefined);
        // A process that is not ready reaches no fault point.
        if (point === undefined && isReady) await Promise.race([ended, heard(child)]);
      },
    };
  }

  /** @throws Error if the migration failed */
  async function migrate(): Promise<void> {
    const env = productEnvironment(options, 0, dir);
    await promisify(execFile)(process.execPath, [PROGRAM, 'migrate'], { env });
  }

  return { processes, start, migrate };
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

/** Leaves out the user's settings, so that the run touches neither their database nor their account. */
function productEnvironment(
  { env, databaseUrl, temporalAddress, instancesFile }: ProductOptions,
  port: number | undefined,
  dataDir: string,
) {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'EVERPOST_LOG_LEVEL'].filter((name) => env[name] !== undefined);
  return {
    ...Object.fromEntries(kept.map((name) => [name, env[name]])),
    ...present({ DATABASE_URL: databaseUrl }),
    EVERPOST_DATA_DIR: dataDir,
    EVERPOST_HTTP_PORT: String(port),
    TEMPORAL_ADDRESS: temporalAddress,
    EVERPOST_INSTANCES_FILE: instancesFile,
    EVERPOST_GATEWAY_TIMEOUT: `${PROVE_TIMES.gatewayTimeoutMs}ms`,
    EVERPOST_SETTLE_TIME: `${PROVE_TIMES.settleTimeMs}ms`,
    EVERPOST_EDIT_CONFIRM_TIMEOUT: `${PROVE_TIMES.editConfirmTimeoutMs}ms`,
  };
}

/** Kills this process at the fault point that its parent process names. */
export function killedAsAsked(): (reached: FaultPoint) => void {
  let asked: KillPoint | undefined;
  let hits = 0;
  process.on('message', (message: KillPoint | 'live') => {
    asked = message === 'live' ? undefined : message;
    hits = 0;
    if (message === 'live') process.send?.('live');
  });
  // A process that cannot start must end.
  process.channel?.unref();
  return (reached) => {
    if (reached !== asked?.at) return;
    hits += 1;
    if (hits === asked.hit) process.kill(process.pid, 'SIGKILL');
  };
}

const HOST = '127.0.0.1';

/**
 * Opens one address in front of several processes, like a load balancer: each connection goes to a process that
 * listens.
 * @returns its port
 */
export async function openDoor(ports: readonly number[], teardown: Teardown): Promise<number> {
  const sockets = new Set<Socket>();
  let turn = 0;

  function join(one: Socket, other: Socket): void {
    sockets.add(one);
    one.on('error', () => one.destroy());
    one.on('close', () => {
      sockets.delete(one);
      other.destroy();
    });
    one.pipe(other);
  }

  const server = createServer((client) => {
    client.on('error', () => client.destroy());
    turn += 1;
    const first = turn;
    void (async () => {
      for (const at of ports.keys()) {
        const upstream = await reach(ports[(first + at) % ports.length] ?? 0);
        if (upstream === undefined) continue;
        join(client, upstream);
        join(upstream, client);
        return;
      }
      client.destroy();
    })();
  });
  server.listen(0, HOST);
  await once(server, 'listening');
  teardown.add('door', () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** @returns undefined if no process listens on the port */
function reach(port: number): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(socket));
    socket.once('error', () => resolve(undefined));
  });
}
