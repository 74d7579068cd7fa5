import { sql } from 'kysely';
import { AppError, type MessageId, type MessageState } from '../../contract/index.js';
import { bodyHash, jsonHash } from '../body-hash.js';
import { violatedUnique } from '../database-error.js';
import { isNotAway, isNotPaused } from '../instances/open-instance.js';
import type { Db, Store } from '../store.js';
import { activeEntries } from '../suppressions/active-entries.js';
import type { BatchEntry, ClaimBatch, ClaimedBatch, ClaimedRecipient } from './feeding-ledger.js';
import { jsonText } from '../storable.js';

/** Stable word for why a recipient is never posted to. */
export const CONTENT_INVALID = 'content_invalid';

/** The condition of the index `messages_identical`, between a row and what this entry will be. */
const IDENTICAL_TO_ENTRY = sql`identical.instance = c.instance and coalesce(identical.chat_id, '') = e.chat_id and identical.kind = e.kind
  and identical.body_hash = e.body_hash and identical.state in ('sending', 'unknown') and identical.id <> e.id`;

/** The entries of the suppression list that hold for an entry of the batch. */
const ACTIVE_ENTRY = activeEntries({ chatId: sql`e.chat_id`, instance: sql`c.instance`, category: sql`c.category` });

/**
 * FEED-4 to FEED-6, FEED-8: takes the right to post once to each of a batch, and writes the intent of all, in one
 *    statement.
 */
export async function claimBatch(store: Store, batch: ClaimBatch): Promise<ClaimedBatch> {
  const { entries } = batch;
  const taken = await takeTogether(store, batch);
  const ours = new Set(taken.rows.map(({ id }) => id));
  // Those that are not taken may have been, by a commit whose response was lost: then they are sending under their
  // tokens (FEED-5).
  const missing = entries.filter(({ recipient }) => !ours.has(recipient.messageId));
  const before = missing.length === 0 ? [] : await store.run((db) => claimedBefore(db, missing));
  const claimed = new Map([...taken.rows, ...before].map((row) => [row.id, row]));
  return {
    claimed: entries.flatMap((entry) => {
      const row = claimed.get(entry.recipient.messageId);
      if (row?.state !== 'sending' || row.posting_deadline_at === null) return [];
      return [claimedRecipient(batch, entry, row.posting_deadline_at.getTime())];
    }),
    rejected: entries.filter(({ recipient }) => claimed.get(recipient.messageId)?.state === 'rejected').length,
    suppressed: entries.filter(({ recipient }) => claimed.get(recipient.messageId)?.state === 'suppressed').length,
    isOpen: taken.isOpen || before.length > 0,
  };
}

function claimedRecipient(
  { turn }: ClaimBatch,
  { recipient, token, content }: BatchEntry,
  postingDeadlineMs: number,
): ClaimedRecipient {
  const { messageId, chatId, row } = recipient;
  return {
    messageId,
    attempt: { token, instance: turn.instance, chatId, content, postingDeadlineMs },
    tries: (row?.attempts ?? 0) + 1,
  };
}

interface Taken {
  readonly isOpen: boolean;
  readonly rows: readonly TakenRow[];
}

interface TakenRow {
  readonly id: MessageId;
  readonly state: MessageState;
  /** Null for those that are not posted to. */
  readonly posting_deadline_at: Date | null;
}

/** How often a single claim is retried when its identical message comes and goes. */
const TRIES = 5;

/**
 * All in one statement; where one of them turns out to have an identical message at this very moment, each in its own,
 * in order.
 */
async function takeTogether(store: Store, batch: ClaimBatch): Promise<Taken> {
  const together = await store.run((db) => take(db, batch));
  if (together !== 'identical') return together;
  const all: Taken[] = [];
  for (const entry of batch.entries) {
    // A recipient who is behind has no row yet.
    const throughLine = Math.min(batch.throughLine, entry.recipient.line);
    all.push(await takeAlone(store, { ...batch, throughLine, entries: [entry] }));
  }
  return { isOpen: all.some(({ isOpen }) => isOpen), rows: all.flatMap(({ rows }) => rows) };
}

async function takeAlone(store: Store, batch: ClaimBatch): Promise<Taken> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const alone = await store.run((db) => take(db, batch));
    if (alone !== 'identical') return alone;
  }
  throw new AppError(
    'MESSAGE_CLAIMED_ELSEWHERE',
    `A message of campaign ${batch.turn.campaignId} met an equal one ${TRIES} times while it was being claimed. Try again.`,
  );
}

