import type { Command } from 'commander';
import { type CommandContext, sinceOption, withApi } from '../../command-context.js';
import { addEventEndpointCommands } from './endpoint.js';
import { eventLine, typeOption, type EventFilterOptions } from './event-text.js';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError, ErrorNext, present } from '../../../contract/index.js';
import { pageOptions, type PageOptions } from '../../table.js';

export function addEventCommands(program: Command, context: CommandContext): void {
  const event = program
    .command('event')
    .description('Have what happens delivered to your own programs, follow it, and deliver it again.');
  addEventEndpointCommands(event, context);
  addEventListCommand(event, context);
  addEventTailCommand(event, context);
  addEventReplayCommand(event, context);
}

interface ListOptions extends EventFilterOptions, PageOptions {
  readonly since?: string;
}

function addEventListCommand(event: Command, context: CommandContext): void {
  pageOptions(
    event
      .command('list')
      .description('List stored events, the oldest first.')
      .option('--instance <name>', 'only events of this account')
      .addOption(typeOption())
      .option('--since <when>', 'only events since then: a duration (24h) or a time (ISO 8601)', sinceOption),
  )
    .addHelpText(
      'after',
      `
Events are stored for accounts that have an endpoint: everpost event endpoint create

Examples:
  everpost event list --since 1h
  everpost event list --instance main --type message.received`,
    )
    .action(async ({ json, ...query }: ListOptions) => {
      const { terminal } = context;
      const page = await withApi(context, (api) => api.listEvents({ query }));
      if (json) return terminal.out(JSON.stringify(page));
      if (page.items.length === 0) return terminal.err('No events found.');
      for (const one of page.items) terminal.out(eventLine(one));
      if (page.items.length >= Number(query.limit)) {
        terminal.err(`More: the same command with --cursor ${page.cursor}`);
      }
    });
}

const POLL_EVERY_MS = 1_000;
const PAGE = 500;

interface TailOptions extends EventFilterOptions {
  readonly since?: string;
  readonly json?: true;
}

function addEventTailCommand(event: Command, context: CommandContext): void {
  event
    .command('tail')
    .description('Show events as they are recorded, until Ctrl-C.')
    .option('--instance <name>', 'only events of this account')
    .addOption(typeOption())
    .option(
      '--since <when>',
      'begin with events since then: a duration (1h) or a time (ISO 8601) (default: now)',
      sinceOption,
    )
    .option('--json', 'print each event as one line of JSON')
    .addHelpText(
      'after',
      `
After a lost connection it goes on where it was: no event is left out.
Events are stored for accounts that have an endpoint: everpost event endpoint create

Examples:
  everpost event tail
  everpost event tail --instance main --type message.received --json`,
    )
    .action((options: TailOptions) => tail(context, options));
}

async function tail(context: CommandContext, { json, since, ...filter }: TailOptions): Promise<void> {
  const { terminal } = context;
  const stopping = new AbortController();
  const forget = terminal.onInterrupt?.(() => stopping.abort());
  let cursor: string | undefined;
  let isAway = false;
  while (!stopping.signal.aborted) {
    try {
      const start = since === undefined ? { from: 'end' } : { since };
      const query = { ...filter, limit: PAGE, ...(cursor === undefined ? start : { cursor }) };
      const page = await withApi(context, (api) => api.listEvents({ query }));
      if (cursor === undefined) await explainNone(context, filter.instance);
      if (isAway) terminal.err('The connection is back; nothing was left out.');
      isAway = false;
      cursor = page.cursor;
      for (const one of page.items) terminal.out(json ? JSON.stringify(one) : eventLine(one));
      if (page.items.length === PAGE) continue;
    } catch (error) {
      if (!(error instanceof AppError) || error.next !== ErrorNext.wait || cursor === undefined) throw error;
      if (!isAway) terminal.err(`${error.message} Retried until Ctrl-C.`);
      isAway = true;
    }
    await delay(POLL_EVERY_MS, undefined, { signal: stopping.signal }).catch(() => undefined); // interrupted
  }
  forget?.();
}

async function explainNone(context: CommandContext, instance: string | undefined): Promise<void> {
  const { items } = await withApi(context, (api) => api.listEventEndpoints({ query: { instance } }));
  if (items.some(({ id }) => !id.startsWith('callbacks-'))) return;
  context.terminal.err('No account here has an event endpoint, so nothing is recorded but status callbacks.');
  context.terminal.err('Record all events of an account: everpost event endpoint create --instance NAME');
}

interface ReplayOptions {
  readonly event?: string;
  readonly since?: string;
  readonly until?: string;
  readonly key?: string;
  readonly json?: true;
}

function addEventReplayCommand(event: Command, context: CommandContext): void {
  const command = event
    .command('replay')
    .description('Deliver stored events to an endpoint again, whether or not it took them before.')
    .argument('<endpoint>', 'the endpoint')
    .option('--event <id>', 'one event')
    .option('--since <when>', 'events since then: a duration (24h) or a time (ISO 8601)', sinceOption)
    .option('--until <when>', 'and before this (default: now)', sinceOption)
    .option('--key <key>', 'idempotency key: the same key replays once')
    .option('--json', 'print { events } as one line of JSON')
    .addHelpText(
      'after',
      `
An event comes again under its id. Events are kept for EVERPOST_EVENT_RETENTION.

Examples:
  everpost event replay evp_0123456789abcdef --since 2h
  everpost event replay evp_0123456789abcdef --event evt_4711`,
    )
    .action(async (id: string, { event: one, since, until, key, json }: ReplayOptions) => {
      if ((one === undefined) === (since === undefined)) command.error('Choose one of --event and --since.');
      const body = present({ event: one, from: since, to: until });
      const replayed = await withApi(context, (api) => api.replayEvents({ id, body, key }));
      context.terminal.out(json ? JSON.stringify(replayed) : `${replayed.events} events are delivered again`);
    });
}
