import { sql } from 'kysely';
import { AppError, type MessageContent, type MessageId, type MessageSnapshot } from '../contract/index.js';
import { violatedUnique } from './database-error.js';
import { activePauses } from './instances/pauses.js';
import { awayState, isNotAway, mayWaitInQueue, isNotPaused } from './instances/open-instance.js';
import type { ClaimMessage, ClaimResult } from './ledger.js';
import { existingMessage, snapshotOf, type MessageRow } from './message-row.js';
import { present } from './present.js';
import type { Db, Store } from './store.js';
import { activeEntriesFor } from './suppressions/active-entries.js';
import { oldestActiveEntry } from './suppressions/suppress-message.js';
import { jsonText } from './storable.js';

/** What the claim itself ends a message for. */
type Ending = 'expired' | 'suppressed';

/** How often a claim is retried when the row changes between its try and its question why. */
const TRIES = 5;

/**
 * Gives the right to post, or says why not. See {@link Messages} LEDGER-1, LEDGER-2, LEDGER-3, LEDGER-5 and LEDGER-8.
 * @param end  ends the message when it is past its expiry, or its chat on the suppression list
 */
export async function claimMessage(
  store: Store,
  input: ClaimMessage,
  end: { readonly [Why in Ending]: () => Promise<MessageSnapshot> },
): Promise<ClaimResult> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const claimed = await store.run((db) => tryClaim(db, input));
    if (claimed !== undefined) return claimed;
    const refusal = await store.run((db) => whyNot(db, input));
    if (refusal === 'expired' || refusal === 'suppressed') {
      const snapshot = await end[refusal]();
      // What kept it from being claimed may be gone by now: an entry of the list was removed.
      if (snapshot.state !== 'pending') return { kind: 'settled', snapshot };
    } else if (refusal !== undefined) return refusal;
  }
  throw new AppError(
    'MESSAGE_CLAIMED_ELSEWHERE',
    `Message ${input.id} changed hands ${TRIES} times while it was being claimed. Try again.`,
  );
}

/**
 * The compare-and-set, one statement: all conditions, the intent and its evidence, or nothing. "is true" keeps a plan
 * that was made while there were few rows from going through all that are pending, by the index of open ones, for ever.
 */
async function tryClaim(db: Db, input: ClaimMessage): Promise<ClaimResult | undefined> {
  const { id, token, worker } = input;
  const now = new Date(input.nowMs);
  const deadline = new Date(input.postingDeadlineMs);
  const claim = sql<ClaimedRow>`/* claim_message */
    with claimed as (
      update messages m
      set state = 'sending', attempt_token = ${token}, version = version + 1
      where m.id = ${id} and m.campaign_id is null and (m.state = 'pending') is true and m.expires_at > ${now}
        and not exists (select from messages identical where ${isIdentical('identical', 'm')}) and ${templateAllows('m')}
        and ${isNotPaused('m')} and (${mayWaitInQueue('m')} or ${isNotAway('m', now)})
        and not exists (select from ${activeEntriesFor('m')})
      returning m.id, m.version, m.instance, m.chat_id, m.kind, m.content, m.body_hash, m.stream_id, m.due_at, m.place,
        least(${deadline}::timestamptz, m.expires_at) as posting_deadline_at
    ), gone as (
      delete from due_messages d using claimed c
      where d.stream_id = c.stream_id and d.due_at in (c.due_at, 'infinity') and d.place = c.place
    ), attempt as (
      insert into attempts (token, message_id, worker, content, body_hash, claimed_at, posting_deadline_at, reconcile_after)
      select ${token}::text, id, ${worker}::text, content, body_hash,
        ${now}::timestamptz, posting_deadline_at, ${new Date(input.reconcileAfterMs)}::timestamptz
      from claimed
    ), witness as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select id, ${`claimed:${token}`}::text, ${now}::timestamptz, 'claim', 'claimed',
        ${jsonText({ attempt: token, worker })}::json
      from claimed
    )
    select version, instance, chat_id, content, posting_deadline_at, ${templateIdOf('claimed')} as template_id
    from claimed`;
  try {
    const [row] = (await claim.execute(db)).rows;
    if (row === undefined) return undefined;
    const attempt = { token, ...addressed(row), postingDeadlineMs: row.posting_deadline_at.getTime() };
    return { kind: 'claimed', attempt, version: row.version };
  } catch (error) {
    const violated = violatedUnique(error);
    // An identical message was claimed in this very moment (LEDGER-5).
    if (violated === 'messages_identical') return undefined;
    if (violated !== undefined) {
      throw new AppError(
        'MESSAGE_CLAIMED_ELSEWHERE',
        `Message ${id} is not claimed: attempt ${token} has been made before. Claim it with a new token.`,
        { cause: error },
      );
    }
    throw error;
  }
}

