/**
 * Messages that may mean STOP, which an operator accepts or dismisses.
 *
 * POSSIBLE-1 One row per incoming message, so a repeated or replayed notification changes nothing. While one of a
 *    recipient is open, further ones are `repeated`: they are counted at the open one and not listed.
 * POSSIBLE-2 A recipient who is suppressed for marketing, or has written STOP or START since, has no open row: the
 *    explicit word decides, in whatever order the notifications arrive.
 * POSSIBLE-3 Accepting adds an entry like that of a STOP word, with the time of the message: a later START closes it.
 * POSSIBLE-4 A decision takes effect once. A dismissed row may still be accepted. An accepted one cannot be dismissed:
 *    an operator removes its entry from the list.
 * POSSIBLE-5 A text that an operator dismissed is not listed again for the same recipient.
 */
import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { AppError, type PossibleOptOut, shortId } from '../../contract/index.js';
import { foldedWord } from '../../domain/index.js';
import { keyOf } from '../messages/recipient-key.js';
import { formsOf, keepLids } from './known-lids.js';
import { countAsReplies, recordResponse } from './responses.js';
import type { PossibleOptOutsTable } from '../storage/schema.js';
import { cursorsByAge, type ListFilter, newestFirst, pageOf } from '../storage/pages.js';
import { keyedHashOf } from '../storage/keyed-hash.js';
import { jsonText, shown } from '../storage/statements.js';
import { type Db, LedgerPart, onlyRow, type Tx } from '../storage/store.js';
import {
  addEntry,
  closeByStartWords,
  isOfChats,
  isToOneOf,
  lockOptOuts,
  namesOf,
  suppressionOf,
  suppressionRows,
  suppressPending,
} from './suppression-row.js';

/** An incoming message that may mean STOP. */
export interface NewPossibleOptOut {
  readonly instance: string;
  readonly idMessage: string;
  readonly chatId: string;
  readonly text: string;
  /** Our word that the text is similar to. */
  readonly word: string;
  readonly language: string;
  /** The gateway's time, milliseconds since the epoch. */
  readonly atMs: number;
  readonly nowMs: number;
}

interface Decision {
  readonly id: string;
  /** Who decides. */
  readonly by: string;
  readonly nowMs: number;
}

const CURSORS = cursorsByAge('possible-opt-outs');

export class PossibleOptOuts extends LedgerPart {
  /**
   * @returns `open`: a new row is open. `dismissed`: it is no opt-out, since an operator has dismissed it, or the same
   *   text of this recipient
   */
  record(message: NewPossibleOptOut): Promise<'open' | 'dismissed' | 'known'> {
    return this.database.transaction(async (tx) => {
      const { instance, idMessage, chatId, text, word, language, atMs, nowMs } = message;
      await lockOptOuts(tx, instance);
      await keepLids(tx);
      const chatIds = await formsOf(tx, chatId);
      const { recipient_key } = await onlyRow(
        tx,
        sql<{ recipient_key: string }>`select ${keyOf(chatId)} as recipient_key`,
      );
      const text_hash = await keyedHashOf(tx, jsonText([recipient_key, foldedWord(text)]));
      const decided = await decisionOn(tx, { instance, chatIds, recipient_key, text_hash, at: new Date(atMs) });
      if (decided !== undefined) return decided;
      const { rows } = await sql<{ state: string }>`
        insert into possible_opt_outs (id, instance, id_message, chat_id, recipient_key, text, text_hash, word, language,
          at, recorded_at, state, first_id)
        select ${`pos_${shortId(randomBytes(10))}`}, ${instance}, ${idMessage}, ${chatId}, ${recipient_key},
          case when first.id is null then ${text}::text end, ${text_hash}, ${word}, ${language}, ${new Date(atMs)},
          ${new Date(nowMs)}, case when first.id is null then 'open' else 'repeated' end, first.id
        from (values (true)) one left join possible_opt_outs first
          on first.instance = ${instance} and first.recipient_key = ${recipient_key} and first.state = 'open'
        on conflict (instance, id_message) do nothing
        returning state`.execute(tx);
      return rows[0]?.state === 'open' ? 'open' : 'known';
    });
  }

