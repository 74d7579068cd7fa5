import { sql } from 'kysely';
import { groupBy, type MessageId } from '../../../contract/index.js';
import type { IdOwner } from '../message-ids.js';
import { afterStatus, type Standing } from '../writer/message-state.js';
import { stateList } from '../../storage/state-lists.js';
import { showMessages } from '../writer/show-receipts.js';
import { jsonText } from '../../storage/statements.js';
import type { Db } from '../../storage/store.js';
import { park, type Receipt, receiptEvidence, type StoredReceipt, subjectOf } from './apply-receipt.js';

type StatusReceipt = StoredReceipt & { readonly receipt: Extract<Receipt, { kind: 'status' }> };

/** The results of receipts that were applied together. */
export interface AppliedTogether {
  /**
   * By the ids of the notifications. `busy`: another process is changing the message, retry. Notifications that are
   * missing have to be applied one by one.
   */
  readonly outcomes: ReadonlyMap<string, 'applied' | 'parked' | 'busy'>;
  readonly changed: readonly MessageId[];
}

/** The message that owns an id, as far as receipts change it. */
interface OwnerRow extends Standing {
  readonly instance: string;
  readonly id_message: string;
  readonly role: IdOwner['role'];
  readonly id: MessageId;
  readonly version: number;
  readonly edits: number;
  /** False if the message became pending again since, or was accepted under another id. */
  readonly is_current: boolean;
}

interface Move {
  readonly row: OwnerRow;
  readonly receipts: readonly StatusReceipt[];
  readonly after: Standing;
}

/**
 * Applies the common receipts of many notifications: statuses with the id that their message was accepted under, and
 * statuses with an unknown id, which are parked. One statement each, with the same result as `applyReceipt` one by one.
 * All receipts of a message are applied here, in order, or none of them.
 */
export async function applyTogether(
  db: Db,
  receipts: readonly StoredReceipt[],
  nowMs: number,
): Promise<AppliedTogether> {
  const bySubject = new Map<string, readonly StatusReceipt[]>();
  for (const [key, all] of groupBy(receipts, ({ instance, receipt }) => keyOf(instance, subjectOf(receipt)))) {
    if (all.every((one): one is StatusReceipt => one.receipt.kind === 'status')) bySubject.set(key, all);
  }
  if (bySubject.size === 0) return { outcomes: new Map(), changed: [] };
  const owners = new Map((await readOwners(db, bySubject)).map((row) => [keyOf(row.instance, row.id_message), row]));
  const moves: Move[] = [];
  const unowned: StatusReceipt[] = [];
  for (const [key, all] of bySubject) {
    const row = owners.get(key);
    // A failure may belong to an edit, or end the waiting edits. The first receipt makes them due.
    const hasFailed = all.some(({ receipt }) => receipt.status === 'failed' || receipt.status === 'no_account');
    if (row === undefined) unowned.push(...all);
    else if (row.role === 'message' && row.is_current && (row.edits === 0 || (!hasFailed && row.sent_at !== null))) {
      const after = all.reduce<Standing>((before, { receipt }) => afterStatus(before, receipt, nowMs), row);
      moves.push({ row, receipts: all, after });
    }
  }
  const parked = await park(db, unowned, nowMs);
  const moved = await move(db, moves, nowMs);
  return {
    outcomes: new Map([
      ...unowned.map(({ id }) => [id, parked.has(id) ? 'parked' : 'busy'] as const),
      ...moves.flatMap(({ row, receipts: own }) =>
        own.map(({ id }) => [id, moved.has(row.id) ? 'applied' : 'busy'] as const),
      ),
    ]),
    changed: moves.flatMap(({ row }) => (moved.get(row.id) === true ? [row.id] : [])),
  };
}

async function readOwners(db: Db, bySubject: ReadonlyMap<string, readonly StatusReceipt[]>): Promise<OwnerRow[]> {
  const wanted = [...bySubject.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ instance: first.instance, id_message: first.receipt.idMessage }],
  );
  const { rows } = await sql<OwnerRow>`/* read_receipt_owners */
    select w.instance, w.id_message, o.*
    from json_to_recordset(${jsonText(wanted)}::json) as w(instance text, id_message text)
    cross join lateral (
      select i.role, m.id, m.version, (m.id_message = i.id_message and m.state not in ${stateList('pending', 'in_flight', 'unresolved')}) is true as is_current,
        (select count(*)::integer from edits e where e.message_id = m.id) as edits, m.state, m.sent_at, m.sent_seen_at,
        m.delivered_at, m.delivered_seen_at, m.read_at, m.read_seen_at, m.reason, m.reason_text, m.ended_at
      from message_ids i join messages m on m.id = i.message_id
      where i.instance = w.instance and i.id_message = w.id_message
      limit 1) o`.execute(db);
  return rows;
}

/** @returns the messages whose receipts were applied, and whether each changed */
function move(db: Db, moves: readonly Move[], nowMs: number): Promise<ReadonlyMap<MessageId, boolean>> {
  const shown = moves.map(({ row, after }) => {
    return { id: row.id, version: row.version, before: row, after, hasEdits: row.edits > 0 };
  });
  const facts = moves.flatMap(({ row, receipts }) =>
    receipts.map(({ id, receipt }) => ({
      notification_id: id,
      message_id: row.id,
      ...receiptEvidence(receipt, receipt.status),
    })),
  );
  return showMessages(db, shown, facts, nowMs);
}

function keyOf(instance: string, idMessage: string): string {
  return JSON.stringify([instance, idMessage]);
}
