/** Commands for API keys and the audit list. */
import { InvalidArgumentError } from 'commander';
import { SCOPES, parseRatePerSecond, present, type ApiKey, type Scope } from '../../contract/index.js';
import type { CommandGroup } from '../command-group.js';
import { byDefault, parsed, required, sinceOption } from '../options.js';
import type { Terminal } from '../terminal.js';

const KEY = { '<name>': 'the key' } as const;

export function addKeyCommands(program: CommandGroup): void {
  const keys = program.group('key', 'Create, list, rotate and revoke API keys.');
  keys.call('create', {
    description: 'Create an API key and print it once. everpost stores only its hash.',
    options: {
      '--name <name>': required('name of the key in evidence and in the audit list; never reused'),
      '--scope <scopes>': required(
        parsed<readonly Scope[]>(
          (text) =>
            listOption(text).map((word) => {
              const scope = SCOPES.find((known) => known === word);
              if (scope === undefined) throw new InvalidArgumentError(`${word} is not one of ${SCOPES.join(', ')}.`);
              return scope;
            }),
          `its scopes, comma separated: ${SCOPES.join(', ')}`,
        ),
      ),
      '--instance <names>': parsed(listOption, 'the instances that it may use, comma separated (default: all)'),
      '--rate <rate>': parsed((text) => {
        try {
          return parseRatePerSecond(text);
        } catch (error) {
          throw new InvalidArgumentError(`${(error as Error).message}.`);
        }
      }, 'maximum request rate, e.g. 20/s or 600/m (default: that of EVERPOST_KEY_LIMITS)'),
      '--expires <duration>': 'how long it is valid, e.g. 90d (default: until it is revoked)',
    },
    json: 'print the key as one line of JSON',
    help: `Only the key goes to standard output; everything else goes to standard error.

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
    description: 'List API keys, including revoked ones, without their secrets.',
    isWhole: true,
    call: (api) => api.listKeys(),
    what: 'keys',
    columns: [
      { header: 'NAME', value: ({ name }) => name },
      {
        header: 'STATE',
        value({ revokedAt, expiresAt }) {
          if (revokedAt !== undefined) return 'revoked';
          return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
        },
      },
      { header: 'SCOPES', value: ({ scopes }) => scopes.join(',') },
      { header: 'RATE', value: ({ ratePerSecond }) => ratePerSecond && `${ratePerSecond}/s` },
      { header: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt },
      { header: 'INSTANCES', value: ({ instances }) => instances?.join(',') ?? '*' },
    ],
  });
  keys.call('show', {
    description: 'Show the scopes, limits and last use of an API key.',
    arguments: KEY,
    json: 'print the key as one line of JSON',
    call: (api, { name }) => api.getKey({ name }),
    lines: (found) => Object.entries(found).map(([field, value]) => `${field.padEnd(14)} ${String(value)}`),
  });
  keys.call('rotate', {
    description: 'Give an API key a new secret and print it. The former secret stays valid for a while.',
    arguments: KEY,
    options: {
      '--overlap <duration>': byDefault(
        '24h',
        'how long the former secret stays valid, e.g. 1h; 0s revokes it immediately',
      ),
    },
    json: 'print the key as one line of JSON',
    help: `Example:
  everpost key rotate shop --overlap 1h`,
    call: (api, { name, overlap }) => api.rotateKey({ name, body: { overlap } }),
    lines: (issued, _, { terminal }) => issuedKey(issued, terminal),
  });
  keys.call('revoke', {
    description: 'Revoke an API key permanently: within 2 seconds every request with it is refused.',
    arguments: KEY,
    json: 'print the key as one line of JSON',
    call: (api, { name }) => api.revokeKey({ name }),
    lines: ({ name, revokedAt }) => `${name} was revoked at ${revokedAt}.`,
  });
  program.group('audit', 'Show who changed what through the API.').list('list', {
    description: 'List requests that changed something or were refused, newest first.',
    options: {
      '--key <name>': 'only requests with this API key',
      '--instance <name>': 'only requests about this instance',
      '--since <time>': sinceOption('only requests since this time'),
    },
    help: `Sends are not listed: everpost message show prints the requester of a message.

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
      { header: 'ADDRESS', value: ({ address }) => address },
      { header: 'OUTCOME', value: ({ status, code }) => (code === undefined ? status : `${status} ${code}`) },
    ],
  });
}

/** Returns the key for standard output, and prints its description on standard error. */
function issuedKey({ name, previousUntil, key }: ApiKey & { readonly key: string }, { err }: Terminal): string {
  const before = previousUntil === undefined ? '' : ` The former secret is valid until ${previousUntil}.`;
  err(`API key ${name} is printed only once. Store it in the file that EVERPOST_API_KEY_FILE names.${before}`);
  return key;
}

function listOption(text: string): readonly string[] {
  return text.split(',').map((one) => one.trim());
}