  /** Newest first. @param filter.withDecided  @default false: only open ones */
  async list(filter: ListFilter & { readonly withDecided?: boolean }) {
    const { instance, withDecided = false, ...page } = filter;
    const by = { instance: 'p.instance', time: 'p.recorded_at', id: 'p.id', cursors: CURSORS };
    const rows = await this.database.run((db) =>
      newestFirst(possibleRows(db), { ...page, instance }, by)
        .where('p.state', 'in', withDecided ? ['open', 'accepted', 'dismissed'] : ['open'])
        .execute(),
    );
    return pageOf(rows, page.limit, possibleOf, ({ recorded_at, id }) => CURSORS.write(recorded_at, id));
  }

  /**
   * POSSIBLE-3.
   * @returns the entry, and whether other entries kept marketing messages from the recipient before
   * @throws AppError POSSIBLE_OPT_OUT_NOT_FOUND
   */
  accept({ id, by, nowMs }: Decision) {
    return this.#decide(id, async (tx, row) => {
      const { instance, id_message, chat_id, at, text, word, suppression_id } = row;
      const chatIds = await formsOf(tx, chat_id);
      // The entries that keep marketing messages of the instance from the recipient.
      const { rows: others } = await sql<{ id: string }>`
        select s.id from suppressions s
        where ${isOfChats(chatIds)} and s.removed_at is null and (s.instance is null or s.instance = ${instance})`.execute(
        tx,
      );
      if (row.state !== 'accepted') {
        const message = { instance, idMessage: id_message, chatId: chat_id, atMs: at.getTime() };
        // RESPONSE-2: it had become a reply.
        if (row.state === 'dismissed') await recordResponse(tx, { ...message, isOptOut: true });
        const kind = { chat_id, instance, scope: 'marketing', source: 'stop_word' } as const;
        const times = { since: at, recorded_at: new Date(nowMs) };
        const note = `possible opt-out ${id}, accepted by ${by}`;
        const added = await addEntry(tx, { ...kind, ...times, word: text ?? word, id_message, note }, chatIds);
        if (added !== undefined) {
          await closeByStartWords(tx, chatIds);
          await suppressPending(tx, isToOneOf(chatIds), nowMs);
        }
        // The same message may have been read as a STOP since, by other words of the instances file.
        await sql`
          update possible_opt_outs set state = 'accepted', decided_by = ${by}, decided_at = ${new Date(nowMs)},
            suppression_id = (select s.id from suppressions s
              where s.instance = ${instance} and s.id_message = ${id_message} and s.source = 'stop_word')
          where id = ${id}`.execute(tx);
      }
      const possible = possibleOf(await existing(tx, id));
      const entry = await suppressionRows(tx)
        .where('s.id', '=', possible.suppressionId ?? '')
        .executeTakeFirst();
      return {
        possible,
        ...(entry === undefined ? {} : { suppression: suppressionOf(entry) }),
        wasSuppressed: others.some((other) => other.id !== suppression_id),
      };
    });
  }

  /** @throws AppError POSSIBLE_OPT_OUT_NOT_FOUND | POSSIBLE_OPT_OUT_ACCEPTED */
  dismiss({ id, by, nowMs }: Decision): Promise<PossibleOptOut> {
    return this.#decide(id, async (tx, row) => {
      if (row.state === 'accepted') {
        throw new AppError(
          'POSSIBLE_OPT_OUT_ACCEPTED',
          `Possible opt-out ${id} cannot be dismissed: it was accepted, and its recipient is on the suppression list. If the recipient agrees, remove the entry: everpost suppression remove NUMBER`,
        );
      }
      if (row.state === 'open') {
        await sql`
          update possible_opt_outs set state = 'dismissed', decided_by = ${by}, decided_at = ${new Date(nowMs)}
          where id = ${id}`.execute(tx);
        const { rows: repeated } = await sql<{ id_message: string }>`
          select id_message from possible_opt_outs where first_id = ${id}`.execute(tx);
        const idMessages = [row, ...repeated].map(({ id_message }) => id_message);
        await countAsReplies(tx, row.instance, idMessages);
      }
      return possibleOf(await existing(tx, id));
    });
  }

  /** One decision of an instance after the other, and none at the same time as a STOP word. */
  #decide<Result>(
    id: string,
    decide: (tx: Tx, row: Selectable<PossibleOptOutsTable>) => Promise<Result>,
  ): Promise<Result> {
    return this.database.transaction(async (tx) => {
      await lockOptOuts(tx, (await existing(tx, id)).instance);
      await keepLids(tx);
      return decide(tx, await existing(tx, id));
    });
  }
}

