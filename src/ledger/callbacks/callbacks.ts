import { present } from '../../contract/index.js';
import { sql } from 'kysely';
import type { MessageId, MessageState } from '../../contract/index.js';
import { addEvidence } from '../evidence.js';
import { forgetInParts } from '../forget-in-parts.js';
import type { Store } from '../store.js';
import type { DueCallback, ClaimCallbacks } from './callback-ledger.js';
import { jsonText } from '../storable.js';

interface TakenRow {
  readonly seq: string | number;
  readonly message_id: MessageId;
  readonly url: string;
  readonly origin: string;
  readonly version: number;
  readonly state: MessageState;
  readonly reason: string | null;
  readonly id_message: string | null;
  readonly reference: string | null;
  readonly instance: string;
  readonly at: Date;
  readonly created_at: Date;
  readonly tries: number;
}

/**
 * What messages' callbacks are told. The rows are written in the transaction that changes the state. Of one message a
 * later change is given out only after the earlier ones are delivered or given up.
 */
export class Callbacks {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** Those that are due, each counted as tried. */
  async claim({ nowMs, leaseMs, perOrigin, besides }: ClaimCallbacks): Promise<DueCallback[]> {
    const now = sql`${new Date(nowMs)}::timestamptz`;
    const { rows } = await this.#store.run((db) =>
      sql<TakenRow>`
        with due as (
          select c.seq, row_number() over (partition by c.origin order by c.next_try_at, c.seq) as place
          from callbacks c
          where c.ended_at is null and c.next_try_at <= ${now}
            and c.origin not in (select json_array_elements_text(${jsonText(besides)}::json))
            and not exists (
              select from callbacks earlier
              where earlier.message_id = c.message_id and earlier.seq < c.seq and earlier.ended_at is null)
        ), claimed as (
          update callbacks c set tries = c.tries + 1, next_try_at = ${new Date(nowMs + leaseMs)}::timestamptz
          from due
          where c.seq = due.seq and due.place <= ${perOrigin} and c.ended_at is null and c.next_try_at <= ${now}
          returning c.*
        )
        select t.seq, t.message_id, t.url, t.origin, t.version, t.state, t.reason, t.id_message, t.at, t.created_at,
          t.tries, m.reference, m.instance
        from claimed t join messages m on m.id = t.message_id
        order by t.seq`.execute(db),
    );
    return rows.map(dueOf);
  }

  async delivered(sequence: string, nowMs: number): Promise<void> {
    await this.#store.run((db) =>
      db
        .updateTable('callbacks')
        .set({ ended_at: new Date(nowMs), delivered: true, problem: null })
        .where('seq', '=', sequence)
        .where('ended_at', 'is', null)
        .execute(),
    );
  }

  /** Not delivered: tried again then, and so is whatever else its message has to tell. */
  async putOff(
    { sequence, messageId }: Pick<DueCallback, 'sequence' | 'messageId'>,
    problem: string,
    nextTryAtMs: number,
  ): Promise<void> {
    await this.#store.run((db) =>
      db
        .updateTable('callbacks')
        .set(({ eb, ref }) => ({
          next_try_at: new Date(nextTryAtMs),
          problem: eb.case().when('seq', '=', sequence).then(problem).else(ref('problem')).end(),
        }))
        .where('message_id', '=', messageId)
        .where('ended_at', 'is', null)
        .execute(),
    );
  }

  /** Never to be delivered; the message's evidence says so. */
  async giveUp({ sequence, messageId, state, tries }: DueCallback, problem: string, nowMs: number): Promise<void> {
    await this.#store.transaction(async (tx) => {
      await tx
        .updateTable('callbacks')
        .set({ ended_at: new Date(nowMs), problem })
        .where('seq', '=', sequence)
        .where('ended_at', 'is', null)
        .execute();
      await addEvidence(tx, {
        messageId,
        fact: `callback:${sequence}`,
        witness: 'callback',
        what: 'callback_given_up',
        detail: { state, tries, problem },
        nowMs,
      });
    });
  }

  /** Deletes those that ended before. @returns how many */
  forget(beforeMs: number): Promise<number> {
    return forgetInParts((limit) =>
      this.#store.run((db) =>
        db
          .deleteFrom('callbacks')
          .where('seq', 'in', (some) =>
            some
              .selectFrom('callbacks')
              .select('seq')
              .where('ended_at', '<', new Date(beforeMs))
              .orderBy('ended_at')
              .limit(limit),
          )
          .executeTakeFirst(),
      ),
    );
  }
}

function dueOf(row: TakenRow): DueCallback {
  return {
    sequence: String(row.seq),
    messageId: row.message_id,
    url: row.url,
    origin: row.origin,
    version: row.version,
    state: row.state,
    instance: row.instance,
    at: row.at.toISOString(),
    createdAtMs: row.created_at.getTime(),
    tries: row.tries,
    ...present({ reason: row.reason, idMessage: row.id_message, reference: row.reference }),
  };
}
