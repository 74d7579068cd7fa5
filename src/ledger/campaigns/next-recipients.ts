import { sql } from 'kysely';
import type { CampaignId, MessageContent, MessageId, MessageState, RecipientValues } from '../../contract/index.js';
import { isIdentical } from '../claim.js';
import { present } from '../present.js';
import type { Db } from '../store.js';
import { existingCampaign, type CampaignRow } from './campaign-progress.js';
import type { FeedRecipient, NextRecipients } from './feeding-ledger.js';
import { recipientMessageIdOf } from './recipient-message-id.js';

/**
 * Reads whom to post to next; the claim checks again whether each still is. First those up to the line fed last who are
 * pending again, or never could be claimed, and whose next try is due; then those behind it, most of whom have no row
 * yet.
 */
export async function nextRecipients(db: Db, id: CampaignId, limit: number, nowMs: number): Promise<NextRecipients> {
  const campaign = await existingCampaign(db, id);
  const rows = await dueRows(db, campaign, limit, nowMs);
  const later = rows.length === 0 ? await whoWaits(db, campaign) : undefined;
  return {
    recipients: rows
      .filter(({ state }) => state === null || state === 'pending')
      .map((row) => recipientOf(row, campaign)),
    content: campaign.content,
    contentVersion: campaign.content_version,
    throughLine: Math.max(campaign.fed_line, ...rows.map(({ line }) => line)),
    isMore: rows.length > 0,
    ...present({ later }),
  };
}

interface DueRow {
  readonly message_id: MessageId;
  readonly line: number;
  readonly chat_id: string;
  readonly values: RecipientValues;
  readonly state: MessageState | null;
  readonly version: number | null;
  readonly content: MessageContent | null;
  readonly content_version: number | null;
  readonly attempts: number;
}

/** When a pending message may be tried again: told by its last attempt, or at once. */
const TRY_AT = sql`coalesce(
  (select a.retry_at from attempts a where a.message_id = m.id order by a.seq desc limit 1), '-infinity')`;

async function dueRows(db: Db, campaign: CampaignRow, limit: number, nowMs: number): Promise<DueRow[]> {
  const { id, key, audience_no, fed_line } = campaign;
  const { rows } = await sql<DueRow>`
    with again as (
      select m.line from messages m
      where m.campaign_id = ${id} and m.state = 'pending' and m.line <= ${fed_line} and ${TRY_AT} <= ${new Date(nowMs)}
        and not exists (select from messages identical where ${isIdentical('identical', 'm')})
      order by m.line limit ${limit}
    ), ahead as (
      select line from recipients where audience_no = ${audience_no} and line > ${fed_line} order by line limit ${limit}
    ), due as (
      select line from again union all select line from ahead order by line limit ${limit}
    )
    select r.line, r.chat_id, r."values", i.message_id, m.state, m.version, m.content, m.content_version,
      case when m.id is null then 0
        else (select count(*)::integer from attempts a where a.message_id = m.id) end as attempts
    from due d
    join recipients r on r.audience_no = ${audience_no} and r.line = d.line
    cross join lateral (select ${recipientMessageIdOf(key, sql`d.line`)} as message_id) i
    left join messages m on m.id = i.message_id
    order by d.line`.execute(db);
  return rows;
}

function recipientOf(row: DueRow, { content_version }: CampaignRow): FeedRecipient {
  const { message_id: messageId, line, chat_id: chatId, values } = row;
  if (row.version === null) return { messageId, line, chatId, values };
  const isKept = row.content_version === null || row.content_version === content_version;
  const content = isKept && row.content !== null ? { content: row.content } : {};
  return {
    messageId,
    line,
    chatId,
    values,
    row: { version: row.version, isOwnText: row.content_version === null, attempts: row.attempts, ...content },
  };
}

/** Of how many who wait the first is looked for. */
const MOST_WAITING = 1_000;

/** Those who wait for another try; who only waits for an identical message has no time of their own. */
async function whoWaits(db: Db, { id }: CampaignRow): Promise<{ atMs?: number } | undefined> {
  const { rows } = await sql<{ recipients: number; at: Date | null }>`
    select count(*)::integer as recipients, min(nullif(try_at, '-infinity')) as at
    from (
      select ${TRY_AT} as try_at from messages m where m.campaign_id = ${id} and m.state = 'pending' limit ${MOST_WAITING}
    ) waiting`.execute(db);
  const { recipients = 0, at = null } = rows[0] ?? {};
  return recipients === 0 ? undefined : present({ atMs: at?.getTime() });
}
