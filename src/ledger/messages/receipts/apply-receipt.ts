import { sql } from 'kysely';
import { type MessageId, present } from '../../../contract/index.js';
import { jsonHash } from '../../storage/hashes.js';
import { restoreText } from '../edits/edits.js';
import { type EditRow, editsOf } from '../edits/edit-row.js';
import { moveEdits, oneEdit } from '../edits/move-edits.js';
import { addEvidence, editableUntilOf, lockMessage, type MessageRow } from '../message-row.js';
import { type IdOwner, ownerOfId, storeId } from '../message-ids.js';
import { afterStatus, isSameProgress } from '../writer/message-state.js';
import { receiptFact, showMessages } from '../writer/show-receipts.js';
import { keyedUuid } from '../../storage/keyed-hash.js';
import { jsonText } from '../../storage/statements.js';
import type { Texts } from '../../sensitive/texts.js';
import type { Db, Tx } from '../../storage/store.js';

/** One piece of information in a notification, parsed from its raw body by `src/webhooks`. */
export type Receipt =
  | {
      readonly kind: 'status';
      readonly idMessage: string;
      readonly status: 'sent' | 'delivered' | 'read' | 'failed' | 'no_account';
      /** The gateway's time of the event, milliseconds. */
      readonly atMs: number;
      readonly description?: string;
      /** Present if the gateway was polled; absent for a notification. */
      readonly source?: 'journal';
    }
  | {
      readonly kind: 'edited';
      /** The id of the message that was edited (`stanzaId`). */
      readonly originalIdMessage: string;
      /** The notification's own id. */
      readonly idMessage: string;
      readonly text: string;
      readonly atMs: number;
    }
  | {
      /** A fact about a message that does not change its state. */
      readonly kind: 'remark';
      readonly what: 'deleted' | 'yellowCard';
      readonly idMessage: string;
      readonly atMs: number;
      readonly description?: string;
    };

/** A receipt as it is applied and parked: without the text of an edit. */
export type AppliedReceipt =
  | Exclude<Receipt, { kind: 'edited' }>
  | (Omit<Extract<Receipt, { kind: 'edited' }>, 'text'> & {
      /** Keyed: see {@link Texts.bodyHash}. */
      readonly bodyHash: string;
    });

export function withoutText(receipt: Receipt, texts: Texts): AppliedReceipt {
  if (receipt.kind !== 'edited') return receipt;
  const { text, ...rest } = receipt;
  return { ...rest, bodyHash: texts.bodyHash({ kind: 'text', text }) };
}

/** A receipt from a stored notification. */
export interface StoredReceipt {
  /** The notification's. */
  readonly id: string;
  readonly instance: string;
  readonly receipt: Receipt;
}

type StatusReceipt = Extract<Receipt, { kind: 'status' }>;
/** The id that identifies a receipt's message. */
export function subjectOf(receipt: Receipt | AppliedReceipt): string {
  return receipt.kind === 'edited' ? receipt.originalIdMessage : receipt.idMessage;
}

/**
 * LEDGER-6: parks receipts until their ids are stored. An id that another transaction has locked, or that has an owner
 * now, is skipped. The stored notifications (`id`) that they came in are marked as applied.
 * @returns the notifications whose receipts were parked
 */
