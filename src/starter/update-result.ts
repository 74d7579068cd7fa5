import { WorkflowUpdateRPCTimeoutOrCancelledError } from '@temporalio/client';
import { type TemporalAccess, type Wait, callWorker } from './temporal-call.js';
import { unlessGone } from './unless-gone.js';

/**
 * Gives an update to a run, which waits for a worker to take it, and then waits for its result.
 * @returns `waiting` when the run has taken it and it has not ended in time, `gone` when there is no open run
 */
export function updateResult<Result>(
  access: TemporalAccess,
  what: string,
  { timeoutMs, signal }: Wait,
  begin: () => Promise<{ result(): Promise<Result> }>,
): Promise<Result | 'waiting' | 'gone'> {
  return unlessGone(async () => {
    const { client } = access;
    const update = await callWorker(access, what, begin);
    const result = (): Promise<Result> => client.withDeadline(Date.now() + timeoutMs, () => update.result());
    try {
      return await (signal === undefined ? result() : client.withAbortSignal(signal, result));
    } catch (error) {
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return 'waiting';
      throw error;
    }
  });
}
