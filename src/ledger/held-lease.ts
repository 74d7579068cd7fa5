import type { Leases } from './leases.js';

const RENEWED_AFTER_MS = 5_000;

export interface HeldLease {
  /** Asks the ledger at most every five seconds, whether this holder has it or not. */
  isHeld(): Promise<boolean>;
  /** Lets another holder take over; nothing where it is not held. */
  release(): Promise<void>;
}

/** For a loop that looks far more often than its lease has to be renewed. */
export function heldLease(
  leases: Pick<Leases, 'acquire' | 'release'>,
  { name, holder, forMs }: { readonly name: string; readonly holder: string; readonly forMs: number },
): HeldLease {
  let isHeld = false;
  let askedAtMs = -Infinity;
  return {
    async isHeld() {
      const nowMs = performance.now();
      if (nowMs - askedAtMs < RENEWED_AFTER_MS) return isHeld;
      isHeld = await leases.acquire(name, holder, forMs);
      askedAtMs = nowMs;
      return isHeld;
    },
    async release() {
      if (isHeld) await leases.release(name, holder);
    },
  };
}
