import { sql } from 'kysely';
import { AppError, type MessageSnapshot } from '../contract/index.js';
import { applyReceipt, parkReceipt, subjectOf } from './apply-receipt.js';
import { jsonHash } from './body-hash.js';
import { applyOrdinaryReceipts } from './apply-ordinary-receipts.js';
import type { Applied, Receipt, ReceiptLedger, StoredNotification, StoredReceipt } from './ledger.js';
import { lockIdMessage, ownerOfId } from './message-ids.js';
import { existingMessage, snapshotOf } from './message-row.js';
import { storedNotification } from './notifications/notification-row.js';
import type { NotificationFacts } from './notifications/notification-ledger.js';
import type { Store } from './store.js';
import { jsonText } from './storable.js';

/** The inbox of notifications as they came, and what the receipts in them change. */
export class Receipts implements ReceiptLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async store(
    instance: string,
    body: unknown,
    nowMs: number,
    { kind, oddity }: NotificationFacts = {},
  ): Promise<{ id: string; duplicate: boolean }> {
    // The gateway waits for this one, so its plan is kept.
    const insert = sql<{ id: string | number; repeats: number }>`/* store_notification */
      insert into notifications as known (instance, body, body_hash, received_at, kind, oddity)
      values (${instance}, ${jsonText(body)}, ${jsonHash(body)}, ${new Date(nowMs)}, ${kind ?? null},
        ${oddity ?? null})
      on conflict (instance, body_hash) do update set repeats = known.repeats + 1
      returning id, repeats`;
    const { rows } = await this.#store.run((db) => insert.execute(db));
    const [stored] = rows;
    if (stored === undefined) throw new AppError('INTERNAL', 'A notification was stored without a response.');
    return { id: String(stored.id), duplicate: stored.repeats > 0 };
  }

  async unapplied(limit: number): Promise<StoredNotification[]> {
    const rows = await this.#store.run((db) =>
      db
        .selectFrom('notifications')
        .select(['id', 'instance', 'body', 'received_at', 'oddity'])
        .where('applied_at', 'is', null)
        .orderBy('id')
        .limit(limit)
        .execute(),
    );
    return rows.map(storedNotification);
  }

  async markApplied(ids: string | readonly string[], became: string | Applied, nowMs: number): Promise<void> {
    const { outcome, problem }: Applied = typeof became === 'string' ? { outcome: became } : became;
    await this.#store.run((db) =>
      db
        .updateTable('notifications')
        .set({ applied_at: new Date(nowMs), outcome, problem: problem ?? null })
        .where('id', 'in', typeof ids === 'string' ? [ids] : ids)
        .where('applied_at', 'is', null)
        .execute(),
    );
  }

  async apply(instance: string, receipt: Receipt, nowMs: number): Promise<MessageSnapshot | undefined> {
    return this.#store.transaction(async (tx) => {
      const idMessage = subjectOf(receipt);
      await lockIdMessage(tx, instance, idMessage);
      const owner = await ownerOfId(tx, instance, idMessage);
      if (owner === undefined) {
        await parkReceipt(tx, instance, receipt, nowMs);
        return undefined;
      }
      await applyReceipt(tx, owner, receipt, nowMs);
      return snapshotOf(await existingMessage(tx, owner.message_id));
    });
  }

  applyOrdinary(receipts: readonly StoredReceipt[], nowMs: number): Promise<ReadonlyMap<string, MessageSnapshot>> {
    return this.#store.run((db) => applyOrdinaryReceipts(db, receipts, nowMs));
  }
}
