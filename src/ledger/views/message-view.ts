import { type Selectable, sql } from 'kysely';
import {
  LONGEST_UNKNOWN_MS,
  type MessageId,
  present,
  SUCCESSOR_PATIENCE_MS,
  WITNESS_PATIENCE_MS,
} from '../../contract/index.js';
import { callbacksOf, type CallbackView } from '../events/stored-events.js';
import type { AttemptsTable, EvidenceTable } from '../storage/schema.js';
import { shown } from '../storage/statements.js';
import type { Db } from '../storage/store.js';
import { editsOf, editViewOf } from '../messages/edits/edit-row.js';
import { listItemOf, type MessageRow, readMessage } from '../messages/message-row.js';
import { waitingMessages } from '../streams/message-waiting.js';

/** The ledger's data of one message. For operators and the API, never for a workflow's history. */
export type MessageView = NonNullable<Awaited<ReturnType<typeof viewMessage>>>;

/** Evidence, attempts and edits are in the order in which they became known. */
export async function viewMessage(db: Db, id: MessageId, nowMs: number) {
  const row = await readMessage(db, id);
  if (row === undefined) return undefined;
  const all = db.selectFrom('evidence').selectAll().where('message_id', '=', id);
  const evidence = await all.orderBy('at').orderBy('seq').execute();
  const attempts = await db.selectFrom('attempts').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  const edits = await editsOf(db, id);
  const waiting = (await waitingMessages(db, [row], nowMs)).get(id);
  const callbacks: readonly CallbackView[] | null = row.status_callback === null ? null : await callbacksOf(db, id);
  return {
    ...listItemOf(row),
    ...present({ waiting, unknown: unknownOutcome(row, attempts), possibleMatches: await possibleMatches(db, row) }),
    evidence: evidence.map(evidenceOf),
    attempts: attempts.map(attemptViewOf),
    edits: edits.map(editViewOf),
    /** With a `statusCallback`: the events for it, and the progress of their deliveries. */
    ...present({ callbacks }),
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

/**
 * How long everpost tries to determine the outcome of a request whose response was lost, and what happens then.
 * @param attempts  of this message, oldest first
 */
function unknownOutcome(
  row: Pick<MessageRow, 'state' | 'attempt_token' | 'on_unknown'>,
  attempts: readonly Selectable<AttemptsTable>[],
) {
  const attempt = attempts.find(({ token }) => token === row.attempt_token);
  if (row.state !== 'unknown' || attempt === undefined) return undefined;
  const mayPresume = row.on_unknown === 'auto';
  const patienceMs = mayPresume ? SUCCESSOR_PATIENCE_MS : WITNESS_PATIENCE_MS;
  const until = (ms: number) => new Date(attempt.reconcile_after.getTime() + ms).toISOString();
  return {
    /** ISO UTC: when the request began to leave. */
    since: attempt.claimed_at.toISOString(),
    /** Until when the gateway's queue, its journal and its notifications are watched. */
    witnessesUntil: until(patienceMs),
    /** The latest end, if a witness cannot be asked or shows a message that may be this one. */
    atLatest: until(LONGEST_UNKNOWN_MS),
    /**
     * What happens if nothing shows the outcome until then. `unresolved`: an operator has to resolve the message.
     * `presume_or_unresolved`: it is sent again if it is presumed never to have been accepted, else it is unresolved.
     */
    // oxlint-disable-next-line unicorn/no-thenable -- a word of the API, never a function
    then: mayPresume ? ('presume_or_unresolved' as const) : ('unresolved' as const),
  };
}

/**
 * Messages that the gateway shows in the chat of an unknown lid, with the same content: an operator may recognise one.
 * Those that belong to a message by now are left out.
 */
async function possibleMatches(db: Db, { id, instance, state, attempt_token }: MessageRow) {
  if (state !== 'unknown' && state !== 'unresolved') return undefined;
  const { rows } = await sql<{ id_message: string; chat_id: string; witness: string; at: Date }>`
    select e.detail->>'idMessage' as id_message, e.detail->>'chatId' as chat_id, e.witness, e.at from evidence e
    where e.message_id = ${id} and e.what = 'possible_match' and e.detail->>'attempt' = ${attempt_token}
      and not exists (select from message_ids i
        where i.instance = ${instance} and i.id_message = e.detail->>'idMessage')
    order by e.seq`.execute(db);
  if (rows.length === 0) return undefined;
  return rows.map((row) => ({
    ...shown(row, 'id_message', 'chat_id', 'witness', 'at'),
    text: `id ${row.id_message}, same content, chat ${row.chat_id}. If it is this message: everpost message resolve ${id} --as accepted --id-message ${row.id_message}`,
  }));
}
