/**
 * The attempts that kills left in doubt. The evidence of a message names the process that claimed each attempt, and
 * when a later shift found it without an outcome.
 *
 * KILL-1 A kill leaves at most window + 4 attempts of an instance in doubt: the window, one urgent message beside it,
 *    and three old POSTs that no longer count.
 * KILL-2 A kill hit work when a message that was acknowledged before had not been accepted, or had no outcome yet.
 */
import type { MessageId } from '../../contract/index.js';
import type { MessageView } from '../../ledger/index.js';
import type { Finding } from './account.js';

export interface KilledProcess {
  readonly pid: number;
  readonly atMs: number;
  /** Another process was ready, and Temporal and the gateway were there. */
  readonly hasSuccessor: boolean;
}

export interface KillAccount {
  readonly kills: number;
  readonly hitWork: number;
  /** Attempts that kills left in doubt, all together. */
  readonly inDoubt: number;
  /** The most that one kill left of one instance, and what KILL-1 allows. */
  readonly mostInDoubt: number;
  readonly mostAllowed: number;
  /** The longest time from a kill until another shift found what it left in doubt, where another process was ready. */
  readonly longestTakeoverMs: number;
  /** More in doubt than KILL-1 allows. */
  readonly wrong: readonly Finding[];
}

/** Beyond the window: an urgent message, and three old POSTs. */
const BEYOND_WINDOW = 4;

/** @param windows  the largest window that each instance showed */
export function accountKills(
  killed: readonly KilledProcess[],
  views: ReadonlyMap<MessageId, MessageView>,
  windows: ReadonlyMap<string, number>,
): KillAccount {
  const left = [...views.values()].flatMap((view) => abandonedIn(view));
  const wrong: Finding[] = [];
  let [inDoubt, mostInDoubt, longestTakeoverMs] = [0, 0, 0];
  for (const { pid, atMs, hasSuccessor } of killed) {
    const nextAtMs = Math.min(Infinity, ...killed.map((other) => other.atMs).filter((other) => other > atMs));
    const byKill = left.filter((one) => one.pid === pid && one.claimedAtMs <= atMs && one.foundAtMs >= atMs);
    inDoubt += byKill.length;
    for (const { foundAtMs } of byKill) {
      // A kill before that may have been of the one that took over.
      if (hasSuccessor && foundAtMs < nextAtMs) longestTakeoverMs = Math.max(longestTakeoverMs, foundAtMs - atMs);
    }
    for (const instance of new Set(byKill.map((one) => one.instance))) {
      const count = byKill.filter((one) => one.instance === instance).length;
      const allowed = (windows.get(instance) ?? 1) + BEYOND_WINDOW;
      mostInDoubt = Math.max(mostInDoubt, count);
      if (count > allowed)
        wrong.push({ id: instance, why: `a kill left ${count} in doubt, and its window allows ${allowed}` });
    }
  }
  const mostAllowed = Math.max(1, ...windows.values()) + BEYOND_WINDOW;
  const hitWork = killed.filter(({ atMs }) => [...views.values()].some((view) => isUnderWay(view, atMs))).length;
  return { kills: killed.length, hitWork, inDoubt, mostInDoubt, mostAllowed, longestTakeoverMs, wrong };
}

interface Abandoned {
  readonly pid: number;
  readonly instance: string;
  readonly claimedAtMs: number;
  readonly foundAtMs: number;
}

function abandonedIn({ evidence, instance }: MessageView): Abandoned[] {
  return evidence.flatMap(({ what, at, detail }) => {
    if (what !== 'abandoned') return [];
    const claim = evidence.find((one) => one.what === 'claimed' && one.detail?.['attempt'] === detail?.['attempt']);
    if (claim === undefined) return [];
    const pid = Number(/^everpost-(\d+)@/.exec(String(claim.detail?.['worker']))?.[1]);
    return [{ pid, instance, claimedAtMs: Date.parse(claim.at), foundAtMs: Date.parse(at) }];
  });
}

/** KILL-2. */
function isUnderWay({ createdAt, acceptedAt, endedAt }: MessageView, atMs: number): boolean {
  const doneAt = acceptedAt ?? endedAt;
  return Date.parse(createdAt) <= atMs && (doneAt === undefined || Date.parse(doneAt) > atMs);
}
