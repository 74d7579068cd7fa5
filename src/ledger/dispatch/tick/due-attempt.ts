import { sql, type Selectable } from 'kysely';
import { present, type Priority } from '../../../contract/index.js';
import type { MessageRow } from '../../messages/message-row.js';
import type { AttemptsTable } from '../../schema.js';
import type { DueAttempt } from '../dispatch-ledger.js';

export interface DueAttemptRow
  extends
    Pick<MessageRow, 'instance' | 'chat_id' | 'content' | 'priority' | 'campaign_id'>,
    Pick<Selectable<AttemptsTable>, 'message_id' | 'token' | 'posting_deadline_at'> {
  readonly template_id: string | null;
  readonly tries: number;
}

/** The gateway's id of the template that a message `m` refers to by our name; null for all other messages. */
const TEMPLATE_ID = sql<string | null>`case when m.kind = 'template' then (
  select t.template_id from templates t
  where t.instance = m.instance and t.element_name = m.content ->> 'elementName') end`;

/**
 * Columns of {@link DueAttemptRow}, of a message `m` and its intent `i`. An intent of the same statement is not counted
 * yet.
 */
export const DUE_ATTEMPT = sql`m.id as message_id, i.token, m.instance, m.chat_id, i.content, i.posting_deadline_at,
  ${TEMPLATE_ID} as template_id, m.priority, m.campaign_id,
  (select count(*)::integer from attempts a where a.message_id = m.id and a.seq < i.seq) + 1 as tries`;

export function dueAttemptOf(row: DueAttemptRow): DueAttempt {
  const { message_id: messageId, token, instance, content, tries } = row;
  return {
    messageId,
    token,
    instance,
    content,
    tries,
    postingDeadlineMs: row.posting_deadline_at.getTime(),
    priority: row.priority as Priority,
    ...present({ chatId: row.chat_id, templateId: row.template_id, campaignId: row.campaign_id }),
  };
}
