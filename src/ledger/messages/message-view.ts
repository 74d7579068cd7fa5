import type { Selectable } from 'kysely';
import {
  LONGEST_UNKNOWN_MS,
  type MessageId,
  present,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
} from '../../contract/index.js';
import { callbacksOf } from '../events/stored-events.js';
import type { AttemptsTable, EvidenceTable } from '../schema.js';
import { iso } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { editsOf, editViewOf } from './edit-row.js';
import { listItemOf, type MessageRow, readMessage } from './message-row.js';
import type { AttemptView, Evidence, MessageView, UnknownOutcome } from './message-types.js';
import { waitingOf } from './waiting.js';

/** Everything known of one message, in the order in which it became known. */
export async function viewMessage(db: Db, id: MessageId, nowMs: number): Promise<MessageView | undefined> {
  const row = await readMessage(db, id);
  if (row === undefined) return undefined;
  const evidence = await db
    .selectFrom('evidence')
    .selectAll()
    .where('message_id', '=', id)
    .orderBy('at')
    .orderBy('seq')
    .execute();
  const attempts = await db.selectFrom('attempts').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  const edits = await editsOf(db, id);
  const waiting = await waitingOf(db, row, attempts, nowMs);
  return {
    ...listItemOf(row),
    ...present({ waiting, unknown: unknownOutcome(row, attempts) }),
    evidence: evidence.map(evidenceOf),
    attempts: attempts.map(attemptViewOf),
    edits: edits.map(editViewOf),
    ...(row.status_callback === null ? {} : { callbacks: await callbacksOf(db, id) }),
  };
}

function evidenceOf({ at, witness, what, detail }: Selectable<EvidenceTable>): Evidence {
  return {
    at: at.toISOString(),
    witness,
    what,
    ...present({ detail: detail as Readonly<Record<string, unknown>> | null }),
  };
}

function attemptViewOf(attempt: Selectable<AttemptsTable>): AttemptView {
  return {
    token: attempt.token,
    claimedAt: attempt.claimed_at.toISOString(),
    postingDeadlineAt: attempt.posting_deadline_at.toISOString(),
    ...present({
      outcome: attempt.outcome,
      outcomeAt: iso(attempt.outcome_at),
      idMessage: attempt.id_message,
      code: attempt.code,
      text: attempt.text,
      httpStatus: attempt.http_status,
      retryAt: iso(attempt.retry_at),
    }),
  };
}

/** @param attempts  of this message, oldest first */
function unknownOutcome(
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
