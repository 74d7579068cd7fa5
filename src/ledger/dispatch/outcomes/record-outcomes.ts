/**
 * Records the outcomes of attempts, of any number of messages together.
 *
 * LEDGER-4 Outcomes of every source are kept, however late. On an attempt a better-founded outcome replaces a weaker
 *    one, never the reverse. `accepted` moves the row from any unsent state; `rejected` and `not_accepted` only while
 *    their attempt is the row's current one. A second accepted id is recorded as `duplicated`; the row keeps its first
 *    id.
 */
import { type Selectable, sql } from 'kysely';
import { AppError, type AttemptOutcome, type CampaignId, groupBy, type MessageId } from '../../../contract/index.js';
import { type CampaignRow, existingCampaign, hasEnded, isOver } from '../../campaigns/campaign-row.js';
import { applyNewestEdits } from '../../messages/edits/edits.js';
import { recordPost } from '../../messages/receipts/record-edit.js';
import { EXPIRED_UNPOSTED } from '../../messages/end-reasons.js';
import { lockIdMessage } from '../../messages/message-ids.js';
import { type MessageRow, messageRows, noSuchMessage } from '../../messages/message-row.js';
import { doubtIfCleared } from '../../messages/queue-clears.js';
import { messagesIn, moveMessages, type Which } from '../../messages/writer/move-messages.js';
import type { AttemptsTable } from '../../storage/schema.js';
import { jsonText } from '../../storage/statements.js';
import type { Tx } from '../../storage/store.js';
import { changePosted } from '../../streams/limits.js';
import type { Outcome } from '../dispatch-ledger.js';
import { accept, acceptOrdinary, inOrder, isAccepted, outcomeEvidence } from './accept.js';

/** Of an attempt. */
type AttemptEnd = Omit<Outcome, 'edit'>;

/** An outcome, with the message that its attempt belongs to. */
interface Owned extends AttemptEnd {
  readonly messageId: MessageId;
  readonly instance: string;
}

/** An outcome of a locked row. */
interface Known extends Owned {
  readonly row: MessageRow;
  readonly attempt: Selectable<AttemptsTable>;
}

/** How well-founded an outcome is. Only a better-founded one replaces an attempt's outcome (LEDGER-4). */
const WEIGHT: Readonly<Record<AttemptOutcome['kind'], number>> = {
  unknown: 1,
  not_accepted: 2,
  rejected: 2,
  accepted: 3,
};

/**
 * Records outcomes of edits, and of attempts of any shift (DISPATCH-1). The same transaction applies receipts that were
 * parked for an id.
 * @throws AppError MESSAGE_NOT_FOUND if an attempt or an edit is not in the ledger
 */
export async function recordOutcomes(tx: Tx, all: readonly Outcome[]): Promise<void> {
  for (const { edit, ...outcome } of all) if (edit !== undefined) await recordPost(tx, { ...outcome, edit });
  // LEDGER-4. Ordinary accepted outcomes take one statement, all others a few.
  const outcomes = all.filter(({ edit }) => edit === undefined);
  // A later outcome of the same attempt comes after the first one.
  const firsts = new Set([...groupBy(outcomes, ({ token }) => token).values()].map(([first]) => first));
  const isFirst = (one: AttemptEnd) => firsts.has(one);
  const written = await acceptOrdinary(tx, outcomes.filter(isAccepted).filter(isFirst));
  const others = outcomes.filter((one) => !(isFirst(one) && written.has(one.token)));
  if (others.length > 0) await recordOthers(tx, others);
}

/** Whatever happened to the messages before. */
export async function recordOthers(tx: Tx, outcomes: readonly AttemptEnd[]): Promise<void> {
  const tokens = outcomes.map(({ token }) => token);
  const { rows } = await sql<{ token: string; message_id: MessageId; instance: string }>`
    select a.token, a.message_id, coalesce(a.instance, m.instance) as instance from attempts a join messages m on m.id = a.message_id
    where a.token = any(${tokens}::text[])`.execute(tx);
  const owners = new Map(rows.map((row) => [row.token, row]));
  let left: readonly Owned[] = outcomes.map((one) => {
    const owner = owners.get(one.token);
    if (owner !== undefined) return { ...one, messageId: owner.message_id, instance: owner.instance };
    throw new AppError(
      'MESSAGE_NOT_FOUND',
      `Attempt ${one.token} is not in the ledger, so its outcome belongs to no message. A ledger that was restored from an older copy lacks the attempts since then.`,
    );
  });
  for (const { instance, outcome } of inOrder(left.filter(isAccepted))) {
    await lockIdMessage(tx, instance, outcome.idMessage);
  }
  // Several outcomes of one message are recorded one after the other.
  while (left.length > 0) {
    const firsts = [...groupBy(left, ({ messageId }) => messageId).values()].flatMap(([first]) => first ?? []);
    await recordTogether(tx, firsts);
    left = left.filter((one) => !firsts.includes(one));
  }
}

