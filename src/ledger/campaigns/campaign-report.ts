/**
 * The report of a campaign: one line for each recipient of the audience, with or without a message.
 *
 * REPORT-1 A page with a filter finds its lines by an index, however few recipients match: messages by campaign, state
 *    and line; recipients without a message behind the last line that was read ahead; a recipient by its key; those who
 *    responded by campaign, response and line.
 */
import { sql, type RawBuilder, type Selectable } from 'kysely';
import { z } from 'zod';
import {
  EditState,
  MESSAGE_STATES,
  present,
  type CampaignId,
  type RecipientResponse,
  type MessageId,
  type MessageState,
  type RecipientValues,
} from '../../contract/index.js';
import { count, messageStateSchema, milestoneFields, type Shape } from '../../contract/schemas.js';
import { readChatId, valueFor, writtenNumber } from '../../domain/index.js';
import type { Standing } from '../messages/writer/message-state.js';
import { keyOf } from '../messages/recipient-key.js';
import { iso } from '../storage/statements.js';
import { IS_EDIT_SINCE, milestonesOf, type MessageMilestones } from '../messages/message-row.js';
import type { MessagesTable, RecipientsTable } from '../storage/schema.js';
import type { Db } from '../storage/store.js';
import { existingCampaign, type CampaignRow, refuseWithoutRecipients } from './campaign-row.js';
import { EXPIRED_UNPOSTED, REASON_WITHOUT_MESSAGE } from '../messages/end-reasons.js';
import { recipientMessageIdOf } from '../messages/recipient-row.js';

export interface ReportPage {
  readonly states?: readonly MessageState[];
  readonly reason?: string;
  readonly response?: RecipientResponse;
  /** Only the recipient with this chat. */
  readonly chatId?: string;
  readonly afterLine: number;
  readonly limit: number;
  /** Names of the recipients' own columns. @default none */
  readonly columns?: readonly string[];
  /** Whether the rows have the timezone of their recipient, where the campaign knows it. @default false */
  readonly timezones?: boolean;
}

/** The evidence of recipients without a message. */
const EVIDENCE_WITHOUT_MESSAGE = {
  pending: null,
  cancelled: 'campaign cancelled',
  expired: `clock ${EXPIRED_UNPOSTED}`,
} as const;

/** A text that is not a version of the campaign's text. */
const OWN_TEXT = 'own';

interface RecipientRow
  extends
    Standing,
    Pick<Selectable<RecipientsTable>, 'line' | 'chat_id'>,
    Pick<Selectable<MessagesTable>, 'id_message' | 'accepted_at' | 'variant'> {
  readonly message_id: MessageId;
  readonly instance: string | null;
  readonly values: RecipientValues | null;
  readonly timezone: string | null;
  readonly attempts: number;
  readonly evidence: string | null;
  readonly sent_version: string | null;
  readonly edited_version: string | null;
  readonly edited_at: Date | null;
  readonly edit_state: EditState | null;
  readonly replied_at: Date | null;
  readonly opted_out_at: Date | null;
  readonly is_too_late: boolean | null;
}

interface Recipient extends RecipientRow {
  readonly milestones: MessageMilestones;
}

/** A column's schema and how its value is read. Null: the field is absent. */
function column<Schema extends z.ZodType>(schema: Schema, read: (recipient: Recipient) => z.output<Schema> | null) {
  return { schema, read };
}

const reportTime = z.iso.datetime({ offset: true }).optional();

/** A column whose times are in UTC or in the requested timezone. */
function timeColumn(description: string | undefined, read: (recipient: Recipient) => string | undefined) {
  const schema = description === undefined ? reportTime : reportTime.describe(description);
  return { schema, read: (recipient: Recipient) => read(recipient) ?? null, isTime: true };
}

/**
 * The columns of the report, in the order of the CSV. The API's schema, the type of a row and every format are derived
 * from them.
 */
