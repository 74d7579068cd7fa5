import type { Clock, InstanceDirectory } from '../../contract/index.js';
import type { InstancePause, Ledger } from '../../ledger/index.js';
import type { ChangeBell } from '../change-bell.js';
import { instanceCommandId } from '../ids.js';
import type { Wait } from '../temporal-call.js';
import { waitUntil } from '../wait-until.js';
import type { WakeInstance } from '../wake-instance.js';

export interface PauseDependencies {
  readonly ledger: Pick<Ledger, 'instances'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly bell: ChangeBell;
  /** Wakes the dispatcher of an instance, and its campaigns, which then show why they wait. */
  readonly wake: WakeInstance;
}

export interface AskedPause {
  readonly pause: InstancePause;
  /** False while messages whose POST began before the pause are still being posted. */
  readonly isStill: boolean;
}

/**
 * An operator's command that an instance posts nothing until it is resumed. It waits until no POST is under way.
 * Delivered again it does not pause again.
 * @throws AppError INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
export type PauseInstance = (
  name: string,
  key: string,
  wait: Wait & { readonly witness: string },
) => Promise<AskedPause>;

export function pauseInstanceWith({ ledger, instances, clock, bell, wake }: PauseDependencies): PauseInstance {
  return async (name, key, { timeoutMs, signal, witness }) => {
    instances.get(name);
    const commandId = instanceCommandId(name, 'pause', key);
    const pause = await ledger.instances.pauseByOperator(name, commandId, witness, clock.nowMs());
    void wake(name);
    const isStill = await waitUntil(bell, {
      id: `instance ${name}`,
      read: async () => {
        const { sending, reconcileAfterMs = 0 } = await ledger.instances.underWay(name);
        return sending === 0 || reconcileAfterMs <= clock.nowMs();
      },
      isDone: (isDone) => isDone,
      timeoutMs,
      signal: signal ?? new AbortController().signal,
    });
    return { pause, isStill };
  };
}