/** Outcomes of different messages, whose ids are locked. @throws AppError MESSAGE_NOT_FOUND if one was removed meanwhile */
async function recordTogether(tx: Tx, outcomes: readonly Owned[]): Promise<void> {
  const ids = outcomes.map(({ messageId }) => messageId);
  const locked = await messageRows(tx).where('m.id', 'in', ids).orderBy('m.id').forUpdate('m').execute();
  const rows = new Map(locked.map((row) => [row.id, row]));
  const tokens = outcomes.map(({ token }) => token);
  const attempts = await tx.selectFrom('attempts').selectAll().where('token', 'in', tokens).execute();
  const own = new Map(attempts.map((row) => [row.token, row]));
  const known = outcomes.map((one): Known => {
    return { ...one, row: rows.get(one.messageId) ?? noSuchMessage(one.messageId), attempt: own.get(one.token)! };
  });
  const isNew = await addEvidence(tx, known);
  const fresh = known.filter(({ token }) => isNew.has(token));
  const heavier = fresh.filter(
    ({ attempt, outcome }) => attempt.outcome === null || WEIGHT[outcome.kind] > WEIGHT[attempt.outcome],
  );
  await writeToAttempts(tx, heavier);
  for (const { row, attempt, outcome, atMs } of fresh.filter(isAccepted)) {
    await accept(tx, row, attempt, outcome, atMs);
    await doubtIfCleared(tx, row.id, String(attempt.seq), atMs);
  }
  // Only the current attempt of a row moves it by another outcome than `accepted`.
  const current = fresh.filter(({ row, token }) => row.attempt_token === token);
  const by = (kind: AttemptOutcome['kind']) => current.filter(({ outcome }) => outcome.kind === kind);
  const lost = by('unknown');
  if (lost.length > 0) await moveMessages(tx, 'lost', these(lost), { nowMs: latestOf(lost) });
  const refused = by('rejected');
  if (refused.length > 0) {
    const end = { reason: sql`c.code`, reason_text: sql`c.text`, ...eachAt(refused) };
    await giveBack(tx, refused, await moveMessages(tx, 'refused', each(refused), end));
  }
  await makePending(tx, by('not_accepted'));
}

/** @returns the tokens of outcomes that were not recorded before */
async function addEvidence(tx: Tx, known: readonly Known[]): Promise<ReadonlySet<string>> {
  const entries = known.map(({ messageId, token, outcome, atMs }) => {
    return { message_id: messageId, token, at: new Date(atMs), ...outcomeEvidence(token, outcome) };
  });
  const { rows } = await sql<{ token: string }>`
    with entry as materialized (
      select * from json_to_recordset(${jsonText(entries)}::json) as e(
        message_id text, token text, at timestamptz, fact text, witness text, what text, detail json)
    ), recorded as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select message_id, fact, at, witness, what, detail from entry
      on conflict (message_id, fact) do nothing returning message_id, fact
    )
    select e.token from entry e join recorded r on r.message_id = e.message_id and r.fact = e.fact`.execute(tx);
  return new Set(rows.map(({ token }) => token));
}

