import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../../../client/index.js';
import { present } from '../../../contract/index.js';
import type { CommandGroup } from '../../command-group.js';
import { ExitCode } from '../../command-context.js';
import { INSTANCE, repeated, timeoutOption } from '../../options.js';
import { factLines } from '../../table.js';
import type { Terminal } from '../../terminal.js';

const POLL_EVERY_MS = 250;
const TYPES_HELP = 'docs/events.md lists the types; * matches all of them.';
const ENDPOINT = { '<id>': 'the endpoint' } as const;
const ENDPOINT_OR_CALLBACKS = {
  '<id>': 'the endpoint; callbacks-NAME for the status callbacks of an account',
} as const;
const JSON_HELP = 'print the endpoint as one line of JSON';
const JSON_WITH_SECRET = 'print the endpoint with its secret as one line of JSON';
const DESCRIPTION = { '--description <words>': 'free text, shown in responses' } as const;
const AUTHORIZATION = {
  '--authorization-file <file>': 'file with an Authorization header that the target expects',
} as const;

type EndpointResponse = ApiResponse<'getEventEndpoint'>;

export function addEventEndpointCommands(event: CommandGroup): void {
  const endpoint = event.group('endpoint', 'Manage the endpoints to which the events of an account are delivered.');
  endpoint.call('create', {
    description: 'Create an endpoint. Its secret, which signs the events, is printed only once.',
    options: {
      ...INSTANCE,
      '--url <url>': 'URL to post events to (default: none; events are stored for `event tail`)',
      '--event <type>': repeated('event type; may be repeated (default: all)'),
      '--raw': 'post every notification of the gateway unchanged, and nothing else',
      ...DESCRIPTION,
      ...AUTHORIZATION,
      '--key <key>': 'idempotency key: the same key creates one endpoint',
    },
    json: JSON_WITH_SECRET,
    help: `${TYPES_HELP}

Examples:
  everpost event endpoint create --instance main --url https://example.com/hook
  everpost event endpoint create --instance main --url https://bot.example.com/webhook --raw`,
    async call(api, { url, event: events, raw, description, authorizationFile, key }, { instance }) {
      const authorization = await headerIn(authorizationFile);
      const named = await instance();
      const given = present({ url, raw, description, events, authorization });
      return api.createEventEndpoint({ body: { instance: named, ...given }, key });
    },
    lines: (created, _, { terminal }) => [
      ...endpointStory(created),
      ...secretLines('secret' in created ? created.secret : undefined, terminal),
    ],
  });
  endpoint.list('list', {
    description: 'List endpoints with their waiting deliveries.',
    isWhole: true,
    options: { '--instance <name>': 'only endpoints of this account' },
    help: `Example:
  everpost event endpoint list --instance main`,
    call: (api, query) => api.listEventEndpoints({ query }),
    what: 'event endpoints',
    columns: [
      { header: 'ID', value: ({ id }) => id },
      { header: 'INSTANCE', value: ({ instance }) => instance },
      {
        header: 'STATE',
        value: ({ enabled, disabledReason }) => (enabled ? 'enabled' : `disabled (${disabledReason})`),
      },
      { header: 'WAITING', value: ({ waiting }) => waiting, align: 'right' },
      { header: 'FAILED', value: ({ failed }) => failed, align: 'right' },
      { header: 'EVENTS', value: eventsOf },
      { header: 'URL', value: ({ url }) => url },
    ],
  });
  endpoint.call('show', {
    description: 'Show an endpoint: its events, its waiting deliveries, and why they wait.',
    arguments: ENDPOINT_OR_CALLBACKS,
    json: JSON_HELP,
    help: `Example:
  everpost event endpoint show evp_0123456789abcdef`,
    call: (api, { id }) => api.getEventEndpoint({ id }),
    lines: endpointStory,
  });
  endpoint.call('update', {
    description: 'Change, disable or enable an endpoint. Waiting events are delivered immediately.',
    arguments: ENDPOINT,
    options: {
      '--url <url>': 'new URL to post events to',
      '--event <type>': repeated('event type; may be repeated; replaces the current types'),
      ...DESCRIPTION,
      ...AUTHORIZATION,
      '--remove-authorization': 'post without an Authorization header',
      '--enable': 'deliver events again, waiting ones first',
      '--disable': 'deliver nothing; events wait',
    },
    json: JSON_HELP,
    help: `${TYPES_HELP}
The stored Authorization header is not sent to another origin (scheme, host and port): with a URL of
another origin, give the header again, or remove it.

Examples:
  everpost event endpoint update evp_0123456789abcdef --enable
  everpost event endpoint update evp_0123456789abcdef --url https://example.com/new
  everpost event endpoint update evp_0123456789abcdef --url https://new.example.com/hook --authorization-file header`,
    check({ enable, disable, authorizationFile, removeAuthorization }, command) {
      if (enable && disable) command.error('Choose one of --enable and --disable.');
      if (authorizationFile !== undefined && removeAuthorization) {
        command.error('Choose one of --authorization-file and --remove-authorization.');
      }
    },
    async call(api, { id, url, event: events, description, authorizationFile, removeAuthorization, enable, disable }) {
      const enabled = enable ?? (disable ? false : undefined);
      const header = await headerIn(authorizationFile);
      const authorization = removeAuthorization ? { authorization: null } : present({ authorization: header });
      return api.changeEventEndpoint({
        id,
        body: { ...present({ url, description, events, enabled }), ...authorization },
      });
    },
    lines: endpointStory,
  });
  endpoint.call('delete', {
    description: 'Delete an endpoint and its waiting deliveries. Its events stay until their retention ends.',
    arguments: ENDPOINT,
    json: 'print { deleted } as one line of JSON',
    help: `Example:
  everpost event endpoint delete evp_0123456789abcdef`,
    call: (api, { id }) => api.deleteEventEndpoint({ id }),
    lines: (_, { id }) => `${id} is deleted`,
  });
  endpoint.call('rotate-secret', {
    description: 'Create a new secret and print it once. The former secret also signs for a while.',
    arguments: ENDPOINT_OR_CALLBACKS,
    options: { '--keep-former-for <duration>': 'how long the former secret also signs (default: 24h)' },
    json: JSON_WITH_SECRET,
    help: `Examples:
  everpost event endpoint rotate-secret evp_0123456789abcdef
  everpost event endpoint rotate-secret callbacks-main --keep-former-for 1h`,
    call: (api, { id, keepFormerFor }) => api.rotateEventSecret({ id, body: present({ keepFormerFor }) }),
    lines: (rotated, _, { terminal }) => [...endpointStory(rotated), ...secretLines(rotated.secret, terminal)],
  });
  endpoint.call('test', {
    description: 'Post an event of type endpoint.test to an endpoint, and show the outcome.',
    arguments: ENDPOINT,
    options: timeoutOption('how long to wait for the delivery'),
    json: 'print the event with its delivery as one line of JSON',
    help: `Exit code: 0 delivered, 1 not delivered yet; the delivery is retried.

Example:
  everpost event endpoint test evp_0123456789abcdef`,
    async call(api, { id, timeout: timeoutMs }) {
      const untilMs = performance.now() + timeoutMs;
      const { event: eventId } = await api.testEventEndpoint({ id });
      for (;;) {
        const found = await api.getEvent({ id: eventId });
        const wasAttempted = found.deliveries.some(({ deliveredAt, problem }) => deliveredAt ?? problem);
        if (wasAttempted || performance.now() >= untilMs) return found;
        await delay(POLL_EVERY_MS);
      }
    },
    exitCode: ({ deliveries }) => (deliveries[0]?.deliveredAt === undefined ? ExitCode.failed : ExitCode.done),
    lines({ id, deliveries: [delivery] }) {
      if (delivery?.deliveredAt) return `${id} was delivered`;
      const why =
        delivery?.problem ?? 'no attempt yet. Check that a worker runs and the endpoint is enabled: everpost doctor';
      return `${id} was not delivered: ${why}`;
    },
  });
}

