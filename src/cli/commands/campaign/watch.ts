import type { Command } from 'commander';
import { CAMPAIGN_END_STATES, isHold } from '../../../contract/index.js';
import type { CampaignView } from '../../../ledger/index.js';
import type { ApiClient } from '../../api-client.js';
import { ALL_POSTED, campaignLine, countWords, doneOf, progressBar, waitingWords } from '../../campaign-text.js';
import { withApi, type CommandContext } from '../../command-context.js';
import { ExitCode } from '../../exit-code.js';
import type { Terminal } from '../../terminal.js';

const LOOK_EVERY_MS = 1_000;
/** Into a file or a pipe no more than this, and only what is new. */
const LOGGED_EVERY_MS = 5_000;
/** The rate is that of the last minute. */
const RATE_OVER_MS = 60_000;

export function addCampaignWatchCommand(campaign: Command, context: CommandContext): void {
  campaign
    .command('watch')
    .description('Show how a campaign goes, until it has ended.')
    .argument('<id>', 'the campaign')
    .option('--json', 'print the campaign as one line of JSON at each change')
    .addHelpText(
      'after',
      `
Ctrl-C ends the watching; the campaign goes on.
Exit code: 0 everybody was posted to; 1 it ended cancelled or expired; 3 it goes on.

Example:
  everpost campaign watch sale`,
    )
    .action(async (id: string, { json }: { readonly json?: true }) => {
      await withApi(context, async (api) => {
        context.exitCode = endExitCode(await watchCampaign(api, id, context.terminal, { isJson: json === true }));
      });
    });
}

/** Shows the campaign until it has ended, somebody interrupts, or the time is up. @returns it as it was then */
export async function watchCampaign(
  api: ApiClient,
  id: string,
  terminal: Terminal,
  { isJson, timeoutMs = Number.POSITIVE_INFINITY }: { readonly isJson: boolean; readonly timeoutMs?: number },
): Promise<CampaignView> {
  const show = isJson ? jsonLines(terminal) : terminal.live === undefined ? plainLines(terminal) : liveLine(terminal);
  let isInterrupted = false;
  const forget = terminal.onInterrupt?.(() => (isInterrupted = true));
  const untilMs = performance.now() + timeoutMs;
  try {
    for (let campaign = await api.campaign(id); ; campaign = await api.campaignEnd(id, LOOK_EVERY_MS)) {
      const isOver = CAMPAIGN_END_STATES.includes(campaign.state) || performance.now() >= untilMs || isInterrupted;
      show(campaign, isOver);
      if (!isOver) continue;
      if (isInterrupted) terminal.err(`${id} goes on. Look again: everpost campaign watch ${id}`);
      return campaign;
    }
  } finally {
    forget?.();
  }
}

/** 0 once everybody was posted to, 1 when it ended before, 3 while it goes on. */
export function endExitCode({ state }: CampaignView): ExitCode {
  if (ALL_POSTED.includes(state)) return ExitCode.done;
  return CAMPAIGN_END_STATES.includes(state) ? ExitCode.failed : ExitCode.notReached;
}

type Show = (campaign: CampaignView, isLast: boolean) => void;

function liveLine(terminal: Terminal): Show {
  const rate = rateMeter();
  return (campaign, isLast) => {
    terminal.live?.(isLast ? '' : watchWords(campaign, rate(campaign)));
    if (isLast) terminal.out(campaignLine(campaign));
  };
}

function plainLines(terminal: Terminal): Show {
  const rate = rateMeter();
  let shown = '';
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return (campaign, isLast) => {
    const words = isLast ? campaignLine(campaign) : watchWords(campaign, rate(campaign));
    const isSoon = performance.now() - shownAtMs < LOGGED_EVERY_MS;
    if (!isLast && (words === shown || isSoon)) return;
    terminal.out(words);
    [shown, shownAtMs] = [words, performance.now()];
  };
}

function jsonLines(terminal: Terminal): Show {
  let shown = '';
  return (campaign) => {
    const line = JSON.stringify(campaign);
    if (line !== shown) terminal.out(line);
    shown = line;
  };
}

function watchWords(campaign: CampaignView, perMinute: number | undefined): string {
  const { id, state, audience, depth, etaAt } = campaign;
  const waiting = waitingWords(campaign);
  const isHeld = campaign.waiting !== undefined && isHold(campaign.waiting);
  return [
    `${id} ${state} ${progressBar(campaign)} ${doneOf(campaign)}/${audience}`,
    ...countWords(campaign).filter((words) => !words.startsWith('planned ')),
    ...(depth === undefined ? [] : [`queue ${depth}`]),
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ...(etaAt === undefined ? [] : [`until about ${etaAt.slice(0, 19)}Z`]),
    ...(waiting === undefined ? [] : [`${isHeld ? 'held:' : 'waits for'} ${waiting}`]),
  ].join(' · ');
}

/** People posted to a minute, by what was seen in the last one; undefined until two looks differ in time. */
function rateMeter(): (campaign: CampaignView) => number | undefined {
  const seen: { readonly atMs: number; readonly done: number }[] = [];
  return (campaign) => {
    const now = { atMs: performance.now(), done: doneOf(campaign) };
    seen.push(now);
    while (seen[1] !== undefined && now.atMs - seen[1].atMs >= RATE_OVER_MS) seen.shift();
    const [first = now] = seen;
    const overMs = now.atMs - first.atMs;
    return overMs < LOOK_EVERY_MS / 2 ? undefined : Math.round(((now.done - first.done) / overMs) * 60_000);
  };
}
