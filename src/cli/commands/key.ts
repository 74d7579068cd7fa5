/** API keys, and what was done with them. */
import { InvalidArgumentError } from 'commander';
import { SCOPES, parseDurationMs, present, type ApiKey, type Scope } from '../../contract/index.js';
import type { CommandGroup } from '../command-group.js';
import { byDefault, parsed, required, sinceOption } from '../options.js';
import type { Terminal } from '../terminal.js';

const KEY = { '<name>': 'the key' } as const;

export function addKeyCommands(program: CommandGroup): void {
  const keys = program.group('key', 'Create, list, rotate and revoke API keys.');
  keys.call('create', {
    description: 'Create an API key and print it. It is shown this once: everpost keeps a hash of it.',
    options: {
      '--name <name>': required('its name in evidence and in the audit list; never given to another key'),
      '--scope <scopes>': required(parsed(scopesOption, `what it may do, comma separated: ${SCOPES.join(', ')}`)),
      '--instance <names>': parsed(
        listOption,
        'the only instances that exist for it, comma separated (default: every one)',
      ),
      '--rate <rate>': parsed(rateOption, 'the most requests, e.g. 20/s or 600/m (default: no limit)'),
      '--expires <duration>': 'for how long it is valid, e.g. 90d (default: until it is revoked)',
    },
    json: 'print it as one line of JSON',
    help: `The key alone goes to standard output, everything else to standard error.

Examples:
  everpost key create --name shop --scope send,read --instance main --rate 20/s
  everpost key create --name grafana --scope read --expires 90d`,
    call(api, { name, scope, instance, rate, expires }) {
      const limits = present({ instances: instance, ratePerSecond: rate, expiresIn: expires });
      return api.createKey({ body: { name, scopes: scope, ...limits } });
    },
    lines: (issued, _, { terminal }) => issuedKey(issued, terminal),
  });
  keys.list('list', {
    description: 'List API keys, revoked ones too, without the keys themselves.',
    isWhole: true,
    call: (api) => api.listKeys(),
    what: 'keys',
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      { header: 'STATE', value: stateOf },
      { header: 'SCOPES', value: ({ scopes }) => scopes.join(',') },
      { header: 'RATE', value: ({ ratePerSecond }) => ratePerSecond && `${ratePerSecond}/s` },
      { header: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt },
      { header: 'INSTANCES', value: ({ instances }) => instances?.join(',') ?? '*' },
    ],
  });
  keys.call('show', {
    description: 'Show what an API key may do, and when it was used last.',
    arguments: KEY,
    json: 'print it as one line of JSON',
    call: (api, { name }) => api.getKey({ name }),
    lines: (found) => Object.entries(found).map(([field, value]) => `${field.padEnd(14)} ${String(value)}`),
  });
  keys.call('rotate', {
    description: 'Give an API key another secret and print it; the one before stays valid for a while.',
    arguments: KEY,
    options: {
      '--overlap <duration>': byDefault('24h', 'how long the one before stays valid, e.g. 1h; 0s ends it at once'),
    },
    json: 'print it as one line of JSON',
    help: `Example:
  everpost key rotate shop --overlap 1h`,
    call: (api, { name, overlap }) => api.rotateKey({ name, body: { overlap } }),
    lines: (issued, _, { terminal }) => issuedKey(issued, terminal),
  });
  keys.call('revoke', {
    description: 'Revoke an API key for good: within 2 seconds every request with it is refused.',
    arguments: KEY,
    json: 'print it as one line of JSON',
    call: (api, { name }) => api.revokeKey({ name }),
    lines: ({ name, revokedAt }) => `${name} is revoked since ${revokedAt}.`,
  });
  program.group('audit', 'Who changed what through the API.').list('list', {
    description: 'List requests that changed something, or were refused it, newest first.',
    options: {
      '--key <name>': 'only those of this API key',
      '--instance <name>': 'only those about this instance',
      '--since <time>': parsed(sinceOption, 'from then on: ISO 8601, or a duration before now, e.g. 24h'),
    },
    help: `A send is not listed: each message names who asked for it, see everpost message show.

Example:
  everpost audit list --key shop --since 24h`,
    call: (api, query) => api.listAudit({ query }),
    what: 'entries',
    columns: [
      { header: 'AT', value: ({ at }) => at },
      { header: 'WHO', value: ({ witness }) => witness },
      { header: 'REQUEST', value: ({ route }) => route },
      { header: 'INSTANCE', value: ({ instance }) => instance },
      { header: 'OBJECT', value: ({ objectId }) => objectId },
      { header: 'OUTCOME', value: ({ status, code }) => (code === undefined ? status : `${status} ${code}`) },
    ],
  });
}

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}

/** The key alone for standard output; what it is goes to standard error. */
function issuedKey({ name, previousUntil, key }: ApiKey & { readonly key: string }, { err }: Terminal): string {
  const before = previousUntil === undefined ? '' : ` The one before is valid until ${previousUntil}.`;
  err(`The key ${name}, shown this once. Keep it where its user reads it: EVERPOST_API_KEY_FILE.${before}`);
  return key;
}

function listOption(text: string): readonly string[] {
  return text.split(',').map((one) => one.trim());
}

function scopesOption(text: string): readonly Scope[] {
  return listOption(text).map((word) => {
    const scope = SCOPES.find((known) => known === word);
    if (scope === undefined) throw new InvalidArgumentError(`${word} is none of ${SCOPES.join(', ')}.`);
    return scope;
  });
}

/** `20/s`, `600/m` or `1000/h`. @returns requests a second */
function rateOption(text: string): number {
  const [, count, unit = ''] = /^(\d+(?:\.\d+)?)\/([smh])$/.exec(text.trim()) ?? [];
  if (count === undefined || Number(count) === 0) {
    throw new InvalidArgumentError('must be a number above 0 and its time, e.g. 20/s, 600/m or 1000/h.');
  }
  return Number(count) / (parseDurationMs(`1${unit}`) / 1_000);
}
