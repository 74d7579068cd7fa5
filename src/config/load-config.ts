import os from 'node:os';
import path from 'node:path';
import { loadClientConnectConfig, type ClientConnectConfig } from '@temporalio/envconfig';
import {
  AppError,
  type InstanceDirectory,
  type NamedSecret,
  type Problem,
  isLoopback,
  isPublic,
  present,
  weaknessOf,
} from '../contract/index.js';
import { watchedInstances } from './instance-directory.js';
import type { TokenSources } from './instances-file.js';
import { readSecretFile } from './secret-file.js';
import type { Environment, ParseContext, Variable } from './variable.js';
import { VARIABLES } from './variables.js';
import { unknownVariables } from './unknown-variables.js';
import { watched, type ConfigLog } from './watched.js';

/** All settings, read once, deeply frozen. Paths are absolute, times in milliseconds. */
export type Config = ReturnType<typeof loadConfig>;
export type TemporalConfig = Config['temporal'];

const DEFAULT_TEMPORAL_ADDRESS = '127.0.0.1:7233';

/** A send must leave within this time after its claim: enough for a busy machine, shorter than the settle time. */
const POSTING_DEADLINE_MS = 5000;

/**
 * Reads the environment into one typed object. Empty variables count as unset.
 * @param cwd  where relative paths start
 * @throws AppError CONFIG_INVALID with every problem found
 */
