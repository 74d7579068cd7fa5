import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import type { ApiClient } from '../../../client/index.js';
import { present } from '../../../contract/index.js';
import { collected, timeoutOption, withApi, type CommandContext, type JsonOption } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import { INSTANCE_OPTION, withInstance } from '../../instance-option.js';
import { showPage } from '../../table.js';
import { ENDPOINT_COLUMNS, endpointStory, type EndpointResponse } from './event-text.js';

const POLL_EVERY_MS = 250;
const TYPES_HELP = 'Types are listed in docs/events.md; * stands for all.';

export function addEventEndpointCommands(event: Command, context: CommandContext): void {
  const endpoint = event.command('endpoint').description('Endpoints: where the events of an account are delivered.');
  addCreate(endpoint, context);
  addList(endpoint, context);
  addShow(endpoint, context);
  addUpdate(endpoint, context);
  addDelete(endpoint, context);
  addRotateSecret(endpoint, context);
  addTest(endpoint, context);
}

interface CreateOptions extends JsonOption {
  readonly instance?: string;
  readonly url?: string;
  readonly event?: readonly string[];
  readonly raw?: true;
  readonly description?: string;
  readonly authorizationFile?: string;
  readonly key?: string;
}

function addCreate(endpoint: Command, context: CommandContext): void {
  endpoint
    .command('create')
    .description('Create an endpoint. Its secret, which signs what is posted, is printed this once.')
    .option(...INSTANCE_OPTION)
    .option('--url <url>', 'where events are posted (default: nowhere; they are stored for `event tail`)')
    .option('--event <type>', 'a type of events; give it once for each (default: all)', collected)
    .option('--raw', 'pass on every notification of the gateway unchanged, and nothing else')
    .option('--description <words>', 'your own words, shown back')
    .option('--authorization-file <file>', 'file with an Authorization header that the target expects')
    .option('--key <key>', 'idempotency key: the same key creates one')
    .option('--json', 'print the endpoint with its secret as one line of JSON')
    .addHelpText(
      'after',
      `
${TYPES_HELP}

Examples:
  everpost event endpoint create --instance main --url https://example.com/hook
  everpost event endpoint create --instance main --url https://bot.example.com/webhook --raw`,
    )
    .action(async ({ instance, event, json, key, authorizationFile, ...given }: CreateOptions) => {
      const { terminal } = context;
      const authorization = await headerIn(authorizationFile);
      const created = await withInstance(context, instance, (api, named) =>
        api.createEventEndpoint({
          body: { instance: named, ...given, ...present({ events: event, authorization }) },
          key,
        }),
      );
      if (json) return terminal.out(JSON.stringify(created));
      for (const line of endpointStory(created)) terminal.out(line);
      showSecret(context, 'secret' in created ? created.secret : undefined);
    });
}

function showSecret({ terminal }: CommandContext, secret: string | undefined): void {
  if (secret !== undefined) terminal.out(`  secret: ${secret}`);
  terminal.err(
    secret === undefined
      ? 'The same key had created it before. Its secret is not shown again: everpost event endpoint rotate-secret'
      : 'Keep the secret now: it is not shown again.',
  );
}

async function headerIn(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : (await readFile(file, 'utf8')).trim();
}

function addList(endpoint: Command, context: CommandContext): void {
  endpoint
    .command('list')
    .description('List endpoints, with what waits for them.')
    .option('--instance <name>', 'only endpoints of this account')
    .option('--json', 'print { items } as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost event endpoint list --instance main`,
    )
    .action(async ({ instance, json }: JsonOption & { readonly instance?: string }) => {
      const page = await withApi(context, (api) => api.listEventEndpoints({ query: { instance } }));
      showPage(context, json, { columns: ENDPOINT_COLUMNS, page, what: 'event endpoints' });
    });
}

function addShow(endpoint: Command, context: CommandContext): void {
  endpoint
    .command('show')
    .description('Show an endpoint: what it gets, what waits for it, and why.')
    .argument('<id>', 'the endpoint; callbacks-NAME stands for the status callbacks of an account')
    .option('--json', 'print the endpoint as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost event endpoint show evp_0123456789abcdef`,
    )
    .action(async (id: string, { json }: JsonOption) => {
      show(context, await withApi(context, (api) => api.getEventEndpoint({ id })), json);
    });
}

interface UpdateOptions extends JsonOption {
  readonly url?: string;
  readonly event?: readonly string[];
  readonly description?: string;
  readonly authorizationFile?: string;
  readonly enable?: true;
  readonly disable?: true;
}

