import { present } from '../../contract/index.js';
import type { ReplayView } from '../../ledger/index.js';
import type { CommandGroup } from '../command-group.js';
import { ExitCode } from '../command-context.js';
import { required, sinceOption, timeoutOption } from '../options.js';

const POLL_EVERY_MS = 1_000;

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
    lines: replayLines,
  });
}

function replayLines({ id, done, total, endedAt, outcomes }: ReplayView): string[] {
  const head =
    endedAt === undefined
      ? `${id}: ${done} of ${total} notifications applied again; the rest is applied automatically`
      : `${total} notifications applied again`;
  const byCount = Object.entries(outcomes).toSorted(([, a], [, b]) => b - a);
  return [head, ...byCount.map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`)];
}
