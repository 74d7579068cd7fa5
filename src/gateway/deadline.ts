import type { Clock } from '../contract/index.js';

/**
 * The instant after which no byte of a request may leave.
 *
 * Kept by two clocks: the injected one sees a process that was stopped and continued, also before the call; the
 * monotonic one sees time pass while the other is set back or stands still.
 */
export interface Deadline {
  passed(): boolean;
  /** Milliseconds left; negative once passed. Infinity without a deadline. */
  leftMs(): number;
}

export const NO_DEADLINE: Deadline = { passed: () => false, leftMs: () => Number.POSITIVE_INFINITY };

/** @param deadlineMs  milliseconds since the Unix epoch by `clock` */
export function deadlineAt(deadlineMs: number | undefined, clock: Clock): Deadline {
  if (deadlineMs === undefined) return NO_DEADLINE;
  const monotonicMs = performance.now() + (deadlineMs - clock.nowMs());
  const leftMs = () => Math.min(deadlineMs - clock.nowMs(), monotonicMs - performance.now());
  return { leftMs, passed: () => leftMs() < 0 };
}
