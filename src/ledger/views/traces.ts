import { sql } from 'kysely';
import type { MessageId, MessageState, TraceContext } from '../../contract/index.js';
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

  /** @param receipts  each with the id that the gateway gave its message */
  async ofReceipts(
    receipts: readonly { readonly instance: string; readonly idMessage: string }[],
  ): Promise<(TracedMessage & { readonly idMessage: string })[]> {
    const asked = receipts.map(({ instance, idMessage }) => ({ instance, id_message: idMessage }));
    return this.database.rows(sql<TracedMessage & { readonly idMessage: string }>`
      select m.id, w.instance, w.id_message as "idMessage", m.state, m.trace_context as context, '[]'::json as receipts
      from (
        select distinct instance, id_message
        from json_to_recordset(${jsonText(asked)}::json) as r(instance text, id_message text)) w
      cross join lateral (
        select i.message_id from message_ids i
        where i.id_message = w.id_message and i.instance = w.instance and i.role = 'message' offset 0) i
      cross join lateral (
        select m.id, m.state, m.trace_context from messages m
        where m.id = i.message_id and m.trace_context is not null offset 0) m`);
  }
}
