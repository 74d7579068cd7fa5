import type { Clock } from '../../src/contract/index.js';
import type { TimeSkippingTemporal } from '../support/temporal/temporal.js';

/** Follows the machine's clock until it is set; then it stands still until it is set again, and never goes back. */
export class LedClock implements Clock {
  private fixedMs: number | undefined;

  nowMs(): number {
    return this.fixedMs ?? Date.now();
  }

  /** Those who set it asked the server for the time, and the responses may be reordered. */
  set(ms: number): void {
    this.fixedMs = Math.max(ms, this.fixedMs ?? ms);
  }
}

/** Sets the clock to the time-skipping server's before each activity: time may have been skipped since the last one. */
export function onServerTime<Activities extends object>(
  activities: Activities,
  { env }: TimeSkippingTemporal,
  clock: LedClock,
): Activities {
  return Object.fromEntries(
    Object.entries(activities).map(([name, activity]: [string, (input: unknown) => Promise<unknown>]) => [
      name,
      async (input: unknown) => {
        clock.set(await env.currentTimeMs());
        return activity(input);
      },
    ]),
  ) as Activities;
}
