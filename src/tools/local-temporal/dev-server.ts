import { spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Connection } from '@temporalio/client';
import { AppError, type SearchAttributeKind } from '../../contract/index.js';
import { processStart } from '../../process/index.js';
import { choosePorts, preferPorts } from './free-port.js';
import { endOrphan, endProcess, forgetServer, recordServer } from './server-record.js';

export interface DevServerOptions {
  /** Temporal's command line tool, see findTemporalCli. */
  readonly cliPath: string;
  /** 0 picks a free one. */
  readonly port: number;
  /** 0 picks a free one. Absent: no Web UI. */
  readonly uiPort?: number;
  /** Where the Web UI has payloads decrypted. */
  readonly codecEndpoint?: string;
  /** Where these ports are only preferred: others are picked when either is taken. @default false */
  readonly orOtherPorts?: boolean;
  /** SQLite file in which everything survives a restart. Absent: in memory. */
  readonly dbFilename?: string;
  readonly namespace: string;
  /** Registered before the server answers. */
  readonly searchAttributes: Readonly<Record<string, SearchAttributeKind>>;
  /** Settings of the server's own, by their names. @default none */
  readonly dynamicConfig?: Readonly<Record<string, number>>;
  /** The server's output is added to it. */
  readonly logFile: string;
  /** Where the running server is recorded, so that the next start can end one that was left behind. */
  readonly recordFile?: string;
  /** Called when a server that was left behind has been ended. */
  readonly notice?: (text: string) => void;
  /** Gives up a start that is still under way: the server is ended, and the start throws the signal's reason. */
  readonly stopping?: AbortSignal;
}

export interface ServerExit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export interface DevServer {
  /** host:port of its gRPC service. */
  readonly address: string;
  /** Absent when it was started without a Web UI. */
  readonly uiUrl?: string;
  readonly pid: number;
  /** Ends it and waits until it is gone: SIGTERM, and SIGKILL after 20 s. May be called again. */
  stop(): Promise<void>;
  /** Resolves when the server ends, by `stop` or by itself. Never rejects. */
  readonly exited: Promise<ServerExit>;
}

/**
 * Another process may take one of our ports, or of those the server picks for itself, before it listens on them all.
 */
const STARTS = 5;
const IP = '127.0.0.1';
/** For what hangs: a start on a machine with a fraction of a CPU takes more than half a minute. */
const READY_TIMEOUT_MS = 120_000;
/** A release that says it in other words is believed later than a slow machine finds out that the port is taken. */
const BELIEVED_AFTER_MS = 15_000;

/**
 * Starts Temporal's dev server as a child in a process group of its own, and returns when it answers.
 * @throws AppError DATA_DIR_IN_USE | PORT_IN_USE | TEMPORAL_UNAVAILABLE
 */
export async function startDevServer(options: DevServerOptions): Promise<DevServer> {
  if (options.recordFile !== undefined) {
    const orphan = await endOrphan(options.recordFile);
    if (orphan !== undefined) options.notice?.(`Ended the Temporal server that an earlier start left (pid ${orphan}).`);
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
  /** Absent when it could not be started, or has ended already. */
  readonly identity: string | undefined;
  readonly address: string;
  readonly exited: Promise<ServerExit>;
  /** What the log file held before this server wrote to it. */
  readonly logStartBytes: number;
}

function launch(options: DevServerOptions, port: number, uiPort: number | undefined): LaunchedServer {
  const log = openSync(options.logFile, 'a');
  const logStartBytes = statSync(options.logFile).size;
  const child = spawn(options.cliPath, devServerArguments(options, port, uiPort), {
    // A process group of its own: Ctrl-C in the terminal reaches us alone, and the server outlives our draining.
    detached: true,
    stdio: ['ignore', log, log],
    // It needs nothing of ours, must not see our secrets, and would read TEMPORAL_* for itself.
    env: {},
  });
  closeSync(log);
  const identity = child.pid === undefined ? undefined : processStart(child.pid);
  if (child.pid !== undefined && identity !== undefined && options.recordFile !== undefined) {
    recordServer(options.recordFile, child.pid, identity);
  }
  const exited = new Promise<ServerExit>((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
    // The program could not be started at all; there will be no 'exit'.
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
    // As safe as the default journal and 1.2 to 1.7 times as fast: a commit costs one flush to disk, not several.
    '--sqlite-pragma=journal_mode=wal',
    '--sqlite-pragma=synchronous=2',
    `--namespace=${options.namespace}`,
    ...Object.entries(options.searchAttributes).map(([name, kind]) => `--search-attribute=${name}=${kind}`),
    ...Object.entries(options.dynamicConfig ?? {}).map(([name, value]) => `--dynamic-config-value=${name}=${value}`),
    '--log-level=warn',
  ];
}

/** @returns undefined when the server answers, else why it will not */
async function becomeReady(server: LaunchedServer, options: DevServerOptions): Promise<string | undefined> {
  const until = Date.now() + READY_TIMEOUT_MS;
  let exit: ServerExit | undefined;
  let firstResponseMs: number | undefined;
  const exited = server.exited.then((how) => (exit = how));
  const connection = Connection.lazy({
    address: server.address,
    // Without the SDK's own retries and gRPC's pause of a second before it connects again: the server is up sooner.
    interceptors: [],
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 50, 'grpc.max_reconnect_backoff_ms': 50 },
  });
  try {
    while (Date.now() < until) {
      if (options.stopping?.aborted) return 'it was asked to stop';
      const responded = await Promise.race([responses(connection, options.namespace), exited.then(() => false)]);
      if (exit !== undefined) return exitReason(server, exit, options.logFile);
      // On a port that another program took meanwhile that one answers, at once, and ours ends only when it finds that
      // out.
      if (responded) firstResponseMs ??= Date.now();
      const isBelieved = firstResponseMs !== undefined && Date.now() - firstResponseMs > BELIEVED_AFTER_MS;
      if (responded && (isBelieved || saysThatItListens(outputOf(server, options.logFile)))) return undefined;
      await delay(25);
    }
    return withLastLines(`it did not answer within ${READY_TIMEOUT_MS} ms`, outputOf(server, options.logFile));
  } finally {
    await connection.close();
  }
}

/** No response yet has many forms: refused, not found, too late. Only time tells whether one is final. */
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
 * What Temporal's dev server writes. Once it listens, a line with its address; before it ends without having been asked
 * to:
 *
 * - `Error: …`, one line, for what it checks itself, with exit code 1
 * - `level=ERROR …`, then a Go panic with its stack, and exit code 2: for a taken port among those it picks for itself
 * - a JSON line with `"level":"FATAL"`: for the port of its Web UI
 */
const LINES = 3;
const LINE_CHARACTERS = 300;
/** In Go the cause of an error stands at its end. */
const END_CHARACTERS = 200;

/** True once the server listens itself; some releases leave out the first word. */
export function saysThatItListens(output: string): boolean {
  return linesOf(output).some((line) => line.startsWith('Temporal Server:') || line.startsWith('Server:'));
}

/** True when a port was taken, in whatever form the server says so. */
export function namesTakenPort(output: string): boolean {
  return output.includes('address already in use');
}

/** Its own `Error:` line. */
export function errorLine(output: string): string | undefined {
  const line = linesOf(output).findLast((each) => each.startsWith('Error:'));
  return line === undefined ? undefined : cut(line.slice('Error:'.length).trim());
}

/** Its last lines, without the stack of a panic. Empty when it wrote nothing. */
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
