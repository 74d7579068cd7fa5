/**
 * Which accounts of a pool get messages.
 *
 * MOVE-1 An account that could not send for longer than `moveAfter` goes out, if another one can send: its pending
 *    messages move. It comes back as soon as it can send.
 * MOVE-2 An account that the instances file has no more goes out at once, and comes back with it.
 * MOVE-3 With `stickySender: required` no account goes out because it cannot send.
 * MOVE-4 An account that an operator removed, or that the automatic pause stopped, comes back by a command only.
 */
import type { AccountOut } from '../../contract/index.js';

export interface PoolAccount {
  readonly instance: string;
  readonly out: AccountOut | null;
  readonly isConfigured: boolean;
  /** It is paused, not authorized, without a gateway, or has reached its cap. */
  readonly isBlocked: boolean;
  /** Since when, as the last poll found it. */
  readonly blockedSinceMs: number | null;
}

/** @returns the accounts that change */
export function poolChanges(
  accounts: readonly PoolAccount[],
  {
    nowMs,
    moveAfterMs,
    isRequired,
  }: { readonly nowMs: number; readonly moveAfterMs: number; readonly isRequired: boolean },
): Pick<PoolAccount, 'instance' | 'blockedSinceMs' | 'out'>[] {
  const able = accounts.filter((one) => one.isConfigured && !one.isBlocked && isAutomatic(one.out));
  return accounts.flatMap((account) => {
    const { instance, isConfigured, isBlocked, out: before } = account;
    if (!isAutomatic(before)) return [];
    const blockedSinceMs = isBlocked || !isConfigured ? (account.blockedSinceMs ?? nowMs) : null;
    const hasOther = able.some((other) => other !== account);
    const isLong = blockedSinceMs !== null && nowMs - blockedSinceMs >= moveAfterMs && !isRequired;
    const out = outNow(before, { isConfigured, isLong, hasOther, isBlocked });
    return out === before && blockedSinceMs === account.blockedSinceMs ? [] : [{ instance, blockedSinceMs, out }];
  });
}

/** MOVE-4. */
function isAutomatic(out: AccountOut | null): boolean {
  return out === null || out === 'cannot_send' || out === 'not_configured';
}

/** MOVE-1, MOVE-2. One that is out stays out until it can send. */
function outNow(
  before: AccountOut | null,
  { isConfigured, isLong, hasOther, isBlocked }: Record<'isConfigured' | 'isLong' | 'hasOther' | 'isBlocked', boolean>,
): AccountOut | null {
  if (!isConfigured) return hasOther ? 'not_configured' : before;
  if (!isBlocked) return null;
  if (before === 'cannot_send') return before;
  return isLong && hasOther ? 'cannot_send' : null;
}
