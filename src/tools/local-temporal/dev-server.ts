import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import type { Config } from '../../config/index.js';
import { AppError, SEARCH_ATTRIBUTES, type SearchAttributeKind } from '../../contract/index.js';
import { processStart } from '../../process/index.js';
import { defaultCacheDir, findTemporalCli } from './find-binary.js';
import { choosePorts, preferPorts } from './free-port.js';
import { endOrphan, endProcess, forgetServer, recordServer } from './server-record.js';

export interface DevServerOptions {
  /** The path of Temporal's command line tool, see findTemporalCli. */
  readonly cliPath: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** 0 picks a free port. Absent: no Web UI. */
  readonly uiPort?: number;
  /** The URL at which the Web UI decrypts payloads. */
  readonly codecEndpoint?: string;
  /** Whether the server takes other ports if one of these is taken. @default false */
  readonly orOtherPorts?: boolean;
  /** The SQLite file of the server's data. Absent: in memory. */
  readonly dbFilename?: string;
  readonly namespace: string;
  /** Registered before the server responds. */
  readonly searchAttributes: Readonly<Record<string, SearchAttributeKind>>;
  /** The server's dynamic configuration. @default none */
  readonly dynamicConfig?: Readonly<Record<string, number>>;
  /** The server appends its output to this file. */
  readonly logFile: string;
  /** The record of the running server, by which the next start can end it if this process is killed. */
  readonly recordFile?: string;
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
 * Finds Temporal's command line tool.
 * @returns a function that starts the server on its data in a directory, which also gets the log and the record
 * @throws AppError TEMPORAL_BINARY_MISSING
 */
export async function temporalServerIn(
  dir: string,
  { cliPath: configuredPath, searchPath, cacheHome }: Config['temporal']['binary'],
  notice: (text: string) => void,
) {
  const { path: cliPath } = await findTemporalCli({
    configuredPath,
    searchPath,
    cacheDir: defaultCacheDir(cacheHome),
    notice,
  });
  type Settings = Pick<
    DevServerOptions,
    'port' | 'uiPort' | 'codecEndpoint' | 'orOtherPorts' | 'namespace' | 'dynamicConfig' | 'stopping'
  >;
  return (settings: Settings): Promise<DevServer> =>
    startDevServer({
      ...settings,
      cliPath,
      searchAttributes: SEARCH_ATTRIBUTES,
      dbFilename: path.join(dir, 'temporal.db'),
      logFile: path.join(dir, 'temporal.log'),
      recordFile: path.join(dir, 'temporal.json'),
      notice,
    });
}

/**
 * Starts Temporal's dev server as a child with its own process group, and returns when it responds.
 * @throws AppError DATA_DIR_IN_USE | PORT_IN_USE | TEMPORAL_UNAVAILABLE
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  if (options.recordFile !== undefined) {
    const orphan = await endOrphan(options.recordFile);
    if (orphan !== undefined) options.notice?.(`Ended the Temporal server of an earlier start (pid ${orphan}).`);
  }
  for (let attempt = 1; ; attempt++) {
    const asked = options.uiPort === undefined ? [options.port] : [options.port, options.uiPort];
    const [port = 0, uiPort] = await (options.orOtherPorts && attempt === 1
      ? preferPorts(IP, asked)
      : choosePorts(IP, options.orOtherPorts ? asked.map(() => 0) : asked));
    const launched = launch(options, port, uiPort);
    const failure = await becomeReady(launched, options);
    if (failure === undefined) {
      return {
        address: launched.address,
        ...(uiPort === undefined ? {} : { uiUrl: `http://${IP}:${uiPort}` }),
        pid: launched.pid,
        exited: launched.exited,
        stop: () => stop(launched, options),
      };
    }
    await stop(launched, options);
    options.stopping?.throwIfAborted();
    if (!namesTakenPort(outputOf(launched, options.logFile))) {
      throw new AppError(
        'TEMPORAL_UNAVAILABLE',
        `Temporal's dev server did not start: ${failure}. Its log is ${options.logFile}.`,
      );
    }
    if (attempt === STARTS) {
      throw new AppError(
        'PORT_IN_USE',
        `Temporal's dev server cannot listen on ${IP}: ${failure}. Choose another port (0 picks a free one).`,
      );
    }
  }
}

interface LaunchedServer {
  readonly pid: number;
  /** Absent if the server could not be started, or has ended already. */
  readonly identity: string | undefined;
  readonly address: string;
  readonly exited: Promise<ServerExit>;
  /** The size of the log file before this server wrote to it. */
  readonly logStartBytes: number;
}

function launch(options: DevServerOptions, port: number, uiPort: number | undefined): LaunchedServer {
  const log = openSync(options.logFile, 'a');
  const logStartBytes = statSync(options.logFile).size;
  const child = spawn(options.cliPath, devServerArguments(options, port, uiPort), {
    // With its own process group the server does not get Ctrl-C, so that it runs until the worker has drained.
    detached: true,
    stdio: ['ignore', log, log],
    // The server must not see our secrets, and would read TEMPORAL_* as its own settings.
    env: {},
  });
  closeSync(log);
  const identity = child.pid === undefined ? undefined : processStart(child.pid);
  if (child.pid !== undefined && identity !== undefined && options.recordFile !== undefined) {
    recordServer(options.recordFile, child.pid, identity);
  }
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // A program that cannot be started emits no 'exit'.
    child.once('error', () => {
      if (child.pid === undefined) resolve({ code: null, signal: null });
    });
  });
  return { pid: child.pid ?? 0, identity, address: `${IP}:${port}`, exited, logStartBytes };
}

