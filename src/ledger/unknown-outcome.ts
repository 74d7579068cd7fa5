import type { Selectable } from 'kysely';
import { LONGEST_UNKNOWN_MS, SUCCESSOR_PATIENCE_MS, WITNESS_PATIENCE_MS } from '../contract/index.js';
import type { MessageRow } from './message-row.js';
import type { AttemptsTable } from './schema.js';
import type { UnknownOutcome } from './message-types.js';

/** @param attempts  of this message, oldest first */
export function unknownOutcome(
  row: Pick<MessageRow, 'state' | 'attempt_token' | 'on_unknown'>,
  attempts: readonly Selectable<AttemptsTable>[],
): UnknownOutcome | undefined {
  if (row.state !== 'unknown') return undefined;
  const attempt = attempts.find(({ token }) => token === row.attempt_token);
  if (attempt === undefined) return undefined;
  const mayPresume = row.on_unknown === 'auto';
  const patienceMs = mayPresume ? SUCCESSOR_PATIENCE_MS : WITNESS_PATIENCE_MS;
  return {
    since: attempt.claimed_at.toISOString(),
    witnessesUntil: new Date(attempt.reconcile_after.getTime() + patienceMs).toISOString(),
    atLatest: new Date(attempt.reconcile_after.getTime() + LONGEST_UNKNOWN_MS).toISOString(),
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
    then: mayPresume ? 'presume_or_unresolved' : 'unresolved',
  };
}