const COLUMNS = {
  line: column(count.describe('Line of the source'), (row) => row.line),
  messageId: column(
    z
      .string()
      .describe(
        "Id of the recipient's message. It can be shown, edited, cancelled and resolved like any other message",
      ),
    (row) => row.message_id,
  ),
  number: column(
    z
      .string()
      .optional()
      .describe(
        "The recipient's number as it is usually written. A group's or hidden number's chat id; absent once the recipient is erased",
      ),
    ({ chat_id }) => (readChatId(chat_id) === undefined ? null : writtenNumber(chat_id)),
  ),
  chatId: column(z.string().describe("The gateway's id of the recipient's chat"), (row) => row.chat_id),
  state: column(messageStateSchema, (row) => row.state),
  reason: column(
    z.string().optional().describe('Stable word for why the message ended in this state'),
    (row) => row.reason,
  ),
  reasonText: column(z.string().optional().describe("The gateway's own words"), (row) => row.reason_text),
  idMessage: column(z.string().optional().describe("The gateway's id"), (row) => row.id_message),
  attempts: column(count.describe('Number of attempts'), (row) => row.attempts),
  acceptedAt: milestone('acceptedAt'),
  sentAt: milestone('sentAt'),
  deliveredAt: milestone('deliveredAt'),
  readAt: milestone('readAt'),
  endedAt: timeColumn('When the recipient reached an end state', ({ ended_at }) => iso(ended_at)),
  evidence: column(
    z.string().optional().describe('The witness of the newest evidence, and what it showed'),
    (row) => row.evidence,
  ),
  gatewaySentAt: milestone('gatewaySentAt'),
  gatewayDeliveredAt: milestone('gatewayDeliveredAt'),
  gatewayReadAt: milestone('gatewayReadAt'),
  sentVersion: column(
    z
      .string()
      .optional()
      .describe("Version of the campaign's text that was posted. `own`: the message has its own text"),
    (row) => row.sent_version,
  ),
  shownVersion: column(z.string().optional().describe('Version of the text that the phone is known to show'), (row) =>
    row.sent_seen_at === null ? null : (row.edited_version ?? row.sent_version),
  ),
  editOutcome: column(
    z.enum(Object.values(EditState)).optional().describe('State of the newest edit'),
    (row) => row.edit_state ?? (row.is_too_late === true ? 'too_late' : null),
  ),
  editedAt: timeColumn('When the newest edit was confirmed', ({ edited_at }) => iso(edited_at)),
  variant: column(
    z.string().optional().describe("The variant of the campaign's content that the message has"),
    (row) => row.variant,
  ),
  repliedAt: timeColumn("When the recipient first replied, by the gateway's clock", ({ replied_at }) =>
    iso(replied_at),
  ),
  optedOutAt: timeColumn(
    "When the recipient first wrote a STOP, or what may be one, by the gateway's clock",
    ({ opted_out_at }) => iso(opted_out_at),
  ),
  instance: column(
    z.string().optional().describe('The account of the message. Absent until the recipient is read ahead'),
    (row) => row.instance,
  ),
};

function milestone(name: keyof typeof milestoneFields) {
  return timeColumn(milestoneFields[name].description, ({ milestones }) => milestones[name]);
}

type Columns = typeof COLUMNS;
type Schemas = { readonly [Name in keyof Columns]: Columns[Name]['schema'] };

export const REPORT_FIELDS = Object.fromEntries(
  Object.entries(COLUMNS).map(([name, { schema }]) => [name, schema]),
) as Schemas;

type TimeName = {
  [Name in keyof Columns]: Columns[Name] extends { readonly isTime: boolean } ? Name : never;
}[keyof Columns];

export const REPORT_TIMES = Object.entries(COLUMNS)
  .filter(([, known]) => 'isTime' in known)
  .map(([name]) => name) as readonly TimeName[];

/** One recipient of the audience. Times are ISO UTC. */
export type ReportRow = Shape<z.ZodObject<Schemas>> & {
  readonly messageId: MessageId;
  /** Absent unless the recipients' own columns were requested. */
  readonly columns?: RecipientValues;
  /** Absent unless timezones were requested. */
  readonly timezone?: string;
};

function reportRow(row: RecipientRow, columns: readonly string[] | undefined): ReportRow {
  const recipient = { ...row, milestones: milestonesOf(row) };
  const cells = Object.entries(COLUMNS).map(([name, { read }]) => [name, read(recipient)]);
  const { timezone } = row;
  const values = row.values ?? {};
  const own = columns?.flatMap((name) => {
    const value = valueFor(values, name);
    return value === undefined ? [] : [[name, value]];
  });
  return present({ ...Object.fromEntries(cells), columns: own && Object.fromEntries(own), timezone }) as ReportRow;
}

/**
 * A page of the recipients of an audience, by line, with the state of each. Recipients without a message row are among
 * them. @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_RECIPIENTS_REMOVED
 */