function devServerArguments(options: DevServerOptions, port: number, uiPort: number | undefined): readonly string[] {
  return [
    'server',
    'start-dev',
    `--ip=${IP}`,
    `--port=${port}`,
    ...(uiPort === undefined ? ['--headless'] : [`--ui-port=${uiPort}`, '--ui-disable-news-fetch']),
    ...(options.codecEndpoint === undefined ? [] : [`--ui-codec-endpoint=${options.codecEndpoint}`]),
    ...(options.dbFilename === undefined ? [] : [`--db-filename=${options.dbFilename}`]),
    // WAL is as safe as the default journal and 1.2 to 1.7 times as fast: a commit needs one flush to disk.
    '--sqlite-pragma=journal_mode=wal',
    '--sqlite-pragma=synchronous=2',
    `--namespace=${options.namespace}`,
    ...Object.entries(options.searchAttributes).map(([name, kind]) => `--search-attribute=${name}=${kind}`),
    ...Object.entries(options.dynamicConfig ?? {}).map(([name, value]) => `--dynamic-config-value=${name}=${value}`),
    '--log-level=warn',
  ];
}

/** @returns undefined when the server responds, else why it does not */
async function becomeReady(server: LaunchedServer, options: DevServerOptions): Promise<string | undefined> {
  const until = Date.now() + READY_TIMEOUT_MS;
  let exit: ServerExit | undefined;
  let firstResponseMs: number | undefined;
  const exited = server.exited.then((how) => (exit = how));
  const connection = Connection.lazy({
    address: server.address,
    // The SDK's retries and gRPC's pause of a second before a reconnect would delay the start.
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 50 },
  });
  try {
    while (Date.now() < until) {
      if (options.stopping?.aborted) return 'a stop was requested';
      const responded = await Promise.race([responses(connection, options.namespace), exited.then(() => false)]);
      if (exit !== undefined) return exitReason(server, exit, options.logFile);
      // A program that took the port meanwhile may respond too, until our server finds the port taken and ends.
      if (responded) firstResponseMs ??= Date.now();
      const isBelieved = firstResponseMs !== undefined && Date.now() - firstResponseMs > BELIEVED_AFTER_MS;
      if (responded && (isBelieved || saysThatItListens(outputOf(server, options.logFile)))) return undefined;
      await delay(25);
    }
    return withLastLines(`it did not respond within ${READY_TIMEOUT_MS} ms`, outputOf(server, options.logFile));
  } finally {
    await connection.close();
  }
}

/** A starting server fails in many ways: refused, not found, too late. So no single error is final. */
function responses(connection: Connection, namespace: string): Promise<boolean> {
  return connection
    .withDeadline(Date.now() + 2_000, () => connection.workflowService.describeNamespace({ namespace }))
    .then(
      () => true,
      () => false,
    );
}

function exitReason(server: LaunchedServer, exit: ServerExit, logFile: string): string {
  if (server.pid === 0) return 'the program cannot be run';
  const how = exit.signal === null ? `it ended with code ${exit.code}` : `it was ended by ${exit.signal}`;
  const output = outputOf(server, logFile);
  return errorLine(output) ?? withLastLines(how, output);
}

function withLastLines(what: string, output: string): string {
  const lines = lastLines(output);
  return lines === '' ? what : `${what}; the last lines of its log: ${lines}`;
}

function outputOf(server: LaunchedServer, logFile: string): string {
  return readFileSync(logFile).subarray(server.logStartBytes).toString('utf8');
}

async function stop(server: LaunchedServer, options: DevServerOptions): Promise<void> {
  if (server.identity !== undefined) await endProcess(server.pid, server.identity);
  await server.exited;
  if (options.recordFile !== undefined) forgetServer(options.recordFile);
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

/** Whether the output says that the server listens. Some releases leave out the first word. */
export function saysThatItListens(output: string): boolean {
  return linesOf(output).some((line) => line.startsWith('Temporal Server:') || line.startsWith('Server:'));
}

/** Whether the output names a taken port, in any of the forms above. */
export function namesTakenPort(output: string): boolean {
  return output.includes('address already in use');
}

/** The text of the last `Error:` line. */
export function errorLine(output: string): string | undefined {
  const line = linesOf(output).findLast((each) => each.startsWith('Error:'));
  return line === undefined ? undefined : cut(line.slice('Error:'.length).trim());
}

/** The last lines, without the stack of a panic. Empty without output. */
export function lastLines(output: string): string {
  const lines = linesOf(output);
  const stack = lines.findIndex((line) => line.startsWith('goroutine '));
  return lines
    .slice(0, stack < 0 ? lines.length : stack)
    .slice(-LINES)
    .map(cut)
    .join(' | ');
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
