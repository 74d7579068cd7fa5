import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type Clock, type InstanceDirectory } from '../contract/index.js';
import { isSendingState } from '../domain/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

/** As the gateway's document advises; notifications between two polls are recorded as well. */
const EVERY_MS = 60_000;
/** Begun at a time: the requests of a thousand instances at once would hold up everything else in the process. */
const TOGETHER = 50;
const PAUSE_MS = 100;

/**
 * Asks once a minute in which state each instance is, and writes it down. Also of one that nothing waits for: the next
 * message may be for an account that has got a yellow card since, without a notification.
 */
export function watchInstances(dependencies: {
  readonly instances: InstanceDirectory;
  readonly ledger: Ledger;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  /** Called for an instance that is authorized. `isNew`: its last known state was another. */
  readonly onAuthorized?: (instance: string, isNew: boolean) => Promise<void>;
}): BackgroundJob {
  const { instances, ledger, gateway, clock, log, onAuthorized } = dependencies;

  /** Undefined when it cannot be had, and while an instance is being made: then it has none. */
  async function stateOf(instance: string): Promise<string | undefined> {
    try {
      const { response } = await gateway.call(instance, 'getStateInstance', {});
      return response.stateInstance ?? undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log({ level: 'warn', message: "an instance's state could not be read", instance, code: error.code });
      return undefined;
    }
  }

  async function poll(instance: string): Promise<void> {
    const state = await stateOf(instance);
    if (state === undefined) return;
    const isNew = await ledger.instanceStates.record({ instance, state, atMs: clock.nowMs() });
    if (isSendingState(state)) await onAuthorized?.(instance, isNew);
  }

  return {
    name: 'watch instances',
    everyMs: EVERY_MS,
    async round() {
      const names = instances.names().filter((name) => gateway.offers(name, 'getStateInstance'));
      const inTurn = async (name: string, place: number): Promise<void> => {
        if (place >= TOGETHER) await delay(Math.floor(place / TOGETHER) * PAUSE_MS, undefined, { ref: false });
        await poll(name);
      };
      await Promise.all(names.map(inTurn));
    },
  };
}
