/** Reads a message's row, and records evidence. */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import type { z } from 'zod';
import {
  type CampaignId,
  EDIT_WINDOW_MS,
  type EditSnapshot,
  type MessageContent,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
  present,
  QUEUE_RETENTION_MS,
  type ShownMessage,
  type TraceContext,
  messageUnknown,
} from '../../contract/index.js';
import type { milestoneFields, Shape } from '../../contract/schemas.js';
import { openRecipient } from './recipient-row.js';
import type { RunState } from '../storage/column-types.js';
import { driftOf } from '../instances/gateway-clocks.js';
import type { MessagesTable } from '../storage/schema.js';
import { shown, iso, jsonText } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';
import { EDITS_UNDER_WAY } from '../storage/state-lists.js';

/** The request that a row is created from. */
export interface OpenMessage {
  readonly id: MessageId;
  readonly requestHash: string;
  readonly request: MessageRequest;
  /** From the request's `expiresAt`, or 24 hours after the request or its `sendAt`. */
  readonly expiresAtMs: number;
  /** Temporal's namespace of the run that opens it. */
  readonly namespace?: string;
  /** The workflow that waits for it. @default `message:<id>` */
  readonly workflowId?: string;
  /** When it may be posted. @default now */
  readonly sendAtMs?: number;
  /** Whether a workflow waits for it. @default 'none' */
  readonly run?: RunState;
  /** The requester. */
  readonly requestedBy?: string;
  readonly test?: TestOf;
  /** Of the span that creates it. @default its trace is not sampled */
  readonly trace?: TraceContext;
  readonly nowMs: number;
}

/** What a test message shows: a campaign's content. */
export interface TestOf {
  readonly campaignId: CampaignId;
  /** The line whose values it contains. @default none: the content has no variables */
  readonly line?: number;
  readonly variant?: string;
}

export interface ClaimedAttempt {
  readonly token: string;
  readonly instance: string;
  readonly chatId?: string;
  /** The row's content at the time of the claim: it is posted, and reconciling compares with it. */
  readonly content: MessageContent;
  /** The texts of a sensitive message, sealed: `dispatch.reveal` puts them into the content. */
  readonly hidden?: string;
  /** The gateway's id of the template that the content names. */
  readonly templateId?: string;
  /** The claim's deadline or the message's expiry, whichever comes first. */
  readonly postingDeadlineMs: number;
}

/** The columns of an {@link EditSnapshot}. */
export type EditColumns = Pick<EditSnapshot, 'id' | 'state'> & { readonly via: 'before_send' | 'gateway' | null };

/** Time for the way of an edit to the gateway, and for the rounding of the gateway's window. */
const EDIT_MARGIN_MS = 10_000;

/** In SQL: for how long a message of the instance can be edited after it was sent, in milliseconds. */
export function editableMsOf(instance: RawBuilder<unknown>): RawBuilder<number> {
  return sql`coalesce((select (w.settings ->> 'editWindowMs')::integer from instance_settings w where w.instance = ${instance}),
    ${EDIT_WINDOW_MS}::integer) - ${EDIT_MARGIN_MS}::integer`;
}

/** What decides until when the message `m`, whose gateway's clock is `c`, can be edited, besides its own times. */
export const EDIT_LIMITS = sql`c.highest_offset_ms, c.measured_at as offset_measured_at,
  ${editableMsOf(sql`m.instance`)} as editable_ms`;

/** The edits of the message `m`. */
const EDITS = sql<EditColumns[]>`(
  select coalesce(json_agg(json_build_object('id', e.id, 'state', e.state, 'via', e.via) order by e.seq), '[]'::json)
  from edits e where e.message_id = m.id)`.as('edits');

/** Whether the edit `e` is one of the message `m` since its last attempt: its phone shows it, or may show it. */
export const IS_EDIT_SINCE = sql`e.message_id = m.id
    and e.seq > coalesce((select a.seq from attempts a where a.token = m.attempt_token), 0)`;

/**
 * The edit whose text the phone shows in place of the posted one, or will show: the newest one since the last attempt
 * that the gateway confirmed or that is under way. A pending message is posted with the row's own text.
 */
const SHOWN_EDIT = sql<{ readonly text: string; readonly text_length: number | null } | null>`(
  select json_build_object('text', e.text, 'text_length', e.text_length) from edits e
  where ${IS_EDIT_SINCE} and m.state <> 'pending'
    and (e.state in ${EDITS_UNDER_WAY} or e.state = 'edited' and e.via = 'gateway')
  order by e.seq desc limit 1)`.as('shown_edit');

/**
 * Until when a message may be posted. Until it ends, a recipient of a campaign has the campaign's deadline, which may have
 * changed since its message was composed.
 * @param message  an alias
 */
export function expiresAt(message: string) {
  const m = sql.table(message);
  return sql<Date>`coalesce((select c.deadline_at from campaigns c where c.id = ${m}.campaign_id and ${m}.ended_at is null), ${m}.expires_at)`;
}

