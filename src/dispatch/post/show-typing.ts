import { AppError, present } from '../../contract/index.js';
import type { DueTyping } from '../../ledger/index.js';
import type { DispatcherDependencies } from '../dependencies.js';

/** The statuses of a gateway that does not support typing, in general or for this account. */
const NOT_THERE: readonly (number | undefined)[] = [403, 404, 405, 501];
/** Failures that concern one request: the rate limit, and a rejection for this chat by our check or by the gateway. */
const CONCERNS_ONE: readonly string[] = [
  'GATEWAY_BUSY',
  'GATEWAY_DEADLINE_PASSED',
  'INPUT_INVALID',
  'GATEWAY_REJECTED',
];

/**
 * Asks the gateway to show typing before a message, and records the result. A failed request is not retried, since the
 * message does not depend on it (TYPING-2).
 * @returns false if further requests are useless for a while
 */
export async function showTyping(
  { gateway, ledger, clock, log }: Pick<DispatcherDependencies, 'gateway' | 'ledger' | 'clock' | 'log'>,
  { messageId, instance, chatId, typingMs, untilMs }: DueTyping,
): Promise<boolean> {
  const failure = await gateway
    .call(instance, 'sendTyping', { chatId, typingTime: typingMs }, { deadlineMs: untilMs })
    .then(() => undefined, failureOf);
  try {
    await ledger.recordTyping(messageId, failure, clock.nowMs());
  } catch (error) {
    log({ level: 'warn', message: 'the result of a typing request was not recorded', instance, messageId, error });
  }
  if (failure === undefined) return true;
  return CONCERNS_ONE.includes(failure.code) && !NOT_THERE.includes(failure.httpStatus);
}

function failureOf(error: unknown) {
  if (!(error instanceof AppError)) throw error;
  const { code, gatewayText, httpStatus } = error;
  return { code, ...present({ text: gatewayText, httpStatus }) };
}
