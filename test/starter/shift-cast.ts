/** A shift that serves an instance, as the API shows it. */
import type { DueAttempt, Ledger, ShiftStats } from '../../src/ledger/index.js';

const NO_ROOM = { urgent: 0, high: 0, normal: 0, low: 0 } as const;

/** Begins a shift with this estimate of the gateway's queue, without a claim. */
export async function aShift(ledger: Ledger, instance: string, stats: ShiftStats, nowMs: number): Promise<void> {
  const shift = { instance, epoch: { scheduledMs: nowMs, attempt: 1 }, worker: 'worker-1' };
  const deadlines = { postingDeadlineMs: nowMs + 1_000, reconcileAfterMs: nowMs + 2_000 };
  // A tick records the shift's view five seconds after its row was written.
  await ledger.dispatch.beginShift(shift, nowMs - 6_000);
  await ledger.dispatch.tick({
    wants: [{ shift, free: 0, room: NO_ROOM, busyChats: [], lowerFirst: false, stats, ...deadlines }],
    outcomes: [],
    nowMs,
  });
}

/** Claims the due messages of an instance, as a shift does just before it posts. */
export async function claimAll(ledger: Ledger, instance: string, nowMs: number): Promise<readonly DueAttempt[]> {
  const shift = { instance, epoch: { scheduledMs: nowMs, attempt: 1 }, worker: 'worker-1' };
  await ledger.dispatch.beginShift(shift, nowMs);
  const deadlines = { postingDeadlineMs: nowMs + 15_000, reconcileAfterMs: nowMs + 30_000 };
  const room = { urgent: 9, high: 9, normal: 9, low: 9 };
  const { claimed } = await ledger.dispatch.tick({
    wants: [{ shift, free: 10, room, busyChats: [], lowerFirst: false, ...deadlines }],
    outcomes: [],
    nowMs,
  });
  return claimed;
}
