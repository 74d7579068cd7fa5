import { createHash } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { keysWhere, shortId, type EditState, type MessageId, type RecipientValues } from '../../../contract/index.js';
import { renderContent } from '../../../domain/index.js';
import { endOlder } from '../../messages/edits/edits.js';
import { editableMsOf, editableUntilOf, IS_EDIT_SINCE, type EditTimes } from '../../messages/message-row.js';
import type { AmendmentsTable } from '../../storage/schema.js';
import { literalList, stateList } from '../../storage/state-lists.js';
import { changing } from '../../messages/writer/life-in-sql.js';
import { jsonText } from '../../storage/statements.js';
import type { Texts } from '../../sensitive/texts.js';
import type { Db, Tx } from '../../storage/store.js';

/** States of an edit that has given, or may give, a message its own text. */
export const EFFECTIVE = literalList(
  keysWhere<EditState>({
    pending: true,
    sending: true,
    posted: true,
    edited: true,
    unconfirmed: true,
    too_late: false,
    refused: false,
    superseded: false,
    not_possible: false,
  }),
);

/** The message `m` has been or is being posted, and its receipt `sent` may still arrive. */
export const MAY_BE_SENT = sql`(m.state in ${stateList('in_flight')} or (m.state = 'accepted' and m.ended_at is null))`;

type Amendment = Pick<Selectable<AmendmentsTable>, 'campaign_id' | 'content_version' | 'content' | 'begun_at'>;

/** A message `m` that was sent by then can no longer be edited at this time. */
export function closedBy(at: Date) {
  return sql`${at}::timestamptz - (${editableMsOf(sql`m.instance`)}) * interval '1 ms'`;
}

/** AMEND-2 and AMEND-4, for the messages `m`. */
function hasOlderText({ campaign_id, content_version, begun_at }: Amendment) {
  return sql`m.campaign_id = ${campaign_id} and m.content_version < ${content_version}
    and (${MAY_BE_SENT} or (m.state in ${stateList('taken')} and m.sent_seen_at > ${closedBy(begun_at)}))
    and not exists (select from edits e where e.message_id = m.id and (e.content_version = ${content_version}
      or (e.campaign_id is null and e.state in ${EFFECTIVE})) offset 0)`;
}

/** Newest first. */
export async function candidates(db: Db, amendment: Amendment): Promise<MessageId[]> {
  const { rows } = await sql<{ id: MessageId }>`/* amendment_candidates */
    select m.id from messages m where ${hasOlderText(amendment)} order by m.sent_seen_at desc nulls first`.execute(db);
  return rows.map(({ id }) => id);
}

/**
 * Opens an edit for each of these messages that still has an older text. An edit whose message already has the new text
 * ends at once.
 */
export async function openEditsOf(
  tx: Tx,
  amendment: Amendment,
  ids: readonly MessageId[],
  texts: Texts,
  nowMs: number,
): Promise<void> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { campaign_id, content_version } = amendment;
  await sql`select id from messages where id = any(${ids}::text[]) order by id for no key update`.execute(tx);
  // `shown`: the text that the phone shows, or will show once the message is sent; null if an edit may have changed it.
  const { rows } = await sql<
    EditTimes & { id: MessageId; values: RecipientValues; shown: string | null }
  >`/* amendment_recipients */
    select m.id, r."values", m.sent_at, m.sent_seen_at, k.highest_offset_ms, k.measured_at as offset_measured_at,
      ${editableMsOf(sql`m.instance`)} as editable_ms,
      case when not exists (select from edits e where e.message_id = m.id and e.state in ('sending', 'posted', 'unconfirmed'))
        then coalesce((select e.text from edits e where ${IS_EDIT_SINCE} and e.state = 'edited' order by e.seq desc limit 1),
          m.content ->> 'text') end as shown
    from messages m
    join campaigns c on c.id = m.campaign_id
    join recipients r on r.audience_no = c.audience_no and r.line = m.line
    left join gateway_clocks k on k.instance = m.instance
    where m.id = any(${ids}::text[]) and ${hasOlderText(amendment)}`.execute(tx);
  if (rows.length === 0) return;
  const older = await endOlder(tx, sql`e.message_id = any(${rows.map(({ id }) => id)}::text[])`, nowMs);
  const blocked = new Set(older.map(({ message_id }) => message_id));
  const edits = rows.map((row) => {
    const { id, values, shown } = row;
    const text = textOf(renderContent(amendment.content, values));
    const isShown = text === shown;
    const closesAt = editableUntilOf(row);
    // One edit of a message for a version of its campaign's text.
    const digest = createHash('sha256').update(`amendment ${content_version} of ${id}`).digest();
    return {
      id: `edt_${shortId(digest)}`,
      message_id: id,
      text,
      body_hash: texts.bodyHash({ kind: 'text', text }),
      state: isShown ? 'edited' : 'pending',
      reason: isShown ? 'same_text' : null,
      closes_at: closesAt,
      step: isShown || closesAt === undefined || blocked.has(id) ? null : 'post',
    };
  });
  await sql`/* open_amendment_edits */
    with given as (
      select * from json_to_recordset(${jsonText(edits)}::json) as g(
        id text, message_id text, text text, body_hash text, state text, reason text, closes_at timestamptz, step text)
    ), opened as (
      insert into edits (id, message_id, instance, text, body_hash, state, reason, requested_at, ended_at, campaign_id,
        content_version, closes_at, step, due_at)
      select g.id, g.message_id, m.instance, g.text, g.body_hash, g.state, g.reason, ${now},
        case when g.state = 'edited' then ${now} end, ${campaign_id}, ${content_version}::integer, g.closes_at, g.step,
        case when g.step is not null then ${now} end
      from given g join messages m on m.id = g.message_id
    ), changed as (
      ${changing('editChanged', { now }, sql`from given g where m.id = g.message_id`)}
    )
    insert into evidence (message_id, fact, at, witness, what, detail)
    select message_id, 'edit:' || id || ':requested', ${now}, 'amendment', 'edit_requested',
      json_build_object('edit', id, 'textVersion', ${content_version}::integer)
    from given`.execute(tx);
}

export function textOf({ text }: Readonly<Record<string, unknown>>): string {
  return typeof text === 'string' ? text : '';
}
