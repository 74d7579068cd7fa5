import { sql } from 'kysely';
import {
  DEFAULT_HIGH_WATER,
  type CampaignId,
  type ContentTemplate,
  type MessageCategory,
  type MessageId,
  type OpenSpan,
  type Priority,
} from '../../../contract/index.js';
import { isHeldOut, recipientKey, variantFor } from '../../../domain/index.js';
import { existingCampaign, type CampaignRow } from '../../campaigns/campaign-row.js';
import { type Db, retryingTransaction, type Store, type Tx } from '../../storage/store.js';
import { templateVerdicts, type TemplateVerdict } from '../../templates/template-messages.js';
import { foldCounts } from '../../campaigns/campaign-tally.js';
import {
  readRecipients,
  timezonesToRead,
  type ReadPosition,
  type Composed,
  type ReadRecipient,
} from './read-recipients.js';
import { withAccounts, type Placed } from './choose-accounts.js';
import { classOf, ensureStreams, templateOf } from '../../streams/streams.js';
import { jsonHash } from '../../storage/hashes.js';
import { keyOfRow } from '../../messages/recipient-key.js';
import { HOLD_OUT } from '../../messages/end-reasons.js';
import { columnsIn, DUE_OF_WRITTEN, inserting, readingAgain } from '../../messages/writer/new-messages.js';
import { activeEntries } from '../../recipients/suppression-row.js';
import { doubtRead } from '../went-back.js';
import type { Texts } from '../../sensitive/texts.js';
import { isoTime, jsonText } from '../../storage/statements.js';

export interface ReadAhead {
  /** The most recipients to read. */
  readonly limit: number;
  readonly compose: (recipient: ReadRecipient, template: ContentTemplate) => Composed;
  /** Begins the trace of a recipient who becomes a message. @default recipients have no trace */
  readonly trace?: ((recipient: Placed, id: CampaignId) => OpenSpan) | undefined;
  readonly nowMs: number;
}

/** How often it reads again when the campaign changed while messages were composed. */
const TRIES = 3;

/**
 * Converts the next recipients of a running campaign to pending messages, each of one account. Suppressed recipients, and those whose
 * content breaks a limit, end at once. Also composes messages again after the campaign's content was changed. For a
 * campaign in the recipients' local time, reads each timezone with few messages ahead. Messages are composed without a
 * lock, and written only if the campaign still runs with the same content and from the same line.
 * @returns how many were read, none if no one is unread or the campaign does not run; how many of them were composed
 *   again; and the instances of their messages
 * @throws AppError CAMPAIGN_NOT_FOUND
 */
export async function readAhead(store: Store, texts: Texts, id: CampaignId, input: ReadAhead) {
  const { by_timezone } = await store.run((db) => existingCampaign(db, id));
  const timezones = by_timezone ? await store.run((db) => timezonesToRead(db, id, input.limit)) : [undefined];
  const read: ComposedRecipient[] = [];
  for (const timezone of timezones) read.push(...(await readSome(store, texts, id, timezone, input)));
  return {
    count: read.length,
    again: read.filter(({ recipient }) => recipient.isStale).length,
    instances: [...new Set(read.map(({ recipient }) => recipient.account))],
  };
}

