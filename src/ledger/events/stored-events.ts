import { type Selectable, sql } from 'kysely';
import {
  AppError,
  type EventOrder,
  type EventType,
  type MessageId,
  type MessageState,
  present,
} from '../../contract/index.js';
import type { EventDeliveriesTable, EventsTable } from '../storage/schema.js';
import { MAX_BIGINT, cursorsOf, digitsPart } from '../storage/cursors.js';
import { pageOf, pageSizeOf, type ListFilter } from '../storage/pages.js';
import { iso } from '../storage/statements.js';
import { type Db, forgetInParts, LedgerPart, onlyRow } from '../storage/store.js';

interface EventFilter extends Omit<ListFilter, 'limit'> {
  readonly type?: EventType;
  /** Only events from this time on. */
  readonly sinceMs?: number;
  /** Without a cursor: no events, only the cursor for later events. */
  readonly fromEnd?: boolean;
  /** @default 'oldest' */
  readonly order?: EventOrder;
  readonly limit: number;
}

type EventRow = Pick<Selectable<EventsTable>, 'seq' | 'tx' | 'instance' | 'type' | 'at' | 'data'>;

type DeliveryRow = Pick<
  Selectable<EventDeliveriesTable>,
  'endpoint_id' | 'tries' | 'problem' | 'next_try_at' | 'ended_at' | 'delivered'
>;

interface EndpointDelivery extends DeliveryRow, Pick<EventRow, 'seq' | 'instance' | 'type' | 'at'> {
  readonly created_us: string;
}

/** `failed`: set aside. */
export const DELIVERY_STATES = ['waiting', 'failed'] as const;

/** A delivery without a try is due at -infinity. */
const DELIVERY = sql`d.endpoint_id, d.tries, d.problem, greatest(d.next_try_at, d.created_at) as next_try_at, d.ended_at, d.delivered`;

const EVENT_ID = /^evt_(\d{1,18})$/;

/** The number of the last event. */
const FAILED_CURSORS = cursorsOf('failed deliveries', digitsPart(MAX_BIGINT));
const END_OF_YEAR_9999_US = 253_402_300_799_999_999n;
/** When the last delivery was added, in microseconds since the epoch, and the number of its event. */
const WAITING_CURSORS = cursorsOf('waiting deliveries', digitsPart(END_OF_YEAR_9999_US), digitsPart(MAX_BIGINT));

/** The transaction and the number of the last event. */
const CURSORS = {
  oldest: cursorsOf('events', digitsPart(MAX_BIGINT), digitsPart(MAX_BIGINT)),
  newest: cursorsOf('newest events', digitsPart(MAX_BIGINT), digitsPart(MAX_BIGINT)),
};

/** Events as they were recorded. */
export class StoredEvents extends LedgerPart {
  /**
   * From the oldest on, no event can later appear before the cursor. An event is therefore listed only once every
   * transaction that began before its own has ended, in any database of the same server.
   * @throws AppError INPUT_INVALID for an invalid cursor
   */
  async list(filter: EventFilter): Promise<{ readonly items: EventView[]; readonly cursor: string }> {
    const { instance = null, instances = null, type = null, sinceMs, cursor, fromEnd = false, limit } = filter;
    const { order = 'oldest' } = filter;
    const begin = order === 'oldest' ? (['0', '0'] as const) : ([MAX_BIGINT, MAX_BIGINT] as const);
    const last = cursor === undefined ? begin : CURSORS[order].read(cursor);
    if (cursor === undefined && fromEnd) return { items: [], cursor: await this.#end() };
    const since = sinceMs === undefined ? null : new Date(sinceMs);
    const found = sql`
        select seq, tx, instance, type, at, data from events
        where (tx < pg_snapshot_xmin(pg_current_snapshot())::text::bigint
            or tx >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint)
          and (${instances}::text[] is null or instance = any(${instances}::text[]))
          and (${instance}::text is null or instance = ${instance}) and (${type}::text is null or type = ${type})
          and (${since}::timestamptz is null or at >= ${since})`;
    const rows = await this.database.rows(
      order === 'oldest'
        ? sql<EventRow>`/* list_events */ ${found}
          and (tx, seq) > (${last[0]}::bigint, ${last[1]}::bigint) order by tx, seq limit ${limit}`
        : sql<EventRow>`/* list_newest_events */ ${found}
          and (tx, seq) < (${last[0]}::bigint, ${last[1]}::bigint) order by tx desc, seq desc limit ${limit}`,
    );
    const { tx, seq } = rows.at(-1) ?? { tx: last[0], seq: last[1] };
    return { items: rows.map(eventView), cursor: CURSORS[order].write(tx, seq) };
  }

  async #end(): Promise<string> {
    const statement = sql<{ tx: string }>`
      select (pg_snapshot_xmin(pg_current_snapshot())::text::bigint - 1)::text as tx`;
    const { tx } = await this.database.run((db) => onlyRow(db, statement));
    // After every event of the transaction.
    return CURSORS.oldest.write(tx, MAX_BIGINT);
  }

  /** With its deliveries. @throws AppError EVENT_NOT_FOUND */
  async view(id: string) {
    const sequence = sequenceOf(id);
    return this.database.run(async (db) => {
      const row = await db.selectFrom('events').selectAll().where('seq', '=', sequence).executeTakeFirst();
      if (row === undefined) throw eventUnknown(id);
      const { rows: deliveries } = await sql<DeliveryRow>`/* deliveries_of */
        select ${DELIVERY} from event_deliveries d where d.event_seq = ${sequence}::bigint order by d.endpoint_id`.execute(
        db,
      );
      return {
        ...eventView(row),
        deliveries: deliveries.map((one) => ({ endpointId: one.endpoint_id, ...deliveryOf(one) })),
      };
    });
  }

