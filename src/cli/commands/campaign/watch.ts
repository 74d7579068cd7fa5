import { CAMPAIGN_END_STATES, etaWords, isPause, progressBar, type CampaignView } from '../../../contract/index.js';
import type { ApiClient } from '../../../client/index.js';
import { waitingWords } from '../../table.js';
import { ALL_POSTED, campaignLine, countWords, leftWords } from './campaign-text.js';
import { ExitCode } from '../../command-context.js';
import type { Terminal } from '../../terminal.js';

const POLL_EVERY_MS = 1_000;
/** Shortest time between two lines in a file or a pipe, which gets only changes. */
const LOGGED_EVERY_MS = 5_000;
/** The width for files, and for terminals of unknown width. */
const COLUMNS = 80;
const BAR_CELLS = 10;
/** A live line cuts the id, which may have 64 characters. */
const NAME_COLUMNS = 20;

/** Shows the campaign until it ends, the operator interrupts, or the time is over. @returns the last reading */
export async function watchCampaign(
  api: ApiClient,
  given: string,
  terminal: Terminal,
  { isJson, timeoutMs = Number.POSITIVE_INFINITY }: { readonly isJson: boolean; readonly timeoutMs?: number },
): Promise<CampaignView> {
  const show = isJson ? jsonLines(terminal) : terminal.live === undefined ? plainLines(terminal) : liveLine(terminal);
  let isInterrupted = false;
  const stopListening = terminal.onInterrupt?.(() => (isInterrupted = true));
  const untilMs = performance.now() + timeoutMs;
  try {
    let campaign = await api.getCampaign({ id: given });
    for (;;) {
      const isOver = CAMPAIGN_END_STATES.includes(campaign.state) || performance.now() >= untilMs || isInterrupted;
      show(campaign, isOver);
      const { id } = campaign;
      if (isInterrupted) terminal.err(`${id} continues. Watch it again: everpost campaign show ${id} --watch`);
      if (isOver) return campaign;
      campaign = await api.getCampaign({ id, query: { wait: 'ended', timeoutMs: POLL_EVERY_MS } });
    }
  } finally {
    stopListening?.();
  }
}

/** 0 if every recipient was posted to, 1 if the campaign ended before that, 3 while it continues. */
export function endExitCode({ state }: CampaignView): ExitCode {
  if (ALL_POSTED.includes(state)) return ExitCode.done;
  return CAMPAIGN_END_STATES.includes(state) ? ExitCode.failed : ExitCode.notReached;
}

type Show = (campaign: CampaignView, isLast: boolean) => void;

function liveLine(terminal: Terminal): Show {
  return (campaign, isLast) => {
    // Leave one column free: a terminal may wrap a line that fills the last column.
    const columns = (terminal.columns?.() ?? COLUMNS) - 1;
    if (isLast) {
      terminal.live?.('');
      return showEnd(terminal, campaign);
    }
    const { id } = campaign;
    const name = id.length <= NAME_COLUMNS ? id : `${id.slice(0, NAME_COLUMNS - 1)}…`;
    const facts = watchFacts(campaign, { isShort: true });
    // The facts that fit, in order.
    let line = '';
    for (const fact of facts) {
      const longer = line === '' ? `${name} ${fact}` : `${line} · ${fact}`;
      if (longer.length <= columns) line = longer;
    }
    terminal.live?.(line === '' ? (facts[0] ?? name).slice(0, columns) : line);
  };
}

function plainLines(terminal: Terminal): Show {
  let shown = '';
  let shownAtMs = Number.NEGATIVE_INFINITY;
  return (campaign, isLast) => {
    if (isLast) return showEnd(terminal, campaign);
    const facts = watchFacts(campaign, { isShort: false });
    const isSoon = performance.now() - shownAtMs < LOGGED_EVERY_MS;
    if (isSoon || facts.join() === shown) return;
    for (const line of wrapped(campaign.id, facts, COLUMNS)) terminal.out(line);
    [shown, shownAtMs] = [facts.join(), performance.now()];
  };
}

function showEnd(terminal: Terminal, campaign: CampaignView): void {
  const columns = terminal.columns?.() ?? COLUMNS;
  const line = campaignLine(campaign);
  if (line.length <= columns) return terminal.out(line);
  const facts = [`${campaign.state} ${campaign.audience} recipients`, ...countWords(campaign)];
  for (const part of wrapped(campaign.id, facts, columns)) terminal.out(part);
}

function jsonLines(terminal: Terminal): Show {
  let shown = '';
  return (campaign) => {
    // Ignore the computed end: it moves with the clock while nothing else changes.
    const { asOf: _, etaAt: __, ...facts } = campaign;
    const current = JSON.stringify(facts);
    if (current !== shown) terminal.out(JSON.stringify(campaign));
    shown = current;
  };
}

/** Facts of one poll, the most important first. */
function watchFacts(campaign: CampaignView, { isShort }: { readonly isShort: boolean }): string[] {
  const { state, audience, done, depth, perMinute, etaAt } = campaign;
  const left = leftWords(campaign);
  const waiting = isShort ? campaign.waiting?.code : waitingWords(campaign);
  const isPaused = campaign.waiting !== undefined && isPause(campaign.waiting);
  return [
    `${state} ${progressBar(campaign, BAR_CELLS)} ${done}/${audience}`,
    ...(waiting === undefined ? [] : [`${isPaused ? 'paused:' : 'waits for'} ${waiting}`]),
    ...(left === undefined ? [] : [`about ${left} left`]),
    ...(etaAt === undefined ? [] : [`until about ${etaWords(campaign)}`]),
    ...(perMinute === undefined ? [] : [`${perMinute} a minute`]),
    ...countWords(campaign).filter((words) => !words.startsWith('pending ')),
    ...(depth === undefined ? [] : [`queue ${depth}`]),
  ];
}

/** Wraps all facts over as many lines as needed. */
function wrapped(id: string, facts: readonly string[], columns: number): string[] {
  const words = [id, ...facts.flatMap((fact, at) => [...(at === 0 ? [] : ['·']), ...fact.split(' ')])];
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(lines.length === 0 ? word : `  ${word}`);
  }
  return lines;
}
