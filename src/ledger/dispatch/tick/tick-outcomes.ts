import { sql } from 'kysely';
import type { MessageSnapshot } from '../../../contract/index.js';
import { recordOutcome } from '../../messages/outcome.js';
import type { Tx } from '../../storage/store.js';
import type { Outcome } from '../dispatch-ledger.js';
import { acceptOrdinary, type AcceptedOutcome } from './accept-ordinary.js';
import { dueBehind } from '../streams/due-behind.js';

/**
 * Records outcomes of attempts of any shift (DISPATCH-1): ordinary accepted outcomes of all instances in one statement,
 * each other outcome by `recordOutcome`.
 */
export async function writeOutcomes(tx: Tx, outcomes: readonly Outcome[]): Promise<void> {
  const accepted = outcomes.filter(isAccepted);
  const written = accepted.length === 0 ? new Set<string>() : await acceptOrdinary(tx, inOrder(accepted));
  for (const other of outcomes) if (!written.has(other.token)) await writeOutcome(tx, other);
}

/** Messages that wait only because of the chat are due again, also after an unknown outcome. */
export async function writeOutcome(tx: Tx, { token, outcome, atMs }: Outcome): Promise<MessageSnapshot> {
  const snapshot = await recordOutcome(tx, token, outcome, atMs);
  await dueBehind(sql`(select ${snapshot.id}::text as id) e`).execute(tx);
  return snapshot;
}

function isAccepted(one: Outcome): one is AcceptedOutcome {
  return one.outcome.kind === 'accepted';
}

/** Locks on ids are taken in this order. */
function inOrder(outcomes: readonly AcceptedOutcome[]): AcceptedOutcome[] {
  return outcomes.toSorted((a, b) => (a.outcome.idMessage < b.outcome.idMessage ? -1 : 1));
}
