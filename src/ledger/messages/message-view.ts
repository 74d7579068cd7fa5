import type { Selectable } from 'kysely';
import {
  LONGEST_UNKNOWN_MS,
  type MessageId,
  present,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
} from '../../contract/index.js';
import { callbacksOf, type CallbackView } from '../events/stored-events.js';
import type { AttemptsTable, EvidenceTable } from '../schema.js';
import { shown } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { editsOf, type EditView, editViewOf } from './edit-row.js';
import { listItemOf, type MessageListItem, type MessageRow, readMessage } from './message-row.js';
import { type Waiting, waitingOf } from './waiting.js';

/** The ledger's data of one message. For operators and the API, never for a workflow's history. */
export interface MessageView extends MessageListItem {
  readonly waiting?: Waiting;
  /** While its outcome is unknown. */
  readonly unknown?: UnknownOutcome;
  readonly evidence: readonly Evidence[];
  readonly attempts: readonly AttemptView[];
  readonly edits: readonly EditView[];
  /** With a `statusCallback`: the events for it, and the progress of their deliveries. */
  readonly callbacks?: readonly CallbackView[];
}

/** Evidence, attempts and edits are in the order in which they became known. */
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

function evidenceOf(row: Selectable<EvidenceTable>) {
  const detail = row.detail as Readonly<Record<string, unknown>> | null;
  return { ...shown(row, 'at', 'witness', 'what'), ...present({ detail }) };
}

/**
 * `witness`: `request`, `claim`, `response`, `receipt`, `edit`, `sweeper`, `operator`, `workflow` … `what`: a stable
 * word, e.g. `accepted`, `sent`, `lost_response`. No secrets.
 */
export type Evidence = ReturnType<typeof evidenceOf>;

function attemptViewOf(row: Selectable<AttemptsTable>) {
  return {
    ...shown(row, 'token', 'claimed_at', 'posting_deadline_at', 'outcome', 'outcome_at', 'id_message', 'code', 'text'),
    ...shown(row, 'http_status', 'retry_at'),
  };
}

/** `retryAt`: when the next attempt is due, for an attempt that was surely not accepted. */
export type AttemptView = ReturnType<typeof attemptViewOf>;

/** How long everpost tries to determine the outcome of a request whose response was lost, and what happens then. */
export interface UnknownOutcome {
  /** ISO UTC: when the request began to leave. */
  readonly since: string;
  /** Until when the gateway's queue, its journal and its notifications are watched. */
  readonly witnessesUntil: string;
  /** The latest end, if a witness cannot be asked or shows a message that may be this one. */
  readonly atLatest: string;
  /**
   * What happens if nothing shows the outcome until then. `unresolved`: an operator has to resolve the message.
   * `presume_or_unresolved`: it is sent again if it is presumed never to have been accepted, else it is unresolved.
   */
  readonly then: 'unresolved' | 'presume_or_unresolved';
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