function addUpdate(endpoint: Command, context: CommandContext): void {
  const command = endpoint
    .command('update')
    .description('Change an endpoint, disable it, or enable it again. What waits is delivered at once.')
    .argument('<id>', 'the endpoint')
    .option('--url <url>', 'where events are posted from now on')
    .option('--event <type>', 'a type of events; give it once for each. Replaces those before', collected)
    .option('--description <words>', 'your own words, shown back')
    .option('--authorization-file <file>', 'file with an Authorization header that the target expects')
    .option('--enable', 'deliver again, what has waited first')
    .option('--disable', 'deliver nothing; events wait')
    .option('--json', 'print the endpoint as one line of JSON')
    .addHelpText(
      'after',
      `
${TYPES_HELP}

Examples:
  everpost event endpoint update evp_0123456789abcdef --enable
  everpost event endpoint update evp_0123456789abcdef --url https://example.com/new`,
    )
    .action(async (id: string, { event, enable, disable, json, authorizationFile, ...given }: UpdateOptions) => {
      if (enable && disable) command.error('Choose one of --enable and --disable.');
      const enabled = enable ?? (disable ? false : undefined);
      const authorization = await headerIn(authorizationFile);
      const body = { ...given, ...present({ events: event, authorization, enabled }) };
      show(context, await withApi(context, (api) => api.changeEventEndpoint({ id, body })), json);
    });
}

function addDelete(endpoint: Command, context: CommandContext): void {
  endpoint
    .command('delete')
    .description('Delete an endpoint, with what waits for it. Its events stay until their retention is over.')
    .argument('<id>', 'the endpoint')
    .option('--json', 'print { deleted } as one line of JSON')
    .addHelpText(
      'after',
      `
Example:
  everpost event endpoint delete evp_0123456789abcdef`,
    )
    .action(async (id: string, { json }: JsonOption) => {
      const deleted = await withApi(context, (api) => api.deleteEventEndpoint({ id }));
      context.terminal.out(json ? JSON.stringify(deleted) : `${id} is deleted`);
    });
}

function addRotateSecret(endpoint: Command, context: CommandContext): void {
  endpoint
    .command('rotate-secret')
    .description('Make a new secret and print it this once. The former one signs as well for a while.')
    .argument('<id>', 'the endpoint; callbacks-NAME stands for the status callbacks of an account')
    .option('--keep-former-for <duration>', 'how long the former secret signs too (default: 24h)')
    .option('--json', 'print the endpoint with its secret as one line of JSON')
    .addHelpText(
      'after',
      `
Examples:
  everpost event endpoint rotate-secret evp_0123456789abcdef
  everpost event endpoint rotate-secret callbacks-main --keep-former-for 1h`,
    )
    .action(async (id: string, { keepFormerFor, json }: JsonOption & { readonly keepFormerFor?: string }) => {
      const body = present({ keepFormerFor });
      const rotated = await withApi(context, (api) => api.rotateEventSecret({ id, body }));
      if (json) return context.terminal.out(JSON.stringify(rotated));
      show(context, rotated);
      showSecret(context, rotated.secret);
    });
}

function addTest(endpoint: Command, context: CommandContext): void {
  endpoint
    .command('test')
    .description('Post an event of type endpoint.test to an endpoint, and show what it answers.')
    .argument('<id>', 'the endpoint')
    .addOption(timeoutOption('how long to wait until it is delivered'))
    .option('--json', 'print the event with its delivery as one line of JSON')
    .addHelpText(
      'after',
      `
Exit code: 0 delivered, 1 not delivered; it is tried again.

Example:
  everpost event endpoint test evp_0123456789abcdef`,
    )
    .action(async (id: string, { timeout, json }: JsonOption & { readonly timeout: number }) => {
      const { terminal } = context;
      const event = await withApi(context, (api) => testedEvent(api, id, timeout));
      const [delivery] = event.deliveries;
      if (delivery?.deliveredAt === undefined) context.exitCode = ExitCode.failed;
      if (json) return terminal.out(JSON.stringify(event));
      const why = delivery?.problem ?? 'not tried yet: is a worker running, and the endpoint enabled?';
      terminal.out(delivery?.deliveredAt ? `${event.id} was delivered` : `${event.id} was not delivered: ${why}`);
    });
}

/** As it is once it was tried, or when the time is over. */
async function testedEvent(api: ApiClient, id: string, timeoutMs: number) {
  const untilMs = performance.now() + timeoutMs;
  const { event } = await api.testEventEndpoint({ id });
  for (;;) {
    const found = await api.getEvent({ id: event });
    const wasTried = found.deliveries.some(({ deliveredAt, problem }) => deliveredAt ?? problem);
    if (wasTried || performance.now() >= untilMs) return found;
    await delay(POLL_EVERY_MS);
  }
}

function show({ terminal }: CommandContext, endpoint: EndpointResponse, json?: true): void {
  if (json) return terminal.out(JSON.stringify(endpoint));
  for (const line of endpointStory(endpoint)) terminal.out(line);
}
