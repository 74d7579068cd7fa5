import { sql, type Selectable } from 'kysely';
import type { Waiting } from './ledger.js';
import { isIdentical } from './claim.js';
import { activePauses, pauseText } from './instances/pauses.js';
import type { MessageRow } from './message-row.js';
import { present } from './present.js';
import type { AttemptsTable } from './schema.js';
import type { Db } from './store.js';

/**
 * What a pending message waits for: an operator's decision on its instance, the gateway's queue or the phone, an equal
 * one whose outcome is not known, or else whatever stood in the way of its last attempt. Undefined when nothing did:
 * then it waits for a worker only.
 * @param attempts  of this message, oldest first
 */
export async function waitingOf(
  db: Db,
  row: MessageRow,
  attempts: readonly Selectable<AttemptsTable>[],
): Promise<Waiting | undefined> {
  if (row.state !== 'pending') return undefined;
  return (
    (await waitingForResume(db, row)) ??
    (await waitingForTemplate(db, row)) ??
    (await waitingForAdmission(db, row)) ??
    (await waitingForIdentical(db, row)) ??
    waitingSince(row, attempts)
  );
}

async function waitingForResume(db: Db, { instance, created_at }: MessageRow): Promise<Waiting | undefined> {
  const pauses = await activePauses(db, instance);
  const [first] = pauses;
  if (first === undefined) return undefined;
  const since = new Date(Math.max(Date.parse(first.since), created_at.getTime()));
  return {
    code: 'INSTANCE_PAUSED',
    text: pauseText(
      instance,
      pauses.map(({ reason }) => reason),
    ),
    since: since.toISOString(),
  };
}

async function waitingForAdmission(db: Db, row: MessageRow): Promise<Waiting | undefined> {
  const wait = await db
    .selectFrom('waiting_messages')
    .select(['text', 'since', 'next_try_at'])
    .where('message_id', '=', row.id)
    .executeTakeFirst();
  if (wait === undefined) return undefined;
  const { text, since, next_try_at } = wait;
  return {
    code: 'MESSAGE_NOT_ADMITTED',
    text,
    since: since.toISOString(),
    nextTryAt: next_try_at.toISOString(),
  };
}

async function waitingForIdentical(db: Db, row: MessageRow): Promise<Waiting | undefined> {
  const identical = await db
    .selectFrom('messages as identical')
    .innerJoin('messages as m', (join) => join.on(isIdentical('identical', 'm')))
    .innerJoin('attempts as a', 'a.token', 'identical.attempt_token')
    .select(['identical.id', sql<Date>`greatest(a.claimed_at, m.created_at)`.as('since')])
    .where('m.id', '=', row.id)
    .executeTakeFirst();
  return (
    identical && { code: 'MESSAGE_CLAIMED_ELSEWHERE', since: identical.since.toISOString(), identical: identical.id }
  );
}

async function waitingForTemplate(db: Db, { instance, content, created_at }: MessageRow): Promise<Waiting | undefined> {
  if (content.kind !== 'template') return undefined;
  const { elementName, templateId } = content;
  const template = await db
    .selectFrom('templates')
    .select(['element_name', 'state', 'status', 'status_since', 'next_check_at'])
    .where('instance', '=', instance)
    .where((eb) =>
      elementName === undefined ? eb('template_id', '=', templateId ?? '') : eb('element_name', '=', elementName),
    )
    .executeTakeFirst();
  if (template === undefined || template.status === 'APPROVED') return undefined;
  const { element_name, state, status, status_since: since, next_check_at } = template;
  return {
    code: 'TEMPLATE_NOT_APPROVED',
    text: `template ${element_name} is ${status ?? state}`,
    since: (since !== null && since > created_at ? since : created_at).toISOString(),
    ...present({ nextTryAt: next_check_at?.toISOString() }),
  };
}

function waitingSince(row: MessageRow, attempts: readonly Selectable<AttemptsTable>[]): Waiting | undefined {
  const last = attempts.at(-1);
  if (last?.outcome !== 'not_accepted' || last.code === null) return undefined;
  // Back to the last attempt that something else stood in the way of.
  const before = attempts.findLastIndex(({ outcome, code }) => outcome !== last.outcome || code !== last.code);
  const first = attempts[before + 1] ?? last;
  const nextTryAt = last.retry_at === null || last.retry_at < row.expires_at ? last.retry_at : row.expires_at;
  return {
    code: last.code,
    since: (first.outcome_at ?? first.claimed_at).toISOString(),
    ...present({ text: last.text, nextTryAt: nextTryAt?.toISOString() }),
  };
}
