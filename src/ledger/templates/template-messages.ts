/**
 * Messages that name a template which will never be sent: they end `rejected`. Messages whose template may still be
 * approved wait in a stream that is not selected.
 */
import { sql } from 'kysely';
import {
  MessageCategory,
  type MessageContent,
  type MessageRequest,
  type TemplateContent,
  TemplateStatus,
} from '../../contract/index.js';
import { templateParameters } from '../../domain/index.js';
import { jsonText } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';
import { moveMessages } from '../messages/writer/move-messages.js';
import { isCurrent } from '../messages/writer/due-rows.js';
import type { TemplateRow } from './template-row.js';

/** Why a message is never sent: a stable word, and the gateway's text. */
export interface TemplateVerdict {
  readonly reason: string;
  readonly text?: string;
}

/** For each message, in order; undefined if it may be sent, now or later, or no content is given. */
export async function templateVerdicts(
  db: Db,
  messages: readonly { readonly instance: string; readonly content: MessageContent | undefined }[],
): Promise<(TemplateVerdict | undefined)[]> {
  const names = messages.flatMap(({ instance, content }, at) => {
    if (content?.kind !== 'template') return [];
    const { elementName, templateId } = content;
    const template_id = elementName === undefined ? templateId : undefined;
    return [{ at, instance, element_name: elementName, template_id }];
  });
  if (names.length === 0) return [];
  const { rows } = await sql<TemplateRow & { at: number }>`
    select n.at, t.* from json_to_recordset(${jsonText(names)}::json) as n(
      at integer, instance text, element_name text, template_id text)
    cross join lateral (
      select * from templates t where t.instance = n.instance and t.element_name = n.element_name
      union all
      (select * from templates t where t.instance = n.instance and t.template_id = n.template_id limit 1)) t`.execute(
    db,
  );
  const known = new Map(rows.map((row) => [row.at, row]));
  return messages.map(({ instance, content }, at) =>
    content?.kind === 'template' ? verdictOf(instance, content, known.get(at)) : undefined,
  );
}

/**
 * A message that names no category has that of its template, as it is known when the message is written: `marketing` for
 * a template of the category MARKETING. A template that was created elsewhere has no known category.
 */
export async function withCategories<Message extends { readonly request: MessageRequest }>(
  db: Db,
  messages: readonly Message[],
): Promise<readonly Message[]> {
  const named = messages.flatMap(({ request: { instance, category, content } }, at) => {
    if (category !== undefined || content.kind !== 'template') return [];
    const { elementName, templateId } = content;
    return [
      { at, instance, element_name: elementName, template_id: elementName === undefined ? templateId : undefined },
    ];
  });
  if (named.length === 0) return messages;
  const { rows } = await sql<{ at: number }>`
    select n.at from json_to_recordset(${jsonText(named)}::json) as n(
      at integer, instance text, element_name text, template_id text)
    where exists (
      select from templates t where t.instance = n.instance
        and (t.element_name = n.element_name or t.template_id = n.template_id)
        and coalesce(t.category, t.definition ->> 'category') = 'MARKETING')`.execute(db);
  const marketing = new Set(rows.map(({ at }) => at));
  return messages.map((message, at) =>
    marketing.has(at) ? { ...message, request: { ...message.request, category: MessageCategory.marketing } } : message,
  );
}

function verdictOf(
  instance: string,
  { elementName, params = [] }: TemplateContent,
  template: TemplateRow | undefined,
): TemplateVerdict | undefined {
  if (template === undefined) {
    // A template named only by its id was created elsewhere; only the gateway knows it.
    if (elementName === undefined) return undefined;
    return { reason: 'template_unknown', text: `no template ${elementName} was submitted to ${instance}` };
  }
  const count = templateParameters(template.definition).length;
  if (params.length !== count) {
    const text = `template ${template.element_name} has ${count} variables, the message ${params.length} params`;
    return { reason: 'template_parameters', text };
  }
  const reason = rejectionOf(template);
  return reason === undefined ? undefined : { reason, ...(template.reason === null ? {} : { text: template.reason }) };
}

/** One of the values of {@link ENDED_BY}. */
export function rejectionOf({ state, status }: TemplateRow): string | undefined {
  if (state === 'refused') return 'template_refused';
  if (status === TemplateStatus.REJECTED) return 'template_rejected';
  return status === TemplateStatus.FAILED ? 'template_failed' : undefined;
}

const ENDED_BY = sql<string>`case when t.state = 'refused' then 'template_refused'
  when t.status = 'REJECTED' then 'template_rejected' when t.status = 'FAILED' then 'template_failed' end`;

/** How many rows in one statement. */
export const MOST_REJECTED = 1_000;

/**
 * Ends pending messages of templates that were refused, rejected or failed. @param key  only messages of this template
 * @returns how many; fewer than `limit` if none is left
 */
export async function rejectByTemplate(
  tx: Db | Tx,
  limit: number,
  nowMs: number,
  key?: { readonly instance: string; readonly elementName: string },
): Promise<number> {
  const only =
    key === undefined ? sql`true` : sql`t.instance = ${key.instance} and t.element_name = ${key.elementName}`;
  const named = {
    join: sql`join (
      select d.message_id, s.word, s.text
      from (
        select s.id, t.word, t.reason as text
        from streams s cross join lateral (
          select *, ${ENDED_BY} as word from (
            select * from templates t where t.instance = s.instance and t.element_name = s.element_name
            union all
            select * from templates t where t.instance = s.instance and t.template_id = s.template_id and s.element_name is null) t) t
        left join campaigns c on c.id = s.campaign_id
        where (s.element_name is not null or s.template_id is not null) and t.word is not null and ${only} and (c.id is null or ${isCurrent('s')}) offset 0) s
      cross join lateral (select d.message_id from due_messages d where d.stream_id = s.id limit ${limit}) d) ended on ended.message_id = m.id`,
    columns: sql`ended.word, ended.text`,
    where: sql`true`,
    limit,
    skipsLocked: true,
  };
  const detail = sql`case when c.text is not null then json_build_object('text', c.text) end`;
  const end = { reason: sql`c.word`, reason_text: sql`c.text`, witness: 'ledger', detail, nowMs };
  return (await moveMessages(tx, 'rejected', named, end)).length;
}