export async function park(
  db: Db,
  receipts: readonly { readonly id?: string; readonly instance: string; readonly receipt: AppliedReceipt }[],
  nowMs: number,
): Promise<ReadonlySet<string>> {
  if (receipts.length === 0) return new Set();
  const entries = receipts.map(({ id, instance, receipt }) => ({
    notification_id: id,
    instance,
    id_message: subjectOf(receipt),
    receipt,
    receipt_hash: jsonHash(receipt),
  }));
  const { rows } = await sql<{ notification_id: string | number | null }>`/* park_receipts */
    with told as materialized (
      select t.*, try_lock_unowned_id(t.instance, t.id_message) as is_free
      from rows from (json_to_recordset(${jsonText(entries)}::json) as (
        notification_id bigint, instance text, id_message text, receipt json, receipt_hash text)) with ordinality as t(
        notification_id, instance, id_message, receipt, receipt_hash, place)
    ), parked as (
      insert into parked_receipts (instance, id_message, receipt, receipt_hash, parked_at)
      select instance, id_message, receipt, ${keyedUuid(sql`receipt_hash`)}, ${new Date(nowMs)}::timestamptz from told where is_free
      order by place
      on conflict do nothing
    ), applied as (
      delete from pending_notifications p using told t where t.is_free and p.notification_id = t.notification_id
    )
    select notification_id from told where is_free`.execute(db);
  return new Set(rows.map(({ notification_id }) => String(notification_id)));
}

/**
 * Applies the receipts that were parked for an id, in the order of their arrival, once the id is stored. The id's lock
 * is held.
 */
export async function applyParkedReceipts(tx: Tx, instance: string, idMessage: string, nowMs: number): Promise<void> {
  const { rows: parked } = await sql<{ receipt: AppliedReceipt }>`
    with parked as (
      delete from parked_receipts where instance = ${instance} and id_message = ${idMessage} returning seq, receipt
    )
    select receipt from parked order by seq`.execute(tx);
  const owner = parked.length === 0 ? undefined : await ownerOfId(tx, instance, idMessage);
  if (owner === undefined) return;
  for (const { receipt } of parked) await applyReceipt(tx, owner, receipt, nowMs);
}

/** Applies one receipt to the message that owns its id. A repeated receipt changes nothing. */
export async function applyReceipt(tx: Tx, owner: IdOwner, receipt: AppliedReceipt, nowMs: number): Promise<void> {
  const row = await lockMessage(tx, owner.message_id);
  switch (receipt.kind) {
    case 'status':
      return applyStatus(tx, row, owner.role, receipt, nowMs);
    case 'edited':
      return applyEditNotice(tx, row, receipt, nowMs);
    case 'remark':
      await recordReceipt(tx, row.id, receipt, receipt.what, nowMs);
  }
}

async function applyStatus(
  tx: Tx,
  row: MessageRow,
  role: IdOwner['role'],
  receipt: StatusReceipt,
  nowMs: number,
): Promise<void> {
  const blamed = receipt.status === 'failed' ? await editBlamedBy(tx, row.id, receipt) : undefined;
  const isOfEdit = role === 'edit' || blamed !== undefined;
  const what = isOfEdit ? `edit_${receipt.status}` : receipt.status;
  if (!(await recordReceipt(tx, row.id, receipt, what, nowMs))) return;
  if (blamed !== undefined) {
    const told = { witness: 'receipt', reason: refusalReason(receipt), nowMs };
    await moveEdits(tx, 'blamed', oneEdit(blamed.id), told);
  } else if (!isOfEdit) await moveMessage(tx, row, receipt, nowMs);
}

/** @returns false if the same receipt was recorded before */
function recordReceipt(
  tx: Tx,
  messageId: MessageId,
  receipt: AppliedReceipt,
  what: string,
  nowMs: number,
): Promise<boolean> {
  const { hash, ...evidence } = receiptEvidence(receipt, what);
  return addEvidence(tx, { messageId, fact: receiptFact(hash), ...evidence, nowMs });
}

/** The evidence of a receipt. @returns `hash`: for its {@link receiptFact} */
export function receiptEvidence(receipt: AppliedReceipt, what: string) {
  const { idMessage, atMs } = receipt;
  const description = receipt.kind === 'edited' ? undefined : receipt.description;
  const witness = receipt.kind === 'status' && receipt.source === 'journal' ? 'getMessage' : 'receipt';
  const detail = { idMessage, gatewayAt: new Date(atMs).toISOString(), ...present({ description }) };
  return { hash: jsonHash(receipt), witness, what, detail };
}

