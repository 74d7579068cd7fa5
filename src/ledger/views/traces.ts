import { sql } from 'kysely';
import type { AppliedReceipt, MessageId, MessageState, TraceContext } from '../../contract/index.js';
import { LedgerPart } from '../storage/store.js';
import { isoTime, jsonText } from '../storage/statements.js';

/** A receipt of a message, as its trace shows it. */
export interface TracedReceipt {
  readonly status: string;
  /** By the gateway's clock. ISO UTC. */
  readonly gatewayAt: string;
}

/** A message whose row has a trace context. */
export interface TracedMessage {
  readonly id: MessageId;
  readonly instance: string;
  readonly state: MessageState;
  readonly context: TraceContext;
  /** Receipts that waited for its acceptance, with the time at which they were applied. */
  readonly receipts: readonly (TracedReceipt & { readonly at: string })[];
}

interface ShownReceipt {
  /** The receipt's place among those asked for. */
  readonly place: number;
  readonly shown: string;
}

/** The trace contexts of messages, and what their later spans show. Messages without a context are left out. */
export class Traces extends LedgerPart {
  async ofMessages(ids: readonly MessageId[]): Promise<TracedMessage[]> {
    return this.database.rows(sql<TracedMessage>`
      select m.id, m.instance, m.state, m.trace_context as context, coalesce(w.receipts, '[]'::json) as receipts
      from messages m cross join lateral (
        select json_agg(json_build_object('status', e.what, 'gatewayAt', e.detail ->> 'gatewayAt', 'at', ${isoTime('e.at')})
          order by e.seq) as receipts
        from evidence e
        where e.message_id = m.id and e.at = m.accepted_at and e.witness = 'receipt'
          and e.what in ('sent', 'delivered', 'read', 'failed', 'no_account')) w
      where m.id = any(${ids}::text[]) and m.trace_context is not null`);
  }

  /** The messages of receipts, each with what the receipt shows: `edit_failed` if it refuses an edit of its message. */
  async ofReceipts(receipts: readonly AppliedReceipt[]): Promise<(TracedMessage & ShownReceipt)[]> {
    const asked = receipts.map(({ instance, idMessage, status, atMs }, place) => {
      return { place, instance, id_message: idMessage, status, at: new Date(atMs).toISOString() };
    });
    return this.database.rows(sql<TracedMessage & ShownReceipt>`
      select w.place, m.id, w.instance, m.state, m.trace_context as context, '[]'::json as receipts,
        case when i.role = 'edit' or w.status = 'failed' and exists (
          select from evidence e
          where e.message_id = m.id and e.what = 'edit_failed'
            and e.detail ->> 'idMessage' = w.id_message and e.detail ->> 'gatewayAt' = w.at)
        then 'edit_' || w.status else w.status end as shown
      from json_to_recordset(${jsonText(asked)}::json) as w(
        place integer, instance text, id_message text, status text, at text)
      cross join lateral (
        select i.message_id, i.role from message_ids i
        where i.id_message = w.id_message and i.instance = w.instance offset 0) i
      cross join lateral (
        select m.id, m.state, m.trace_context from messages m
        where m.id = i.message_id and m.trace_context is not null offset 0) m
      order by w.place`);
  }
}
