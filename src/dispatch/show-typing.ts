import { AppError, present } from '../contract/index.js';
import type { DueTyping } from '../ledger/index.js';
import type { DispatcherDependencies } from './dependencies.js';

/** Responses of a gateway that does not have the operation, or not for this account. */
const NOT_THERE: readonly (number | undefined)[] = [403, 404, 405, 501];
/** The rate limit, which says nothing of the operation, and a request that our own check or the gateway's refuses for this chat. */
const CONCERNS_ONE: readonly string[] = [
  'GATEWAY_BUSY',
  'GATEWAY_DEADLINE_PASSED',
  'INPUT_INVALID',
  'GATEWAY_REJECTED',
];

/**
 * Asks the gateway to show typing before a message, and records what became of it. Nothing depends on it (TYPING-2): it is not repeated.
 * @returns false when it is no use to ask again for a while
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