export function messageRows(db: Db) {
  return db
    .selectFrom('messages as m')
    .leftJoin('gateway_clocks as c', 'c.instance', 'm.instance')
    .selectAll('m')
    .select(['c.highest_offset_ms', 'c.measured_at as offset_measured_at', EDITS, SHOWN_EDIT])
    .select(expiresAt('m').as('expires_at'))
    .select(editableMsOf(sql`m.instance`).as('editable_ms'));
}

/** A row with the additional data of its snapshot; its edits are in order. */
export type MessageRow = Awaited<ReturnType<ReturnType<typeof messageRows>['execute']>>[number];

/** What {@link editableUntilOf} needs. `highest_offset_ms`: the upper end of its gateway's clock offset. */
export type EditTimes = Pick<
  MessageRow,
  'sent_at' | 'sent_seen_at' | 'highest_offset_ms' | 'offset_measured_at' | 'editable_ms'
>;

/** A request for a campaign recipient without a row creates the row. */
export async function readMessage(db: Db, id: MessageId): Promise<MessageRow | undefined> {
  const read = () => messageRows(db).where('m.id', '=', id).executeTakeFirst();
  return (await read()) ?? ((await openRecipient(db, id)) ? read() : undefined);
}

/** The columns that {@link snapshotOf} needs. */
type SnapshotColumns = Pick<
  MessageRow,
  | 'id'
  | 'version'
  | 'state'
  | 'expires_at'
  | 'id_message'
  | 'accepted_at'
  | 'reason'
  | 'campaign_id'
  | 'workflow_id'
  | 'edits'
  | keyof EditTimes
>;

/** A waiting caller reads several times a second, so the connection keeps the plan. */
export async function readSnapshot(db: Db, id: MessageId): Promise<MessageSnapshot | undefined> {
  const read = sql<SnapshotColumns>`/* read_snapshot */
    select m.id, m.version, m.state, ${expiresAt('m')} as expires_at, m.id_message, m.accepted_at, m.sent_at, m.sent_seen_at, m.reason,
      m.campaign_id, m.workflow_id, ${EDIT_LIMITS}, ${EDITS}
    from messages m left join gateway_clocks c on c.instance = m.instance
    where m.id = ${id}`;
  const [row] = (await read.execute(db)).rows;
  return row && snapshotOf(row);
}

/** What runs show of these messages. */
export async function readShown(db: Db, ids: readonly MessageId[]): Promise<ReadonlyMap<MessageId, ShownMessage>> {
  const read = sql<Omit<SnapshotColumns, 'edits' | 'version'> & Pick<MessageRow, 'ended_at'>>`/* read_shown */
    select m.id, m.state, ${expiresAt('m')} as expires_at, m.id_message, m.accepted_at, m.sent_at, m.sent_seen_at, m.reason, m.ended_at,
      ${EDIT_LIMITS}
    from messages m left join gateway_clocks c on c.instance = m.instance
    where m.id = any(${ids}::text[])`;
  const { rows } = await read.execute(db);
  return new Map(
    rows.map((row) => [
      row.id,
      {
        ...shown(row, 'id', 'state', 'expires_at', 'id_message', 'accepted_at', 'reason'),
        ...present({ sentAt: milestonesOf(row).sentAt, editableUntil: editableUntilOf(row)?.toISOString() }),
        hasEnded: row.ended_at !== null,
      },
    ]),
  );
}

/** @throws AppError MESSAGE_NOT_FOUND */
export async function existingShown(db: Db, id: MessageId): Promise<ShownMessage> {
  return (await readShown(db, [id])).get(id) ?? noSuchMessage(id);
}

/** @throws AppError MESSAGE_NOT_FOUND */
export async function existingMessage(db: Db, id: MessageId): Promise<MessageRow> {
  return (await readMessage(db, id)) ?? noSuchMessage(id);
}

/**
 * Reads and locks the row until the transaction ends.
 * @throws AppError MESSAGE_NOT_FOUND
 */
export async function lockMessage(tx: Tx, id: MessageId): Promise<MessageRow> {
  const lock = () => messageRows(tx).where('m.id', '=', id).forUpdate('m').executeTakeFirst();
  return (await lock()) ?? ((await openRecipient(tx, id)) ? await lock() : undefined) ?? noSuchMessage(id);
}

/** @throws AppError MESSAGE_NOT_FOUND */
export function noSuchMessage(id: MessageId): never {
  throw messageUnknown(id);
}

export function snapshotOf(row: SnapshotColumns): MessageSnapshot {
  return {
    ...shown(row, 'id', 'version', 'state', 'expires_at', 'id_message', 'accepted_at'),
    ...present({ sentAt: milestonesOf(row).sentAt, editableUntil: editableUntilOf(row)?.toISOString() }),
    ...shown(row, 'reason', 'campaign_id', 'workflow_id'),
    edits: row.edits.map(editSnapshotOf),
  };
}

export function editSnapshotOf({ id, state, via }: EditColumns): EditSnapshot {
  return { id, state, ...present({ via }) };
}

