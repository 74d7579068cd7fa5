import type { Clock, InstanceDirectory } from '../../contract/index.js';
import type { InstancePause, Ledger } from '../../ledger/index.js';
import { instanceCommandId } from '../ids.js';

export interface PauseDependencies {
  readonly ledger: Pick<Ledger, 'instances'>;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  /** Makes the campaigns of an instance poll at once, so that they show why they wait. It never throws. */
  readonly wakeCampaigns: (instance: string) => Promise<void>;
}

/**
 * An operator's command that an instance posts nothing until it is resumed. Delivered again it does not pause again.
 * @throws AppError INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH
 */
export type PauseInstance = (name: string, key: string) => Promise<InstancePause>;

export function pauseInstanceWith({ ledger, instances, clock, wakeCampaigns }: PauseDependencies): PauseInstance {
  return async (name, key) => {
    instances.get(name);
    const pause = await ledger.instances.pauseByOperator(name, instanceCommandId(name, 'pause', key), clock.nowMs());
    void wakeCampaigns(name);
    return pause;
  };
}
