import { ActivityNotFoundError } from '@temporalio/client';
import { OPERATIONS, operationActivityId, type OperationInput, type OperationName } from '../contract/index.js';
import { operationId } from './ids.js';
import { type TemporalAccess, callTemporal } from './temporal-call.js';
import { startActivity } from './start-activity.js';

/** Operations that are no sends, each a standalone activity of Temporal's named after it. */
export interface OperationRuns {
  /** Starts the activity unless it was started before. The ledger's row has to be there: it holds the request. */
  start(method: OperationName, keyHash: string, instance: string): Promise<void>;
  /** True when Temporal has ended the activity, so that nothing will write its row any more. */
  hasEnded(method: OperationName, keyHash: string): Promise<boolean>;
}

/** HTTP timeout (15 s), a rate gate of one a second with others waiting, and the ledger's own retries. */
const START_TO_CLOSE = '2 minutes';
const RETRY = { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '5 minutes' } as const;
/**
 * Reading, or writing the same value again, is retried for days. An operation with an effect of its own is not: no caller
 * expects a setting to change the day after tomorrow.
 */
const SCHEDULE_TO_CLOSE = { send: '7 days', repeatable: '7 days', once: '1 hour' } as const;

export function operationRuns(access: TemporalAccess): OperationRuns {
  return {
    start(method, keyHash, instance) {
      const input: OperationInput = { operationId: operationId(keyHash) };
      return startActivity(access, `start of ${method} ${operationId(keyHash)}`, method, {
        id: operationActivityId(method, keyHash),
        args: [input],
        startToCloseTimeout: START_TO_CLOSE,
        scheduleToCloseTimeout: SCHEDULE_TO_CLOSE[OPERATIONS[method].durability],
        retry: RETRY,
        idReusePolicy: 'REJECT_DUPLICATE',
        summary: `${method} on ${instance}`,
      });
    },

    async hasEnded(method, keyHash) {
      const describe = () => access.client.activity.getHandle(operationActivityId(method, keyHash)).describe();
      try {
        const { status } = await callTemporal(access, `description of ${method} ${operationId(keyHash)}`, describe);
        return status !== 'RUNNING' && status !== 'PAUSED';
      } catch (error) {
        if (error instanceof ActivityNotFoundError) return false;
        throw error;
      }
    },
  };
}
