/** The outcomes `accepted`: the ordinary ones of many messages, and what else one may mean for its message. */
import { type Selectable, sql } from 'kysely';
import type { AttemptOutcome, MessageState } from '../../../contract/index.js';
import { dueBehind } from '../../messages/writer/due-rows.js';
import { restoreText } from '../../messages/edits/edits.js';
import { storeId } from '../../messages/message-ids.js';
import { addEvidence, type MessageRow } from '../../messages/message-row.js';
import { applyParkedReceipts } from '../../messages/receipts/apply-receipt.js';
import { changing } from '../../messages/writer/life-in-sql.js';
import { moveMessages, oneMessage, returnToAccount } from '../../messages/writer/move-messages.js';
import type { AttemptsTable } from '../../storage/schema.js';
import { changePosted } from '../../streams/limits.js';
import { jsonText } from '../../storage/statements.js';
import type { Outcome } from '../dispatch-ledger.js';
import type { Tx } from '../../storage/store.js';

type Accepted = Extract<AttemptOutcome, { kind: 'accepted' }>;
export function isAccepted<One extends { readonly outcome: AttemptOutcome }>(
  one: One,
): one is One & { readonly outcome: Accepted } {
  return one.outcome.kind === 'accepted';
}

/**
 * Records the ordinary accepted outcomes of many messages in one statement: the first outcome of a row's current
 * attempt, whose text is still the row's, with an id that no message has and for which no receipt waits.
 *
 * The statement's snapshot may be older than the locks on ids that it waited for; only the locks themselves are
 * current. A row that another transaction changed meanwhile is recognised by its version. The joins are written so that
 * the planner cannot choose a scan of all attempts, as it does for tables that were small when it planned.
 * @returns the tokens of the recorded outcomes; the others are unchanged
 */
export async function acceptOrdinary(
  tx: Tx,
  accepted: readonly (Pick<Outcome, 'token' | 'atMs'> & { readonly outcome: Accepted })[],
): Promise<ReadonlySet<string>> {
  if (accepted.length === 0) return new Set();
  const entries = inOrder(accepted).map(({ token, outcome, atMs }) => ({
    token,
    id_message: outcome.idMessage,
    http_status: outcome.httpStatus,
    at: new Date(atMs),
    ...outcomeEvidence(token, outcome),
  }));
  const { rows } = await sql<{ token: string }>`/* dispatch_accept */
    with entry as materialized (
      select * from json_to_recordset(${jsonText(entries)}::json) as e(
        token text, id_message text, http_status integer, at timestamptz, fact text, witness text, what text, detail json)
    ), ordinary as materialized (
      select m.id, m.version, e.token, e.id_message as new_id, e.http_status, e.at, e.fact, e.witness, e.what, e.detail,
        lock_id_message(m.instance, e.id_message) as is_unused
      from entry e
      cross join lateral (select a.message_id, a.body_hash from attempts a where a.token = e.token and a.outcome is null offset 0) a
      cross join lateral (
        select m.id, m.version, m.instance from messages m
        where m.id = a.message_id and (m.state = 'sending') is true and m.attempt_token = e.token and m.body_hash = a.body_hash
        offset 0) m
    ), moved as (
      ${changing(
        'accepted',
        { id_message: sql`o.new_id`, now: sql`o.at` },
        sql`from ordinary o
        where m.id = o.id and m.version = o.version and o.is_unused`,
      )}
      returning m.id, m.instance, m.id_message, m.accepted_at, o.token, o.http_status, o.fact, o.witness, o.what, o.detail
    ), named as (
      insert into message_ids (instance, id_message, message_id, role, stored_at)
      select instance, id_message, id, 'message', accepted_at from moved
    ), responded as (
      update attempts a
      set outcome = 'accepted', outcome_seq = nextval('ledger_seq'), outcome_at = m.accepted_at, id_message = m.id_message,
        code = null, text = null, http_status = m.http_status, identical_hash = null
      from moved m where a.token = m.token
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select id, fact, accepted_at, witness, what, detail from moved
    ), freed as (
      ${dueBehind(sql`moved e`)}
    )
    select token from moved`.execute(tx);
  return new Set(rows.map(({ token }) => token));
}

/** Locks on ids are taken in this order. */
export function inOrder<One extends { readonly outcome: Accepted }>(outcomes: readonly One[]): One[] {
  return outcomes.toSorted((a, b) => (a.outcome.idMessage < b.outcome.idMessage ? -1 : 1));
}

/** The evidence of an attempt's outcome: one fact for each outcome, and for each id. */
export function outcomeEvidence(token: string, outcome: AttemptOutcome) {
  const { kind, ...facts } = outcome;
  const fact = outcome.kind === 'accepted' ? `${kind}:${token}:${outcome.idMessage}` : `${kind}:${token}`;
  return { fact, witness: 'response', what: kind, detail: { attempt: token, ...facts } };
}

/**
 * The gateway accepted this attempt: the row becomes accepted from any unsent state, and gets the receipts parked for
 * the id.
 */
export async function accept(
  tx: Tx,
  row: MessageRow,
  attempt: Selectable<AttemptsTable>,
  { idMessage }: Pick<Accepted, 'idMessage'>,
  nowMs: number,
): Promise<void> {
  const { id } = row;
  // The message may have moved to another account since.
  const instance = attempt.instance ?? row.instance;
  const owner = await storeId(tx, { instance, idMessage, messageId: id, role: 'message', nowMs });
  if (owner !== id) {
    // Two messages with one id: both record it, and neither changes its state, since either may be wrong.
    for (const [messageId, otherMessage] of [[id, owner] as const, [owner, id] as const]) {
      const fact = `id_conflict:${idMessage}:${otherMessage}`;
      const detail = { idMessage, otherMessage };
      await addEvidence(tx, { messageId, fact, witness: 'response', what: 'id_conflict', detail, nowMs });
    }
    return;
  }
  if (row.attempt_token !== attempt.token || ENDED_UNPOSTED.has(row.state)) await changePosted(tx, [attempt.token], 1);
  const moved = await moveMessages(tx, 'accepted', oneMessage(id), { id_message: idMessage, nowMs });
  if (moved.length > 0) {
    if (instance !== row.instance) await returnToAccount(tx, id, instance);
    await restoreText(tx, row, attempt, nowMs);
  } else if (row.id_message !== idMessage) {
    // One POST has one id. If an attempt gets two ids, the first was adopted from a witness, and the response is more
    // reliable.
    const wasAdopted = attempt.id_message !== null && attempt.id_message === row.id_message;
    const what = wasAdopted ? 'adopted_another' : 'duplicated';
    if (wasAdopted) await moveMessages(tx, 'idCorrected', oneMessage(id), { id_message: idMessage, nowMs });
    const detail = { idMessage: row.id_message, secondIdMessage: idMessage, attempt: attempt.token };
    await addEvidence(tx, { messageId: id, fact: `${what}:${idMessage}`, witness: 'response', what, detail, nowMs });
  }
  await applyParkedReceipts(tx, instance, idMessage, nowMs);
}

/** Its place was given back (LIMIT-7). */
const ENDED_UNPOSTED: ReadonlySet<MessageState> = new Set(['rejected', 'cancelled', 'expired', 'suppressed']);
