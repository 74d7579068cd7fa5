import { sql } from 'kysely';
import type { MessageCategory, MessageId, Suppression } from '../../contract/index.js';
import { isOfInstances } from '../keys/of-instances.js';
import { newestFirst, pageOf, pageSizeOf } from '../page-cursor.js';
import type { Db, Store } from '../store.js';
import { addEntry, newSuppressionId } from './add-entry.js';
import { chatForms } from './chat-forms.js';
import { applyOptOutWord } from './apply-opt-out-word.js';
import { activeEntries } from './active-entries.js';
import { isToOneOf, oldestActiveEntry, suppressPending } from './suppress-pending.js';
import type { AddSuppression, ImportSuppressions, OptOutMessage, SuppressionFilter } from './suppression-ledger.js';
import { isOfChats, suppressionOf, suppressionRows } from './suppression-row.js';

/**
 * Methods throw AppError LEDGER_UNAVAILABLE as all of the ledger's do, and may be called again with the same arguments.
 */
export class Suppressions {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** By an operator. The same request again is the same entry, and adding never removes an entry. */
  add({ chatId, instance, scope, note, nowMs }: AddSuppression): Promise<{ entry: Suppression; isNew: boolean }> {
    const now = new Date(nowMs);
    return this.#store.transaction(async (tx) => {
      const wish = { chat_id: chatId, instance: instance ?? null, scope, source: 'operator' } as const;
      const id = await addEntry(tx, { ...wish, since: now, recorded_at: now, note: note ?? null }, chatForms(chatId));
      await suppressPending(tx, isToOneOf(chatForms(chatId)), nowMs);
      const row = await suppressionRows(tx)
        .where('s.chat_id', '=', chatId)
        .where('s.instance', instance === undefined ? 'is' : '=', instance ?? null)
        .where('s.scope', '=', scope)
        .where('s.source', '=', 'operator')
        // The one that holds; or, removed in this very moment, the last that did.
        .orderBy(sql`s.removed_at is null`, 'desc')
        .orderBy('s.recorded_at', 'desc')
        .limit(1)
        .executeTakeFirstOrThrow();
      return { entry: suppressionOf(row), isNew: id !== undefined };
    });
  }

  /** @returns those of the chats that were not there as an import of this scope */
  async import({ chatIds, instance, scope, nowMs }: ImportSuppressions): Promise<ReadonlySet<string>> {
    if (chatIds.length === 0) return new Set();
    const now = new Date(nowMs);
    const forms = chatIds.flatMap((chatId) => chatForms(chatId).map((form) => ({ chatId, form })));
    const { rows } = await this.#store.run((db) =>
      sql<{ chat_id: string }>`/* import_suppressions */
        with added as (
          insert into suppressions (id, instance, chat_id, scope, source, since, recorded_at)
          select id, ${instance ?? null}::text, chat_id, ${scope}::text,
            'import', ${now}::timestamptz, ${now}::timestamptz
          from rows from (
            string_to_table(${chatIds.map(newSuppressionId).join('\n')}::text, chr(10)),
            string_to_table(${chatIds.join('\n')}::text, chr(10))
          ) as g (id, chat_id)
          on conflict do nothing
          returning id, chat_id
        ), known as (
          insert into suppressed_chats (chat_id, suppression_id)
          select f.form, a.id from added a join rows from (
            string_to_table(${forms.map(({ chatId }) => chatId).join('\n')}::text, chr(10)),
            string_to_table(${forms.map(({ form }) => form).join('\n')}::text, chr(10))
          ) as f (chat_id, form) on f.chat_id = a.chat_id
          on conflict do nothing
        )
        select chat_id from added`.execute(db),
    );
    const added = rows.map(({ chat_id }) => chat_id);
    await this.#store.transaction((tx) => suppressPending(tx, isToOneOf(added.flatMap(chatForms)), nowMs));
    return new Set(added);
  }

  /**
   * SUPPRESS-3, SUPPRESS-4. @returns how many entries it opened or closed, and the ids of those that still hold after a
   * START
   */
  applyWord(message: OptOutMessage): Promise<{ changed: number; left: readonly string[] }> {
    return this.#store.transaction((tx) => applyOptOutWord(tx, message));
  }

  /** By an operator: closes every entry of the chat, whatever its source; with an instance only that instance's own. */
  remove({
    chatId,
    instance,
    instances,
    nowMs,
  }: {
    readonly chatId: string;
    readonly instance?: string;
    /** Only entries for one of these alone are closed and shown. */
    readonly instances?: readonly string[];
    readonly nowMs: number;
  }): Promise<{ readonly removed: readonly Suppression[]; readonly left: readonly Suppression[] }> {
    const chatIds = chatForms(chatId);
    const isVisible = instances === undefined ? sql<boolean>`true` : isOfInstances('s.instance', instances);
    return this.#store.transaction(async (tx) => {
      const { rows } = await sql<{ id: string }>`
        update suppressions s set removed_at = ${new Date(nowMs)}, removed_by = 'operator'
        where s.removed_at is null and ${isOfChats(chatIds)} and ${isVisible}
          and ${instance === undefined ? sql`true` : sql`s.instance = ${instance}`}
        returning s.id`.execute(tx);
      const closed = new Set(rows.map(({ id }) => id));
      const entries = await suppressionRows(tx)
        .where(isOfChats(chatIds))
        .where(isVisible)
        .where(({ or, eb }) => or([eb('s.removed_at', 'is', null), eb('s.id', 'in', ['', ...closed])]))
        .orderBy('s.since')
        .orderBy('s.id')
        .execute();
      return {
        removed: entries.filter(({ id }) => closed.has(id)).map(suppressionOf),
        left: entries.filter(({ id }) => !closed.has(id)).map(suppressionOf),
      };
    });
  }

  /** Newest first. */
  list(filter: SuppressionFilter): Promise<{ items: Suppression[]; cursor?: string }> {
    return this.#store.run((db) => listSuppressions(db, filter));
  }

  /** Those of the chats that are on the list for such a message. */
  async among(
    chatIds: readonly string[],
    { instance, category }: { readonly instance: string; readonly category: MessageCategory },
  ): Promise<ReadonlySet<string>> {
    const against = { chatId: sql`c.chat_id`, instance: sql`${instance}::text`, category: sql`${category}::text` };
    const { rows } = await this.#store.run((db) =>
      sql<{ chat_id: string }>`/* suppressed_among */ select c.chat_id from unnest(${chatIds}::text[]) as c (chat_id)
        where exists (select from ${activeEntries(against)})`.execute(db),
    );
    return new Set(rows.map(({ chat_id }) => chat_id));
  }

  /** Whether a pending message would end suppressed if it were claimed now. */
  async applies(id: MessageId): Promise<boolean> {
    return (await this.#store.run((db) => oldestActiveEntry(db, { id }))) !== undefined;
  }
}

async function listSuppressions(
  db: Db,
  { chatId, instance, source, scope, withRemoved = false, ...page }: SuppressionFilter,
): Promise<{ items: Suppression[]; cursor?: string }> {
  const by = { instance: 's.instance', time: 's.recorded_at', id: 's.id' };
  let query = newestFirst(suppressionRows(db), page, by);
  if (chatId !== undefined) query = query.where(isOfChats(chatForms(chatId)));
  if (instance !== undefined) {
    query = query.where(({ or, eb }) => or([eb('s.instance', 'is', null), eb('s.instance', '=', instance)]));
  }
  if (source !== undefined) query = query.where('s.source', '=', source);
  if (scope !== undefined) query = query.where('s.scope', '=', scope);
  if (!withRemoved) query = query.where('s.removed_at', 'is', null);
  const rows = await query.execute();
  return pageOf(rows, pageSizeOf(page.limit), suppressionOf, ({ recorded_at, id }) => ({ createdAt: recorded_at, id }));
}