/**
 * Until when, by our own clock, a message can surely be edited; undefined before it is sent.
 *
 * The window starts at `sentAt` by the gateway's clock. The upper end of that clock's offset is the safe one: the
 * further ahead the gateway's clock may be, the earlier the window closes by ours. At the latest it closes one window
 * length after we first saw the message sent.
 */
export function editableUntilOf(times: EditTimes): Date | undefined {
  const { sent_at, sent_seen_at, highest_offset_ms, offset_measured_at, editable_ms } = times;
  if (sent_at === null || sent_seen_at === null) return undefined;
  const seenMs = sent_seen_at.getTime();
  if (highest_offset_ms === null || offset_measured_at === null) return new Date(seenMs + editable_ms);
  const aheadMs = Number(highest_offset_ms) + driftOf(Math.max(0, seenMs - offset_measured_at.getTime()));
  return new Date(Math.min(seenMs, sent_at.getTime() - aheadMs) + editable_ms);
}

/** A message without its collections. Times are ISO UTC. */
export function listItemOf(row: MessageRow) {
  const { state, accepted_at, ended_at } = row;
  const leavesFrom = state === 'accepted' && ended_at === null ? accepted_at : null;
  return {
    ...shown(row, 'id', 'instance', 'chat_id', 'content', 'state', 'version', 'priority', 'category', 'on_unknown'),
    ...shown(row, 'text_length', 'text_removed_at'),
    ...shown(row, 'reference', 'status_callback', 'requested_by', 'id_message', 'reason', 'reason_text'),
    ...shown(row, 'created_at', 'send_at', 'expires_at', 'ended_at'),
    ...shown(row, 'campaign_id', 'test_of', 'line', 'variant', 'workflow_id'),
    ...milestonesOf(row),
    ...shownText(row),
    ...present({
      sensitive: row.text_length === null ? undefined : true,
      editableUntil: editableUntilOf(row)?.toISOString(),
      mayLeaveUntil: leavesFrom && new Date(leavesFrom.getTime() + QUEUE_RETENTION_MS).toISOString(),
    }),
  };
}

/** The text that is, or will be, on the phone, and the posted one if it is another. */
function shownText({ content, text_length, shown_edit }: MessageRow): {
  content?: MessageContent;
  textLength?: number;
  postedText?: string;
} {
  if (shown_edit === null || content.kind !== 'text') return {};
  const { text, text_length: textLength } = shown_edit;
  return {
    content: { ...content, text },
    ...(text_length === null ? { postedText: content.text } : present({ textLength })),
  };
}

export type MessageMilestones = Shape<z.ZodObject<typeof milestoneFields>>;

/** Several processes write these times by their own clocks; a later step is never shown before an earlier one. */
export function milestonesOf(
  row: Pick<Selectable<MessagesTable>, 'accepted_at' | 'sent_at' | 'sent_seen_at'> &
    Partial<Pick<Selectable<MessagesTable>, 'delivered_at' | 'delivered_seen_at' | 'read_at' | 'read_seen_at'>>,
): MessageMilestones {
  const { accepted_at, sent_at, sent_seen_at, delivered_at = null, delivered_seen_at = null } = row;
  const { read_at = null, read_seen_at = null } = row;
  const sent = notBefore(accepted_at, sent_at && (sent_seen_at ?? sent_at));
  const delivered = notBefore(sent ?? accepted_at, delivered_at && (delivered_seen_at ?? delivered_at));
  const read = notBefore(delivered ?? sent ?? accepted_at, read_at && (read_seen_at ?? read_at));
  return present({
    acceptedAt: iso(accepted_at),
    sentAt: iso(sent),
    deliveredAt: iso(delivered),
    readAt: iso(read),
    gatewaySentAt: iso(sent_at),
    gatewayDeliveredAt: iso(delivered_at),
    gatewayReadAt: iso(read_at),
  });
}

function notBefore(earlier: Date | null, at: Date | null): Date | null {
  return at !== null && earlier !== null && at < earlier ? earlier : at;
}

export interface NewEvidence {
  readonly messageId: MessageId;
  /** Identifies the fact within its message: the same fact is recorded once. */
  readonly fact: string;
  readonly witness: string;
  readonly what: string;
  readonly detail?: Readonly<Record<string, unknown>>;
  readonly nowMs: number;
}

/** @returns false if this fact was recorded before */
export async function addEvidence(
  db: Db,
  entry: Omit<NewEvidence, 'fact'> & { readonly fact: string | RawBuilder<string> },
): Promise<boolean> {
  const { messageId, fact, witness, what, detail, nowMs } = entry;
  const { numAffectedRows = 0n } = await sql`
    insert into evidence (message_id, fact, at, witness, what, detail)
    values (${messageId}, ${fact}, ${new Date(nowMs)}, ${witness}, ${what}, ${detail === undefined ? null : jsonText(detail)})
    on conflict (message_id, fact) do nothing`.execute(db);
  return numAffectedRows > 0n;
}
