/**
 * Which account of a pool gets a recipient.
 *
 * CHOOSE-1 A recipient stays with the account that talked with him last, while the pool has it.
 * CHOOSE-2 Any other recipient gets the account that could send the next message soonest: after what is ahead of it, at
 *    its pace, in its hours, and within its cap of the day. Of equal ones the first of the pool.
 * CHOOSE-3 If no account can send, the one with the fewest messages ahead: its messages move when another one can.
 */
import { ASSUMED_INTERVAL_MS } from '../../contract/index.js';

/** An account of a pool, and what decides when it sends. */
export interface SendingAccount {
  readonly instance: string;
  /** When it may post; Infinity if an event has to happen first. */
  readonly opensAtMs: number;
  /** Messages that leave before the next one: in the gateway's queue, and of this campaign. */
  readonly ahead: number;
  /** Absent while its pace is unknown. */
  readonly intervalMs?: number | undefined;
  /** What its caps allow today. @default any number */
  readonly left?: { readonly messages: number; readonly untilMs: number } | undefined;
}

interface Queue {
  readonly account: SendingAccount;
  ahead: number;
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
  const queues = accounts.map((account): Queue => ({ account, ahead: account.ahead, given: 0 }));
  return sticky.map((own) => {
    const chosen = queues.find(({ account }) => account.instance === own) ?? soonest(queues, nowMs);
    if (chosen === undefined) throw new Error('a pool has no account');
    chosen.ahead += 1;
    chosen.given += 1;
    return chosen.account.instance;
  });
}

/** CHOOSE-2, CHOOSE-3. */
function soonest(queues: readonly Queue[], nowMs: number): Queue | undefined {
  let [best] = queues;
  for (const queue of queues) if (best !== undefined && isSooner(queue, best, nowMs)) best = queue;
  return best;
}

function isSooner(one: Queue, other: Queue, nowMs: number): boolean {
  const [a, b] = [nextAtMs(one, nowMs), nextAtMs(other, nowMs)];
  return a === b ? one.ahead < other.ahead : a < b;
}

/** When its next message would leave. */
function nextAtMs({ account, ahead, given }: Queue, nowMs: number): number {
  const { opensAtMs, intervalMs = ASSUMED_INTERVAL_MS, left } = account;
  const isCapped = left !== undefined && given >= left.messages;
  return Math.max(opensAtMs, nowMs, isCapped ? left.untilMs : 0) + (ahead + 1) * intervalMs;
}