  /**
   * Deliveries to an endpoint: those that wait, oldest first, or those that were set aside, newest first.
   * @throws AppError INPUT_INVALID for an invalid cursor
   */
  async deliveriesTo(
    endpointId: string,
    { state, cursor, limit }: Pick<ListFilter, 'cursor' | 'limit'> & { state: (typeof DELIVERY_STATES)[number] },
  ) {
    const [createdUs, after] =
      state === 'waiting' && cursor !== undefined ? WAITING_CURSORS.read(cursor) : (['0', '0'] as const);
    const found = sql`d.event_seq as seq, n.instance, n.type, n.at, ${DELIVERY},
        (extract(epoch from d.created_at) * 1000000)::bigint as created_us
      from event_deliveries d join events n on n.seq = d.event_seq where d.endpoint_id = ${endpointId}`;
    const most = pageSizeOf(limit) + 1;
    const rows = await this.database.rows(
      state === 'waiting'
        ? sql<EndpointDelivery>`/* waiting_deliveries */
            select ${found} and d.ended_at is null and (d.created_at, d.event_seq) >
              (timestamptz 'epoch' + ${createdUs}::bigint * interval '1 microsecond', ${after}::bigint)
            order by d.created_at, d.event_seq limit ${most}`
        : sql<EndpointDelivery>`/* failed_deliveries */
            select ${found} and d.ended_at is not null and not d.delivered
              and d.event_seq < ${cursor === undefined ? MAX_BIGINT : FAILED_CURSORS.read(cursor)[0]}::bigint
            order by d.event_seq desc limit ${most}`,
    );
    return pageOf(
      rows,
      limit,
      ({ seq, instance, type, at, created_us: _, ...row }) => ({
        event: `evt_${seq}`,
        instance,
        type,
        timestamp: at.toISOString(),
        ...deliveryOf(row),
      }),
      ({ seq, created_us }) =>
        state === 'waiting' ? WAITING_CURSORS.write(created_us, seq) : FAILED_CURSORS.write(seq),
    );
  }

  /** Undefined if there is no such event. */
  async instanceOf(id: string): Promise<string | undefined> {
    const [, sequence] = EVENT_ID.exec(id) ?? [];
    if (sequence === undefined) return undefined;
    const row = await this.database.row(sql<{ instance: string }>`
      select instance from events where seq = ${sequence}::bigint`);
    return row?.instance;
  }

  /** Deletes events from before this time, with their deliveries. @returns how many */
  forget(beforeMs: number): Promise<number> {
    return forgetInParts(async (limit) => {
      const rows = await this.database.rows(sql<{ events: number }>`/* forget_events */
          with old as materialized (
            select seq from events where at < ${new Date(beforeMs)}::timestamptz order by at limit ${limit}
          ), deliveries as (
            delete from event_deliveries where event_seq = any(array(select seq from old))
          ), gone as (
            delete from events where seq = any(array(select seq from old)) returning 1
          )
          select count(*)::integer as events from gone`);
      return rows[0]?.events ?? 0;
    });
  }
}

/** The events that a message's `statusCallback` gets, in order. */
export async function callbacksOf(db: Db, id: MessageId): Promise<CallbackView[]> {
  const { rows } = await sql<DeliveryRow & EventRow>`/* callbacks_of */
    select n.seq, n.tx, n.instance, n.type, n.at, n.data, ${DELIVERY} from events n
    join event_deliveries d on d.event_seq = n.seq and d.endpoint_id = 'callbacks-' || n.instance
    where n.message_id = ${id} and n.callback_url is not null order by n.seq`.execute(db);
  return rows.map((row) => ({
    state: (row.data as { readonly state: MessageState }).state,
    at: row.at.toISOString(),
    ...deliveryOf(row),
  }));
}

export interface CallbackView extends ReturnType<typeof deliveryOf> {
  readonly state: MessageState;
  readonly at: string;
}

/** `problem`: why the last try failed. `nextTryAt`: present while the delivery is neither delivered nor set aside. */
function deliveryOf(row: DeliveryRow) {
  const endedAt = iso(row.ended_at);
  return {
    tries: row.tries,
    ...present({
      problem: row.problem,
      deliveredAt: row.delivered ? endedAt : null,
      givenUpAt: row.delivered ? null : endedAt,
      nextTryAt: endedAt === undefined ? iso(row.next_try_at) : null,
    }),
  };
}

function eventView({ seq, type, at, instance, data }: EventRow) {
  return { id: `evt_${seq}`, type, timestamp: at.toISOString(), instance, data };
}

export type EventView = ReturnType<typeof eventView>;

/** @throws AppError EVENT_NOT_FOUND for a text that is not an event id */
export function sequenceOf(id: string): string {
  const [, sequence] = EVENT_ID.exec(id) ?? [];
  if (sequence === undefined) throw eventUnknown(id);
  return sequence;
}

export function eventUnknown(id: string): AppError {
  return new AppError(
    'EVENT_NOT_FOUND',
    `There is no event ${id}: it may have been deleted because of its age. List events: everpost event list`,
  );
}
