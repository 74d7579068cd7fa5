import { sql } from 'kysely';
import type { AttemptOutcome, MessageSnapshot } from '../contract/index.js';
import { violatedUnique } from './database-error.js';
import { dueBehind } from './dispatch/due-behind.js';
import { EDITS, snapshotOf, type SnapshotColumns } from './message-row.js';
import { outcomeEvidence } from './outcome-evidence.js';
import type { Db } from './store.js';
import { jsonText } from './storable.js';

type Accepted = Extract<AttemptOutcome, { kind: 'accepted' }>;

/**
 * What happens to nearly every message, in one statement: the first outcome of a row's current attempt, whose text is
 * still the row's, with an id that no message has and for which no receipt waits. It leaves the rows as
 * {@link recordOutcome} would, which takes a dozen statements.
 * @returns undefined in any other case, or when the row is changed at this moment; then nothing was done
 */
export async function acceptAtOnce(
  db: Db,
  token: string,
  outcome: Accepted,
  nowMs: number,
): Promise<MessageSnapshot | undefined> {
  const { idMessage, httpStatus } = outcome;
  const { fact, witness, what, detail } = outcomeEvidence(token, outcome);
  const now = sql`${new Date(nowMs)}::timestamptz`;
  // What is read is older than the lock, for which it may have waited. The lock's own response is not; and a row that
  // another transaction changed meanwhile, or whose edits, has another version than the one read.
  const accept = sql<SnapshotColumns>`/* accept_message */
    with ordinary as materialized (
      select m.id, m.instance, m.version, c.highest_offset_ms, c.measured_at as offset_measured_at, ${EDITS},
        lock_id_message(m.instance, ${idMessage}) as is_unused
      from attempts a join messages m on m.id = a.message_id left join gateway_clocks c on c.instance = m.instance
      where a.token = ${token} and a.outcome is null
        and (m.state = 'sending') is true and m.attempt_token = a.token and m.body_hash = a.body_hash
    ), moved as (
      update messages m
      set state = 'accepted', version = m.version + 1, id_message = ${idMessage}, accepted_at = ${now},
        reason = null, reason_text = null, ended_at = null
      from ordinary o
      where m.id = o.id and m.version = o.version and o.is_unused
      returning m.id, m.instance, m.version, m.state, m.expires_at, m.id_message, m.accepted_at, m.sent_at, m.sent_seen_at,
        m.reason, m.campaign_id, m.workflow_id, o.highest_offset_ms, o.offset_measured_at, o.edits
    ), named as (
      insert into message_ids (instance, id_message, message_id, role, stored_at)
      select instance, id_message, id, 'message', accepted_at from moved
    ), responded as (
      update attempts
      set outcome = 'accepted', outcome_seq = nextval('ledger_seq'), outcome_at = ${now}, id_message = ${idMessage},
        code = null, text = null, http_status = ${httpStatus}
      from moved where token = ${token}
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select id, ${fact}::text, ${now}, ${witness}::text, ${what}::text, ${jsonText(detail)}::json from moved
    ), freed as (
      ${dueBehind(sql`moved e`)}
    )
    select * from moved`;
  try {
    const [row] = (await accept.execute(db)).rows;
    return row && snapshotOf(row);
  } catch (error) {
    // An edit's notice names the edit by an id whose lock it does not hold: should that be this id, it has an owner
    // now.
    if (violatedUnique(error) === 'message_ids_pkey') return undefined;
    throw error;
  }
}
