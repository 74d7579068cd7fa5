import { AppError } from '../../contract/index.js';
import { isPauseState } from '../../domain/index.js';
import type { InstancePause } from '../../ledger/index.js';
import type { RouteDependencies } from '../http/route-dependencies.js';
import { instanceCommandId } from '../ids.js';

/** An operator waits for the response. */
const ASK_FOR_MS = 10_000;

/**
 * An operator's command that resumes an instance. It ends the pauses that began before it was asked for, once:
 * delivered again it ends no pause that came since.
 * @returns the pauses that it ended; none when it was not paused
 * @throws AppError INSTANCE_NOT_FOUND | INSTANCE_NOT_AUTHORIZED
 */
export async function resumeInstance(
  dependencies: RouteDependencies,
  name: string,
  key: string,
  { signal, witness }: { readonly signal: AbortSignal; readonly witness: string },
): Promise<readonly InstancePause[]> {
  const { ledger, instances, clock, wakeAll } = dependencies;
  instances.get(name);
  const commandId = instanceCommandId(name, 'resume', key);
  const command = await ledger.instances.askResume(name, commandId, witness, clock.nowMs());
  if (command.resumed !== undefined) return command.resumed;
  const pauses = await ledger.instances.pauses(name);
  if (pauses.length === 0) return ledger.instances.recordResume(name, commandId, []);
  if (pauses.some(({ reason }) => isPauseState(reason))) await readState(dependencies, name, signal);
  const off = await ledger.instances.resume(name, 'operator', clock.nowMs(), { until: command.until });
  const resumed = await ledger.instances.recordResume(name, commandId, off);
  void wakeAll(name);
  return resumed;
}

/** What was seen last may be a minute old. It decides when the gateway cannot be asked. */
async function readState(
  { ledger, clock, askGateway }: RouteDependencies,
  instance: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const wait = { timeoutMs: ASK_FOR_MS, signal };
    const { stateInstance } = await askGateway<{ stateInstance?: unknown }>('getStateInstance', instance, {}, wait);
    if (typeof stateInstance !== 'string') return;
    await ledger.instanceStates.record({ instance, state: stateInstance, atMs: clock.nowMs() });
  } catch (error) {
    if (!(error instanceof AppError) || error.next === 'bug' || error.code === 'LEDGER_UNAVAILABLE') throw error;
  }
}
