import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { AppError, SEARCH_ATTRIBUTES, portInUse } from '../../contract/index.js';
import { processStart } from '../../process/index.js';
import { choosePorts, preferPorts } from './free-port.js';
import { endOrphan, endProcess, forgetServer, recordServer } from './server-record.js';

export interface DevServerOptions {
  /** The path of Temporal's command line tool, see findTemporalCli. */
  readonly cliPath: string;
  /** For the server's log, its record and its data. No other server may run in this directory. */
  readonly dir: string;
  /** Whether the data stays in memory. @default false: SQLite, so that the next start continues with it */
  readonly inMemory?: boolean;
  /** 0 picks a free port. */
  readonly port: number;
  /** 0 picks a free port. Absent: no Web UI. */
  readonly uiPort?: number;
  /** The URL at which the Web UI decrypts payloads. */
  readonly codecEndpoint?: string;
  /** Whether the server takes other ports if one of these is taken. @default false */
  readonly orOtherPorts?: boolean;
  readonly namespace: string;
  /** The server's dynamic configuration. @default none */
  readonly dynamicConfig?: Readonly<Record<string, number>>;
  /** Called when a start has ended an earlier server. */
  readonly notice?: (text: string) => void;
  /** Aborted to cancel the start: the server ends, and the start throws the signal's reason. */
  readonly stopping?: AbortSignal;
}

interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface DevServer {
  /** host:port of its gRPC service. */
  readonly address: string;
  /** Absent without a Web UI. */
  readonly uiUrl?: string;
  readonly pid: number;
  /** Sends SIGTERM, and SIGKILL after 20 s, and waits for the end. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the server ends, by `stop` or by itself. Never rejects. */
  readonly exited: Promise<ServerExit>;
}

/** How often a start is tried. Another process may take one of the server's ports before the server listens on it. */
const STARTS = 5;
const IP = '127.0.0.1';
/** A start on a machine with a fraction of a CPU takes more than half a minute. */
const READY_TIMEOUT_MS = 120_000;
/** A release that logs other lines counts as ready after this time. A slow machine reports a taken port earlier. */
const BELIEVED_AFTER_MS = 15_000;

/**
 * Starts Temporal's dev server as a child with its own process group, and returns when it responds. It has the search
 * attributes from the start.
 * @throws AppError PORT_IN_USE | TEMPORAL_UNAVAILABLE
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  const orphan = await endOrphan(options.dir);
  if (orphan !== undefined) options.notice?.(`Ended the Temporal server of an earlier start (pid ${orphan}).`);
  const asked = options.uiPort === undefined ? [options.port] : [options.port, options.uiPort];
  for (let attempt = 1; ; attempt++) {
    // A second try with the same ports could fail like the first.
    const wanted = options.orOtherPorts && attempt > 1 ? asked.map(() => 0) : asked;
    const [port = 0, uiPort] = await (options.orOtherPorts ? preferPorts : choosePorts)(IP, wanted);
    const { output, ...server } = launch(options, port, uiPort);
    const failure = await becomeReady(server, output, options);
    if (failure === undefined) return server;
    await server.stop();
    options.stopping?.throwIfAborted();
    if (!output().includes('address already in use')) {
      throw new AppError(
        'TEMPORAL_UNAVAILABLE',
        `Temporal's dev server did not start: ${failure}. Its log is ${logIn(options.dir)}.`,
      );
    }
    if (attempt === STARTS) {
      throw portInUse("Temporal's dev server", IP, '0 picks a free one', new Error(failure));
    }
  }
}

function logIn(dir: string): string {
  return path.join(dir, 'temporal.log');
}

/** Starts the program. `output` returns what it has written to its log. */
function launch(options: DevServerOptions, port: number, uiPort: number | undefined) {
  const { cliPath, dir } = options;
  const logFile = logIn(dir);
  const log = openSync(logFile, 'a');
  const logStartBytes = statSync(logFile).size;
  const child = spawn(cliPath, devServerArguments(options, port, uiPort), {
    // With its own process group the server does not get Ctrl-C, so that it runs until the worker has drained.
    detached: true,
    stdio: ['ignore', log, log],
    // The server must not see our secrets, and would read TEMPORAL_* as its own settings.
    env: {},
  });
  closeSync(log);
  const { pid = 0 } = child;
  /** Absent if the server could not be started, or has ended already. */
  const identity = pid === 0 ? undefined : processStart(pid);
  if (identity !== undefined) recordServer(dir, { pid, identity });
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // A program that cannot be started emits no 'exit'.
    child.once('error', () => {
      if (pid === 0) resolve({ code: null, signal: null });
    });
  });
  return {
    address: `${IP}:${port}`,
    ...(uiPort === undefined ? {} : { uiUrl: `http://${IP}:${uiPort}` }),
    pid,
    exited,
    output: () => readFileSync(logFile).subarray(logStartBytes).toString('utf8'),
    async stop() {
      if (identity !== undefined) await endProcess({ pid, identity });
      await exited;
      forgetServer(dir);
    },
  };
}

