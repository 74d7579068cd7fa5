import { AppError, type Clock, type InstanceDirectory } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import type { WakeInstance } from '../wake-instance.js';

export interface OnAuthorizedDependencies {
  readonly ledger: Pick<Ledger, 'instances'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  /** Wakes the dispatcher of an instance, and its campaigns, which then show why they wait. */
  readonly wake: WakeInstance;
}

/**
 * Makes what is called with an instance that is authorized: pauses that resume automatically end, and it is
 * woken.
 * @returns a function that waits for the ledger alone, and throws AppError LEDGER_UNAVAILABLE; call it again then.
 *   `isNew`: false when it was known to be authorized, so that the instance is woken only if something was resumed
 */
export function onAuthorizedWith({ ledger, instances, clock, wake }: OnAuthorizedDependencies) {
  async function autoResume(instance: string): Promise<boolean> {
    // One that was taken out of the configuration has said something all the same.
    if (!instances.names().includes(instance)) return false;
    const { autoResume: only = [] } = instances.get(instance);
    if (only.length === 0) return false;
    try {
      return (await ledger.instances.resume(instance, 'authorized', clock.nowMs(), { only })).length > 0;
    } catch (error) {
      // The notification is late: the account has been in another state since.
      if (error instanceof AppError && error.code === 'INSTANCE_NOT_AUTHORIZED') return false;
      throw error;
    }
  }

  return async (instance: string, isNew = true): Promise<void> => {
    const isResumed = await autoResume(instance);
    if (isNew || isResumed) void wake(instance);
  };
}
