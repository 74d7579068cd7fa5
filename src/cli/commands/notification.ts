import type { Command } from 'commander';
import { type CommandContext, sinceOption, timeoutOption, withApi } from '../command-context.js';

import { present } from '../../contract/index.js';
import type { ReplayView } from '../../ledger/index.js';
import { ExitCode } from '../exit-code.js';

export function addNotificationCommands(program: Command, context: CommandContext): void {
  const notification = program.command('notification').description('Apply stored notifications of the gateway again.');
  addNotificationReplayCommand(notification, context);
}

const POLL_EVERY_MS = 1_000;

interface ReplayOptions {
  readonly since: string;
  readonly instance?: string;
  readonly timeout: number;
  readonly json?: true;
}

function addNotificationReplayCommand(notification: Command, context: CommandContext): void {
  notification
    .command('replay')
    .description('Apply stored notifications again, e.g. after an update that reads more of them. Safe at any time.')
    .requiredOption(
      '--since <when>',
      'notifications that came since then: a duration (24h) or a time (ISO 8601)',
      sinceOption,
    )
    .option('--instance <name>', 'only notifications of this account')
    .addOption(timeoutOption('how long to watch it; the replay continues after that'))
    .option('--json', 'print the outcome as one line of JSON')
    .addHelpText(
      'after',
      `
A notification that was applied before changes nothing: states move forward only, and evidence is recorded
once. Notifications are kept for EVERPOST_NOTIFICATION_RETENTION.

Exit code: 0 all were applied again, 1 some could not be applied, 3 not done in time.

Examples:
  everpost notification replay --since 2h
  everpost notification replay --since 2026-03-01T00:00:00Z --instance main`,
    )
    .action(async ({ since, instance, timeout, json }: ReplayOptions) => {
      const { terminal } = context;
      const replay = await withApi(context, async (api) => {
        const untilMs = performance.now() + timeout;
        let found = await api.beginReplay({ body: { since, ...present({ instance }) } });
        while (found.endedAt === undefined && performance.now() < untilMs) {
          if (!json) terminal.err(`${found.done} of ${found.total} notifications applied again`);
          const timeoutMs = Math.min(POLL_EVERY_MS, Math.ceil(untilMs - performance.now()));
          found = await api.getReplay({ id: found.id, query: { wait: 'end', timeoutMs } });
        }
        return found;
      });
      context.exitCode = exitCodeOf(replay);
      for (const line of json ? [JSON.stringify(replay)] : replayLines(replay)) terminal.out(line);
    });
}

function exitCodeOf({ endedAt, outcomes }: ReplayView): ExitCode {
  if (endedAt === undefined) return ExitCode.notReached;
  return Object.keys(outcomes).some((outcome) => outcome.startsWith('failed')) ? ExitCode.failed : ExitCode.done;
}

function replayLines({ id, done, total, endedAt, outcomes }: ReplayView): string[] {
  const head =
    endedAt === undefined
      ? `${id}: ${done} of ${total} notifications applied again; the rest is applied automatically`
      : `${total} notifications applied again`;
  const byCount = Object.entries(outcomes).toSorted(([, a], [, b]) => b - a);
  return [head, ...byCount.map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`)];
}
