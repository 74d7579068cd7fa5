import { randomBytes } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import { ALL_EVENTS, Secret, callbacksEndpointId, present } from '../../contract/index.js';
import { iso } from '../iso.js';
import type { EventEndpointsTable } from '../schema.js';
import { jsonText } from '../storable.js';
import type { Db } from '../store.js';
import type { EndpointView } from './event-ledger.js';

/** A key of signatures; the newest one signs without an end. */
export interface StoredSecret {
  readonly secret: string;
  /** ISO UTC. */
  readonly until?: string;
}

/** As Standard Webhooks writes one down. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Those that sign at this time, the newest first. */
export function signingSecrets(secrets: unknown, nowMs: number): Secret[] {
  return (secrets as readonly StoredSecret[])
    .filter(({ until }) => until === undefined || Date.parse(until) > nowMs)
    .map(({ secret }) => new Secret(secret));
}

export type EndpointRow = Selectable<EventEndpointsTable> & {
  readonly waiting: number;
  readonly waiting_since: Date | null;
  readonly problem: string | null;
  readonly failed: number;
};

export async function endpointRows(
  db: Db,
  which: { id?: string; instances?: readonly string[] },
): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`/* event_endpoints */
    select e.*, w.waiting, w.waiting_since, f.failed,
      (select d.problem from event_deliveries d where d.endpoint_id = e.id and d.ended_at is null
        order by d.event_seq limit 1) as problem
    from event_endpoints e
    cross join lateral (
      select count(*)::integer as waiting, min(created_at) as waiting_since from event_deliveries
      where endpoint_id = e.id and ended_at is null) w
    cross join lateral (
      select count(*)::integer as failed from event_deliveries
      where endpoint_id = e.id and ended_at is not null and not delivered) f
    where (${which.id ?? null}::text is null or e.id = ${which.id ?? null})
      and (${which.instances ?? null}::text[] is null or e.instance = any(${which.instances ?? null}::text[]))
    order by e.created_at, e.id`.execute(db);
  return rows;
}

/** The endpoint that stands for the status callbacks of an instance is made when it is first needed. */
export async function ensureCallbacksEndpoint(db: Db, instance: string): Promise<void> {
  await db
    .insertInto('event_endpoints')
    .values({
      id: callbacksEndpointId(instance),
      instance,
      events: [],
      raw: false,
      secrets: jsonText([{ secret: newSecret() }]),
      request_hash: '',
      created_at: sql<Date>`clock_timestamp()`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export function endpointView(row: EndpointRow): EndpointView {
  const former = (row.secrets as readonly StoredSecret[]).slice(1).flatMap(({ until }) => until ?? []);
  return {
    id: row.id,
    instance: row.instance,
    events: row.raw ? [ALL_EVENTS] : row.events,
    raw: row.raw,
    hasAuthorization: row.auth_header !== null,
    enabled: row.enabled,
    createdAt: row.created_at.toISOString(),
    waiting: row.waiting,
    failed: row.failed,
    ...present({
      url: row.url,
      description: row.description,
      disabledReason: row.disabled_reason,
      disabledAt: iso(row.disabled_at),
      formerSecretsUntil: former.toSorted().at(-1),
      waitingSince: iso(row.waiting_since),
      problem: row.problem,
    }),
  };
}
