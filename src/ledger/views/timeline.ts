/**
 * Everything that is stored about one contact: messages to them with their edits, what they wrote, what was written to
 * them on the phone, their possible opt-outs, and changes of the suppression list.
 *
 * TIMELINE-1 A number, its other spellings and its known lids are one contact, whichever of them is given (LID-1).
 * TIMELINE-2 Newest first: messages by their request, what was received by its arrival, entries of the suppression list
 *    by the times from which they applied and did not any more. Each source is read from its own index, up to one
 *    page, and the pages are merged. The order of sources, then of ids, decides between equal times.
 */
import { type RawBuilder, type Selectable, sql } from 'kysely';
import { groupBy } from '../../contract/index.js';
import { receivedFacts } from '../../domain/index.js';
import { editViewOf } from '../messages/edits/edit-row.js';
import { listItemOf, messageRows } from '../messages/message-row.js';
import { keyOf } from '../messages/recipient-key.js';
import { formsOf } from '../recipients/known-lids.js';
import { possibleOf, possibleRows } from '../recipients/possible-opt-outs.js';
import type { NotificationsTable } from '../storage/schema.js';
import { isOfChats, suppressionOf, suppressionRows } from '../recipients/suppression-row.js';
import { cursorsOf, digitsPart, MAX_BIGINT, textPart, timePart } from '../storage/cursors.js';
import { type ListFilter, pageOf, pageSizeOf } from '../storage/pages.js';
import type { Db } from '../storage/store.js';

/** What the statements of all sources have in common. */
interface Wanted {
  readonly chatId: string;
  /** Every chat id of the contact. */
  readonly forms: readonly string[];
  /** Only these accounts. @default all */
  readonly instances: readonly string[] | undefined;
  /** Entries that concern every account are part of it. */
  readonly withoutInstance: boolean;
  readonly atMost: number;
  /** Only what is before this place: its time, and an id of the source. */
  readonly before: (source: number) => readonly [at: Date | 'infinity', id: string];
}

type Source = typeof messages | typeof received | typeof possible | typeof suppressionChanges;
export type TimelineItem = Awaited<ReturnType<Source>>[number]['shown'];

const SOURCES = [
  messages,
  received,
  possible,
  (db: Db, wanted: Wanted, source: number) => suppressionChanges(db, wanted, source, 'since'),
  (db: Db, wanted: Wanted, source: number) => suppressionChanges(db, wanted, source, 'removed_at'),
] as const;

/** Time, source, and id in its source. */
const CURSORS = cursorsOf('timeline', timePart, digitsPart(BigInt(SOURCES.length)), textPart);

/** @param filter.chatId  in any form; or a group */
export async function listTimeline(db: Db, filter: ListFilter & { readonly chatId: string }) {
  const { chatId, instance, instances, cursor, limit } = filter;
  const wanted: Wanted = {
    chatId,
    forms: await formsOf(db, chatId),
    instances: instance === undefined ? instances : [instance].filter((one) => instances?.includes(one) ?? true),
    withoutInstance: instances === undefined,
    atMost: pageSizeOf(limit) + 1,
    before: placesBefore(cursor),
  };
  const found: { at: Date; source: number; id: string; shown: TimelineItem }[] = [];
  for (const [source, read] of SOURCES.entries()) {
    for (const entry of await read(db, wanted, source)) found.push({ ...entry, source });
  }
  // TIMELINE-2
  const byPlace = found.toSorted(
    (one, other) => other.at.getTime() - one.at.getTime() || one.source - other.source || (one.id < other.id ? 1 : -1),
  );
  return pageOf(
    byPlace.slice(0, wanted.atMost),
    limit,
    (entry) => entry.shown,
    ({ at, source, id }) => CURSORS.write(at, source, id),
  );
}

/** Sorts after every id. */
const LAST_ID = '~';

/** At the time of the cursor, later sources have all rows left, and earlier ones none. */
function placesBefore(cursor: string | undefined): Wanted['before'] {
  if (cursor === undefined) return () => ['infinity', ''];
  const [at, last, id] = CURSORS.read(cursor);
  return (source) => [at, source === Number(last) ? id : source > Number(last) ? LAST_ID : ''];
}

function isBefore(time: string, id: RawBuilder<unknown>, { before }: Wanted, source: number) {
  const [at, last] = before(source);
  return sql<boolean>`(${sql.ref(time)}, ${id}) < (${at}::timestamptz, ${last}::text)`;
}