function devServerArguments(options: DevServerOptions, port: number, uiPort: number | undefined): readonly string[] {
  const { dir, inMemory, namespace, codecEndpoint, dynamicConfig = {} } = options;
  return [
    'server',
    'start-dev',
    `--ip=${IP}`,
    `--port=${port}`,
    ...(uiPort === undefined ? ['--headless'] : [`--ui-port=${uiPort}`, '--ui-disable-news-fetch']),
    ...(codecEndpoint === undefined ? [] : [`--ui-codec-endpoint=${codecEndpoint}`]),
    ...(inMemory ? [] : [`--db-filename=${path.join(dir, 'temporal.db')}`]),
    // WAL is as safe as the default journal and 1.2 to 1.7 times as fast: a commit needs one flush to disk.
    '--sqlite-pragma=journal_mode=wal',
    '--sqlite-pragma=synchronous=2',
    `--namespace=${namespace}`,
    ...Object.entries(SEARCH_ATTRIBUTES).map(([name, kind]) => `--search-attribute=${name}=${kind}`),
    ...Object.entries(dynamicConfig).map(([name, value]) => `--dynamic-config-value=${name}=${value}`),
    '--log-level=warn',
  ];
}

/** @returns undefined when the server responds, else why it does not */
async function becomeReady(
  { address, pid, exited }: DevServer,
  output: () => string,
  { namespace, stopping }: DevServerOptions,
): Promise<string | undefined> {
  const until = Date.now() + READY_TIMEOUT_MS;
  let exit: ServerExit | undefined;
  let firstResponseMs: number | undefined;
  const ended = exited.then((how) => (exit = how));
  const connection = Connection.lazy({
    address,
    // The SDK's retries and gRPC's pause of a second before a reconnect would delay the start.
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 50 },
  });
  try {
    while (Date.now() < until) {
      if (stopping?.aborted) return 'a stop was requested';
      // A starting server fails in many ways: refused, not found, too late. So no single error is final.
      const response = connection
        .withDeadline(Date.now() + 2_000, () => connection.workflowService.describeNamespace({ namespace }))
        .then(
          () => true,
          () => false,
        );
      const responded = await Promise.race([response, ended.then(() => false)]);
      if (exit !== undefined) return pid === 0 ? 'the program cannot be run' : endReason(exit, output());
      // A program that took the port meanwhile may respond too, until our server finds the port taken and ends.
      if (responded) firstResponseMs ??= Date.now();
      const isBelieved = firstResponseMs !== undefined && Date.now() - firstResponseMs > BELIEVED_AFTER_MS;
      if (responded && (isBelieved || saysThatItListens(output()))) return undefined;
      await delay(25);
    }
    return withLastLines(`it did not respond within ${READY_TIMEOUT_MS} ms`, output());
  } finally {
    await connection.close();
  }
}

/*
 * The output of Temporal's dev server. When it listens, it writes a line with its address. When it ends by an error, it
 * writes one of these:
 *
 * - `Error: …`, one line, for an error that it checks itself, with exit code 1
 * - `level=ERROR …`, then a Go panic with its stack, and exit code 2: for a taken port that it chose itself
 * - a JSON line with `"level":"FATAL"`: for the port of its Web UI
 */
const LINES = 3;
const LINE_CHARACTERS = 300;
/** The end of a Go error names its cause. */
const END_CHARACTERS = 200;

/** Some releases leave out the first word. */
export function saysThatItListens(output: string): boolean {
  return /^[ \t]*(?:Temporal )?Server:/m.test(output);
}

/** Why the server ended: its error line, else how it ended and its last lines. */
export function endReason({ code, signal }: ServerExit, output: string): string {
  const line = linesOf(output).findLast((each) => each.startsWith('Error:'));
  if (line !== undefined) return cut(line.slice('Error:'.length).trim());
  return withLastLines(signal === null ? `it ended with code ${code}` : `it was ended by ${signal}`, output);
}

/** Adds the last lines, without the stack of a panic. */
function withLastLines(what: string, output: string): string {
  const [text = ''] = output.split(/^[ \t]*goroutine /m);
  const lines = linesOf(text).slice(-LINES).map(cut);
  return lines.length === 0 ? what : `${what}; the last lines of its log: ${lines.join(' | ')}`;
}

function linesOf(output: string): string[] {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function cut(line: string): string {
  if (line.length <= LINE_CHARACTERS) return line;
  return `${line.slice(0, LINE_CHARACTERS - END_CHARACTERS)} … ${line.slice(-END_CHARACTERS)}`;
}