/** An id that a witness or an operator brought has no HTTP status. */
export async function writeToAttempts(
  tx: Tx,
  responses: readonly {
    readonly token: string;
    readonly outcome:
      | Exclude<AttemptOutcome, { kind: 'accepted' }>
      | (Omit<Extract<AttemptOutcome, { kind: 'accepted' }>, 'httpStatus'> & { readonly httpStatus?: number });
    readonly atMs: number;
  }[],
): Promise<void> {
  if (responses.length === 0) return;
  const columns = responses.map(({ token, outcome, atMs }) => {
    const own = { token, outcome: outcome.kind, at: new Date(atMs), http_status: outcome.httpStatus };
    if (outcome.kind === 'accepted') return { ...own, id_message: outcome.idMessage };
    const failed = { ...own, code: outcome.code, text: outcome.text };
    if (outcome.kind === 'unknown' && outcome.connectionEnded === true) return { ...failed, loss_seen_at: own.at };
    if (outcome.kind !== 'not_accepted' || outcome.retryAfterMs === undefined) return failed;
    return { ...failed, retry_at: new Date(atMs + outcome.retryAfterMs) };
  });
  await sql`
    update attempts a set outcome = e.outcome, outcome_seq = nextval('ledger_seq'), outcome_at = e.at,
      id_message = e.id_message, code = e.code, text = e.text, http_status = e.http_status, retry_at = e.retry_at,
      loss_seen_at = coalesce(e.loss_seen_at, a.loss_seen_at)
    from json_to_recordset(${jsonText(columns)}::json) as e(
      token text, outcome text, at timestamptz, id_message text, code text, text text, http_status integer,
      retry_at timestamptz, loss_seen_at timestamptz)
    where a.token = any(${responses.map(({ token }) => token)}::text[]) and a.token = e.token`.execute(tx);
}

/** A row that becomes pending again, and when that was known. */
interface Returned {
  readonly row: MessageRow;
  readonly atMs: number;
}

/**
 * Restores rows to their state before the claim, with their newest waiting edits; or ends those whose cancel was
 * requested meanwhile, or whose campaign posts nothing more.
 */
export async function makePending(tx: Tx, returned: readonly Returned[]): Promise<void> {
  // Read without their locks, since a campaign's lock has to be taken before a message's. A transaction that ends a
  // campaign meanwhile finds its messages pending and ends them.
  const campaigns = new Map<CampaignId, CampaignRow>();
  for (const id of new Set(returned.flatMap(({ row }) => row.campaign_id ?? []))) {
    campaigns.set(id, await existingCampaign(tx, id));
  }
  const ends = groupBy(returned, ({ row, atMs }) => {
    if (row.cancel_requested_at !== null) return CANCELLED;
    const campaign = row.campaign_id === null ? undefined : campaigns.get(row.campaign_id);
    if (campaign === undefined || !(hasEnded(campaign) || isOver(campaign, atMs))) return undefined;
    return campaign.cancel_requested_at === null ? EXPIRED : CANCELLED_BY_CAMPAIGN;
  });
  for (const [end, group] of ends) {
    const moved =
      end === undefined
        ? await moveMessages(tx, 'notAccepted', these(group), { nowMs: latestOf(group) })
        : await moveMessages(tx, end.fact, each(group), { ...end, reason_text: null, ...eachAt(group) });
    await giveBack(tx, group, moved);
    for (const { row, atMs } of end === undefined ? group : []) {
      const own = moved.filter(({ id }) => id === row.id);
      await applyNewestEdits(tx, own, atMs);
    }
  }
}

const CANCELLED = { fact: 'notAcceptedAndCancelled', reason: 'cancelled', witness: 'response' } as const;
const CANCELLED_BY_CAMPAIGN = { ...CANCELLED, witness: 'campaign' } as const;
const EXPIRED = { fact: 'notAcceptedAndExpired', reason: EXPIRED_UNPOSTED, witness: 'campaign' } as const;
function these(group: readonly Returned[]): Which {
  return messagesIn(group.map(({ row }) => row.id));
}

/** A query of these messages, with what each outcome said. */
function each(group: readonly (Returned & { readonly outcome?: AttemptOutcome })[]): Which {
  const said = group.map(({ row, outcome, atMs }) => ({ id: row.id, at: new Date(atMs), ...outcome }));
  return {
    ...these(group),
    join: sql`join json_to_recordset(${jsonText(said)}::json) as d(id text, at timestamptz, code text, text text) on d.id = m.id`,
    columns: sql`d.at, d.code, d.text`,
  };
}

/** The time of each message of {@link each}: that of its own outcome. */
function eachAt(group: readonly Returned[]) {
  return { at: sql`c.at`, nowMs: latestOf(group) };
}

function latestOf(group: readonly Returned[]): number {
  return Math.max(...group.map(({ atMs }) => atMs));
}

/** LIMIT-7. */
async function giveBack(
  tx: Tx,
  group: readonly Returned[],
  moved: readonly { readonly id: MessageId }[],
): Promise<void> {
  const ids = new Set(moved.map(({ id }) => id));
  const tokens = group.flatMap(({ row }) => (ids.has(row.id) ? (row.attempt_token ?? []) : []));
  if (tokens.length > 0) await changePosted(tx, tokens, -1);
}
