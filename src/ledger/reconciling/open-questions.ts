/** Attempts whose acceptance is undetermined, by their rows. */
import { type Selectable, sql } from 'kysely';
import { type MessageContent, type MessageId, present } from '../../contract/index.js';
import type { MessageRow } from '../messages/message-row.js';
import type { AttemptsTable } from '../schema.js';
import type { Db, Tx } from '../storage/store.js';

/** The current attempt of an unknown or unresolved row, whose outcome has to be determined. */
export interface OpenQuestion {
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

export function allQuestionRows(db: Db) {
  return db
    .selectFrom('messages as m')
    .innerJoin('attempts as a', 'a.message_id', 'm.id')
    .select(['m.id', 'm.state', 'm.instance', 'm.chat_id', 'm.on_unknown', 'a.token', 'a.seq', 'a.content'])
    .select(['a.claimed_at', 'a.reconcile_after', 'a.loss_seen_at']);
}

type QuestionRow = Awaited<ReturnType<ReturnType<typeof allQuestionRows>['execute']>>[number];

export function isInDoubt() {
  return sql<boolean>`m.state in ('unknown', 'unresolved') and a.token = m.attempt_token`;
}

/** RECONCILE-5: the attempt was decided as not accepted, and the message was not claimed since. */
export function isPendingAgain() {
  return sql<boolean>`m.state = 'pending' and a.outcome = 'unknown'
    and not exists (select from attempts later where later.message_id = m.id and later.seq > a.seq)`;
}

export async function pendingAgain(tx: Tx, id: MessageId): Promise<string | undefined> {
  const row = await allQuestionRows(tx).where('m.id', '=', id).where(isPendingAgain()).executeTakeFirst();
  return row?.token;
}

export function isCurrent({ state, attempt_token }: MessageRow, token: string): boolean {
  return (state === 'unknown' || state === 'unresolved') && attempt_token === token;
}

export function questionOf(row: QuestionRow): OpenQuestion {
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
