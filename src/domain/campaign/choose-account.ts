/**
 * Which account of a pool gets a recipient.
 *
 * CHOOSE-1 A recipient stays with the account that talked with him last, while the pool has it.
 * CHOOSE-2 Any other recipient gets the account that could send the next message soonest: after what is ahead of it, at
 *    its pace, in its hours, and within its cap of the day. Of equal ones the first of the pool.
 * CHOOSE-3 If no account can send, the one with the fewest messages ahead: its messages move when another one can.
 * CHOOSE-4 Once all recipients are read, the account that would end last gives its last messages back, if another one
 *    could send them more than a minute sooner, and they get their accounts again. Only messages that leave sooner from
 *    another account move, so none returns while the paces stay as they are.
 */
import { EXPECTED_INTERVAL_MS } from '../../contract/index.js';

/** An account of a pool, and what decides when it sends. */
export interface SendingAccount {
  readonly instance: string;
  /** When it may post; Infinity if an event has to happen first. */
  readonly opensAtMs: number;
  /** Messages that leave before any of this campaign: in the gateway's queue, and of higher classes. */
  readonly queued: number;
  /** Messages of this campaign that have the account already. */
  readonly ahead: number;
  /** Waiting messages of each other campaign of the account, which takes turns with this one. */
  readonly others: readonly number[];
  /** Absent while its pace is unknown. @default what a gateway gives an account */
  readonly intervalMs?: number | undefined;
  /** What its caps allow today. @default any number */
  readonly left?: { readonly messages: number; readonly untilMs: number } | undefined;
}

interface Queue {
  readonly account: SendingAccount;
  given: number;
}

/**
 * @param accounts  those that are in
 * @param sticky  for each recipient the account that talked with him last; undefined: none has
 * @returns the account of each recipient
 */
export function chooseAccounts(
  accounts: readonly SendingAccount[],
  sticky: readonly (string | undefined)[],
  nowMs: number,
): string[] {
  const queues = accounts.map((account): Queue => ({ account, given: 0 }));
  return sticky.map((own) => {
    const chosen = queues.find(({ account }) => account.instance === own) ?? soonest(queues, nowMs);
    if (chosen === undefined) throw new Error('a pool has no account');
    chosen.given += 1;
    return chosen.account.instance;
  });
}

/** CHOOSE-2, CHOOSE-3. */
function soonest(queues: readonly Queue[], nowMs: number): Queue | undefined {
  let best: { readonly queue: Queue; readonly endMs: number; readonly ahead: number } | undefined;
  for (const queue of queues) {
    const endMs = endsAtMs(queue.account, queue.given + 1, nowMs);
    const ahead = queue.account.ahead + queue.given;
    if (best === undefined || endMs < best.endMs || (endMs === best.endMs && ahead < best.ahead)) {
      best = { queue, endMs, ahead };
    }
  }
  return best?.queue;
}

/** When the last message of the campaign leaves the account if it gets this many more. */
function endsAtMs(account: SendingAccount, more: number, nowMs: number): number {
  const { opensAtMs, intervalMs = EXPECTED_INTERVAL_MS, left, queued, ahead, others } = account;
  const own = ahead + more;
  const turns = others.reduce((sum, other) => sum + Math.min(own, other), 0);
  const isCapped = left !== undefined && own > left.messages;
  return Math.max(opensAtMs, nowMs, isCapped ? left.untilMs : 0) + (queued + own + turns) * intervalMs;
}

/** Smaller differences are left: paces are estimates. */
const UNEVEN_MS = 60_000;
/** So that a round is short. The next one gives more. */
const MOST_GIVEN = 256;

/** CHOOSE-4. @returns the account that gives its last messages back, and how many; undefined if none does */
export function tailToSpread(
  accounts: readonly SendingAccount[],
  nowMs: number,
): { readonly instance: string; readonly count: number } | undefined {
  const open = accounts.filter(({ opensAtMs }) => opensAtMs <= nowMs);
  const last = open.toSorted((a, b) => endsAtMs(b, 0, nowMs) - endsAtMs(a, 0, nowMs))[0];
  if (last === undefined) return undefined;
  const others = open.filter((account) => account !== last).map((account): Queue => ({ account, given: 0 }));
  let count = 0;
  for (; count < Math.min(MOST_GIVEN, last.ahead); count += 1) {
    const next = soonest(others, nowMs);
    if (next === undefined) break;
    const earlierMs = endsAtMs(last, -count, nowMs) - endsAtMs(next.account, next.given + 1, nowMs);
    if (earlierMs <= (count === 0 ? UNEVEN_MS : 0)) break;
    next.given += 1;
  }
  return count === 0 ? undefined : { instance: last.instance, count };
}
