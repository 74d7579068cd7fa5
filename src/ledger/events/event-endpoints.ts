import { randomBytes } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { ALL_EVENTS, AppError, callbacksEndpointId, present, Secret, type AtRest } from '../../contract/index.js';
import { type AskedCommand, assertSameRequest, isSameHash } from '../commands.js';
import type { EventEndpointsTable } from '../schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, LedgerPart, onlyRow, type Store } from '../storage/store.js';
import { type ReplayedEvents, replayEvents } from './replay-events.js';

export interface NewEndpoint {
  readonly id: string;
  readonly instance: string;
  /** Absent: events are only stored. */
  readonly url?: string;
  readonly events: readonly string[];
  readonly raw: boolean;
  readonly description?: string;
  readonly authorization?: Secret;
  readonly requestHash: string;
}

/** Null removes the field. */
interface EndpointChanges {
  readonly url?: string;
  readonly events?: readonly string[];
  readonly description?: string | null;
  readonly authorization?: Secret | null;
  readonly enabled?: boolean;
}

/** Number of former secrets that are kept, however often the secret is rotated. */
const MOST_SECRETS = 10;

/** Endpoints that get the events of instances. Methods throw AppError EVENT_ENDPOINT_NOT_FOUND for an unknown id. */
export class EventEndpoints extends LedgerPart {
  readonly #atRest: AtRest;

  constructor(store: Store, atRest: AtRest) {
    super(store);
    this.#atRest = atRest;
  }

  /**
   * @returns `secret`: of the created endpoint; absent if the same request had created it before
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  create(endpoint: NewEndpoint, nowMs: number) {
    const { id, instance, url, events, raw, description, authorization, requestHash } = endpoint;
    const secret = new Secret(newSecret());
    const header = authorization && this.#atRest.seal(authorization.reveal(), headerPlace(id));
    const secrets = jsonText([{ secret: this.#atRest.seal(secret.reveal(), secretPlace(id)) }]);
    return this.database.run(async (db) => {
      const { rows: inserted } = await sql`
        insert into event_endpoints (id, instance, url, events, raw, description, auth_header, secrets, request_hash, created_at)
        values (${id}, ${instance}, ${url}, ${events}, ${raw}, ${description}, ${header},
          ${secrets}, ${requestHash}, ${new Date(nowMs)})
        on conflict do nothing returning id`.execute(db);
      const row = await existing(db, id);
      assertSameRequest(
        await isSameHash(db, row.request_hash, requestHash),
        `Endpoint ${id} was created by another request with the same key. Use a new Idempotency-Key for another endpoint.`,
      );
      return { endpoint: endpointView(row), ...(inserted.length > 0 && { secret }) };
    });
  }

  async view(id: string): Promise<EndpointView> {
    return this.database.run(async (db) => endpointView(await existing(db, id)));
  }

  /** Oldest first. @param instances  only endpoints of these. @default all */
  async list(instances?: readonly string[]): Promise<EndpointView[]> {
    const rows = await this.database.run((db) => endpointRows(db, instances === undefined ? {} : { instances }));
    return rows.map(endpointView);
  }

