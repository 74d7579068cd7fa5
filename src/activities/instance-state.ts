import { AppError, type PauseReason, type MessageId } from '../contract/index.js';
import { pauseText } from '../ledger/index.js';
import type { ActivityDependencies } from './dependencies.js';

export const AUTHORIZED = 'authorized';
/** How soon a single message is tried again that waits for the phone. */
export const STATE_RETRY_MS = 10_000;
/** A message of a paused instance is tried less often: it is posted at most this long after the instance is resumed. */
const PAUSED_RETRY_MS = 30_000;

/** The instance's own word, or that it could not be asked: for now, or because it does not tell. */
export type InstanceStateReading =
  | { readonly state: string }
  | { readonly state?: undefined; readonly code: AppError['code']; readonly next: AppError['next'] };

export interface InstanceStateReader {
  /**
   * What was seen not longer ago than `maxAgeMs`, or what the gateway says now. Asked once for all who ask at a time.
   */
  now(
    instance: string,
    maxAgeMs: number,
    seen?: { readonly state: string; readonly seenAtMs: number },
  ): Promise<InstanceStateReading>;
}

/** A turn to ask comes within a second. */
const TURN_WITHIN_MS = 2_000;

export function createInstanceStateReader(
  deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
): InstanceStateReader {
  const { ledger, gateway, clock } = deps;
  const underWay = new Map<string, Promise<InstanceStateReading>>();

  async function ask(instance: string): Promise<InstanceStateReading> {
    const deadlineMs = clock.nowMs() + TURN_WITHIN_MS;
    try {
      const { response } = await gateway.call(instance, 'getStateInstance', {}, { deadlineMs });
      // While an instance is being made it has no state.
      const state = response.stateInstance ?? 'none';
      await ledger.instanceStates.record({ instance, state, atMs: clock.nowMs() });
      return { state };
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
      return { code: error.code, next: error.next };
    }
  }

  async function current(instance: string) {
    const view = await ledger.instanceStates.current(instance);
    return view && { state: view.state, seenAtMs: Date.parse(view.seenAt) };
  }

  return {
    async now(instance, maxAgeMs, seen) {
      const known = seen ?? (await current(instance));
      if (known !== undefined && clock.nowMs() - known.seenAtMs <= maxAgeMs) return { state: known.state };
      const asking = underWay.get(instance) ?? ask(instance).finally(() => underWay.delete(instance));
      underWay.set(instance, asking);
      return asking;
    },
  };
}

/** Why a single message waits: see INSTANCE-2 of the ledger's instances. */
export function instancePaused(messageId: MessageId, instance: string, reasons: readonly PauseReason[]): AppError {
  return new AppError('INSTANCE_PAUSED', `Message ${messageId} waits: ${pauseText(instance, reasons)}`, {
    retryAfterMs: PAUSED_RETRY_MS,
  });
}
