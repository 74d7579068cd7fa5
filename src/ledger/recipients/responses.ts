/**
 * Replies and opt-outs by message, which belong to campaigns.
 *
 * RESPONSE-1 An incoming message belongs to the newest message that a campaign sent from this instance to its sender,
 *    if it was written within the campaign's `repliesFor` after that message was sent. If it quotes a message, it
 *    belongs to that one: to no campaign, if no campaign sent it.
 * RESPONSE-2 A recipient counts once for each campaign, as a reply and as an opt-out. A STOP and a possible opt-out are
 *    opt-outs and no replies, until an operator dismisses the possible opt-out: then it is a reply.
 * RESPONSE-3 Repeated, late and reordered notifications give the same result: the earliest message by the gateway's
 *    time stays. An event is recorded when a recipient has replied for the first time.
 * RESPONSE-4 Triggers count them in their own transaction. The counts stay when the messages are removed.
 */
import { sql } from 'kysely';
import { recipientKey } from '../../domain/index.js';
import { stateList } from '../storage/state-lists.js';
import { type Db, LedgerPart, type Tx } from '../storage/store.js';

export interface IncomingResponse {
  readonly instance: string;
  /** The gateway's id of the incoming message. */
  readonly idMessage: string;
  /** The direct chat of the message. */
  readonly chatId: string;
  /** The gateway's id of the message that it quotes. */
  readonly quotedId?: string;
  readonly isOptOut: boolean;
  /** The gateway's time, milliseconds since the epoch. */
  readonly atMs: number;
}

export class Responses extends LedgerPart {
  /** RESPONSE-1 to RESPONSE-3. An incoming message that belongs to no campaign changes nothing. */
  readonly record = this.statement(recordResponse);
}

/** When a message `m` was sent, in whole seconds: by the gateway's clock once that is known. */
const SENT_AT = sql`coalesce(m.sent_at, date_trunc('second', m.accepted_at))`;

export async function recordResponse(db: Db, response: IncomingResponse): Promise<void> {
  const { instance, idMessage, chatId, quotedId = null, isOptOut, atMs } = response;
  const key = sql`${recipientKey(chatId)}::text`;
  const at = sql`${new Date(atMs)}::timestamptz`;
  const optsOut = sql`${isOptOut}::boolean`;
  await sql`/* record_response */
    insert into campaign_responses as r (message_id, campaign_id, instance, line, replied_at, replied_id, opted_out_at, opted_out_id)
    select m.id, m.campaign_id, m.instance, m.line, case when not ${optsOut} then ${at} end,
      case when not ${optsOut} then ${idMessage}::text end, case when ${optsOut} then ${at} end,
      case when ${optsOut} then ${idMessage}::text end
    from messages m join campaigns c on c.id = m.campaign_id
    where m.recipient_key = coalesce((select k.recipient_key from known_lids k where k.lid = ${key}), ${key})
      and m.instance = ${instance} and m.state in ${stateList('accepted', 'taken')}
      and (${quotedId}::text is null or m.id = (
        select i.message_id from message_ids i where i.instance = ${instance} and i.id_message = ${quotedId}::text))
      and ${at} between ${SENT_AT} and ${SENT_AT} + c.replies_for_seconds * interval '1 second'
    order by ${SENT_AT} desc, m.id limit 1
    on conflict (message_id) do update set ${earliest('replied', 'opted_out')}, ${earliest('opted_out', 'replied')}
    where ${changes('replied', 'opted_out')} or ${changes('opted_out', 'replied')}`.execute(db);
}

type Response = 'replied' | 'opted_out';

function columnsOf(what: Response, other: Response) {
  const of = (row: string, column: string) => sql.ref(`${row}.${column}`);
  return {
    at: of('r', `${what}_at`),
    id: of('r', `${what}_id`),
    newAt: of('excluded', `${what}_at`),
    newId: of('excluded', `${what}_id`),
    /** The message counted as this one, and is the other one now. */
    isOther: sql`${of('r', `${what}_id`)} = ${of('excluded', `${other}_id`)}`,
  };
}

/** RESPONSE-3. `least` ignores nulls. */
function earliest(what: Response, other: Response) {
  const { at, id, newAt, newId, isOther } = columnsOf(what, other);
  return sql`${sql.ref(`${what}_at`)} = case when ${isOther} then null else least(${at}, ${newAt}) end,
      ${sql.ref(`${what}_id`)} = case when ${isOther} then null
        when ${at} is null or ${newAt} < ${at} then coalesce(${newId}, ${id}) else ${id} end`;
}

function changes(what: Response, other: Response) {
  const { at, newAt, isOther } = columnsOf(what, other);
  return sql`${newAt} < ${at} or (${at} is null and ${newAt} is not null) or ${isOther}`;
}

/** RESPONSE-2: these opt-outs of an instance are none. A reply that the recipient wrote before stays. */
export async function countAsReplies(tx: Tx, instance: string, idMessages: readonly string[]): Promise<void> {
  await sql`
    update campaign_responses set opted_out_at = null, opted_out_id = null,
      replied_at = least(replied_at, opted_out_at),
      replied_id = case when replied_at <= opted_out_at then replied_id else opted_out_id end
    where instance = ${instance} and opted_out_id = any(${idMessages}::text[])`.execute(tx);
}