async function readSome(
  store: Store,
  texts: Texts,
  id: CampaignId,
  timezone: string | undefined,
  { limit, compose, trace, nowMs }: ReadAhead,
): Promise<readonly ComposedRecipient[]> {
  for (let tries = 0; tries < TRIES;) {
    const campaign = await store.run((db) => positionOf(db, id, timezone));
    if (campaign.state !== 'running') return [];
    const recipients = await store.run((db) => readRecipients(db, campaign, limit));
    if (recipients.length === 0) return [];
    const next = recipients.filter(({ isStale }) => !isStale);
    // Others were read in another order: the campaign has changed to or from its recipients' local time.
    const toCompose = recipients.filter(({ isStale, streamId }) => isStale || streamId === null);
    const placed = await store.run((db) => withAccounts(db, campaign, toCompose, nowMs));
    if (placed.length < toCompose.length) return [];
    const composed = await withVerdicts(
      store,
      texts,
      placed.map((recipient) => {
        const variant = variantFor(campaign, recipient.recipientKey);
        const span = recipient.version === null ? trace?.(recipient, id) : undefined;
        return { recipient, span, variant: variant?.name, ...compose(recipient, variant?.content ?? campaign.content) };
      }),
    );
    const isWritten = await retryingTransaction(store, (tx) => write(tx, campaign, composed, next, nowMs));
    if (!isWritten) tries += 1;
    else if (composed.length > 0) {
      for (const { span } of composed) span?.end();
      return composed;
    }
  }
  return [];
}

/** The last line read is tracked per timezone. */
async function positionOf(db: Db, id: CampaignId, timezone: string | undefined): Promise<ReadPosition> {
  const campaign = await existingCampaign(db, id);
  if (timezone === undefined) return { ...campaign, timezone, line: campaign.read_ahead_line };
  const { read_ahead_line: line } = await db
    .selectFrom('campaign_timezones')
    .select('read_ahead_line')
    .where('campaign_id', '=', id)
    .where('timezone', '=', timezone)
    .executeTakeFirstOrThrow();
  return { ...campaign, timezone, line };
}

/**
 * @param next  the recipients on the lines after the last one read
 * @returns false if the campaign, or one of the recipients, was changed meanwhile
 */