/** Why the claim took nothing; undefined when by now nothing stands in its way. */
async function whyNot(db: Db, { id, token, nowMs }: ClaimMessage): Promise<ClaimResult | Ending | undefined> {
  const row = await existingMessage(db, id);
  if (row.state === 'sending') return claimedBy(db, row, token);
  // A campaign's own messages are claimed by its feeding alone.
  if (row.state !== 'pending' || row.campaign_id !== null) return { kind: 'settled', snapshot: snapshotOf(row) };
  if (row.expires_at.getTime() <= nowMs) return 'expired';
  if ((await oldestActiveEntry(db, row)) !== undefined) return 'suppressed';
  const { instance } = row;
  const pauses = await activePauses(db, instance);
  if (pauses.length > 0) return { kind: 'paused', instance, reasons: pauses.map(({ reason }) => reason) };
  const identical = await db
    .selectFrom('messages as identical')
    .innerJoin('messages as m', (join) => join.on(isIdentical('identical', 'm')))
    .select('identical.id')
    .where('m.id', '=', id)
    .executeTakeFirst();
  if (identical !== undefined) return { kind: 'identical', identical: identical.id };
  if (row.content.kind === 'template' && !(await isAllowed(db, id))) {
    return { kind: 'template', instance, content: row.content };
  }
  const away = await awayFor(db, row, nowMs);
  return away === undefined ? undefined : { kind: 'away', state: away };
}

async function awayFor(db: Db, { id, instance }: MessageRow, nowMs: number): Promise<string | undefined> {
  const { rows } = await sql<{ state: string }>`
    select away.state from messages m, lateral (${awayState(sql`${instance}`, new Date(nowMs))}) away
    where m.id = ${id} and not ${mayWaitInQueue('m')}`.execute(db);
  return rows[0]?.state;
}

/** The row is sending: by this very token, when the response to its commit was lost, or by another. */
async function claimedBy(db: Db, row: MessageRow, token: string): Promise<ClaimResult | undefined> {
  const attempt = await db
    .selectFrom('attempts')
    .select(['token', 'content', 'posting_deadline_at', 'reconcile_after', 'outcome'])
    .where('token', '=', row.attempt_token)
    .executeTakeFirst();
  if (attempt === undefined) return undefined;
  if (attempt.token !== token || attempt.outcome !== null) {
    return { kind: 'sending', reconcileAfterMs: attempt.reconcile_after.getTime() };
  }
  const { content, posting_deadline_at } = attempt;
  return {
    kind: 'claimed',
    attempt: {
      token,
      ...addressed({ ...row, content, template_id: await readTemplateId(db, row.instance, content) }),
      postingDeadlineMs: posting_deadline_at.getTime(),
    },
    version: row.version,
  };
}

interface ClaimedRow extends Addressed {
  readonly version: number;
  readonly posting_deadline_at: Date;
}

interface Addressed {
  readonly instance: string;
  readonly chat_id: string | null;
  readonly content: MessageContent;
  readonly template_id: string | null;
}

function addressed({ instance, chat_id, content, template_id }: Addressed) {
  return { instance, ...present({ chatId: chat_id }), content, ...present({ templateId: template_id }) };
}

/**
 * Of a message that names a template: it is approved and its id is known. One that is named by an unknown id is the
 * gateway's. Each answer is one value, so that no plan reads all templates to hash them.
 */
export function templateAllows(message: string) {
  const m = sql.table(message);
  return sql<boolean>`case when ${m}.kind <> 'template' then true
    when ${m}.content ->> 'elementName' is null then (
      select bool_and(t.status is not distinct from 'APPROVED') from templates t
      where t.instance = ${m}.instance and t.template_id = ${m}.content ->> 'templateId') is not false
    else (
      select t.status = 'APPROVED' and t.template_id is not null from templates t
      where t.instance = ${m}.instance and t.element_name = ${m}.content ->> 'elementName') is true end`;
}

/** The gateway's id of the template that a message names; null for all others. */
export function templateIdOf(message: string) {
  const m = sql.table(message);
  return sql<string | null>`case when ${m}.kind = 'template' then (
    select t.template_id from templates t
    where t.instance = ${m}.instance and t.element_name = ${m}.content ->> 'elementName') end`;
}

async function isAllowed(db: Db, id: MessageId): Promise<boolean> {
  const { rows } = await sql<{ allowed: boolean }>`
    select ${templateAllows('m')} as allowed from messages m where m.id = ${id}`.execute(db);
  return rows[0]?.allowed === true;
}

async function readTemplateId(db: Db, instance: string, content: MessageContent): Promise<string | null> {
  if (content.kind !== 'template' || content.elementName === undefined) return null;
  const row = await db
    .selectFrom('templates')
    .select('template_id')
    .where('instance', '=', instance)
    .where('element_name', '=', content.elementName)
    .executeTakeFirst();
  return row?.template_id ?? null;
}

/** The condition of the index `messages_identical`, between two rows. */
export function isIdentical(identical: string, message: string) {
  const [t, m] = [sql.table(identical), sql.table(message)];
  return sql<boolean>`${t}.instance = ${m}.instance and coalesce(${t}.chat_id, '') = coalesce(${m}.chat_id, '')
    and ${t}.kind = ${m}.kind and ${t}.body_hash = ${m}.body_hash
    and ${t}.state in ('sending', 'unknown') and ${t}.id <> ${m}.id`;
}