/** Returns the secret for standard output, and prints the instruction on standard error. */
function secretLines(secret: string | undefined, { err }: Terminal): string[] {
  err(
    secret === undefined
      ? 'The same key created this endpoint before, so its secret is not shown again. Create a new one: everpost event endpoint rotate-secret'
      : 'Store the secret now: it is not shown again.',
  );
  return secret === undefined ? [] : [`  secret: ${secret}`];
}

async function headerIn(file: string | undefined): Promise<string | undefined> {
  return file === undefined ? undefined : (await readFile(file, 'utf8')).trim();
}

/** All lines of an endpoint. */
function endpointStory(endpoint: EndpointResponse): string[] {
  const { id, enabled, waiting, waitingSince, problem, failed } = endpoint;
  const why = problem === undefined ? '' : `: ${problem}`;
  return [
    `${id}  ${enabled ? 'enabled' : 'disabled'}`,
    ...factLines({
      instance: endpoint.instance,
      url: endpoint.url ?? 'none: events are only stored',
      events: eventsOf(endpoint),
      description: endpoint.description,
      authorization: endpoint.hasAuthorization ? 'set' : undefined,
      secrets: endpoint.secretsProblem,
      disabled: enabled ? undefined : `${endpoint.disabledReason} since ${endpoint.disabledAt}`,
      waiting: waiting === 0 ? undefined : `${waiting} since ${waitingSince}${why}`,
      failed: failed === 0 ? undefined : `${failed}, deliver again: everpost event replay ${id}`,
      'former secrets': endpoint.formerSecretsUntil && `sign until ${endpoint.formerSecretsUntil}`,
      enable: enabled ? undefined : `everpost event endpoint update ${id} --enable`,
    }),
  ];
}

function eventsOf({ raw, events }: EndpointResponse): string {
  return raw ? 'every notification, unchanged' : events.join(', ');
}
