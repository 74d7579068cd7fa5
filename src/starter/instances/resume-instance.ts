import { AppError, type Clock, type InstanceDirectory } from '../../contract/index.js';
import { isPauseState } from '../../domain/index.js';
import type { InstancePause, Ledger } from '../../ledger/index.js';
import type { AskGateway } from '../campaigns/ask-gateway.js';
import { instanceCommandId } from '../ids.js';
import type { WakeInstance } from '../wake-instance.js';

export interface ResumeDependencies {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  readonly askGateway: AskGateway;
  /** Wakes the dispatcher of an instance, and its campaigns, which then show why they wait. */
  readonly wake: WakeInstance;
}

/**
 * An operator's command that resumes an instance. It ends the pauses that began before it was asked for, once:
 * delivered again it ends no pause that came since.
 * @returns the pauses that it ended; none when it was not paused
 * @throws AppError INSTANCE_NOT_FOUND | INSTANCE_NOT_AUTHORIZED
 */
export type ResumeInstance = (
  name: string,
  key: string,
  how: { readonly signal: AbortSignal; readonly witness: string },
) => Promise<readonly InstancePause[]>;

/** An operator waits for the response. */
const ASK_FOR_MS = 10_000;

export function resumeInstanceWith(dependencies: ResumeDependencies): ResumeInstance {
  const { ledger, instances, clock, askGateway, wake } = dependencies;

  /** What was seen last may be a minute old. It decides when the gateway cannot be asked. */
  async function readState(instance: string, signal: AbortSignal): Promise<void> {
    try {
      const wait = { timeoutMs: ASK_FOR_MS, signal };
      const { stateInstance } = await askGateway<{ stateInstance?: unknown }>('getStateInstance', instance, {}, wait);
      if (typeof stateInstance !== 'string') return;
      await ledger.instanceStates.record({ instance, state: stateInstance, atMs: clock.nowMs() });
    } catch (error) {
      if (!(error instanceof AppError) || error.next === 'bug' || error.code === 'LEDGER_UNAVAILABLE') throw error;
    }
  }

  return async (name, key, { signal, witness }) => {
    instances.get(name);
    const commandId = instanceCommandId(name, 'resume', key);
    const command = await ledger.instances.askResume(name, commandId, witness, clock.nowMs());
    if (command.resumed !== undefined) return command.resumed;
    const pauses = await ledger.instances.pauses(name);
    if (pauses.length === 0) return ledger.instances.recordResume(name, commandId, []);
    if (pauses.some(({ reason }) => isPauseState(reason))) await readState(name, signal);
    const off = await ledger.instances.resume(name, 'operator', clock.nowMs(), { until: command.until });
    const resumed = await ledger.instances.recordResume(name, commandId, off);
    void wake(name);
    return resumed;
  };
}
