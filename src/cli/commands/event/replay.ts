import type { Command } from 'commander';
import { present } from '../../../contract/index.js';
import { sinceOption, withApi, type CommandContext } from '../../command-context.js';

interface ReplayOptions {
  readonly event?: string;
  readonly since?: string;
  readonly until?: string;
  readonly key?: string;
  readonly json?: true;
}

export function addEventReplayCommand(event: Command, context: CommandContext): void {
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