  /** Pending deliveries become due at once, since the change may have removed their problem. */
  async change(id: string, { authorization, ...changes }: EndpointChanges, nowMs: number): Promise<EndpointView> {
    const { url, events, description, enabled } = changes;
    return this.database.transaction(async (tx) => {
      const before = await existing(tx, id);
      const isDisabled = enabled === false && before.enabled;
      await tx
        .updateTable('event_endpoints')
        .set({
          held_until: sql<Date>`'-infinity'`,
          ...(url === undefined ? {} : { url }),
          ...(events === undefined ? {} : { events: [...events] }),
          ...(description === undefined ? {} : { description }),
          ...(authorization === undefined
            ? {}
            : { auth_header: authorization && this.#atRest.seal(authorization.reveal(), headerPlace(id)) }),
          ...(enabled === true ? { enabled, disabled_reason: null, disabled_at: null } : {}),
          ...(isDisabled ? { enabled, disabled_reason: 'operator', disabled_at: new Date(nowMs) } : {}),
        })
        .where('id', '=', id)
        .execute();
      await sql`
        update event_deliveries set next_try_at = '-infinity'
        where endpoint_id = ${id} and ended_at is null and next_try_at > ${new Date(nowMs)}`.execute(tx);
      return endpointView(await existing(tx, id));
    });
  }

  /** Also removes its waiting deliveries. */
  async remove(id: string): Promise<void> {
    await this.database.transaction(async (tx) => {
      await existing(tx, id);
      await sql`delete from event_endpoints where id = ${id}`.execute(tx);
      await sql`delete from event_deliveries where endpoint_id = ${id}`.execute(tx);
    });
  }

  /** Creates a new secret; former ones also sign until the given time. */
  rotateSecret(id: string, untilMs: number, nowMs: number) {
    const secret = new Secret(newSecret());
    return this.database.transaction(async (tx) => {
      const { rows } = await sql<Pick<EndpointRow, 'secrets'>>`
        select secrets from event_endpoints where id = ${id} for update`.execute(tx);
      const [before] = rows;
      if (before === undefined) throw eventEndpointUnknown(id);
      const until = new Date(untilMs).toISOString();
      const former = (before.secrets as readonly StoredSecret[])
        .map((one) => ({ ...one, until: one.until === undefined || one.until > until ? until : one.until }))
        .filter((one) => Date.parse(one.until) > nowMs);
      const sealed = this.#atRest.seal(secret.reveal(), secretPlace(id));
      const secrets = [{ secret: sealed }, ...former].slice(0, MOST_SECRETS);
      await sql`update event_endpoints set secrets = ${jsonText(secrets)} where id = ${id}`.execute(tx);
      return { endpoint: endpointView(await existing(tx, id)), secret };
    });
  }

  /** Creates the endpoint of the instance's status callbacks, so that its secret can be shown. */
  async ensureCallbacks(instance: string): Promise<void> {
    await this.database.run((db) => ensureCallbacksEndpoint(db, instance, this.#atRest));
  }

  /** Stops delivering; waiting deliveries are kept. @returns false if it was already stopped */
  async disable(id: string, reason: string, nowMs: number): Promise<boolean> {
    const disabled = await this.database.rows(sql`
      update event_endpoints set enabled = false, disabled_reason = ${reason}, disabled_at = ${new Date(nowMs)}
      where id = ${id} and enabled returning id`);
    return disabled.length > 0;
  }

  /** No delivery begins before this time. */
  async hold(id: string, untilMs: number): Promise<void> {
    await this.database.rows(sql`update event_endpoints set held_until = ${new Date(untilMs)} where id = ${id}`);
  }

  /** Creates an event for this endpoint only. @returns its id */
  async test(id: string, nowMs: number): Promise<string> {
    return this.database.run(async (db) => {
      const { instance } = await existing(db, id);
      const { seq } = await onlyRow(
        db,
        sql<{ seq: string }>`
        insert into events (instance, type, ordering_key, at, data, endpoint_id)
        values (${instance}, 'endpoint.test', 'test', ${new Date(nowMs)}, ${jsonText({ endpointId: id })}, ${id})
        returning seq`,
      );
      return `evt_${seq}`;
    });
  }

  /**
   * Delivers stored events again that match the endpoint, whether or not it got them before. The same command means the
   * same replay.
   * @returns how many
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  async replay(id: string, which: ReplayedEvents, command: AskedCommand, nowMs: number): Promise<number> {
    await this.view(id);
    return replayEvents(this.database, id, which, command, nowMs);
  }
}

/** @throws AppError EVENT_ENDPOINT_NOT_FOUND */
async function existing(db: Db, id: string): Promise<EndpointRow> {
  const [row] = await endpointRows(db, { id });
  if (row === undefined) throw eventEndpointUnknown(id);
  return row;
}

export function eventEndpointUnknown(id: string): AppError {
  return new AppError(
    'EVENT_ENDPOINT_NOT_FOUND',
    `There is no event endpoint ${id}. List event endpoints: everpost event endpoint list`,
  );
}

export function isCallbacksEndpoint({ id, instance }: Pick<EndpointView, 'id' | 'instance'>): boolean {
  return id === callbacksEndpointId(instance);
}

/** A signing key; the newest one has no end. */
interface StoredSecret {
  /** Sealed. */
  readonly secret: string;
  /** ISO UTC. */
  readonly until?: string;
}

/** In the format of Standard Webhooks. */
function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** What authenticates a delivery: the keys that sign now, newest first, and the Authorization header. */
export interface Credentials {
  readonly secrets: readonly Secret[];
  readonly authorization?: Secret;
}

/** @throws AppError ENCRYPTION_KEY_MISSING */
export function readCredentials(
  { id, auth_header, secrets }: Pick<EndpointRow, 'id' | 'auth_header' | 'secrets'>,
  { open }: AtRest,
  nowMs: number,
): Credentials {
  return {
    secrets: (secrets as readonly StoredSecret[])
      .filter(({ until }) => until === undefined || Date.parse(until) > nowMs)
      .map(({ secret }) => new Secret(open(secret, secretPlace(id)))),
    ...present({ authorization: auth_header === null ? null : new Secret(open(auth_header, headerPlace(id))) }),
  };
}

const headerPlace = (id: string) => `event_endpoints.auth_header of ${id}`;
const secretPlace = (id: string) => `event_endpoints.secrets of ${id}`;

type EndpointRow = Selectable<EventEndpointsTable> & {
  readonly waiting: number;
  readonly waiting_since: Date | null;
  readonly problem: string | null;
  readonly failed: number;
};

async function endpointRows(db: Db, which: { id?: string; instances?: readonly string[] }): Promise<EndpointRow[]> {
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

/** The endpoint of an instance's status callbacks is created when it is first needed. */
export async function ensureCallbacksEndpoint(db: Db, instance: string, { seal }: AtRest): Promise<void> {
  const id = callbacksEndpointId(instance);
  await sql`
    insert into event_endpoints (id, instance, events, raw, secrets, request_hash, created_at)
    values (${id}, ${instance}, '{}', false,
      ${jsonText([{ secret: seal(newSecret(), secretPlace(id)) }])}, '', clock_timestamp())
    on conflict do nothing`.execute(db);
}

function endpointView(row: EndpointRow) {
  const former = (row.secrets as readonly StoredSecret[]).slice(1).flatMap(({ until }) => until ?? []);
  return {
    ...shown(row, 'id', 'instance', 'url', 'raw', 'description', 'enabled', 'disabled_reason', 'disabled_at'),
    ...shown(row, 'created_at', 'waiting', 'waiting_since', 'problem', 'failed'),
    events: row.raw ? [ALL_EVENTS] : row.events,
    hasAuthorization: row.auth_header !== null,
    ...present({ formerSecretsUntil: former.toSorted().at(-1) }),
  };
}

/**
 * `waiting` counts the deliveries that have not ended, with the time since when the oldest of them waits, and why its
 * last try failed. `failed` counts those that were set aside. Former secrets sign until `formerSecretsUntil`, too.
 */
export type EndpointView = ReturnType<typeof endpointView>;
