import { InvalidArgumentError, Option } from 'commander';
import { loadConfig, type Config } from '../config/index.js';
import { parseDurationMs } from '../contract/index.js';
import { createApiClient, type ApiClient } from '../client/index.js';
import { findApi } from './find-api.js';
import { ExitCode } from './exit-code.js';
import type { Terminal } from './terminal.js';

/** What every command works with. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Reads the configuration, once. @throws AppError CONFIG_INVALID */
  config(): Config;
  /** Takes this data directory in place of the configured one. */
  useDataDir(path: string): void;
  /** How the process will end; `done` unless a command says otherwise. */
  exitCode: ExitCode;
}

export function createCommandContext(terminal: Terminal): CommandContext {
  let config: Config | undefined;
  let { env } = terminal;
  return {
    terminal,
    config: () => (config ??= loadConfig(env, { cwd: terminal.cwd })),
    useDataDir(path) {
      env = { ...env, EVERPOST_DATA_DIR: path };
      config = undefined;
    },
    exitCode: ExitCode.done,
  };
}

/** Lends a client of the HTTP API to a command and closes it afterwards, so that no idle connection keeps us alive. */
export async function withApi<Result>(
  context: CommandContext,
  use: (api: ApiClient) => Promise<Result>,
): Promise<Result> {
  const config = context.config();
  const api = createApiClient({ ...config.api, ...(await findApi(config)) });
  try {
    return await use(api);
  } finally {
    await api.close();
  }
}

/** `--json`, as every command has it that prints a response. */
export interface JsonOption {
  readonly json?: true;
}

/** Reads an option like `--timeout 60s`. */
export function durationOption(text: string): number {
  try {
    return parseDurationMs(text);
  } catch (error) {
    throw new InvalidArgumentError(error instanceof Error ? error.message : String(error));
  }
}

/** Reads an option like `--since 24h` or `--since 2026-03-01T00:00:00Z`. @returns ISO 8601 */
export function sinceOption(text: string): string {
  if (/^\d{4}-/.test(text)) {
    const atMs = Date.parse(text);
    if (Number.isNaN(atMs)) throw new InvalidArgumentError('must be a time like 2026-03-01T00:00:00Z');
    return new Date(atMs).toISOString();
  }
  return new Date(Date.now() - durationOption(text)).toISOString();
}

/** Reads an option that is given once for each value. */
export function collected(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value];
}

/** `--timeout`, as every command has it that waits for an outcome. Its value is in milliseconds. */
export function timeoutOption(description: string): Option {
  const waitFor = '60s';
  return new Option('--timeout <duration>', description)
    .argParser(durationOption)
    .default(durationOption(waitFor), waitFor);
}

/** Reads an option like `--http-port 8080`. */
export function portOption(text: string): number {
  if (!/^\d+$/.test(text) || Number(text) > 65_535) {
    throw new InvalidArgumentError('must be a port number from 0 to 65535; 0 picks a free one');
  }
  return Number(text);
}
