import os from 'node:os';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import {
  AppError,
  type EncryptionKeys,
  type InstanceDirectory,
  type NamedSecret,
  type Problem,
  type Secret,
  present,
} from '../contract/index.js';
import { watchedInstances } from './instance-directory.js';
import { fileOf, isSet, withSecretFiles } from './secret-files.js';
import {
  VARIABLES,
  type Environment,
  type LogLevel,
  type ParseContext,
  type Variable,
  type VariableKey,
} from './variables.js';
import { watched, type ConfigLog } from './watched.js';

/** Everything that can be set, read once, deeply frozen. Paths are absolute, times in milliseconds. */
export interface Config {
  readonly api: {
    readonly url: string;
    /** Whether an operator set the address; otherwise the data directory's one is used before the default. */
    readonly isNamed: boolean;
    readonly apiKey?: Secret;
  };
  /** For commands without `--instance`. */
  readonly instance?: string;
  readonly http: {
    readonly host: string;
    readonly port: number;
    /** Whether an operator chose the port; a default one may move. */
    readonly isPortAsked: boolean;
    /** Where a process without the API serves its metrics. */
    readonly metricsPort?: number;
    readonly hasApiKeys: boolean;
    /** Reads them, and reads them again where they are in a file that changes. @throws AppError CONFIG_INVALID */
    readonly openApiKeys: (log: ConfigLog, monotonicMs?: () => number) => () => readonly NamedSecret[];
    /** Names by which requests may address us, besides loopback and the public URL's. Empty: every name. */
    readonly allowedHosts: readonly string[];
    readonly maxImportBytes: number;
    /** Whose pages may have payloads decrypted. */
    readonly codecOrigins: readonly string[];
  };
  /** Where the gateway reaches the webhook receiver, without a trailing slash. */
  readonly publicUrl?: string;
  /** Absent: the simulator's instance. */
  readonly instances?: {
    readonly filePath: string;
    /** Reads the file and goes on watching it. @throws AppError CONFIG_INVALID */
    readonly open: (log: ConfigLog) => InstanceDirectory;
  };
  readonly databaseUrl?: Secret;
  readonly dataDir: string;
  readonly temporal: TemporalConfig;
  readonly times: {
    readonly postingDeadlineMs: number;
    readonly gatewayTimeoutMs: number;
    readonly settleTimeMs: number;
    readonly editConfirmTimeoutMs: number;
    readonly templatePollIntervalsMs: readonly number[];
  };
  readonly callbacks: { readonly allowPrivate: boolean };
  /** Where schedules read recipients from. */
  readonly sources: {
    readonly directory: string;
    /** The value of an environment variable whose name begins with EVERPOST_SOURCE_. */
    readonly env: (name: string) => string | undefined;
  };
  readonly notifications: { readonly keptForMs: number };
  /** Undefined: forever. */
  readonly messagesKeptForMs: number | undefined;
  readonly events: { readonly keptForMs: number };
  readonly auditKeptForMs: number;
  readonly logLevel: LogLevel;
}

export interface TemporalConfig {
  /** Whether a server is configured; otherwise `everpost dev` starts its own. */
  readonly isNamed: boolean;
  readonly address: string;
  readonly namespace: string;
  /** Absent: payloads are not encrypted. */
  readonly encryption?: EncryptionKeys;
  /** A function, so that an API key or a TLS key never shows where the config is printed. */
  readonly connectionOptions: () => ClientConnectConfig['connectionOptions'];
  /** For finding a binary for the local server. */
  readonly binary: {
    readonly cliPath?: string;
    /** PATH, as the environment has it. */
    readonly searchPath: string;
    /** What decides where fetched programs are kept. */
    readonly cacheHome: { readonly xdgCacheHome?: string; readonly home: string };
  };
}

const DEFAULT_TEMPORAL_ADDRESS = '127.0.0.1:7233';

/** A send must leave within this time of its claim: long enough for a busy machine, short beside the settle time. */
const POSTING_DEADLINE_MS = 5000;

/**
 * Reads the environment into one typed object. Empty variables count as unset.
 * @param cwd  where relative paths start
 * @throws AppError CONFIG_INVALID with every problem found
 */
