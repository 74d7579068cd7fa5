import { CompleteAsyncError } from '@temporalio/activity';
import {
  AppError,
  SEND_OPERATION,
  hasOutcome,
  type MessageSnapshot,
  type SendInput,
  type SendOperation,
} from '../contract/index.js';
import type { ActivityDependencies } from './dependencies.js';
import { speakingTemporal } from './failures.js';

export type SendActivities = { [Name in SendOperation]: (input: SendInput) => Promise<MessageSnapshot> };

/**
 * One activity for each operation that sends, so that the Web UI shows what a message waits for. It posts nothing: the
 * dispatcher of the instance does, and what records the outcome completes the activity.
 *
 * The row is read after the activity was scheduled, so an outcome that it does not see yet is recorded later, and then
 * completes it.
 */
export function sendActivities({ ledger, wake }: Pick<ActivityDependencies, 'ledger' | 'wake'>): SendActivities {
  const send = speakingTemporal(async ({ messageId, instance }: SendInput): Promise<MessageSnapshot> => {
    const row = await ledger.messages.snapshot(messageId);
    if (row === undefined) throw new AppError('MESSAGE_NOT_FOUND', `Message ${messageId} is not in the ledger.`);
    if (hasOutcome(row.state)) {
      // The run gets the outcome as this result, so it needs no signal.
      await ledger.signals.sent([row]);
      return row;
    }
    wake(instance);
    throw new CompleteAsyncError();
  });
  return Object.fromEntries(Object.values(SEND_OPERATION).map((name) => [name, send])) as SendActivities;
}
