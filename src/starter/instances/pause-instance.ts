import type { InstancePause } from '../../ledger/index.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { instanceCommandId } from '../ids.js';
import type { Wait } from '../temporal-call.js';
import { waitUntil } from '../wait-until.js';

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
export async function pauseInstance(
  { ledger, instances, clock, bell, wakeAll }: RouteDependencies,
  name: string,
  key: string,
  { timeoutMs, signal, witness }: Wait & { readonly witness: string },
): Promise<AskedPause> {
  instances.get(name);
  const commandId = instanceCommandId(name, 'pause', key);
  const pause = await ledger.instances.pauseByOperator(name, commandId, witness, clock.nowMs());
  void wakeAll(name);
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
}