async function write(
  tx: Tx,
  campaign: ReadPosition,
  composed: readonly ComposedRecipient[],
  next: readonly ReadRecipient[],
  nowMs: number,
): Promise<boolean> {
  const { id, content_version, by_timezone, doubtful, timezone, line } = campaign;
  const { rows } = await sql`
    select from campaigns
    where id = ${id} and state = 'running' and content_version = ${content_version} and by_timezone = ${by_timezone}
      and deadline_at > ${new Date(nowMs)}::timestamptz
    for no key update`.execute(tx);
  if (rows.length === 0) return false;
  // A request by id may have created a recipient's row since, or changed it by an edit or a cancel. Under the lock of
  // the campaign's row no further row can be created; these are locked here.
  const versions = new Map(composed.map(({ recipient }) => [recipient.messageId, recipient.version]));
  const current = await tx
    .selectFrom('messages')
    .select(['id', 'version', 'stream_id'])
    .where('id', '=', sql<MessageId>`any(${[...versions.keys()]}::text[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  if (current.some((row) => row.stream_id === null && versions.get(row.id) !== row.version)) return false;
  const set = sql`set read_ahead_line = ${next.at(-1)?.line ?? line}::integer`;
  const where = sql`where read_ahead_line = ${line}::integer`;
  const moved = await (
    timezone === undefined
      ? sql`update campaigns ${set} ${where} and id = ${id} returning id`
      : sql`update campaign_timezones ${set}, read_recipients = read_recipients + ${next.length}::integer
          ${where} and campaign_id = ${id} and timezone = ${timezone} returning timezone`
  ).execute(tx);
  // Another reader has read on.
  if (moved.rows.length === 0) return false;
  if (composed.length === 0) return true;
  await writeRecipients(tx, campaign, await withStreams(tx, campaign, composed), nowMs);
  const read = composed.map(({ recipient }) => recipient.messageId);
  if (doubtful > 0) await doubtRead(tx, id, read, { nowMs, settledMs: nowMs });
  await foldCounts(tx, [id]);
  return true;
}

/** A recipient whose template is never sent is rejected, with the reason of a single message. */
async function withVerdicts(
  store: Store,
  texts: Texts,
  composed: readonly Omit<ComposedRecipient, 'bodyHash'>[],
): Promise<readonly ComposedRecipient[]> {
  const named = composed.map(({ recipient, content, problem }) => ({
    instance: recipient.account,
    content: problem === undefined ? content : undefined,
  }));
  const verdicts = await store.run((db) => templateVerdicts(db, named));
  return composed.map((one, at) => {
    const { content, problem } = one;
    // Content that breaks a limit may lack the compared fields, and is compared with nothing.
    return {
      ...one,
      verdict: verdicts[at],
      bodyHash: problem === undefined ? texts.bodyHash(content) : jsonHash(content),
    };
  });
}

/**
 * A campaign has streams while it has messages to dispatch, one for each account, for each template that they name, since
 * a column may name it, and for each timezone in their recipients' local time.
 * Its own high water mark is stored in them.
 */
async function withStreams(
  tx: Tx,
  campaign: ReadPosition,
  composed: readonly ComposedRecipient[],
): Promise<readonly StreamedRecipient[]> {
  const { id, priority, category, content_version, high_water, by_timezone } = campaign;
  const ofAll = {
    class: classOf(priority as Priority),
    campaignId: id,
    contentVersion: content_version,
    needsPhone: true,
    category: category as MessageCategory,
    extraRoom: high_water - DEFAULT_HIGH_WATER[priority as Priority],
  };
  const ids = await ensureStreams(
    tx,
    composed.map(({ content: own, recipient: { account, timezone } }) => ({
      ...ofAll,
      kind: own.kind,
      instance: account,
      ...templateOf(own),
      ...(by_timezone && timezone !== null ? { timezone } : {}),
    })),
  );
  return composed.map((one, at) => ({ ...one, streamId: ids[at] ?? '' }));
}

interface ComposedRecipient extends Composed {
  readonly recipient: Placed;
  readonly span: OpenSpan | undefined;
  readonly variant: string | undefined;
  readonly bodyHash: string;
  /** The template that the message names is never sent. */
  readonly verdict?: TemplateVerdict | undefined;
}

interface StreamedRecipient extends ComposedRecipient {
  readonly streamId: string;
}

/** Stable words for why a recipient is never posted to. */
const CONTENT_INVALID = 'content_invalid';

/** The entries of the suppression list that apply to a recipient. */
const ACTIVE_ENTRY = activeEntries('e', 'own');

/**
 * Writes the messages of composed recipients in the order of their lines. A message is pending and due, or ends at once
 * if the recipient is suppressed, the content breaks a limit, or its template is never sent. A row that was changed
 * since it was read is not written. A row that is not pending only joins the stream, for a retry. The caller has locked
 * the campaign's row.
 */
async function writeRecipients(
  tx: Tx,
  { id, content_version, definition }: CampaignRow,
  composed: readonly StreamedRecipient[],
  nowMs: number,
): Promise<void> {
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const columns = {
    ...columnsIn('e', ['id', 'chat_id', 'kind', 'content', 'body_hash', 'state', 'reason', 'reason_text', 'ended_at']),
    ...columnsIn('e', ['line', 'content_version', 'variant', 'instance', 'trace_context']),
    ...columnsIn('c', ['priority', 'category', 'on_unknown', 'reference', 'namespace']),
    recipient_key: keyOfRow('e'),
    request_hash: sql`e.id`,
    campaign_id: sql`c.id`,
    created_at: sql`c.started_at`,
    expires_at: sql`c.deadline_at`,
    stream_id: sql`e.stream_id`,
    due_at: now,
    place: sql`nextval('ledger_seq')`,
  };
  await sql`
    with campaign as (
      select * from campaigns where id = ${id}
    ), entry as materialized (
      select e.*, s.facts as active,
        case when e.is_held_out then 'held_out' when s.facts is not null then 'suppressed' when e.rejected is not null then 'rejected' else 'pending' end as state,
        case when e.is_held_out then ${HOLD_OUT} when s.facts is not null then 'suppressed_' || s.source
          else e.rejected end as reason,
        case when s.facts is null and not e.is_held_out then e.problem end as reason_text,
        case when e.is_held_out or s.facts is not null or e.rejected is not null then ${now} end as ended_at
      from campaign c cross join json_to_recordset(${jsonText(composed.map((one) => columnsOf(one, content_version, definition.holdOut)))}::json)
        as e(id text, line integer, chat_id text, recipient_key text, kind text, content json, body_hash text, content_version integer, variant text, is_held_out boolean,
          instance text, former_instance text, version integer, stream_id bigint, former_stream bigint, rejected text, problem text, trace_context json)
      cross join lateral (select e.instance, c.category, c.id as campaign_id) own
      left join lateral (
        select s.source, json_strip_nulls(json_build_object('entry', s.id, 'source', s.source, 'scope', s.scope,
          'since', ${isoTime('s.since')}, 'instance', s.instance)) as facts
        from ${ACTIVE_ENTRY} order by s.since, s.id limit 1) s on true
    ), fresh as (
      ${inserting(columns, sql`from campaign c, entry e where e.version is null`)}
      returning id, state, version, stream_id, due_at, place, recipient_key, expires_at
    ), again as (
      ${readingAgain(now, sql`from entry e where m.id = e.id and m.version = e.version`)}
      returning m.id, m.state, m.version, m.stream_id, m.due_at, m.place, m.recipient_key, m.expires_at
    ), written as (
      select * from fresh union all select * from again
    ), ${DUE_OF_WRITTEN}, composed_again as (
      delete from due_messages d using again a join entry e on e.id = a.id
      where d.stream_id = e.former_stream and d.due_at in (a.due_at, 'infinity') and d.place = a.place
    )
    insert into evidence (message_id, fact, at, witness, what, detail)
    select e.id, w.what || ':' || t.version, ${now},
      case t.state when 'suppressed' then 'suppression' when 'held_out' then 'campaign' else 'claim' end, w.what,
      case t.state when 'suppressed' then e.active when 'held_out' then json_build_object('share', ${definition.holdOut ?? null}::text) else json_strip_nulls(json_build_object(case e.rejected when ${sql.lit(CONTENT_INVALID)} then 'limit' else 'text' end, e.problem)) end
    from written t join entry e on e.id = t.id and e.state = t.state,
      lateral (select case when t.state in ('suppressed', 'held_out') then t.state else e.rejected end as what) w
    where t.state in ('suppressed', 'rejected', 'held_out')
    union all
    select e.id, 'moved:' || a.version, ${now}, 'campaign', 'moved', json_build_object('from', e.former_instance, 'to', e.instance)
    from again a join entry e on e.id = a.id and e.former_instance <> e.instance
    where a.state = 'pending' and e.former_stream is not null
    on conflict (message_id, fact) do nothing`.execute(tx);
}

/** VARIANT-2. A recipient who was held out before and is pending again gets the message: a retry has named the hold-out. */
function columnsOf(one: StreamedRecipient, contentVersion: number, holdOut: string | undefined) {
  const { recipient, span, variant, content, problem, verdict, bodyHash, streamId } = one;
  const { messageId, line, chatId, account, instance, version, ownContent, wasHeldOut } = recipient;
  return {
    id: messageId,
    line,
    chat_id: chatId,
    instance: account,
    former_instance: instance,
    recipient_key: recipientKey(chatId),
    kind: content.kind,
    content,
    body_hash: bodyHash,
    content_version: ownContent === null ? contentVersion : null,
    variant,
    is_held_out: !wasHeldOut && isHeldOut(holdOut, recipient.recipientKey),
    version,
    stream_id: streamId,
    former_stream: recipient.streamId,
    rejected: problem === undefined ? verdict?.reason : CONTENT_INVALID,
    problem: problem ?? verdict?.text,
    trace_context: span?.context,
  };
}
