/**
 * Deliveries of events to endpoints and status callbacks.
 *
 * DELIVER-1 A delivery is claimed only when all earlier ones of its endpoint and ordering key have ended.
 * DELIVER-2 A claimed delivery goes to no other worker until its lease is over. If the worker died, another one claims
 * it then, and delivers the event again under the same id.
 * DELIVER-3 A target has a limited number of deliveries under way, however many others wait.
 * DELIVER-4 A delivery that waits behind another one gets that one's next time, so that no claim scans over all waiting
 * ones.
 */
import { type Selectable, sql } from 'kysely';
import { callbacksEndpointId, present, type AtRest } from '../../contract/index.js';
import type { EventDeliveriesTable, EventEndpointsTable, EventsTable } from '../storage/schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { SealingPart } from '../storage/store.js';
import { readCredentials } from './endpoint-secrets.js';
import { ensureCallbacksEndpoint } from './event-endpoints.js';

interface ClaimedRow
  extends
    Pick<Selectable<EventDeliveriesTable>, 'event_seq' | 'endpoint_id' | 'target' | 'created_at' | 'tries'>,
    Pick<Selectable<EventsTable>, 'instance' | 'type' | 'at' | 'callback_url' | 'content_type'>,
    Pick<Selectable<EventEndpointsTable>, 'auth_header' | 'secrets'> {
  readonly url: string;
  readonly is_raw: boolean;
  readonly data: string;
  readonly raw_body: string | null;
}

interface ClaimDeliveries {
  readonly nowMs: number;
  /** How long no other worker can claim them. */
  readonly leaseMs: number;
  /** How many may be under way for a target. */
  readonly perTarget: number;
  readonly limit: number;
  /** How many are under way here, by target. */
  readonly underWay: Readonly<Record<string, number>>;
}

/** The outcome of a try. */
export interface DeliveryOutcome {
  readonly delivery: Pick<DueDelivery, 'sequence' | 'endpointId'>;
  /** Absent: delivered. */
  readonly problem?: string;
  /** Absent if it is not retried: set aside. */
  readonly nextTryAtMs?: number;
}

/** Candidates that are read for each claim, since some wait behind others. */
const CANDIDATES = 4;

export class Deliveries extends SealingPart {
  /**
   * Claims due deliveries and counts the tries. Must not run during {@link record}: it would treat a delivery that has
   * just become the first of its key as one that has to wait.
   * @returns `isMore`: there may be more that are due
   */
  async claim(claim: ClaimDeliveries): Promise<{ readonly due: readonly DueDelivery[]; readonly isMore: boolean }> {
    const { nowMs, leaseMs, perTarget, limit, underWay } = claim;
    const now = sql`${new Date(nowMs)}::timestamptz`;
    const leaseEnd = sql`${new Date(nowMs + leaseMs)}::timestamptz`;
    const rows = await this.database.rows(sql<ClaimedRow & { is_first: boolean }>`/* claim_events */
        with recursive targets as (
          (select min(target) as target from event_deliveries where ended_at is null)
          union all
          select (select min(d.target) from event_deliveries d where d.ended_at is null and d.target > t.target)
          from targets t where t.target is not null
        ), ready as materialized (
          select t.target, greatest(0, ${perTarget}::integer - coalesce((u.value #>> '{}')::integer, 0)) as free
          from targets t
          left join json_each(${jsonText(underWay)}::json) u on u.key = t.target
          left join event_endpoints e on e.id = t.target
          where t.target is not null and (e.id is null or e.enabled and e.held_until <= ${now})
        ), candidates as materialized (
          select d.*, r.free from ready r cross join lateral (
            select event_seq, endpoint_id, target, ordering_key, next_try_at from event_deliveries
            where target = r.target and ended_at is null and next_try_at <= ${now}
            order by next_try_at, event_seq limit r.free * ${sql.lit(CANDIDATES)}
            for update skip locked) d
        ), ordered as materialized (
          select c.event_seq, c.endpoint_id, earlier.next_try_at as behind, c.free,
            row_number() over (partition by c.target, earlier.next_try_at is null
              order by c.next_try_at, c.event_seq) as place,
            row_number() over (partition by earlier.next_try_at is null order by c.next_try_at, c.event_seq) as place_of_all
          from candidates c left join lateral (
            select o.next_try_at from event_deliveries o
            where o.endpoint_id = c.endpoint_id and o.ordering_key = c.ordering_key and o.event_seq < c.event_seq
              and o.ended_at is null
            order by o.event_seq limit 1) earlier on true
        ), taken as (
          update event_deliveries d
          set tries = d.tries + case when o.behind is null then 1 else 0 end,
            next_try_at = case when o.behind is null then ${leaseEnd} else greatest(o.behind, ${leaseEnd}) end
          from ordered o
          where d.event_seq = o.event_seq and d.endpoint_id = o.endpoint_id
            and (o.behind is not null or o.place <= o.free and o.place_of_all <= ${limit}::integer)
          returning d.*, o.behind is null as is_first
        )
        select t.event_seq, t.endpoint_id, t.target, t.created_at, t.tries, t.is_first, n.instance, n.type, n.at,
          n.data::text as data, n.content_type, e.auth_header, e.secrets, n.callback_url,
          encode(n.raw, 'base64') as raw_body, coalesce(e.url, n.callback_url) as url,
          coalesce(e.raw, false) and n.notification_id is not null as is_raw
        from taken t join events n on n.seq = t.event_seq left join event_endpoints e on e.id = t.endpoint_id
        order by t.event_seq`);
    const claimed = rows.filter(({ is_first }) => is_first);
    return {
      due: (await this.#withSecrets(claimed)).map((row) => dueOf(row, this.atRest, nowMs)),
      isMore: rows.length > claimed.length,
    };
  }

  /** The first callback of an instance makes the secret that signs them. */
  async #withSecrets(rows: readonly ClaimedRow[]): Promise<readonly ClaimedRow[]> {
    const missing = new Set(rows.flatMap(({ secrets, instance }) => (secrets === null ? [instance] : [])));
    if (missing.size === 0) return rows;
    const found = await this.database.run(async (db) => {
      for (const instance of missing) await ensureCallbacksEndpoint(db, instance, this.atRest);
      const ids = [...missing].map(callbacksEndpointId);
      return sql<Pick<Selectable<EventEndpointsTable>, 'id' | 'secrets'>>`
        select id, secrets from event_endpoints where id = any(${ids}::text[])`.execute(db);
    });
    const secretsOf = new Map(found.rows.map(({ id, secrets }) => [id, secrets]));
    return rows.map((row) => ({ ...row, secrets: row.secrets ?? secretsOf.get(row.endpoint_id) ?? [] }));
  }

