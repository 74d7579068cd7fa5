import { sql } from 'kysely';
import type { AttemptOutcome } from '../../../contract/index.js';
import { recordOutcome, outcomeEvidence } from '../outcome.js';
import { recordPost } from '../../messages/edits/record-edit.js';
import { changing } from '../../messages/writer/life-in-sql.js';
import type { Tx } from '../../storage/store.js';
import type { Outcome } from '../dispatch-ledger.js';
import { dueBehind } from '../../messages/due-rows.js';
import { jsonText } from '../../storage/statements.js';

/**
 * Records outcomes of edits, and of attempts of any shift (DISPATCH-1): ordinary accepted outcomes of all instances in one statement,
 * each other outcome by `recordOutcome`.
 */
export async function writeOutcomes(tx: Tx, all: readonly Outcome[]): Promise<void> {
  for (const { edit, ...outcome } of all) if (edit !== undefined) await recordPost(tx, { ...outcome, edit });
  const outcomes = all.filter(({ edit }) => edit === undefined);
  const accepted = outcomes.filter(isAccepted);
  const written = accepted.length === 0 ? new Set<string>() : await acceptOrdinary(tx, inOrder(accepted));
  for (const { token, outcome, atMs } of outcomes) {
    if (!written.has(token)) await recordOutcome(tx, token, outcome, atMs);
  }
}

function isAccepted(one: Outcome): one is AcceptedOutcome {
  return one.outcome.kind === 'accepted';
}

/** Locks on ids are taken in this order. */
function inOrder(outcomes: readonly AcceptedOutcome[]): AcceptedOutcome[] {
  return outcomes.toSorted((a, b) => (a.outcome.idMessage < b.outcome.idMessage ? -1 : 1));
}

type AcceptedOutcome = Outcome & { readonly outcome: Extract<AttemptOutcome, { kind: 'accepted' }> };

/**
 * Records the ordinary accepted outcomes of many messages in one statement: the first outcome of a row's current
 * attempt, whose text is still the row's, with an id that no message has and for which no receipt waits. The result
 * equals that of `recordOutcome`, which takes a dozen statements for each message.
 *
 * The statement's snapshot may be older than the locks on ids that it waited for; only the locks themselves are
 * current. A row that another transaction changed meanwhile is recognised by its version. The joins are written so that
 * the planner cannot choose a scan of all attempts, as it does for tables that were small when it planned.
 * @returns the tokens of the recorded outcomes; the others are unchanged
 */
export async function acceptOrdinary(tx: Tx, accepted: readonly AcceptedOutcome[]): Promise<ReadonlySet<string>> {
  const entries = accepted.map(({ token, outcome, atMs }) => ({
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
        code = null, text = null, http_status = m.http_status
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
