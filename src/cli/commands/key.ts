/** API keys, and what was done with them. */
import { InvalidArgumentError, type Command } from 'commander';
import { SCOPES, parseDurationMs, present, type ApiKey, type AuditEntry, type Scope } from '../../contract/index.js';
import { withApi, type CommandContext, type JsonOption } from '../command-context.js';
import { pageOptions, showPage, type Column } from '../table.js';

interface CreateOptions extends JsonOption {
  readonly name: string;
  readonly scope: readonly Scope[];
  readonly instance?: readonly string[];
  readonly rate?: number;
  readonly expires?: string;
}

export function addKeyCommands(program: Command, context: CommandContext): void {
  const key = program.command('key').description('Create, list, rotate and revoke API keys.');
  addCreate(key, context);
  addList(key, context);
  addShow(key, context);
  addRotate(key, context);
  addRevoke(key, context);
  addAuditCommands(program, context);
}

function addCreate(key: Command, context: CommandContext): void {
  key
    .command('create')
    .description('Create an API key and print it. It is shown this once: everpost keeps a hash of it.')
    .requiredOption('--name <name>', 'its name in evidence and in the audit list; never given to another key')
    .requiredOption('--scope <scopes>', `what it may do, comma separated: ${SCOPES.join(', ')}`, scopesOption)
    .option(
      '--instance <names>',
      'the only instances that exist for it, comma separated (default: every one)',
      listOption,
    )
    .option('--rate <rate>', 'the most requests, e.g. 20/s or 600/m (default: no limit)', rateOption)
    .option('--expires <duration>', 'for how long it is valid, e.g. 90d (default: until it is revoked)')
    .option('--json', 'print it as one line of JSON')
    .addHelpText(
      'after',
      `
The key alone goes to standard output, everything else to standard error.

Examples:
  everpost key create --name shop --scope send,read --instance main --rate 20/s
  everpost key create --name grafana --scope read --expires 90d`,
    )
    .action(async ({ name, scope, instance, rate, expires, json }: CreateOptions) => {
      const body = {
        name,
        scopes: scope,
        ...present({ instances: instance, ratePerSecond: rate, expiresIn: expires }),
      };
      showIssued(context, await withApi(context, (api) => api.createKey({ body })), json);
    });
}

function addList(key: Command, context: CommandContext): void {
  key
    .command('list')
    .description('List API keys, revoked ones too, without the keys themselves.')
    .option('--json', 'print { items } as one line of JSON')
    .action(async ({ json }: JsonOption) => {
      const page = await withApi(context, (api) => api.listKeys());
      showPage(context, json, { columns: KEY_COLUMNS, page, what: 'keys' });
    });
}

function addShow(key: Command, context: CommandContext): void {
  key
    .command('show')
    .description('Show what an API key may do, and when it was used last.')
    .argument('<name>', 'the key')
    .option('--json', 'print it as one line of JSON')
    .action(async (name: string, { json }: JsonOption) => {
      const found = await withApi(context, (api) => api.getKey({ name }));
      if (json) return context.terminal.out(JSON.stringify(found));
      for (const [field, value] of Object.entries(found)) context.terminal.out(`${field.padEnd(14)} ${String(value)}`);
    });
}

function addRotate(key: Command, context: CommandContext): void {
  key
    .command('rotate')
    .description('Give an API key another secret and print it; the one before stays valid for a while.')
    .argument('<name>', 'the key')
    .option('--overlap <duration>', 'how long the one before stays valid, e.g. 1h; 0s ends it at once', '24h')
    .option('--json', 'print it as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost key rotate shop --overlap 1h`,
    )
    .action(async (name: string, { overlap, json }: JsonOption & { readonly overlap: string }) => {
      showIssued(context, await withApi(context, (api) => api.rotateKey({ name, body: { overlap } })), json);
    });
}

function addRevoke(key: Command, context: CommandContext): void {
  key
    .command('revoke')
    .description('Revoke an API key for good: within 2 seconds every request with it is refused.')
    .argument('<name>', 'the key')
    .option('--json', 'print it as one line of JSON')
    .action(async (name: string, { json }: JsonOption) => {
      const revoked = await withApi(context, (api) => api.revokeKey({ name }));
      context.terminal.out(json ? JSON.stringify(revoked) : `${name} is revoked since ${revoked.revokedAt}.`);
    });
}

function addAuditCommands(program: Command, context: CommandContext): void {
  pageOptions(
    program
      .command('audit')
      .description('Who changed what through the API.')
      .command('list')
      .description('List requests that changed something, or were refused it, newest first.')
      .option('--key <name>', 'only those of this API key')
      .option('--instance <name>', 'only those about this instance')
      .option('--since <time>', 'from then on: ISO 8601, or a duration before now, e.g. 24h', sinceOption),
  )
    .addHelpText(
      'after',
      `
A send is not listed: each message names who asked for it, see everpost message show.

Example:
  everpost audit list --key shop --since 24h`,
    )
    .action(async ({ json, ...query }: JsonOption & Readonly<Record<string, string>>) => {
      const page = await withApi(context, (api) => api.listAudit({ query }));
      showPage(context, json, { columns: AUDIT_COLUMNS, page, what: 'entries' });
    });
}

const KEY_COLUMNS: readonly Column<ApiKey>[] = [
  { header: 'NAME', value: ({ name }) => name },
  { header: 'STATE', value: stateOf },
  { header: 'SCOPES', value: ({ scopes }) => scopes.join(',') },
  { header: 'RATE', value: ({ ratePerSecond }) => ratePerSecond && `${ratePerSecond}/s` },
  { header: 'LAST USED', value: ({ lastUsedAt }) => lastUsedAt },
  { header: 'INSTANCES', value: ({ instances }) => instances?.join(',') ?? '*' },
];

const AUDIT_COLUMNS: readonly Column<AuditEntry>[] = [
  { header: 'AT', value: ({ at }) => at },
  { header: 'WHO', value: ({ witness }) => witness },
  { header: 'REQUEST', value: ({ route }) => route },
  { header: 'INSTANCE', value: ({ instance }) => instance },
  { header: 'OBJECT', value: ({ objectId }) => objectId },
  { header: 'OUTCOME', value: ({ status, code }) => (code === undefined ? status : `${status} ${code}`) },
];

function stateOf({ revokedAt, expiresAt }: ApiKey): string {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now() ? 'expired' : 'valid';
}

function showIssued({ terminal }: CommandContext, issued: ApiKey & { readonly key: string }, json?: true): void {
  if (json) return terminal.out(JSON.stringify(issued));
  const { name, previousUntil, key } = issued;
  const before = previousUntil === undefined ? '' : ` The one before is valid until ${previousUntil}.`;
  terminal.err(`The key ${name}, shown this once. Keep it where its user reads it: EVERPOST_API_KEY_FILE.${before}`);
  terminal.out(key);
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

function sinceOption(text: string): string {
  if (!Number.isNaN(Date.parse(text))) return new Date(text).toISOString();
  try {
    return new Date(Date.now() - parseDurationMs(text)).toISOString();
  } catch {
    throw new InvalidArgumentError('must be a time like 2026-03-01T10:00:00Z, or a duration like 24h.');
  }
}
