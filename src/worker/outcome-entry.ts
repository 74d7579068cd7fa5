import { present, type AttemptOutcome, type LogEntry } from '../contract/index.js';
import type { DueAttempt } from '../ledger/index.js';

/** A line for each outcome; the info level has those that an operator may look for. */
export function outcomeEntry(
  { instance, messageId, campaignId }: DueAttempt,
  { kind, ...facts }: AttemptOutcome,
): LogEntry {
  const isExpected = kind === 'accepted' || kind === 'not_accepted';
  return {
    level: isExpected ? 'debug' : 'info',
    message: 'a message has an outcome',
    instance,
    messageId,
    ...present({ campaignId }),
    outcome: kind,
    ...('code' in facts ? { code: facts.code } : {}),
    ...('idMessage' in facts ? { idMessage: facts.idMessage } : {}),
  };
}
