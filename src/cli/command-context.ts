import { loadConfig, type Config, type Environment } from '../config/index.js';
import { AppError, present } from '../contract/index.js';
import { createApiClient, type ApiClient } from '../client/index.js';
import { readDevRecord } from '../tools/dev/index.js';
import type { Terminal } from './terminal.js';

/** Exit codes of all commands. */
export const ExitCode = {
  done: 0,
  failed: 1,
  /** The command line or its configuration is wrong; nothing was started. */
  wrongUse: 2,
  /** The request is neither done nor failed yet. */
  notReached: 3,
} as const;
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode];

/** Dependencies of every command. */
export interface CommandContext {
  readonly terminal: Terminal;
  /** Reads the configuration, once. @throws AppError CONFIG_INVALID */
  config(): Config;
  /** Sets variables of the environment, from options that override them. An undefined one stays as it is. */
  override(variables: Environment): void;
  /** The exit code of the process; `done` unless a command sets another one. */
  exitCode: ExitCode;
}

export function createCommandContext(terminal: Terminal): CommandContext {
  let config: Config | undefined;
  let { env } = terminal;
  return {
    terminal,
    config: () => (config ??= loadConfig(env, { cwd: terminal.cwd })),
    override(variables) {
      env = { ...env, ...present(variables) };
      config = undefined;
    },
    exitCode: ExitCode.done,
  };
}

/** Opens a client of the HTTP API for a command, then closes it so that no idle connection keeps the process alive. */
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

/**
 * Returns the account that a command uses.
 * @param given  the value of `--instance`
 * @throws AppError INPUT_INVALID when no account is named, and the API has none or several
 */
export async function instanceOf(api: ApiClient, context: CommandContext, given: string | undefined): Promise<string> {
  const named = given ?? context.config().instance;
  if (named !== undefined) return named;
  const { names } = await api.listInstances({ query: { limit: 1 } });
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw new AppError(
    'INPUT_INVALID',
    names.length === 0
      ? 'No instance is configured. Add one to the instances file (EVERPOST_INSTANCES_FILE).'
      : `Several instances are configured: ${names.join(', ')}. Choose one: --instance ${only}, or set EVERPOST_INSTANCE.`,
  );
}

/** The address of the HTTP API for commands. */
export interface FoundApi {
  readonly url: string;
  /** The source of the address, for messages. */
  readonly origin: string;
}

/**
 * Returns EVERPOST_API_URL, else the address of the everpost dev that the data directory records, else the default.
 * @throws AppError API_UNREACHABLE when that everpost dev was killed: another program may use its ports now
 */
export async function findApi({ api, dataDir }: Pick<Config, 'api' | 'dataDir'>): Promise<FoundApi> {
  if (api.isNamed) return { url: api.url, origin: 'EVERPOST_API_URL' };
  const dev = await readDevRecord(dataDir);
  switch (dev.kind) {
    case 'running':
      return { url: dev.facts.apiUrl, origin: `the everpost dev of ${dataDir}` };
    case 'none':
      return { url: api.url, origin: `the default, because no everpost dev runs on ${dataDir}` };
    case 'stale': {
      const { why, remedy } = killedDev(dataDir, dev.pid);
      throw new AppError('API_UNREACHABLE', `${why}. ${remedy} To use another API, set EVERPOST_API_URL.`);
    }
  }
}

/** The reason why the record of a killed everpost dev cannot be used, and the remedy. */
export function killedDev(dataDir: string, pid: number): { readonly why: string; readonly remedy: string } {
  return {
    why: `The everpost dev of ${dataDir} (process ${pid}) was killed`,
    remedy: `Start it again: everpost dev --data-dir ${dataDir}.`,
  };
}
