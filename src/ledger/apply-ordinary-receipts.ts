import { sql } from 'kysely';
import type { MessageId, MessageSnapshot } from '../contract/index.js';
import { receiptEvidence, subjectOf } from './apply-receipt.js';
import type { Receipt, StoredReceipt } from './ledger.js';
import { EDITS, snapshotOf, type SnapshotColumns } from './message-row.js';
import { isSameStanding, withReceipt, type Standing } from './message-state.js';
import type { Db } from './store.js';
import { jsonText } from './storable.js';

type OnItsWay = StoredReceipt & {
  readonly receipt: Extract<Receipt, { kind: 'status' }> & { readonly status: 'sent' | 'delivered' | 'read' };
};

/** A message on its way, by the id that it was accepted under. */
interface StandingRow extends Standing {
  readonly id: MessageId;
  readonly version: number;
  readonly instance: string;
  readonly id_message: string;
}

/**
 * What happens to nearly every receipt, for many at once: one that is about the accepted id of a message which is on
 * its way, and says that it came further. It leaves the rows as {@link applyReceipt} would, which takes a dozen
 * statements for each. No lock is waited for: that an id has an owner never changes, and a row that changes meanwhile
 * is left to the others.
 * @returns by the ids of the notifications that were applied: what the message says now
 */
export async function applyOrdinaryReceipts(
  db: Db,
  receipts: readonly StoredReceipt[],
  nowMs: number,
): Promise<ReadonlyMap<string, MessageSnapshot>> {
  const changes = (await ordinaryAmong(db, receipts)).flatMap(({ row, reported }) => {
    const standing = reported.reduce<Standing>(
      (before, { receipt }) => withReceipt(before, receipt.status, new Date(receipt.atMs), new Date(nowMs)),
      row,
    );
    return isSameStanding(row, standing) ? [] : [{ row, reported, standing }];
  });
  if (changes.length === 0) return new Map();
  const standings = changes.map(({ row: { id, version }, standing }) => ({ ...standing, id, version }));
  const facts = changes.flatMap(({ row: { id }, reported }) =>
    reported.map(({ receipt }) => ({ message_id: id, ...receiptEvidence(receipt, receipt.status) })),
  );
  const now = sql`${new Date(nowMs)}::timestamptz`;
  const { rows } = await sql<SnapshotColumns>`
    with standing as materialized (
      select * from json_to_recordset(${jsonText(standings)}::json) as s(
        id text, version integer, state text, sent_at timestamptz, sent_seen_at timestamptz, delivered_at timestamptz,
        delivered_seen_at timestamptz, read_at timestamptz, read_seen_at timestamptz)
    ), moved as (
      update messages m
      set state = s.state, version = m.version + 1, sent_at = s.sent_at, sent_seen_at = s.sent_seen_at,
        delivered_at = s.delivered_at, delivered_seen_at = s.delivered_seen_at, read_at = s.read_at,
        read_seen_at = s.read_seen_at
      from standing s
      where m.id = s.id and m.version = s.version
      returning m.id, m.version, m.state, m.expires_at, m.id_message, m.accepted_at, m.sent_at, m.sent_seen_at, m.reason,
        m.campaign_id, m.workflow_id, ${EDITS},
        (select c.highest_offset_ms from gateway_clocks c where c.instance = m.instance) as highest_offset_ms,
        (select c.measured_at from gateway_clocks c where c.instance = m.instance) as offset_measured_at
    ), written as (
      insert into evidence (message_id, fact, at, witness, what, detail)
      select f.message_id, f.fact, ${now}, f.witness, f.what, f.detail
      from rows from (json_to_recordset(${jsonText(facts)}::json) as (
        message_id text, fact text, witness text, what text, detail json)) with ordinality as f(
        message_id, fact, witness, what, detail, place)
      join moved m on m.id = f.message_id
      order by f.place
      on conflict (message_id, fact) do nothing
    )
    select * from moved`.execute(db);
  const snapshots = new Map(rows.map((row) => [row.id, snapshotOf(row)]));
  return new Map(
    changes.flatMap(({ row, reported }) => {
      const snapshot = snapshots.get(row.id);
      return snapshot === undefined ? [] : reported.map(({ id }) => [id, snapshot] as const);
    }),
  );
}

/** Of a message about which anything else is told, all is left alone, so that the order stays. */
async function ordinaryAmong(db: Db, receipts: readonly StoredReceipt[]) {
  const bySubject = new Map<string, StoredReceipt[]>();
  for (const one of receipts) {
    const subject = keyOf(one.instance, subjectOf(one.receipt));
    bySubject.set(subject, [...(bySubject.get(subject) ?? []), one]);
  }
  const ordinary = new Map([...bySubject].flatMap(([key, same]) => (same.every(isOnItsWay) ? [[key, same]] : [])));
  const wanted = [...ordinary.values()].flatMap(([first]) =>
    first === undefined ? [] : [{ instance: first.instance, id_message: first.receipt.idMessage }],
  );
  if (wanted.length === 0) return [];
  const { rows } = await sql<StandingRow>`
    select m.id, m.version, m.instance, i.id_message, m.state, m.sent_at, m.sent_seen_at, m.delivered_at,
      m.delivered_seen_at, m.read_at, m.read_seen_at
    from json_to_recordset(${jsonText(wanted)}::json) as w(instance text, id_message text)
    join message_ids i on i.instance = w.instance and i.id_message = w.id_message and i.role = 'message'
    join messages m on m.id = i.message_id and m.id_message = i.id_message
    where m.state in ('accepted', 'sent', 'delivered', 'read') and m.ended_at is null
    order by m.id`.execute(db);
  return rows.map((row) => ({ row, reported: ordinary.get(keyOf(row.instance, row.id_message)) ?? [] }));
}

function isOnItsWay(one: StoredReceipt): one is OnItsWay {
  const { receipt } = one;
  return receipt.kind === 'status' && receipt.status !== 'failed' && receipt.status !== 'no_account';
}

function keyOf(instance: string, idMessage: string): string {
  return JSON.stringify([instance, idMessage]);
}