export function possibleRows(db: Db) {
  return db
    .selectFrom('possible_opt_outs as p')
    .selectAll('p')
    .select(sql<number>`(select count(*)::integer from possible_opt_outs r where r.first_id = p.id)`.as('further'));
}

/** By their ids. */
export async function possibleOptOutsWith(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, PossibleOptOut>> {
  if (ids.length === 0) return new Map();
  const rows = await possibleRows(db).where('p.id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, possibleOf(row)]));
}

/** @throws AppError POSSIBLE_OPT_OUT_NOT_FOUND */
async function existing(tx: Tx, id: string) {
  const row = await possibleRows(tx).where('p.id', '=', id).where('p.state', '<>', 'repeated').executeTakeFirst();
  if (row !== undefined) return row;
  throw possibleOptOutUnknown(id);
}

export function possibleOptOutUnknown(id: string): AppError {
  return new AppError(
    'POSSIBLE_OPT_OUT_NOT_FOUND',
    `There is no possible opt-out ${id}. It may have been deleted because of its age, or because its recipient was erased. List them: everpost suppression possible`,
  );
}

export function possibleOf(row: Awaited<ReturnType<typeof existing>>): PossibleOptOut {
  return {
    ...shown(row, 'id', 'instance', 'chat_id', 'id_message', 'text', 'word', 'language', 'at', 'recorded_at'),
    ...shown(row, 'further', 'decided_by', 'decided_at', 'suppression_id'),
    state: row.state as PossibleOptOut['state'],
  };
}

/** POSSIBLE-2, POSSIBLE-5. @returns `known`: another entry, or a later word, decides. Undefined: it is to be decided */
async function decisionOn(
  tx: Tx,
  of: { instance: string; chatIds: readonly string[]; recipient_key: string; text_hash: string; at: Date },
): Promise<'dismissed' | 'known' | undefined> {
  const { instance, chatIds, recipient_key, text_hash, at } = of;
  const { rows } = await sql<{ decision: 'dismissed' | 'known' }>`
    select 'known' as decision from start_words w
    where w.chat_id = any(${namesOf(chatIds)}) and w.instance = ${instance} and w.at >= ${at}::timestamptz
    union all
    select 'known' from suppressions s
    where ${isOfChats(chatIds)} and (s.instance is null or s.instance = ${instance})
      and (s.removed_at is null or (s.source = 'stop_word' and s.since >= ${at}::timestamptz))
    union all
    select 'dismissed' from possible_opt_outs p
    where p.instance = ${instance} and p.recipient_key = ${recipient_key} and p.text_hash = ${text_hash}
      and p.state = 'dismissed' and p.decided_by <> 'start_word'`.execute(tx);
  return rows.some(({ decision }) => decision === 'dismissed') ? 'dismissed' : rows[0]?.decision;
}

/** POSSIBLE-2: what a recipient wrote before a STOP or START is decided by it. */
export async function decideByWord(
  tx: Tx,
  word: { what: 'stop' | 'start'; instance: string; chatId: string; idMessage: string; atMs: number; nowMs: number },
): Promise<void> {
  const { what, instance, chatId, idMessage, atMs, nowMs } = word;
  await sql`
    update possible_opt_outs p set state = ${what === 'stop' ? 'accepted' : 'dismissed'}, decided_by = ${`${what}_word`},
      decided_at = ${new Date(nowMs)}, suppression_id = (select s.id from suppressions s
        where s.instance = ${instance} and s.id_message = ${idMessage} and s.source = 'stop_word')
    where p.instance = ${instance} and p.recipient_key = ${keyOf(chatId)} and p.state = 'open'
      and p.at <= ${new Date(atMs)}`.execute(tx);
}
