import type { Selectable } from 'kysely';
import { LONGEST_UNKNOWN_MS, SUCCESSOR_PATIENCE_MS, WITNESS_PATIENCE_MS } from '../contract/index.js';
import type { MessageRow } from './message-row.js';
import type { AttemptsTable } from './schema.js';

/** How long everpost tries to determine the outcome of a request whose response was lost, and what follows. */
export interface UnknownOutcome {
  /** ISO UTC: when the request began to leave. */
  readonly since: string;
  /** Until when the gateway's queue, its journal and its notifications are watched. */
  readonly witnessesUntil: string;
  /** Until when at the latest, where one of them cannot be asked or shows a message that may be this one. */
  readonly atLatest: string;
  /**
   * What follows if nothing shows it by then: `unresolved` until an operator resolves it; `presume_or_unresolved` is
   * sent again when it is presumed never to have been accepted, and unresolved otherwise.
   */
  readonly then: 'unresolved' | 'presume_or_unresolved';
}

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
