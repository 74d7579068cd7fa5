/** Attempts in doubt, by their rows, and how an operator resolves one. */
import { type Selectable, sql } from 'kysely';
import { type MessageContent, type MessageId, present, AppError, type MessageSnapshot } from '../../contract/index.js';
import {
  type MessageRow,
  changeMessage,
  existingMessage,
  lockMessage,
  snapshotOf,
  addEvidence,
} from '../messages/message-row.js';
import type { AttemptsTable } from '../schema.js';
import type { Db, Tx } from '../storage/store.js';
import { type CampaignRow, lockCampaign, changeCampaign, hasEnded, isOver } from '../campaigns/campaign-row.js';
import { endWaitingEdits } from '../messages/edit-row.js';
import { makePending } from '../messages/outcome.js';

/** The last attempt of a message in doubt, or of one that is pending again. Its outcome has to be determined. */
export interface AttemptToReconcile {
  readonly messageId: MessageId;
  readonly state: 'unknown' | 'unresolved';
  readonly instance: string;
  readonly chatId?: string;
  /** Identifies the attempt. */
  readonly token: string;
  /** The content that was posted: the attempt's, not the row's. */
  readonly content: MessageContent;
  readonly claimSequence: number;
  readonly claimedAtMs: number;
  readonly reconcileAfterMs: number;
  /** When the end of the request's connection was observed; absent if it was not. */
  readonly lossSeenMs?: number;
  /** `onUnknown: auto`. */
  readonly mayPresume: boolean;
}

/** A witness that could not be reached, and why: the error's code and the gateway's text. */
export interface UnavailableWitness {
  /** The gateway operation. */
  readonly witness: string;
  readonly code: string;
  readonly httpStatus?: number;
  readonly text?: string;
}

/** More detail for the evidence of an unresolved message. */
export interface UnresolvedDetail {
  /** The witnesses that could not be reached. */
  readonly unavailable?: readonly UnavailableWitness[];
  /** Why absence was not presumed, if the message allows it. */
  readonly notPresumed?: string;
}

/** A decision's evidence: the witness, and the facts. */
export interface DecisionEvidence {
  readonly witness: string;
  readonly detail?: Readonly<Record<string, unknown>>;
}

export function allAttemptRows(db: Db) {
  return db
    .selectFrom('messages as m')
    .innerJoin('attempts as a', 'a.message_id', 'm.id')
    .select(['m.id', 'm.state', 'm.instance', 'm.chat_id', 'm.on_unknown', 'a.token', 'a.seq', 'a.content'])
    .select(['a.claimed_at', 'a.reconcile_after', 'a.loss_seen_at']);
}

type AttemptRow = Awaited<ReturnType<ReturnType<typeof allAttemptRows>['execute']>>[number];

export function isAttemptInDoubt() {
  return sql<boolean>`m.state in ('unknown', 'unresolved') and a.token = m.attempt_token`;
}

/** RECONCILE-5: the attempt was decided as not accepted, and the message was not claimed since. */
export function isPendingAgain() {
  return sql<boolean>`m.state = 'pending' and a.outcome = 'unknown'
    and not exists (select from attempts later where later.message_id = m.id and later.seq > a.seq)`;
}

export async function pendingAgain(tx: Tx, id: MessageId): Promise<string | undefined> {
  const row = await allAttemptRows(tx).where('m.id', '=', id).where(isPendingAgain()).executeTakeFirst();
  return row?.token;
}

export function isCurrent({ state, attempt_token }: MessageRow, token: string): boolean {
  return (state === 'unknown' || state === 'unresolved') && attempt_token === token;
}

export function attemptToReconcile(row: AttemptRow): AttemptToReconcile {
  return {
    messageId: row.id,
    state: row.state === 'unresolved' ? 'unresolved' : 'unknown',
    instance: row.instance,
    ...present({ chatId: row.chat_id }),
    token: row.token,
    content: row.content satisfies MessageContent,
    claimSequence: Number(row.seq),
    claimedAtMs: row.claimed_at.getTime(),
    reconcileAfterMs: row.reconcile_after.getTime(),
    ...present({ lossSeenMs: row.loss_seen_at?.getTime() }),
    mayPresume: row.on_unknown === 'auto',
  };
}

