import { present } from '../../contract/index.js';
import { sql } from 'kysely';
import type { CampaignId, MessageContent, MessageId, Priority } from '../../contract/index.js';
import type { DueAttempt } from './dispatch-ledger.js';

export interface DueAttemptRow {
  readonly message_id: MessageId;
  readonly token: string;
  readonly instance: string;
  readonly chat_id: string | null;
  readonly content: MessageContent;
  readonly posting_deadline_at: Date;
  readonly template_id: string | null;
  readonly priority: string;
  readonly campaign_id: CampaignId | null;
  readonly tries: number;
}

/** The gateway's id of the template that a message `m` names by our name; null for all others. */
const TEMPLATE_ID = sql<string | null>`case when m.kind = 'template' then (
  select t.template_id from templates t
  where t.instance = m.instance and t.element_name = m.content ->> 'elementName') end`;

/** Columns of {@link DueAttemptRow}, of a message `m` and its intent `i`. An intent of the same statement is not counted yet. */
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
