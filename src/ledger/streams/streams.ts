import { type RawBuilder, sql } from 'kysely';
import {
  CAMPAIGN_END_STATES,
  KIND_SENT_BY,
  LONG_LIFE_MS,
  PRIORITIES,
  type MessageCategory,
  type CampaignId,
  type MessageContent,
  type MessageKind,
  type Priority,
  type SendOperation,
} from '../../contract/index.js';
import { isCurrent } from '../messages/writer/due-rows.js';
import { awayState, clearedAt, isNotPaused } from '../instances/pauses.js';
import { jsonText } from '../storage/statements.js';
import type { Db, Tx } from '../storage/store.js';
import { cappedUntil } from './limits.js';

export function classOf(priority: Priority): number {
  return PRIORITIES.indexOf(priority);
}

/** {@link classOf} the row of a campaign with this alias. */
export function classIn(campaign: string): RawBuilder<number> {
  return sql`(array_position(${PRIORITIES}::text[], ${sql.table(campaign)}.priority) - 1)`;
}

/** A value for each class, in their order. */
export function byClass(room: Readonly<Record<Priority, number>>): number[] {
  return PRIORITIES.map((priority) => room[priority]);
}

export interface StreamKey {
  readonly instance: string;
  readonly class: number;
  readonly campaignId?: CampaignId;
  /** The version of the campaign's content that its messages have. */
  readonly contentVersion?: number;
  readonly elementName?: string;
  readonly templateId?: string;
  readonly needsPhone: boolean;
  readonly kind: MessageKind;
  readonly category: MessageCategory;
  /** The timezone of the recipients, if the campaign uses their local time. */
  readonly timezone?: string;
  readonly extraRoom?: number;
}

/** The kinds of message that these operations send. */
export function kindsOf(operations: readonly SendOperation[]): MessageKind[] {
  return operations.map((operation) => KIND_SENT_BY[operation]);
}

/** The template whose approval a message's stream waits for. */
export function templateOf(content: MessageContent): Pick<StreamKey, 'elementName' | 'templateId'> {
  if (content.kind !== 'template') return {};
  const { elementName, templateId } = content;
  if (elementName !== undefined) return { elementName };
  return templateId === undefined ? {} : { templateId };
}

/**
 * Whether a single message is posted only while the phone is online (INSTANCE-5): it expires before the gateway's queue
 * would forget it.
 */
export function needsPhone(createdMs: number, expiresMs: number): boolean {
  return expiresMs - createdMs < LONG_LIFE_MS;
}

/**
 * Finds or creates the streams of these keys; an existing stream keeps its position in the order of service.
 * @returns their ids, in the order of the keys
 */
export async function ensureStreams(db: Db, keys: readonly StreamKey[]): Promise<string[]> {
  const key = sql.table('key');
  // LIMIT-3: with hours or limits, its span has to be computed before anything is claimed.
  const hasRules = sql<boolean>`(exists (select from instance_settings i where i.instance = ${key}.instance) or exists (
    select from campaigns c where c.id = ${key}.campaign_id and (c.sending_windows is not null or c.limits is not null)))`;
  const { rows } = await sql<{ id: string | number }>`
    with key as materialized (
      select * from rows from (json_to_recordset(${jsonText(keys)}::json) as (
        instance text, class smallint, "campaignId" text, "elementName" text, "templateId" text, "needsPhone" boolean,
        kind text, category text, timezone text, "contentVersion" integer, "extraRoom" integer)) with ordinality as k(
        instance, class, campaign_id, element_name, template_id, needs_phone, kind, category, timezone, content_version, extra_room, place)
    ), made as (
      insert into streams as s (instance, class, campaign_id, element_name, template_id, needs_phone, kind, category,
        timezone, content_version, extra_room, next_at, closes_at)
      select distinct on (instance, class, campaign_id, element_name, template_id, needs_phone, kind, category, timezone, content_version)
        instance, class, campaign_id, element_name, template_id, needs_phone, kind, category, timezone, content_version,
        coalesce(extra_room, 0),
        coalesce((select max(o.next_at) from streams o where o.campaign_id = key.campaign_id and o.instance = key.instance), '-infinity'), case when ${hasRules} then '-infinity' else 'infinity' end::timestamptz
      from key
      order by instance, class, campaign_id, element_name, template_id, needs_phone, kind, category, timezone, content_version
      on conflict (instance, class, coalesce(campaign_id, ''), coalesce(element_name, ''), coalesce(template_id, ''),
        needs_phone, kind, category, coalesce(timezone, ''), coalesce(content_version, 0)) do update set extra_room = excluded.extra_room
      returning *
    )
    select made.id from key join made on made.instance = key.instance and made.class = key.class
      and made.campaign_id is not distinct from key.campaign_id
      and made.element_name is not distinct from key.element_name
      and made.template_id is not distinct from key.template_id and made.needs_phone = key.needs_phone
      and made.kind = key.kind and made.category = key.category and made.timezone is not distinct from key.timezone
      and made.content_version is not distinct from key.content_version
    order by key.place`.execute(db);
  return rows.map(({ id }) => String(id));
}

/** DISPATCH-4: true if the stream's template is approved; a template id that is not ours belongs to the gateway. */
export const TEMPLATE_ALLOWS = sql<boolean>`case
  when stream.element_name is not null then exists (
    select from templates t where t.instance = stream.instance and t.element_name = stream.element_name
      and t.status = 'APPROVED' and t.template_id is not null)
  when stream.template_id is not null then (
    select bool_and(t.status is not distinct from 'APPROVED') from templates t
    where t.instance = stream.instance and t.template_id = stream.template_id) is not false
  else true end`;

/**
 * DISPATCH-4: when the stream may be claimed from; infinity if an event has to happen first. A time in the past: now, or
 * after a tick has computed its span. `streamBlocker` says why.
 */
export function claimableAt(nowMs: number) {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  return sql<Date>`case when ${TEMPLATE_ALLOWS}
      and (stream.campaign_id is null or exists (
        select from campaigns c where c.id = stream.campaign_id and c.state = 'running' and c.deadline_at > ${now}
          and ${isCurrent('stream')}))
      and ${isNotPaused('stream')}
      and not (stream.needs_phone and exists (${awayState(sql`stream.instance`, new Date(nowMs))}))
    then greatest(${clearedAt('stream', nowMs)}, case when stream.closes_at > ${now} then
      greatest(stream.opens_at, stream.next_at, ${cappedUntil(nowMs)}) else '-infinity'::timestamptz end)
    else 'infinity'::timestamptz end`;
}

/**
 * So that selection does not read the streams of ended campaigns, and of former contents. A retry creates a new one.
 * STREAM-2: only the second statement sees every message that returned before the lock.
 */
export async function removeEndedStreams(tx: Tx): Promise<void> {
  const { rows } = await sql<{ id: string | number }>`
    select s.id from streams s join campaigns c on c.id = s.campaign_id
    where (c.state = any(${CAMPAIGN_END_STATES}::text[]) or not (${isCurrent('s')}))
      and not exists (select from due_messages d where d.stream_id = s.id)
    order by s.id for update of s skip locked`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    delete from streams s where s.id = any(${rows.map(({ id }) => id)}::bigint[])
      and not exists (select from due_messages d where d.stream_id = s.id)`.execute(tx);
}
