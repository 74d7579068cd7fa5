import type { Clock } from '../contract/index.js';
import type { ReconcileLedger } from '../ledger/index.js';
import type { Duty } from './duty.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 60 * 60_000;
/** The gateway keeps a message for a day; what it tells of one after two is told of no message of ours. */
const KEPT_FOR_MS = 48 * 60 * 60_000;

/** Deletes what was kept of messages that people wrote on the phone, or other tools sent, once none of ours can be meant. */
export function forgetStrangers(parts: {
  readonly reconciling: Pick<ReconcileLedger, 'forgetStrangers'>;
  readonly clock: Clock;
  readonly log: Log;
}): Duty {
  const { reconciling, clock, log } = parts;
  return {
    name: 'forget strangers',
    everyMs: EVERY_MS,
    async round() {
      const forgotten = await reconciling.forgetStrangers(clock.nowMs() - KEPT_FOR_MS);
      log({ level: 'debug', message: 'notifications of messages that are nobody’s were deleted', ...forgotten });
    },
  };
}