/** See {@link Edits} EDITROW-4. A notification that only repeats an edit's rejection belongs to the edit as well. */
async function editBlamedBy(tx: Tx, messageId: MessageId, receipt: StatusReceipt): Promise<EditRow | undefined> {
  const edits = (await editsOf(tx, messageId)).filter(
    (edit) => edit.id_message_given === receipt.idMessage || edit.id_message_returned === receipt.idMessage,
  );
  return (
    edits.findLast(({ state }) => state === 'sending' || state === 'posted') ??
    edits.findLast(({ state }) => state === 'unconfirmed') ??
    edits.findLast(({ state, reason }) => state === 'refused' && reason === refusalReason(receipt))
  );
}

function refusalReason({ description }: StatusReceipt): string {
  return description ?? 'failed';
}

/**
 * See {@link Messages} LEDGER-6. If the message became pending again since, or was accepted under another id, a failure
 * belongs to the former attempt and ends nothing; a delivery still counts for the message.
 */
async function moveMessage(tx: Tx, row: MessageRow, receipt: StatusReceipt, nowMs: number): Promise<void> {
  const isFormer = row.id_message !== receipt.idMessage;
  if (isFormer && (receipt.status === 'failed' || receipt.status === 'no_account')) return;
  const after = afterStatus(row, receipt, nowMs);
  if (isSameProgress(row, after)) return;
  const isTakenBack = after.state !== row.state && row.id_message === null;
  const { id, version, edits } = row;
  const { idMessage } = receipt;
  // A row that became pending again lost the columns that are its attempt's.
  const attempt = tx
    .selectFrom('attempts')
    .selectAll()
    .where('message_id', '=', id)
    .where('id_message', '=', idMessage);
  const former = isTakenBack ? await attempt.limit(1).executeTakeFirst() : undefined;
  const acceptance = isTakenBack ? { id_message: idMessage, accepted_at: former?.outcome_at ?? null } : {};
  const shown = { id, version, before: row, after: { ...after, ...acceptance }, hasEdits: edits.length > 0 };
  await showMessages(tx, [shown], [], nowMs);
  if (former !== undefined) await restoreText(tx, row, former, nowMs);
  const closes_at = edits.length === 0 ? undefined : editableUntilOf({ ...row, ...after });
  if (closes_at === undefined) return;
  // What waited for the message is due, now that it is sent.
  const waiting = sql`e.message_id = ${row.id} and e.closes_at is null`;
  await moveEdits(tx, 'messageSent', { where: waiting }, { closes_at, nowMs });
}

/** The positive sign that an edit took effect, or that the message was edited elsewhere. */
async function applyEditNotice(
  tx: Tx,
  row: MessageRow,
  receipt: Extract<AppliedReceipt, { kind: 'edited' }>,
  nowMs: number,
): Promise<void> {
  const edits = await editsOf(tx, row.id);
  const sameText = edits.filter(({ body_hash }) => body_hash === receipt.bodyHash);
  const shown = sameText.findLast(({ state }) => state === 'sending' || state === 'posted' || state === 'unconfirmed');
  const isOurs = sameText.some(({ tried_at }) => tried_at !== null);
  const isNew = await recordReceipt(tx, row.id, receipt, isOurs ? 'edit_shown' : 'edited_elsewhere', nowMs);
  if (!isNew) return;
  const { instance } = row;
  await storeId(tx, { instance, idMessage: receipt.idMessage, messageId: row.id, role: 'edit', nowMs });
  const told = { witness: 'receipt', detail: { idMessage: receipt.idMessage }, nowMs };
  if (shown !== undefined) await moveEdits(tx, 'shown', oneEdit(shown.id), told);
  const newest = edits.findLast(({ tried_at }) => tried_at !== null);
  if (isOurs && newest !== undefined && newest.body_hash !== receipt.bodyHash)
    await moveEdits(tx, 'inDoubt', oneEdit(newest.id), told);
}
