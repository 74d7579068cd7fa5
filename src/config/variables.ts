import path from 'node:path';
import {
  DEFAULT_KEY_LIMITS,
  KEY_NAME,
  Secret,
  parseDurationMs,
  parseEncryptionKeys,
  parseKeyLimits,
  parseSizeBytes,
  parseUrl,
  type NamedSecret,
} from '../contract/index.js';
import { TRACING_VARIABLES } from './tracing-variables.js';
import { httpUrl, oneOf, withoutTrailingSlashes, type ParseContext, type Variable } from './variable.js';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ['json', 'text'] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Every variable everpost reads, in the order in which `.env.example` shows them. */
export const VARIABLES = {
  apiUrl: {
    name: 'EVERPOST_API_URL',
    parse: httpUrl,
    default: 'http://127.0.0.1:8080',
    meaning: 'Address of the HTTP API for commands. Unset: the everpost dev of the data directory, else the default.',
  },
  apiKey: {
    name: 'EVERPOST_API_KEY',
    isSecret: true,
    parse: (text) => new Secret(text),
    unset: 'no Authorization header is sent',
    meaning: 'The API key that commands send.',
  },
  instance: {
    name: 'EVERPOST_INSTANCE',
    parse: word,
    unset: 'the only configured instance',
    meaning:
      'The instance that commands use without `--instance`; lists still show all. Unset, with several instances: a command needs `--instance`.',
  },
  instancesFile: {
    name: 'EVERPOST_INSTANCES_FILE',
    parse: filePath,
    unset: "the simulator's instance `main`",
    meaning:
      'JSON file with the gateway instances, read again when it changes. When it is given, `everpost dev` starts no simulator.',
  },
  databaseUrl: {
    name: 'DATABASE_URL',
    isSecret: true,
    parse: postgresUrl,
    unset: 'an embedded ledger in the data directory, for one process only',
    meaning: 'PostgreSQL for the ledger. `everpost worker` and `everpost api` require it.',
  },
  migrateDatabaseUrl: {
    name: 'EVERPOST_MIGRATE_DATABASE_URL',
    isSecret: true,
    parse: postgresUrl,
    unset: 'DATABASE_URL',
    meaning: 'The same PostgreSQL for `everpost migrate`, with a role that may change tables.',
  },
  dataDir: {
    name: 'EVERPOST_DATA_DIR',
    parse: filePath,
    default: '.everpost',
    meaning:
      'Directory of the embedded ledger, local Temporal server and simulator, for one process at a time. Losing it loses the messages.',
  },
  temporalAddress: {
    name: 'TEMPORAL_ADDRESS',
    parse: word,
    unset: '`everpost dev` starts a local server; everything else uses 127.0.0.1:7233',
    meaning:
      "Your Temporal server, host:port. Temporal's other variables (TEMPORAL_API_KEY, TEMPORAL_TLS…, TEMPORAL_PROFILE) work as Temporal documents them.",
  },
  temporalNamespace: {
    name: 'TEMPORAL_NAMESPACE',
    parse: word,
    default: 'default',
    meaning: 'The namespace that holds the workflows. Another namespace shows none of the existing workflows.',
  },
  deploymentName: {
    name: 'TEMPORAL_DEPLOYMENT_NAME',
    parse: deploymentName,
    unset: 'workers take work whatever their version',
    meaning:
      "Name of the workers' Worker Deployment: Temporal then gives work only to the version that an operator made current. docs/operate.md has the commands.",
  },
  buildId: {
    name: 'TEMPORAL_WORKER_BUILD_ID',
    parse: word,
    unset: "everpost's version",
    meaning: "The build of a worker, which Temporal's Web UI shows for its tasks, e.g. the tag of an image.",
  },
  temporalCliPath: {
    name: 'TEMPORAL_CLI_PATH',
    parse: filePath,
    unset: 'searched on PATH, then in the cache, then downloaded',
    meaning: "Temporal's command line program for the local server, version 1.9 or newer.",
  },
  temporalUiUrl: {
    name: 'EVERPOST_TEMPORAL_UI_URL',
    parse: plainUrl,
    unset: 'the console shows workflow ids; `everpost dev` links to the Web UI of the server that it started',
    meaning:
      "Address of Temporal's Web UI in the browsers of the console's readers, e.g. https://temporal.example.com. The console links from a message, campaign, account, schedule or template to its run there.",
  },
  httpHost: {
    name: 'EVERPOST_HTTP_HOST',
    parse: word,
    default: '127.0.0.1',
    meaning:
      'Address that the API and the webhook receiver listen on. Beyond loopback, EVERPOST_API_KEYS is required, and a webhookToken for every instance whose notifications are pushed.',
  },
  httpPort: {
    name: 'EVERPOST_HTTP_PORT',
    parse: port,
    default: '8080',
    meaning:
      'Port of the API and the webhook receiver; 0 picks a free one. Unset: `everpost dev` uses a free one if the default is taken.',
  },
  metricsPort: {
    name: 'EVERPOST_METRICS_PORT',
    parse: port,
    unset: 'a worker serves no health and no metrics',
    meaning:
      'Port where `everpost worker` serves its own /livez, /readyz and /metrics, on the address EVERPOST_HTTP_HOST; 0 picks a free one. An API process serves them on its own port.',
  },
  publicUrl: {
    name: 'EVERPOST_PUBLIC_URL',
    parse: plainUrl,
    unset: 'the doctor compares only the end of webhookUrl, and cannot set it',
    meaning:
      'Address at which the gateway reaches the webhook receiver, e.g. https://hooks.example.com. webhookUrl is /webhooks/<instance> below it. Unless it is loopback, every request to the API needs a key.',
  },
  allowedHosts: {
    name: 'EVERPOST_ALLOWED_HOSTS',
    parse: hostNames,
    default: '',
    meaning:
      "Host names that requests to the API and the receiver may use, comma separated, besides loopback and EVERPOST_PUBLIC_URL's. The API refuses any other name with 403. Empty: every name, if API keys are required.",
  },
  apiKeys: {
    name: 'EVERPOST_API_KEYS',
    isSecret: true,
    parse: apiKeys,
    default: '',
    meaning:
      'API keys with every scope, comma separated, each as name:key or as key alone. `everpost key create` creates others. Without any key, the API requires none on loopback.',
  },
  maxImportBytes: {
    name: 'EVERPOST_MAX_IMPORT_SIZE',
    parse: parseSizeBytes,
    default: '1gb',
    meaning: 'Largest import of recipients or suppressions; the API refuses a larger one with 413.',
  },
  keyLimits: {
    name: 'EVERPOST_KEY_LIMITS',
    parse: parseKeyLimits,
    default: DEFAULT_KEY_LIMITS,
    meaning:
      'Limits of each API key: requests (`rate`), requests that wait (`waits`), imports, uploads of files and plans at the same time (`long`), and the size of its stored files (`files`). A limit that is not named keeps its default. Keys of EVERPOST_API_KEYS have no limits.',
  },
  gatewayTimeoutMs: {
    name: 'EVERPOST_GATEWAY_TIMEOUT',
    parse: positiveDuration,
    default: '15s',
    meaning: 'Timeout of a request to the gateway. A shorter timeout leaves more sends with an unknown outcome.',
  },
  settleTimeMs: {
    name: 'EVERPOST_SETTLE_TIME',
    parse: positiveDuration,
    default: '15s',
    meaning:
      'How long the gateway may still accept a request whose connection is gone. If this is too short, a send may be reconciled before the gateway accepts it.',
  },
  editConfirmTimeoutMs: {
    name: 'EVERPOST_EDIT_CONFIRM_TIMEOUT',
    parse: positiveDuration,
    default: '20s',
    meaning: 'How long to wait for the confirmation of an edit before the edit becomes unconfirmed.',
  },
  templatePollIntervalsMs: {
    name: 'EVERPOST_TEMPLATE_POLL_INTERVALS',
    parse: durations,
    default: '15s,1m,5m,1h',
    meaning: "Waits between two polls of a template's review, comma separated; the last one repeats.",
  },
  allowPrivateTargets: {
    name: 'EVERPOST_ALLOW_PRIVATE_TARGETS',
    parse: yesOrNo,
    default: 'no',
    meaning:
      '`yes` lets event endpoints, status callbacks, and the recipient URLs of schedules reach this machine and private networks. Every caller that may send can then reach them too. `everpost dev` on loopback always lets them.',
  },
  sourcesDir: {
    name: 'EVERPOST_SOURCES_DIR',
    parse: filePath,
    default: '.',
    meaning:
      "Directory on the worker's machine with a folder for each instance, named like it, from which the schedules of the instance read files with recipients and connection strings. A connection string may also be in a variable whose name begins with EVERPOST_SOURCE_.",
  },
  notificationRetentionMs: {
    name: 'EVERPOST_NOTIFICATION_RETENTION',
    parse: positiveDuration,
    default: '30d',
    meaning:
      'How long applied notifications and other records of finished work are kept. `everpost notification replay` can go back this far.',
  },
  messageRetentionMs: {
    name: 'EVERPOST_MESSAGE_RETENTION',
    parse: positiveDuration,
    unset: 'messages and the recipients of campaigns are kept',
    meaning:
      'How long ended messages, with their attempts and evidence, and the recipients of ended campaigns are kept. After that, a reused key sends a new message.',
  },
  eventRetentionMs: {
    name: 'EVERPOST_EVENT_RETENTION',
    parse: positiveDuration,
    default: '30d',
    meaning:
      'How long events and their deliveries are kept, delivered or not. `everpost event replay` can go back this far.',
  },
  auditRetentionMs: {
    name: 'EVERPOST_AUDIT_RETENTION',
    parse: positiveDuration,
    default: '365d',
    meaning: 'How long entries of the audit list are kept.',
  },
  encryptionKeys: {
    name: 'EVERPOST_ENCRYPTION_KEYS',
    isSecret: true,
    parse: parseEncryptionKeys,
    unset: 'payloads in Temporal and secrets in the ledger are not encrypted',
    meaning:
      "Keys for the payloads in Temporal's histories and the secrets in the ledger, `<id>:<32 bytes in base64>`, comma separated. The first one encrypts, all of them decrypt. Workers, API and clients need the same ones.",
  },
  codecOrigins: {
    name: 'EVERPOST_CODEC_ORIGINS',
    parse: origins,
    default: '',
    meaning:
      'Origins of Temporal Web UIs, comma separated, e.g. https://temporal.example.com. Their pages may decrypt payloads with /codec, for a caller who may use the API. `everpost dev` adds its own.',
  },
  logLevel: {
    name: 'EVERPOST_LOG_LEVEL',
    parse: oneOf(LOG_LEVELS),
    default: 'info',
    meaning:
      'trace, debug, info, warn, error or silent. `debug` also shows each request, each outcome of a message, and stack traces of unexpected errors.',
  },
  logFormat: {
    name: 'EVERPOST_LOG_FORMAT',
    parse: oneOf(LOG_FORMATS),
    unset: 'text if standard error is a terminal, else json',
    meaning: 'How services log: `json`, an object in each line, or `text`.',
  },
  ...TRACING_VARIABLES,
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

/** Text of `.env.example`: every variable with its meaning and default, commented out. */
export function envExample(): string {
  const blocks = Object.values<Variable<unknown>>(VARIABLES).map((variable) => {
    const unset = variable.unset === undefined ? [] : [`# Unset: ${variable.unset}.`];
    const file = variable.isSecret === true ? [`# Or in a file: ${variable.name}_FILE=`] : [];
    return [`# ${variable.meaning}`, ...unset, ...file, `# ${variable.name}=${variable.default ?? ''}`].join('\n');
  });
  return `# Every variable that everpost reads. Generated from src/config/variables.ts by: npm run generate\n\n${blocks.join('\n\n')}\n`;
}

function word(text: string): string {
  if (/\s/.test(text)) throw new Error('must not contain spaces');
  return text;
}

/** Temporal separates a deployment's name from a build id by these characters. */
function deploymentName(text: string): string {
  if (/[\s.:]/.test(text)) throw new Error('must not contain spaces, dots or colons');
  return text;
}

/** In a file, keys may also be on separate lines. A key without a name is named after its position. */
function apiKeys(text: string): readonly NamedSecret[] {
  const keys = list(text.replaceAll(/[\r\n]+/g, ',')).map((one, at) => {
    const colon = one.indexOf(':');
    const name = one.slice(0, colon);
    const isNamed = colon > 0 && KEY_NAME.test(name);
    const key = isNamed ? one.slice(colon + 1) : one;
    if (key.trim() === '') throw new Error(`has a name without a key at position ${at + 1}`);
    return { name: isNamed ? name : `env-${at + 1}`, secret: new Secret(key.trim()) };
  });
  if (new Set(keys.map(({ name }) => name)).size < keys.length) throw new Error('has the same name for two keys');
  return keys;
}

function filePath(text: string, { cwd }: ParseContext): string {
  return path.resolve(cwd, text);
}

/** Shown to operators, and configured at the gateway or linked from pages, so it must contain no secret. */
function plainUrl(text: string): string {
  const url = new URL(httpUrl(text));
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new Error('must be only an address, without user, query or fragment');
  }
  return withoutTrailingSlashes(url.href);
}

