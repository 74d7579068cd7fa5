/**
 * Counts the attempts that kills left in doubt. The evidence of a message names the process that claimed each attempt,
 * and the time when a later shift found the attempt without an outcome.
 *
 * KILL-1 A kill leaves at most window + 4 attempts of an instance in doubt: the window, one urgent message beside it,
 *    and three old POSTs that no longer count.
 * KILL-2 A kill hits work if at that time an acknowledged message is neither accepted nor ended.
 */
import type { MessageId } from '../../../contract/index.js';
import type { MessageView } from '../../../ledger/index.js';
import type { Finding } from './account.js';

export interface KilledProcess {
  readonly pid: number;
  readonly atMs: number;
  /** Another process was ready, and Temporal and the gateway were up. */
  readonly hasSuccessor: boolean;
}

export interface KillAccount {
  readonly kills: number;
  readonly hitWork: number;
  /** How many attempts all kills together left in doubt. */
  readonly inDoubt: number;
  /** The largest number of attempts of one instance that one kill left in doubt, and the limit of KILL-1. */
  readonly mostInDoubt: number;
  readonly mostAllowed: number;
  /** The longest time from a kill until another shift found the attempts in doubt. Counts kills with a successor. */
  readonly longestTakeoverMs: number;
  /** Kills that left more in doubt than KILL-1 allows. */
  readonly wrong: readonly Finding[];
}

const BEYOND_WINDOW = 4;

/** @param windows  the largest window that each instance showed */
export function accountKills(
  killed: readonly KilledProcess[],
  views: ReadonlyMap<MessageId, MessageView>,
  windows: ReadonlyMap<string, number>,
): KillAccount {
  const left = [...views.values()].flatMap(({ evidence, instance }) =>
    evidence.flatMap(({ what, at, detail }) => {
      if (what !== 'abandoned') return [];
      const claim = evidence.find((one) => one.what === 'claimed' && one.detail?.['attempt'] === detail?.['attempt']);
      if (claim === undefined) return [];
      const pid = Number(/^everpost-(\d+)@/.exec(String(claim.detail?.['worker']))?.[1]);
      return [{ pid, instance, claimedAtMs: Date.parse(claim.at), foundAtMs: Date.parse(at) }];
    }),
  );
  const wrong: Finding[] = [];
  let [inDoubt, mostInDoubt, longestTakeoverMs] = [0, 0, 0];
  for (const { pid, atMs, hasSuccessor } of killed) {
    const nextAtMs = Math.min(Infinity, ...killed.map((other) => other.atMs).filter((other) => other > atMs));
    const byKill = left.filter((one) => one.pid === pid && one.claimedAtMs <= atMs && one.foundAtMs >= atMs);
    inDoubt += byKill.length;
    for (const { foundAtMs } of byKill) {
      // A second kill before that time may have hit the process that took over.
      if (hasSuccessor && foundAtMs < nextAtMs) longestTakeoverMs = Math.max(longestTakeoverMs, foundAtMs - atMs);
    }
    for (const instance of new Set(byKill.map((one) => one.instance))) {
      const count = byKill.filter((one) => one.instance === instance).length;
      const allowed = (windows.get(instance) ?? 1) + BEYOND_WINDOW;
      mostInDoubt = Math.max(mostInDoubt, count);
      if (count > allowed)
        wrong.push({ id: instance, why: `a kill left ${count} attempts in doubt; its window allows ${allowed}` });
    }
  }
  const mostAllowed = Math.max(1, ...windows.values()) + BEYOND_WINDOW;
  const hitWork = killed.filter(({ atMs }) => [...views.values()].some((view) => isUnderWay(view, atMs))).length;
  return { kills: killed.length, hitWork, inDoubt, mostInDoubt, mostAllowed, longestTakeoverMs, wrong };
}

/** KILL-2 */
function isUnderWay({ createdAt, acceptedAt, endedAt }: MessageView, atMs: number): boolean {
  const doneAt = acceptedAt ?? endedAt;
  return Date.parse(createdAt) <= atMs && (doneAt === undefined || Date.parse(doneAt) > atMs);
}