  /** Records outcomes of tries; deliveries that waited behind an ended one become due. */
  async record(outcomes: readonly DeliveryOutcome[], nowMs: number): Promise<void> {
    if (outcomes.length === 0) return;
    const now = sql`${new Date(nowMs)}::timestamptz`;
    const entries = outcomes.map(({ delivery: { sequence, endpointId }, problem, nextTryAtMs }) => ({
      event_seq: sequence,
      endpoint_id: endpointId,
      problem: problem ?? null,
      next_try_at: nextTryAtMs === undefined ? null : new Date(nextTryAtMs),
      has_ended: nextTryAtMs === undefined,
    }));
    await this.database.rows(sql`/* record_deliveries */
        with outcome as materialized (
          select * from json_to_recordset(${jsonText(entries)}::json) as o(
            event_seq bigint, endpoint_id text, problem text, next_try_at timestamptz, has_ended boolean)
        ), tried as (
          update event_deliveries d
          set problem = o.problem, next_try_at = coalesce(o.next_try_at, d.next_try_at),
            ended_at = case when o.has_ended then ${now} end, delivered = o.has_ended and o.problem is null
          from outcome o
          where d.event_seq = o.event_seq and d.endpoint_id = o.endpoint_id and d.ended_at is null
          returning d.*
        ), next as (
          update event_deliveries d set next_try_at = '-infinity'
          from tried t cross join lateral (
            select n.event_seq from event_deliveries n
            where n.endpoint_id = t.endpoint_id and n.ordering_key = t.ordering_key and n.event_seq > t.event_seq
              and n.ended_at is null
            order by n.event_seq limit 1) n
          where t.ended_at is not null and d.event_seq = n.event_seq and d.endpoint_id = t.endpoint_id
        )
        insert into evidence (message_id, fact, at, witness, what, detail)
        select n.message_id, 'callback:' || t.event_seq, ${now}, 'callback', 'callback_given_up',
          json_build_object('state', n.data -> 'state', 'tries', t.tries, 'problem', t.problem)
        from tried t join events n on n.seq = t.event_seq
        where t.ended_at is not null and not t.delivered and n.callback_url is not null
          and t.endpoint_id = 'callbacks-' || n.instance
        on conflict do nothing`);
  }
}

/**
 * A claimed event for a target: the endpoint or, for a status callback, scheme, host and port of the URL. `sequence` is
 * its position among all events, `tries` include this one. `credentials` throws AppError ENCRYPTION_KEY_MISSING if they
 * were encrypted with a key that this process does not have. `data` is JSON, and `rawBody` is present if the
 * notification's bytes differ from those of `data`.
 */
export type DueDelivery = ReturnType<typeof dueOf>;

function dueOf(row: ClaimedRow, atRest: AtRest, nowMs: number) {
  return {
    ...shown(row, 'endpoint_id', 'target', 'url', 'instance', 'type', 'at', 'data', 'tries', 'content_type'),
    sequence: String(row.event_seq),
    isCallback: row.endpoint_id === callbacksEndpointId(row.instance),
    raw: row.is_raw,
    credentials: () => readCredentials({ ...row, id: row.endpoint_id }, atRest, nowMs),
    createdAtMs: row.created_at.getTime(),
    ...present({
      rawBody: row.raw_body === null ? null : Buffer.from(row.raw_body, 'base64'),
    }),
  };
}