export function loadConfig(given: Environment, { cwd }: ParseContext): Config {
  const problems: Problem[] = [];
  const env = withSecretFiles(given, { cwd }, problems);
  const values = readVariables(env, { cwd }, problems);
  const connection = readTemporalConnection(env, problems);
  if (problems.length > 0 || values === undefined || connection === undefined) throw invalid(problems);
  const address = connection.connectionOptions.address ?? DEFAULT_TEMPORAL_ADDRESS;
  return deepFreeze({
    api: {
      url: values.apiUrl,
      isNamed: isSet(env['EVERPOST_API_URL']),
      ...present({ apiKey: values.apiKey }),
    },
    ...present({ instance: values.instance }),
    http: {
      host: values.httpHost,
      port: values.httpPort,
      isPortAsked: isSet(env['EVERPOST_HTTP_PORT']),
      ...present({ metricsPort: values.metricsPort }),
      hasApiKeys: values.apiKeys.length > 0,
      openApiKeys: apiKeysIn(given, values.apiKeys, { cwd }),
      allowedHosts: values.allowedHosts,
      maxImportBytes: values.maxImportBytes,
      codecOrigins: values.codecOrigins,
    },
    ...present({ publicUrl: values.publicUrl }),
    ...(values.instancesFile === undefined ? {} : { instances: instancesIn(values.instancesFile, env) }),
    ...present({ databaseUrl: values.databaseUrl }),
    dataDir: values.dataDir,
    temporal: {
      isNamed: ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'].some((name) => isSet(env[name])),
      address,
      namespace: connection.namespace ?? values.temporalNamespace,
      ...present({ encryption: values.encryptionKeys }),
      connectionOptions: () => ({ ...connection.connectionOptions, address }),
      binary: {
        ...present({ cliPath: values.temporalCliPath }),
        searchPath: env['PATH'] ?? '',
        cacheHome: {
          home: env['HOME'] ?? os.homedir(),
          ...(isSet(env['XDG_CACHE_HOME']) ? { xdgCacheHome: env['XDG_CACHE_HOME'] } : {}),
        },
      },
    },
    times: {
      postingDeadlineMs: POSTING_DEADLINE_MS,
      gatewayTimeoutMs: values.gatewayTimeoutMs,
      settleTimeMs: values.settleTimeMs,
      editConfirmTimeoutMs: values.editConfirmTimeoutMs,
      templatePollIntervalsMs: values.templatePollIntervalsMs,
    },
    callbacks: { allowPrivate: values.allowPrivateTargets },
    sources: {
      directory: values.sourcesDir,
      env: (name) => (name.startsWith('EVERPOST_SOURCE_') ? env[name] : undefined),
    },
    notifications: { keptForMs: values.notificationRetentionMs },
    messagesKeptForMs: values.messageRetentionMs,
    events: { keptForMs: values.eventRetentionMs },
    auditKeptForMs: values.auditRetentionMs,
    logLevel: values.logLevel,
  });
}

/** Those of a file are read again when it changes. */
function apiKeysIn(
  env: Environment,
  apiKeys: readonly NamedSecret[],
  context: ParseContext,
): Config['http']['openApiKeys'] {
  const { name, parse } = VARIABLES.apiKeys;
  const file = fileOf(env, name, context.cwd);
  if (file === undefined) return () => () => apiKeys;
  const read = () => {
    const problems: Problem[] = [];
    const text = withSecretFiles({ [`${name}_FILE`]: file }, context, problems)[name];
    if (text === undefined) throw invalid(problems);
    try {
      return { value: parse(text, context), files: [file] };
    } catch (error) {
      throw invalid([{ path: `${name}_FILE`, message: reasonOf(error) }]);
    }
  };
  const described = (keys: readonly NamedSecret[]) => `API keys read again: ${keys.length}.`;
  return (log, monotonicMs) => watched({ read, described, log, monotonicMs });
}

function invalid(problems: readonly Problem[]): AppError {
  return new AppError('CONFIG_INVALID', 'Configuration is not valid. Correct these and start again.', { problems });
}

function instancesIn(filePath: string, env: Environment): NonNullable<Config['instances']> {
  return { filePath, open: (log) => watchedInstances({ filePath, env, log }) };
}

type Values = {
  readonly [Key in VariableKey]:
    | ReturnType<(typeof VARIABLES)[Key]['parse']>
    | ((typeof VARIABLES)[Key] extends { readonly default: string } ? never : undefined);
};

function readVariables(env: Environment, context: ParseContext, problems: Problem[]): Values | undefined {
  const before = problems.length;
  const values: Record<string, unknown> = {};
  for (const [key, variable] of Object.entries<Variable<unknown>>(VARIABLES)) {
    const given = env[variable.name];
    const text = isSet(given) ? given.trim() : variable.default;
    if (text === undefined) continue;
    try {
      values[key] = variable.parse(text, context);
    } catch (error) {
      problems.push({ path: variable.name, message: reasonOf(error) });
    }
  }
  return problems.length === before ? (values as Values) : undefined;
}

/** Temporal's own variables and, where it is named or at its usual place, its own configuration file. */
function readTemporalConnection(env: Environment, problems: Problem[]): ClientConnectConfig | undefined {
  const set = Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => isSet(entry[1])));
  try {
    return loadClientConnectConfig({ overrideEnvVars: set });
  } catch (error) {
    problems.push({ path: 'TEMPORAL_…', message: reasonOf(error) });
    return undefined;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) deepFreeze(inner);
  return Object.freeze(value);
}
