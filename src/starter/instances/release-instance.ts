import { AppError, type Clock, type InstanceDirectory } from '../../contract/index.js';
import type { BrakeView, Ledger } from '../../ledger/index.js';
import type { AskGateway } from '../campaigns/ask-gateway.js';

export interface ReleaseParts {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly askGateway: AskGateway;
  /** Makes the campaigns of an instance poll at once. Nothing waits for it, and it never throws. */
  readonly wakeCampaigns: (instance: string) => Promise<void>;
}

/**
 * A person's word that an instance may send again.
 * @returns the brakes that came off by it; none when none was on
 * @throws AppError INSTANCE_UNKNOWN | INSTANCE_NOT_AUTHORIZED
 */
export type ReleaseInstance = (name: string, signal: AbortSignal) => Promise<readonly BrakeView[]>;

/** A person waits for the answer. */
const ASK_FOR_MS = 10_000;

export function releaseInstanceWith(parts: ReleaseParts): ReleaseInstance {
  const { ledger, instances, clock, askGateway, wakeCampaigns } = parts;

  /** What was seen last may be a minute old. With nobody to ask it has to do. */
  async function lookAt(instance: string, signal: AbortSignal): Promise<void> {
    try {
      const wait = { timeoutMs: ASK_FOR_MS, signal };
      const { stateInstance } = await askGateway<{ stateInstance?: unknown }>('getStateInstance', instance, {}, wait);
      if (typeof stateInstance !== 'string') return;
      await ledger.instanceStates.record({ instance, state: stateInstance, atMs: clock.nowMs() });
    } catch (error) {
      if (!(error instanceof AppError) || error.next === 'bug' || error.code === 'LEDGER_UNAVAILABLE') throw error;
    }
  }

  return async (name, signal) => {
    instances.get(name);
    if ((await ledger.instances.brakes(name)).length === 0) return [];
    await lookAt(name, signal);
    const released = await ledger.instances.release(name, 'person', clock.nowMs());
    void wakeCampaigns(name);
    return released;
  };
}
