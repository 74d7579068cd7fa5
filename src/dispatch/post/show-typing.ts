import { AppError, present } from '../../contract/index.js';
import type { DueTyping } from '../../ledger/index.js';
import type { DispatcherDependencies } from '../dependencies.js';

/** Responses of a gateway that does not support the operation, in general or for this account. */
const NOT_THERE: readonly (number | undefined)[] = [403, 404, 405, 501];
/**
 * The rate limit, which is no information about the operation, and a request that our check or the gateway rejects for
 * this chat.
 */
const CONCERNS_ONE: readonly string[] = [
  'GATEWAY_BUSY',
  'GATEWAY_DEADLINE_PASSED',
  'INPUT_INVALID',
  'GATEWAY_REJECTED',
];

/**
 * Asks the gateway to show typing before a message, and records the result. It is not repeated, since nothing depends
 * on it (TYPING-2).
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
    log({ level: 'warn', message: 'what became of typing was not recorded', instance, messageId, error });
  }
  if (failure === undefined) return true;
  return CONCERNS_ONE.includes(failure.code) && !NOT_THERE.includes(failure.httpStatus);
}

function failureOf(error: unknown) {
  if (!(error instanceof AppError)) throw error;
  const { code, gatewayText, httpStatus } = error;
  return { code, ...present({ text: gatewayText, httpStatus }) };
}