export function loadConfig(given: Environment, { cwd }: ParseContext) {
  const problems: Problem[] = [];
  const env = withSecretFiles(given, { cwd }, problems);
  const values = readVariables(env, { cwd }, problems);
  const connection = readTemporalConnection(env, problems);
  const isExposed = values !== undefined && (!isLoopback(values.httpHost) || isPublic(values.publicUrl));
  if (isExposed) problems.push(...weakKeys(values.apiKeys));
  if (problems.length > 0 || values === undefined || connection === undefined) throw invalid(problems);
  const address = connection.connectionOptions.address ?? DEFAULT_TEMPORAL_ADDRESS;
  const { apiKey, instance, metricsPort, publicUrl, instancesFile, encryptionKeys, temporalCliPath } = values;
  const { databaseUrl, migrateDatabaseUrl, temporalUiUrl, deploymentName, buildId } = values;
  return deepFreeze({
    api: {
      url: values.apiUrl,
      /** Whether an operator set the address. Otherwise the address in the data directory precedes the default. */
      isNamed: isSet(env['EVERPOST_API_URL']),
      ...present({ apiKey }),
    },
    /** For commands without `--instance`. */
    ...present({ instance }),
    http: {
      host: values.httpHost,
      port: values.httpPort,
      /** Whether other machines can reach the API and the webhook receiver, directly or through a proxy. */
      isExposed,
      /** Whether an operator chose the port; the default port may change if it is taken. */
      isPortAsked: isSet(env['EVERPOST_HTTP_PORT']),
      /** The port of the metrics in a process without the API. */
      ...present({ metricsPort }),
      hasApiKeys: values.apiKeys.length > 0,
      /** Reads the keys, and reads them again when their file changes. @throws AppError CONFIG_INVALID */
      openApiKeys: apiKeysIn(given, values.apiKeys, { cwd, isExposed }),
      /** Host names that requests may use, besides loopback and the public URL's. Empty: every name. */
      allowedHosts: values.allowedHosts,
      maxImportBytes: values.maxImportBytes,
      keyLimits: values.keyLimits,
      /** Origins whose pages may decrypt payloads. */
      codecOrigins: values.codecOrigins,
    },
    /** The address at which the gateway reaches the webhook receiver, without a trailing slash. */
    ...present({ publicUrl }),
    /** Absent: the simulator's instance. */
    ...present({ instances: instancesFile === undefined ? undefined : instancesIn(instancesFile, { env, isExposed }) }),
    ...present({ databaseUrl, migrateDatabaseUrl }),
    dataDir: values.dataDir,
    temporal: {
      /** Whether a server is configured; otherwise `everpost dev` starts its own. */
      isNamed: ['TEMPORAL_ADDRESS', 'TEMPORAL_PROFILE', 'TEMPORAL_CONFIG_FILE'].some((name) => isSet(env[name])),
      address,
      namespace: connection.namespace ?? values.temporalNamespace,
      /** Absent: payloads are not encrypted. */
      ...present({ encryption: encryptionKeys }),
      /** Where readers of the console open Temporal's Web UI, without a trailing slash. */
      ...present({ webUiUrl: temporalUiUrl }),
      /** Of the workers; without a deployment's name they are not versioned. */
      ...present({ deploymentName, buildId }),
      /** A function, so that printing the config never shows an API key or a TLS key. */
      connectionOptions: () => ({ ...connection.connectionOptions, address }),
      /** Settings to find a binary for the local server. */
      binary: {
        ...present({ cliPath: temporalCliPath }),
        /** PATH of the environment. */
        searchPath: env['PATH'] ?? '',
        /** Determines where downloaded programs are kept. */
        cacheHome: { home: env['HOME'] ?? os.homedir(), xdgCacheHome: env['XDG_CACHE_HOME'] },
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
    /** The sources from which schedules read recipients. */
    sources: {
      directory: values.sourcesDir,
      /** The value of an environment variable whose name begins with EVERPOST_SOURCE_. */
      env: (name: string) => (name.startsWith('EVERPOST_SOURCE_') ? env[name] : undefined),
    },
    notifications: { keptForMs: values.notificationRetentionMs },
    /** Undefined: messages are kept forever. */
    messagesKeptForMs: values.messageRetentionMs,
    events: { keptForMs: values.eventRetentionMs },
    auditKeptForMs: values.auditRetentionMs,
    /** Absent: no traces. */
    ...present({ tracing: tracingOf(values) }),
    logLevel: values.logLevel,
    /** Absent: text on a terminal, else JSON. */
    ...present({ logFormat: values.logFormat }),
    unknownVariables: unknownVariables(given, instancesFile),
  });
}

function tracingOf({ otlpEndpoint, otlpTracesEndpoint, otlpProtocol, tracesSampler, sdkDisabled }: Values) {
  if (sdkDisabled || (otlpEndpoint ?? otlpTracesEndpoint) === undefined) return undefined;
  return { protocol: otlpProtocol, isSamplerChosen: tracesSampler !== undefined };
}

/** Opens the API keys. Keys in a file are read again when the file changes. */
function apiKeysIn(
  env: Environment,
  apiKeys: readonly NamedSecret[],
  { isExposed, ...context }: ParseContext & { readonly isExposed: boolean },
): (log: ConfigLog, monotonicMs?: () => number) => () => readonly NamedSecret[] {
  const { name, parse } = VARIABLES.apiKeys;
  const file = fileOf(env, name, context.cwd);
  if (file === undefined) return () => () => apiKeys;
  const read = () => {
    const problems: Problem[] = [];
    const text = withSecretFiles({ [`${name}_FILE`]: file }, context, problems)[name];
    if (text === undefined) throw invalid(problems);
    let value: readonly NamedSecret[];
    try {
      value = parse(text);
    } catch (error) {
      throw invalid([{ path: `${name}_FILE`, message: reasonOf(error) }]);
    }
    const weak = isExposed ? weakKeys(value) : [];
    if (weak.length > 0) throw invalid(weak);
    return { value, files: [file] };
  };
  return (log, monotonicMs) =>
    watched({ read, described: (keys) => `API keys reloaded: ${keys.length}.`, log, monotonicMs });
}

function weakKeys(keys: readonly NamedSecret[]): Problem[] {
  return keys.flatMap(({ name, secret }) => {
    const weakness = weaknessOf(secret);
    return weakness === undefined
      ? []
      : [{ path: VARIABLES.apiKeys.name, message: `contains the key ${name}, which ${weakness}` }];
  });
}

function invalid(problems: readonly Problem[]): AppError {
  return new AppError('CONFIG_INVALID', 'Configuration is not valid. Correct these problems and start again.', {
    problems,
  });
}

function instancesIn(filePath: string, sources: TokenSources) {
  return {
    filePath,
    /** Reads the file and watches it. @throws AppError CONFIG_INVALID */
    open: (log: ConfigLog): InstanceDirectory => watchedInstances({ filePath, ...sources, log }),
  };
}

type Values = {
  readonly [Key in keyof typeof VARIABLES]:
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

/** Reads Temporal's own variables, and its configuration file if it is named or at its default path. */
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

/**
 * Secrets of the environment may be in files: NAME_FILE names a file with the value of NAME. This works for every
 * variable that is marked as a secret, and for Temporal's API key.
 */
const SECRETS = Object.values<Variable<unknown>>(VARIABLES)
  .filter(({ isSecret }) => isSecret === true)
  .map(({ name }) => name);

/**
 * Returns the environment with the contents of the named files.
 * @param problems  gets one for each variable that is set twice, or whose file cannot be used; never a secret
 */
function withSecretFiles(env: Environment, { cwd }: ParseContext, problems: Problem[]): Environment {
  const contents: Record<string, string> = {};
  for (const name of [...SECRETS, 'TEMPORAL_API_KEY']) {
    const file = fileOf(env, name, cwd);
    if (file === undefined) continue;
    const found = isSet(env[name])
      ? { problem: `is set together with ${name}: unset one of them` }
      : readSecretFile(file);
    if ('problem' in found) problems.push({ path: `${name}_FILE`, message: found.problem });
    else contents[name] = found.text;
  }
  return { ...env, ...contents };
}

/** The file that contains a secret; undefined if the environment names none. */
function fileOf(env: Environment, name: string, cwd: string): string | undefined {
  const given = env[`${name}_FILE`];
  return isSet(given) ? path.resolve(cwd, given.trim()) : undefined;
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}