function isOfThem(column: string, { instances, withoutInstance }: Wanted): RawBuilder<boolean> {
  if (instances === undefined) return sql`true`;
  const instance = sql.ref(column);
  return sql`(${instance} = any(${[...instances]}::text[]) or ${withoutInstance}::boolean and ${instance} is null)`;
}

async function messages(db: Db, wanted: Wanted, source: number) {
  const rows = await messageRows(db)
    .where('m.recipient_key', '=', keyOf(wanted.chatId))
    .where(isOfThem('m.instance', wanted))
    .where(isBefore('m.created_at', sql.ref('m.id'), wanted, source))
    .orderBy('m.created_at', 'desc')
    .orderBy('m.id', 'desc')
    .limit(wanted.atMost)
    .execute();
  const ids = rows.map(({ id }) => id);
  const isOfOne = sql<boolean>`message_id = any(${ids}::text[])`;
  const edits = await db.selectFrom('edits').selectAll().where(isOfOne).orderBy('seq').execute();
  const byMessage = groupBy(edits, ({ message_id }) => message_id);
  return rows.map((row) => {
    const message = { ...listItemOf(row), edits: (byMessage.get(row.id) ?? []).map(editViewOf) };
    const shown = { kind: 'message' as const, at: row.created_at.toISOString(), message };
    return { at: row.created_at, id: row.id, shown };
  });
}

async function received(db: Db, { forms, instances, atMost, before }: Wanted, source: number) {
  const [at, given] = before(source);
  const id = given === LAST_ID ? MAX_BIGINT.toString() : (digitsPart(MAX_BIGINT).read(given) ?? 0);
  const { rows } = await sql<
    Pick<Selectable<NotificationsTable>, 'id' | 'instance' | 'body' | 'received_at'> & { chat_id: string; kind: string }
  >`/* timeline_received */
    select n.id, n.instance, n.chat_id, n.kind, n.body, n.received_at
    from unnest(${forms}::text[]) f(chat_id) cross join lateral (
      select id, instance, chat_id, kind, body, received_at from notifications
      where chat_id = f.chat_id and (received_at, id) < (${at}::timestamptz, ${id}::bigint)
        and (${instances ?? null}::text[] is null or instance = any(${instances ?? null}::text[]))
      order by received_at desc, id desc limit ${atMost}::integer) n
    order by n.received_at desc, n.id desc limit ${atMost}::integer`.execute(db);
  return rows.map((row) => {
    const facts = { instance: row.instance, chatId: row.chat_id, ...receivedFacts(row.body) };
    const kind = row.kind === 'outgoingMessageReceived' ? ('phone' as const) : ('received' as const);
    return { at: row.received_at, id: String(row.id), shown: { kind, at: row.received_at.toISOString(), ...facts } };
  });
}

async function possible(db: Db, wanted: Wanted, source: number) {
  const rows = await possibleRows(db)
    .where('p.recipient_key', '=', keyOf(wanted.chatId))
    .where('p.state', '<>', 'repeated')
    .where(isOfThem('p.instance', wanted))
    .where(isBefore('p.recorded_at', sql.ref('p.id'), wanted, source))
    .orderBy('p.recorded_at', 'desc')
    .orderBy('p.id', 'desc')
    .limit(wanted.atMost)
    .execute();
  return rows.map((row) => {
    const at = row.recorded_at.toISOString();
    const shown = { kind: 'possible_opt_out' as const, at, possibleOptOut: possibleOf(row) };
    return { at: row.recorded_at, id: row.id, shown };
  });
}

async function suppressionChanges(db: Db, wanted: Wanted, source: number, change: 'since' | 'removed_at') {
  const kind = change === 'since' ? ('suppressed' as const) : ('released' as const);
  const id = sql`s.id collate "C"`;
  const rows = await suppressionRows(db)
    .where(isOfChats(wanted.forms))
    .where(isOfThem('s.instance', wanted))
    .where(`s.${change}`, 'is not', null)
    .where(isBefore(`s.${change}`, id, wanted, source))
    .orderBy(`s.${change}`, 'desc')
    .orderBy(id, 'desc')
    .limit(wanted.atMost)
    .execute();
  return rows.flatMap((row) => {
    const at = row[change];
    if (at === null) return [];
    return [{ at, id: row.id, shown: { kind, at: at.toISOString(), suppression: suppressionOf(row) } }];
  });
}