/** A Secret, because a connection string usually contains a password. */
function postgresUrl(text: string): Secret {
  if (!/^postgres(ql)?:\/\//.test(text) || parseUrl(text) === undefined) {
    throw new Error('must be a connection string like postgres://user:password@host:5432/database');
  }
  return new Secret(text);
}

function port(text: string): number {
  const number = Number(text);
  if (!/^\d+$/.test(text) || number > 65_535) throw new Error('must be a port number from 0 to 65535');
  return number;
}

function positiveDuration(text: string): number {
  const ms = parseDurationMs(text);
  if (ms <= 0) throw new Error('must be longer than 0');
  return ms;
}

function yesOrNo(text: string): boolean {
  if (text !== 'yes' && text !== 'no') throw new Error('must be yes or no');
  return text === 'yes';
}

function durations(text: string): readonly number[] {
  const all = list(text).map(positiveDuration);
  if (all.length === 0) throw new Error('must name at least one duration, e.g. 15s,1m,1h');
  return all;
}

function hostNames(text: string): readonly string[] {
  const names = list(text.toLowerCase());
  if (!names.every((name) => parseUrl(`http://${name}`)?.hostname === name)) {
    throw new Error('must be only host names, without scheme or port, e.g. api,everpost.example.com');
  }
  return names;
}

function origins(text: string): readonly string[] {
  const all = list(text);
  if (!all.every((one) => parseUrl(one)?.origin === one.toLowerCase())) {
    throw new Error('must be only origins, without a path, e.g. https://temporal.example.com');
  }
  return all.map((one) => one.toLowerCase());
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
