import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { AppError, ErrorNext } from '../../../contract/index.js';
import { sinceOption, withApi, type CommandContext } from '../../command-context.js';
import { eventLine, typeOption, type EventFilterOptions } from './event-text.js';

const POLL_EVERY_MS = 1_000;
const PAGE = 500;

interface TailOptions extends EventFilterOptions {
  readonly since?: string;
  readonly json?: true;
}

export function addEventTailCommand(event: Command, context: CommandContext): void {
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