async function take(db: Db, batch: ClaimBatch): Promise<Taken | 'identical'> {
  const { turn, contentVersion, throughLine, worker, nowMs } = batch;
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const statement = sql<{
    is_open: boolean;
    id: MessageId | null;
    state: MessageState | null;
    posting_deadline_at: Date | null;
  }>`
    with turn as materialized (
      select instance from feeding_turns
      where instance = ${turn.instance} and campaign_id = ${turn.campaignId} and epoch = ${turn.epoch}::bigint
        and held_until > ${now}
      for share
    ), campaign as (
      update campaigns c set fed_line = greatest(c.fed_line, ${throughLine}::integer), fed_at = ${now}
      from turn t
      where c.id = ${turn.campaignId} and c.instance = t.instance and c.state = 'running'
        and c.content_version = ${contentVersion}::integer and c.deadline_at > ${now}
        and ${isNotPaused('c')} and ${isNotAway('c', new Date(nowMs))}
      returning c.id, c.instance, c.content_version, c.priority, c.category, c.on_unknown, c.reference, c.namespace,
        c.deadline_at, c.started_at
    ), entry as materialized (
      select e.*, active.facts as active,
        case when active.facts is not null then 'suppressed' when e.problem is not null then 'rejected' else 'sending' end as state,
        case when active.facts is not null then 'suppressed_' || active.source
          when e.problem is not null then ${sql.lit(CONTENT_INVALID)} end as reason,
        case when active.facts is null then e.problem end as reason_text,
        case when active.facts is not null or e.problem is not null then ${now} end as ended_at
      from campaign c cross join json_to_recordset(${jsonText(batch.entries.map((entry) => entryColumns(entry, contentVersion)))}::json) as e(
        id text, line integer, chat_id text, kind text, content json, body_hash text, content_version integer,
        version integer, token text, problem text)
        left join lateral (
          select s.source, json_strip_nulls(json_build_object('entry', s.id, 'source', s.source, 'scope', s.scope,
            'since', ${isoTime('s.since')}, 'instance', s.instance)) as facts
          from ${ACTIVE_ENTRY} order by s.since, s.id limit 1) active on true
    ), fresh as (
      insert into messages (id, instance, chat_id, kind, content, body_hash, request_hash, state, priority, category,
        on_unknown, reference, attempt_token, reason, reason_text, created_at, expires_at, ended_at, namespace,
        campaign_id, line, content_version)
      select e.id, c.instance, e.chat_id, e.kind, e.content, e.body_hash, e.id,
        case when s.is_taken then e.state else 'pending' end, c.priority, c.category, c.on_unknown, c.reference,
        case when s.is_taken and e.state = 'sending' then e.token end, e.reason, e.reason_text, c.started_at,
        c.deadline_at, e.ended_at, c.namespace, c.id, e.line, c.content_version
      from campaign c, entry e,
        lateral (select e.state <> 'sending' or not exists (
          select from messages identical where ${IDENTICAL_TO_ENTRY}) as is_taken) s
      where e.version is null
      on conflict (id) do nothing
      returning id, state, version, expires_at
    ), again as (
      update messages m
      set state = e.state, version = m.version + 1, content = e.content, body_hash = e.body_hash,
        content_version = e.content_version, attempt_token = case when e.state = 'sending' then e.token end,
        reason = e.reason, reason_text = e.reason_text, ended_at = e.ended_at
      from campaign c, entry e
      where m.id = e.id and e.version is not null and (m.state = 'pending') is true and m.version = e.version
        and m.expires_at > ${now}
        and (e.state <> 'sending' or not exists (select from messages identical where ${IDENTICAL_TO_ENTRY}))
      returning m.id, m.state, m.version, m.expires_at
    ), taken as (
      select t.*, case when t.state = 'sending' then least(${new Date(batch.postingDeadlineMs)}::timestamptz, t.expires_at) end
        as posting_deadline_at
      from (select * from fresh union all select * from again) t
    ), attempt as (
      insert into attempts (token, message_id, worker, content, body_hash, claimed_at, posting_deadline_at, reconcile_after)
      select e.token, e.id, ${worker}::text, e.content, e.body_hash, ${now},
        t.posting_deadline_at, ${new Date(batch.reconcileAfterMs)}::timestamptz
      from taken t join entry e on e.id = t.id where t.state = 'sending' order by e.line
    ), witness as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select e.id, w.what || ':' || case when t.state = 'sending' then e.token else t.version::text end, ${now},
        case when t.state = 'suppressed' then 'suppression' else 'claim' end, w.what,
        case t.state when 'sending' then json_build_object('attempt', e.token, 'worker', ${worker}::text)
          when 'suppressed' then e.active else json_build_object('limit', e.problem) end
      from taken t join entry e on e.id = t.id,
        lateral (select case t.state when 'sending' then 'claimed' when 'suppressed' then 'suppressed'
          else ${sql.lit(CONTENT_INVALID)} end as what) w
      where t.state <> 'pending' order by e.line
    )
    select true as is_open, t.id, t.state, t.posting_deadline_at from campaign left join taken t on true`;
  try {
    const { rows } = await statement.execute(db);
    return {
      isOpen: rows.length > 0,
      rows: rows.flatMap(({ id, state, posting_deadline_at }) =>
        id === null || state === null ? [] : [{ id, state, posting_deadline_at }],
      ),
    };
  } catch (error) {
    // An identical message was claimed in this very moment; nothing of this statement is left.
    if (violatedUnique(error) === 'messages_identical') return 'identical';
    throw error;
  }
}

/** As the rest of everpost writes times. */
export function isoTime(column: string) {
  return sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

function entryColumns({ recipient, token, content, problem }: BatchEntry, contentVersion: number) {
  return {
    id: recipient.messageId,
    line: recipient.line,
    chat_id: recipient.chatId,
    kind: content.kind,
    content,
    // What breaks a limit may lack what is compared, and is compared with nothing.
    body_hash: problem === undefined ? bodyHash(content) : jsonHash(content),
    content_version: recipient.row?.isOwnText === true ? null : contentVersion,
    version: recipient.row?.version,
    token,
    problem,
  };
}

async function claimedBefore(db: Db, entries: readonly BatchEntry[]): Promise<TakenRow[]> {
  return db
    .selectFrom('attempts as a')
    .innerJoin('messages as m', 'm.attempt_token', 'a.token')
    .select(['m.id', 'm.state', 'a.posting_deadline_at'])
    .where(
      'a.token',
      'in',
      entries.map(({ token }) => token),
    )
    .where('a.outcome', 'is', null)
    .where('m.state', '=', 'sending')
    .execute();
}