export async function reportPage(
  db: Db,
  id: CampaignId,
  page: ReportPage,
): Promise<{ items: ReportRow[]; afterLine?: number }> {
  const { afterLine, limit, columns, timezones = false } = page;
  const campaign = await existingCampaign(db, id);
  refuseWithoutRecipients(campaign);
  const found = foundLines(campaign, page);
  const amended = sql`(select max(content_version) from amendments where campaign_id = ${id} and opened_at is not null)`;
  const { rows } = await sql<RecipientRow>`
    with found as materialized (${found ?? sql`select`}), page as materialized (
      select p.line, p.chat_id, ${columns === undefined ? sql`null` : sql`p.values`} as values,
        ${timezones ? sql`p.timezone` : sql`null`} as timezone, ${fromCampaign(campaign)}
      from recipients p ${found === undefined ? sql`` : sql`join found on found.line = p.line`}
      left join messages m on m.id = ${recipientMessageIdOf(campaign.key, sql`p.line`)}
      where p.audience_no = ${campaign.audience_no} and p.line > ${afterLine}
      order by p.line limit ${limit + 1}
    )
    select page.*,
      (select count(*)::integer from attempts a where a.message_id = page.message_id) as attempts,
      case when has_row
        then (select e.witness || ' ' || e.what from evidence e where e.message_id = page.message_id
          order by e.at desc, e.seq desc limit 1)
        else ${EVIDENCE_WITHOUT_MESSAGE[campaign.state_without_message]} end as evidence,
      edited.version as edited_version, edited.ended_at as edited_at,
      (select e.state from edits e where e.message_id = page.message_id and e.state <> 'superseded'
        order by e.seq desc limit 1) as edit_state,
      page.sent_seen_at is not null and page.content_version < ${amended} as is_too_late,
      response.replied_at, response.opted_out_at
    from page
    left join campaign_responses response on response.message_id = page.message_id
    left join lateral (
      select coalesce(e.content_version::text, ${OWN_TEXT}) as version, e.ended_at
      from messages m join edits e on ${IS_EDIT_SINCE}
      where m.id = page.message_id and e.state = 'edited' and e.via is distinct from 'before_send'
      order by e.seq desc limit 1) edited on true
    order by line`.execute(db);
  const items = rows.slice(0, limit).map((row) => reportRow(row, columns));
  const last = rows.length > limit ? items.at(-1) : undefined;
  return { items, ...present({ afterLine: last?.line }) };
}

/** REPORT-1: the lines of a page with a filter, and some more. @returns undefined without a filter */
function foundLines(campaign: CampaignRow, page: ReportPage) {
  const { states, reason, response, chatId, afterLine, limit } = page;
  const { id, key, audience_no, read_ahead_line, state_without_message: without } = campaign;
  if (states === undefined && reason === undefined && response === undefined && chatId === undefined) return undefined;
  const withReason = reason === undefined ? sql`` : sql`and m.reason = ${reason}`;
  const wanted = states ?? MESSAGE_STATES;
  const responded = response && sql`${sql.ref(`r.${response}_at`)} is not null`;
  const isWithout =
    responded === undefined &&
    wanted.includes(without) &&
    (reason ?? REASON_WITHOUT_MESSAGE[without]) === REASON_WITHOUT_MESSAGE[without];
  const first = sql`order by line limit ${limit + 1}`;
  const hasNoMessage = sql`not exists (
    select from messages m where m.id = ${recipientMessageIdOf(key, sql`p.line`)})`;
  if (chatId !== undefined) {
    return sql`
      select p.line from recipients p
      left join messages m on m.id = ${recipientMessageIdOf(key, sql`p.line`)}
      where p.audience_no = ${audience_no} and coalesce(p.key, p.chat_id) = ${keyOf(chatId)}
        and (m.state = any(${wanted}::text[]) ${withReason} or (${isWithout} and m.id is null))
        ${responded === undefined ? sql`` : sql`and exists (select from campaign_responses r where r.message_id = m.id and ${responded})`}`;
  }
  if (responded !== undefined) {
    return sql`
      select r.line from campaign_responses r join messages m on m.id = r.message_id
      where r.campaign_id = ${id} and ${responded} and r.line > ${afterLine}
        and m.state = any(${wanted}::text[]) ${withReason} ${first}`;
  }
  const parts: RawBuilder<unknown>[] = wanted.map(
    (state) => sql`(select m.line from messages m
      where m.campaign_id = ${id} and m.state = ${state} and m.line > ${afterLine} ${withReason} ${first})`,
  );
  if (isWithout) {
    parts.push(sql`(select p.line from recipients p
      where p.audience_no = ${audience_no} and p.line > ${Math.max(afterLine, read_ahead_line)} and ${hasNoMessage} ${first})`);
  }
  return sql`select line from (${sql.join(parts, sql` union all `)}) as part ${first}`;
}

/** The columns of a recipient's message, or without one, of the campaign. */
function fromCampaign({ key, state_without_message, ended_at, cancel_requested_at }: CampaignRow) {
  const endedAt = state_without_message === 'pending' ? null : (cancel_requested_at ?? ended_at);
  return sql`
    ${recipientMessageIdOf(key, sql`p.line`)} as message_id, m.id is not null as has_row, m.instance,
    coalesce(m.state, ${state_without_message}) as state,
    case when m.id is null then ${REASON_WITHOUT_MESSAGE[state_without_message]} else m.reason end as reason, m.reason_text, m.id_message,
    m.content_version, case when m.state <> 'held_out' then m.variant end as variant, case when m.accepted_at is not null then coalesce(m.content_version::text, ${OWN_TEXT}) end as sent_version,
    m.accepted_at, m.sent_at, m.sent_seen_at, m.delivered_at, m.delivered_seen_at, m.read_at, m.read_seen_at,
    case when m.id is null then ${endedAt}::timestamptz else m.ended_at end as ended_at`;
}
