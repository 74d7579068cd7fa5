import { setImmediate } from 'node:timers/promises';
import { sql } from 'kysely';
import type { AttemptOutcome, MessageSnapshot } from '../contract/index.js';
import { acceptAtOnce } from './accept-at-once.js';
import { dueBehind } from './dispatch/due-behind.js';
import { EDITS, snapshotOf, type SnapshotColumns } from './message-row.js';
import { outcomeEvidence } from './outcome-evidence.js';
import type { Db, Store } from './store.js';
import { jsonText } from './storable.js';

type Accepted = Extract<AttemptOutcome, { kind: 'accepted' }>;

export interface Acceptance {
  readonly token: string;
  readonly outcome: Accepted;
  readonly nowMs: number;
}

interface Asking extends Acceptance {
  resolve(snapshot: MessageSnapshot | undefined): void;
  reject(error: unknown): void;
}

/** So many in one statement; what comes meanwhile goes into the next. */
const MOST_TOGETHER = 100;

/**
 * Writes outcomes as {@link acceptAtOnce} does, those together that come while another is being written: one commit for
 * all, and no caller waits for others. An outcome that cannot be written with the others is written alone.
 */
export class AcceptTogether {
  readonly #store: Store;
  #asking: Asking[] = [];
  #isWriting = false;

  constructor(store: Store) {
    this.#store = store;
  }

  /** @returns undefined where nothing was done, see {@link acceptAtOnce} */
  accept(token: string, outcome: Accepted, nowMs: number): Promise<MessageSnapshot | undefined> {
    return new Promise((resolve, reject) => {
      this.#asking.push({ token, outcome, nowMs, resolve, reject });
      if (!this.#isWriting) void this.#write();
    });
  }

  async #write(): Promise<void> {
    this.#isWriting = true;
    while (this.#asking.length > 0) {
      // The embedded database keeps the process from hearing of anything while it writes: what has come in is heard
      // first.
      await setImmediate();
      const together = this.#asking.slice(0, MOST_TOGETHER);
      this.#asking = this.#asking.slice(MOST_TOGETHER);
      await this.#writeThese(together);
    }
    this.#isWriting = false;
  }

  async #writeThese(together: readonly Asking[]): Promise<void> {
    const [first, ...more] = together;
    if (first === undefined) return;
    if (more.length === 0) return this.#writeAlone(first);
    let written: Map<string, MessageSnapshot>;
    try {
      written = await this.#store.run((db) => acceptAll(db, together));
    } catch {
      // Nothing of it was done. Whose fault it was shows when each is written by itself.
      await Promise.all(together.map((one) => this.#writeAlone(one)));
      return;
    }
    for (const { token, resolve } of together) resolve(written.get(token));
  }

  async #writeAlone({ token, outcome, nowMs, resolve, reject }: Asking): Promise<void> {
    try {
      resolve(await this.#store.run((db) => acceptAtOnce(db, token, outcome, nowMs)));
    } catch (error) {
      reject(error);
    }
  }
}

/**
 * The statement of {@link acceptAtOnce} for several. Not planned ahead, unless it is named: how it is best done depends
 * on how much there is.
 */
export async function acceptAll(
  db: Db,
  acceptances: readonly Acceptance[],
  name = sql``,
): Promise<Map<string, MessageSnapshot>> {
  const entries = acceptances.map(({ token, outcome, nowMs }) => ({
    token,
    id_message: outcome.idMessage,
    http_status: outcome.httpStatus,
    at: new Date(nowMs),
    ...outcomeEvidence(token, outcome),
  }));
  const { rows } = await sql<SnapshotColumns & { token: string }>`${name}
    with entry as materialized (
      select * from json_to_recordset(${jsonText(entries)}::json) as e(
        token text, id_message text, http_status integer, at timestamptz, fact text, witness text, what text, detail json)
    ), ordinary as materialized (
      select m.id, m.instance, m.version, c.highest_offset_ms, c.measured_at as offset_measured_at, ${EDITS}, e.token,
        e.id_message as new_id, e.http_status, e.at, e.fact, e.witness, e.what, e.detail, lock_id_message(m.instance, e.id_message) as is_unused
      from entry e join attempts a on a.token = e.token join messages m on m.id = a.message_id
      left join gateway_clocks c on c.instance = m.instance
      where a.outcome is null and m.state = 'sending' and m.attempt_token = a.token and m.body_hash = a.body_hash
    ), moved as (
      update messages m
      set state = 'accepted', version = m.version + 1, id_message = o.new_id, accepted_at = o.at,
        reason = null, reason_text = null, ended_at = null
      from ordinary o
      where m.id = o.id and m.version = o.version and o.is_unused
      returning m.id, m.instance, m.version, m.state, m.expires_at, m.id_message, m.accepted_at, m.sent_at, m.sent_seen_at,
        m.reason, m.campaign_id, m.workflow_id, o.highest_offset_ms, o.offset_measured_at, o.edits, o.token, o.http_status, o.fact, o.witness, o.what, o.detail
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
    select * from moved`.execute(db);
  return new Map(rows.map((row) => [row.token, snapshotOf(row)]));
}
