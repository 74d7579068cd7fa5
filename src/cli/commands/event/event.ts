/** Commands for everpost's events, and for the gateway's notifications. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiResponse } from '../../../client/index.js';
import { AppError, ErrorNext, EVENT_ORDERS, EVENT_TYPES, present, type EventType } from '../../../contract/index.js';
import { PAGE, PAGE_JSON, type CommandGroup } from '../../command-group.js';
import { ExitCode, withApi, type CommandContext } from '../../command-context.js';
import { byDefault, choice, parsed, pastTime, required, sinceOption, timeoutOption } from '../../options.js';
import { addEventEndpointCommands } from './event-endpoint.js';

const POLL_EVERY_MS = 1_000;

const FILTERS = {
  '--instance <name>': 'only events of this account',
  '--type <type>': choice(Object.keys(EVENT_TYPES) as EventType[], 'only events of this type'),
} as const;

export function addEventCommands(program: CommandGroup): void {
  const event = program.group('event', 'Deliver events to your own programs, follow them, and replay them.');
  addEventEndpointCommands(event);
  event.call('list', {
    description: 'List stored events.',
    options: {
      ...FILTERS,
      '--since <when>': sinceOption('only events since this time'),
      '--order <order>': byDefault('oldest', choice(EVENT_ORDERS, 'the event to begin with')),
      ...PAGE,
    },
    json: PAGE_JSON,
    help: `Events are stored for accounts that have an endpoint: everpost event endpoint create

Examples:
  everpost event list --since 1h
  everpost event list --instance main --type message.received`,
    call: (api, { json: _, ...query }) => api.listEvents({ query }),
    lines({ items, cursor }, { limit }, { terminal: { err } }) {
      if (items.length === 0) err('No events found.');
      else if (items.length >= Number(limit)) err(`More: run the same command with --cursor ${cursor}`);
      return items.map(eventLine);
    },
  });
  event.add('tail', {
    description: 'Show events as they are recorded, until Ctrl-C.',
    options: {
      ...FILTERS,
      '--since <when>': sinceOption('begin at this time', '1h (default: now)'),
      '--json': 'print each event as one line of JSON',
    },
    help: `After a lost connection the command continues with the next event; it omits none.
Events are stored for accounts that have an endpoint: everpost event endpoint create

Examples:
  everpost event tail
  everpost event tail --instance main --type message.received --json`,
    action: (given) => tail(event.context, given),
  });
  event.call('replay', {
    description: 'Deliver stored events to an endpoint again, including those that it accepted.',
    arguments: { '<endpoint>': 'the endpoint' },
    options: {
      '--event <id>': 'only this event',
      '--since <when>': sinceOption('events since this time'),
      '--until <when>': parsed(pastTime, 'events before this time (default: now)'),
      '--key <key>': 'idempotency key: the same key replays once',
    },
    json: 'print { events } as one line of JSON',
    help: `A replayed event keeps its id. Events are kept for EVERPOST_EVENT_RETENTION.

Examples:
  everpost event replay evp_0123456789abcdef --since 2h
  everpost event replay evp_0123456789abcdef --event evt_4711`,
    check({ event: one, since }, command) {
      if ((one === undefined) === (since === undefined)) command.error('Choose one of --event and --since.');
    },
    call: (api, { endpoint: id, event: one, since, until, key }) =>
      api.replayEvents({ id, body: present({ event: one, from: since, to: until }), key }),
    lines: ({ events }) => `${events} events are delivered again`,
  });
}

const PAGE_ITEMS = 500;

async function tail(
  context: CommandContext,
  { json, since, ...filter }: { instance?: string; type?: EventType; since?: string; json?: true },
): Promise<void> {
  const { terminal } = context;
  const stopping = new AbortController();
  const stopListening = terminal.onInterrupt?.(() => stopping.abort());
  let cursor: string | undefined;
  let isAway = false;
  while (!stopping.signal.aborted) {
    try {
      const start = since === undefined ? { from: 'end' } : { since };
      const query = { ...filter, limit: PAGE_ITEMS, ...(cursor === undefined ? start : { cursor }) };
      const page = await withApi(context, (api) => api.listEvents({ query }));
      if (cursor === undefined) {
        const { instance } = filter;
        const { items } = await withApi(context, (api) => api.listEventEndpoints({ query: { instance } }));
        if (items.every(({ id }) => id.startsWith('callbacks-'))) {
          terminal.err('No account has an event endpoint, so only status callbacks are recorded.');
          terminal.err('Record all events of an account: everpost event endpoint create --instance NAME');
        }
      }
      if (isAway) terminal.err('Connected again; no event was omitted.');
      isAway = false;
      cursor = page.cursor;
      for (const one of page.items) terminal.out(json ? JSON.stringify(one) : eventLine(one));
      if (page.items.length === PAGE_ITEMS) continue;
    } catch (error) {
      if (!(error instanceof AppError) || error.next !== ErrorNext.wait || cursor === undefined) throw error;
      if (!isAway) terminal.err(`${error.message} Retrying until Ctrl-C.`);
      isAway = true;
    }
    await delay(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined); // interrupted
  }
  stopListening?.();
}

/** One line for an event: time, account, type, id and data. */
function eventLine({ id, timestamp, instance, type, data }: ApiResponse<'listEvents'>['items'][number]): string {
  return [timestamp, instance, type, id, JSON.stringify(data)].join('  ');
}

export function addNotificationCommands(program: CommandGroup): void {
  program.group('notification', 'Apply stored notifications of the gateway again.').call('replay', {
    description: 'Apply stored notifications again, e.g. after an update that supports more of them. Safe at any time.',
    options: {
      '--since <when>': required(sinceOption('notifications received since this time')),
      '--instance <name>': 'only notifications of this account',
      ...timeoutOption('how long to wait; the replay continues afterwards'),
    },
    json: 'print the outcome as one line of JSON',
    help: `A notification that was already applied changes nothing: states only move forward, and evidence is recorded once.
Notifications are kept for EVERPOST_NOTIFICATION_RETENTION.

Exit code: 0 all were applied again, 1 some could not be applied, 3 not done in time.

Examples:
  everpost notification replay --since 2h
  everpost notification replay --since 2026-03-01T00:00:00Z --instance main`,
    async call(api, { since, instance, timeout, json }, { terminal }) {
      const untilMs = performance.now() + timeout;
      let found = await api.beginReplay({ body: { since, ...present({ instance }) } });
      while (found.endedAt === undefined && performance.now() < untilMs) {
        if (!json) terminal.err(`${found.done} of ${found.total} notifications applied again`);
        const timeoutMs = Math.min(POLL_EVERY_MS, Math.ceil(untilMs - performance.now()));
        found = await api.getReplay({ id: found.id, query: { wait: 'end', timeoutMs } });
      }
      return found;
    },
    exitCode({ endedAt, outcomes }) {
      if (endedAt === undefined) return ExitCode.notReached;
      const isFailed = Object.keys(outcomes).some((outcome) => outcome.startsWith('failed'));
      return isFailed ? ExitCode.failed : ExitCode.done;
    },
    lines({ id, done, total, endedAt, outcomes }) {
      const head =
        endedAt === undefined
          ? `${id}: ${done} of ${total} notifications applied again; the rest is applied automatically`
          : `${total} notifications applied again`;
      const byCount = Object.entries(outcomes).toSorted(([, a], [, b]) => b - a);
      return [head, ...byCount.map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`)];
    },
  });
}