export async function attemptOf(tx: Tx, token: string): Promise<Selectable<AttemptsTable>> {
  return tx.selectFrom('attempts').selectAll().where('token', '=', token).executeTakeFirstOrThrow();
}

export interface Resolution {
  readonly outcome: 'accepted' | 'not_accepted';
  /** The operator or program that decided. */
  readonly witness: string;
}

/** See {@link Reconciling.resolve}. */
export async function resolveMessage(
  tx: Tx,
  messageId: MessageId,
  { outcome, witness }: Resolution,
  nowMs: number,
): Promise<MessageSnapshot> {
  // A campaign's lock is taken before a message's.
  const { campaign_id } = await existingMessage(tx, messageId);
  const campaign = campaign_id === null ? undefined : await lockCampaign(tx, campaign_id);
  const row = await lockMessage(tx, messageId);
  const { attempt_token: token } = row;
  const isInDoubt = row.state === 'unknown' || row.state === 'unresolved';
  if (!isInDoubt || token === null) return decidedAlready(tx, row, outcome);
  const attempt = await attemptOf(tx, token);
  if (outcome === 'not_accepted') {
    refuseEarly(messageId, attempt, nowMs);
    if (campaign !== undefined) await runAgainInTime(tx, campaign, nowMs);
  }
  const fact = `resolved:${outcome}:${token}`;
  await addEvidence(tx, {
    messageId,
    fact,
    witness,
    what: `resolved_${outcome}`,
    detail: { attempt: token },
    nowMs,
  });
  if (outcome === 'not_accepted') await makePending(tx, row, nowMs);
  else {
    await changeMessage(tx, messageId, {
      state: 'sent',
      reason: 'resolved_by_operator',
      accepted_at: new Date(nowMs),
    });
    await endWaitingEdits(tx, messageId, 'not_possible', 'id_not_known', nowMs);
  }
  return snapshotOf(await existingMessage(tx, messageId));
}

function refuseEarly(messageId: MessageId, { reconcile_after }: { reconcile_after: Date }, nowMs: number): void {
  const waitMs = reconcile_after.getTime() - nowMs;
  if (waitMs <= 0) return;
  throw new AppError(
    'MESSAGE_CLAIMED_ELSEWHERE',
    `Message ${messageId} cannot be resolved as not_accepted yet: the gateway may still accept its request. Retry in ${Math.ceil(waitMs / 1_000)} s: everpost message resolve ${messageId} --as not_accepted`,
    { retryAfterMs: waitMs },
  );
}

/** An ended campaign whose deadline was moved since posts to a recipient who does not have the message after all. */
async function runAgainInTime(tx: Tx, campaign: CampaignRow, nowMs: number): Promise<void> {
  if (!hasEnded(campaign) || isOver(campaign, nowMs)) return;
  await changeCampaign(tx, campaign.id, { state: 'running', ended_at: null });
}

/** A repetition of the same resolution changes nothing; a different one is too late. */
async function decidedAlready(tx: Tx, row: MessageRow, outcome: 'accepted' | 'not_accepted'): Promise<MessageSnapshot> {
  const words = await tx
    .selectFrom('evidence')
    .select('what')
    .where('message_id', '=', row.id)
    .where('what', 'in', ['resolved_accepted', 'resolved_not_accepted'])
    .orderBy('seq')
    .execute();
  if (words.at(-1)?.what === `resolved_${outcome}`) return snapshotOf(row);
  throw new AppError(
    'RESOLVE_NOT_POSSIBLE',
    `Message ${row.id} is ${row.state}: only an unknown or unresolved message can be resolved.`,
  );
}
