import { AppError, type Clock } from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Duty } from './duty.js';
import type { Log } from './temporal-runtime.js';

/** The gateway's own advice; what its notifications tell in between is recorded as well. */
const EVERY_MS = 60_000;

/** Asks once a minute in which state each instance is that messages wait for, and writes it down. */
export function watchInstances(parts: {
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
}): Duty {
  const { ledger, gateway, clock, log } = parts;

  async function look(instance: string): Promise<void> {
    try {
      const { answer } = await gateway.call(instance, 'getStateInstance', {});
      const state = answer.stateInstance;
      // While an instance is being made it has no state.
      if (state !== null) await ledger.instanceStates.record({ instance, state, atMs: clock.nowMs() });
    } catch (error) {
      if (error instanceof AppError && error.code === 'LEDGER_UNAVAILABLE') throw error;
      const code = error instanceof AppError ? error.code : 'INTERNAL';
      log({ level: 'warn', message: "an instance's state could not be read", instance, code });
    }
  }

  return {
    name: 'watch instances',
    everyMs: EVERY_MS,
    async round() {
      await Promise.all((await ledger.instanceStates.inUse()).map(look));
    },
  };
}
