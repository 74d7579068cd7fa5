import { AppError, type Clock, type InstanceDirectory } from '../contract/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Duty } from './duty.js';
import type { Log } from './temporal-runtime.js';

/** The gateway's own advice; what its notifications tell in between is recorded as well. */
const EVERY_MS = 60_000;

/**
 * Asks once a minute in which state each instance is, and writes it down. Also of one that nothing waits for: the next message
 * may be for an account that has got a yellow card since, and told nobody.
 */
export function watchInstances(parts: {
  readonly instances: InstanceDirectory;
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  /** Told of an instance that is authorized. `isNews`: it was not known to be. */
  readonly onAuthorized?: (instance: string, isNews: boolean) => Promise<void>;
}): Duty {
  const { instances, ledger, gateway, clock, log, onAuthorized } = parts;

  /** Undefined when it cannot be had, and while an instance is being made: then it has none. */
  async function stateOf(instance: string): Promise<string | undefined> {
    try {
      const { answer } = await gateway.call(instance, 'getStateInstance', {});
      return answer.stateInstance ?? undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log({ level: 'warn', message: "an instance's state could not be read", instance, code: error.code });
      return undefined;
    }
  }

  async function look(instance: string): Promise<void> {
    const state = await stateOf(instance);
    if (state === undefined) return;
    const isNews = await ledger.instanceStates.record({ instance, state, atMs: clock.nowMs() });
    if (state === 'authorized') await onAuthorized?.(instance, isNews);
  }

  return {
    name: 'watch instances',
    everyMs: EVERY_MS,
    async round() {
      const names = instances.names().filter((name) => gateway.offers(name, 'getStateInstance'));
      await Promise.all(names.map(look));
    },
  };
}
