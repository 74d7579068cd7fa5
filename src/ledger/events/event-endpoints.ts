import { type Selectable, sql } from 'kysely';
import { ALL_EVENTS, AppError, callbacksEndpointId, present, type AtRest, type Secret } from '../../contract/index.js';
import { inputInvalid } from '../../domain/index.js';
import { type AskedCommand, assertSameRequest } from '../storage/commands.js';
import type { EventEndpointsTable } from '../storage/schema.js';
import { keyedHashOf } from '../storage/keyed-hash.js';
import { shown, jsonText } from '../storage/statements.js';
import { type Db, onlyRow, SealingPart, type Tx } from '../storage/store.js';
import { credentialsProblem, isStale, newSecret, placeIn, sealedAgain, type StoredSecret } from './endpoint-secrets.js';
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
export class EventEndpoints extends SealingPart {
  /**
   * @returns `secret`: of the created endpoint; absent if the same request had created it before
   * @throws AppError IDEMPOTENCY_MISMATCH
   */
  create(endpoint: NewEndpoint, nowMs: number) {
    const { id, instance, url, events, raw, description, authorization, requestHash } = endpoint;
    const { seal, open } = this.atRest;
    const secret = newSecret();
    const header = authorization && seal(authorization.reveal(), placeIn('auth_header', id));
    const secrets = jsonText([{ secret: seal(secret.reveal(), placeIn('secrets', id)) }]);
    return this.database.run(async (db) => {
      const keyed = await keyedHashOf(db, requestHash);
      const hash = seal(keyed, placeIn('request_hash', id));
      const { rows: inserted } = await sql`
        insert into event_endpoints (id, instance, url, events, raw, description, auth_header, secrets, request_hash, created_at)
        values (${id}, ${instance}, ${url}, ${events}, ${raw}, ${description}, ${header},
          ${secrets}, ${hash}, ${new Date(nowMs)})
        on conflict do nothing returning id`.execute(db);
      const row = await existing(db, id);
      assertSameRequest(
        open(row.request_hash, placeIn('request_hash', id)) === keyed,
        `Endpoint ${id} was created by another request with the same key. Use a new Idempotency-Key for another endpoint.`,
      );
      return { endpoint: this.#view(row), ...(inserted.length > 0 && { secret }) };
    });
  }

  async view(id: string) {
    return this.database.run(async (db) => this.#view(await existing(db, id)));
  }

  /** Oldest first. @param instances  only endpoints of these. @default all */
  async list(instances?: readonly string[]): Promise<EndpointView[]> {
    const rows = await this.database.run((db) => endpointRows(db, instances === undefined ? {} : { instances }));
    return rows.map((row) => this.#view(row));
  }

  /**
   * Pending deliveries become due at once, since the change may have removed their problem. The Authorization header was
   * given for one origin (scheme, host and port): it is never sent to another one.
   * @throws AppError INPUT_INVALID for a URL of another origin without the header
   */
  async change(id: string, { authorization, ...changes }: EndpointChanges, nowMs: number): Promise<EndpointView> {
    const { url, events, description, enabled } = changes;
    return this.database.transaction(async (tx) => {
      const before = await lockedRow(tx, id);
      const isForeign = url !== undefined && originOf(url) !== originOf(before.url);
      if (isForeign && before.auth_header !== null && authorization === undefined) {
        const message =
          'is missing: the new URL has another origin, to which the stored header is not sent. Give the header for it, or null for none';
        throw inputInvalid(`The change of ${id}`, [{ path: 'authorization', message }]);
      }
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
            : { auth_header: authorization && this.atRest.seal(authorization.reveal(), placeIn('auth_header', id)) }),
          ...(enabled === true ? { enabled, disabled_reason: null, disabled_at: null } : {}),
          ...(isDisabled ? { enabled, disabled_reason: 'operator', disabled_at: new Date(nowMs) } : {}),
        })
        .where('id', '=', id)
        .execute();
      await sql`
        update event_deliveries set next_try_at = '-infinity'
        where endpoint_id = ${id} and ended_at is null and next_try_at > ${new Date(nowMs)}`.execute(tx);
      return this.#view(await existing(tx, id));
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
    const secret = newSecret();
    return this.database.transaction(async (tx) => {
      const before = await lockedRow(tx, id);
      const until = new Date(untilMs).toISOString();
      const former = (before.secrets as readonly StoredSecret[])
        .map((one) => ({ ...one, until: one.until === undefined || one.until > until ? until : one.until }))
        .filter((one) => Date.parse(one.until) > nowMs);
      const sealed = this.atRest.seal(secret.reveal(), placeIn('secrets', id));
      const secrets = [{ secret: sealed }, ...former].slice(0, MOST_SECRETS);
      await sql`update event_endpoints set secrets = ${jsonText(secrets)} where id = ${id}`.execute(tx);
      return { endpoint: this.#view(await existing(tx, id)), secret };
    });
  }

  /**
   * Seals with the first key what a former key sealed, or none did, and forgets secrets that sign no more. After that a
   * former key can be removed.
   * @returns how many endpoints were sealed again
   * @throws AppError ENCRYPTION_KEY_MISSING for one of them, after the others were sealed
   */
  async sealAgain(nowMs: number): Promise<number> {
    const rows = await this.database.rows(sql<StoredRow>`select * from event_endpoints`);
    let sealed = 0;
    let problem: unknown;
    for (const { id } of rows.filter((row) => isStale(row, this.atRest, nowMs))) {
      try {
        await this.database.transaction(async (tx) => {
          const { header, secrets, requestHash } = sealedAgain(await lockedRow(tx, id), this.atRest, nowMs);
          await sql`
            update event_endpoints
            set auth_header = ${header}, secrets = ${jsonText(secrets)}, request_hash = ${requestHash}
            where id = ${id}`.execute(tx);
        });
        sealed += 1;
      } catch (error) {
        problem ??= error;
      }
    }
    if (problem !== undefined) throw problem;
    return sealed;
  }

  /** Creates the endpoint of the instance's status callbacks, so that its secret can be shown. */
  async ensureCallbacks(instance: string): Promise<void> {
    await this.database.run((db) => ensureCallbacksEndpoint(db, instance, this.atRest));
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

  #view(row: EndpointRow) {
    const former = (row.secrets as readonly StoredSecret[]).slice(1).flatMap(({ until }) => until ?? []);
    return {
      ...shown(row, 'id', 'instance', 'url', 'raw', 'description', 'enabled', 'disabled_reason', 'disabled_at'),
      ...shown(row, 'created_at', 'waiting', 'waiting_since', 'problem', 'failed'),
      events: row.raw ? [ALL_EVENTS] : row.events,
      hasAuthorization: row.auth_header !== null,
      ...present({
        formerSecretsUntil: former.toSorted().at(-1),
        secretsProblem: credentialsProblem(row, this.atRest),
      }),
    };
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

type StoredRow = Selectable<EventEndpointsTable>;

/** @throws AppError EVENT_ENDPOINT_NOT_FOUND */
async function lockedRow(tx: Tx, id: string): Promise<StoredRow> {
  const { rows } = await sql<StoredRow>`select * from event_endpoints where id = ${id} for update`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw eventEndpointUnknown(id);
  return row;
}

function originOf(url: string | null): string | undefined {
  return url === null ? undefined : new URL(url).origin;
}

type EndpointRow = StoredRow & {
  readonly waiting: number;
  readonly waiting_since: Date | null;
  readonly problem: string | null;
  readonly failed: number;
};

/** More are not counted, so that a page takes a constant time. */
const MOST_COUNTED = 10_000;

async function endpointRows(db: Db, which: { id?: string; instances?: readonly string[] }): Promise<EndpointRow[]> {
  const { rows } = await sql<EndpointRow>`/* event_endpoints */
    select e.id, e.instance, e.url, e.events, e.raw, e.description, e.auth_header, e.secrets, e.enabled, e.disabled_reason,
      e.disabled_at, e.held_until, e.request_hash, e.created_at, oldest.created_at as waiting_since, oldest.problem,
      (select count(*)::integer from (
        select from event_deliveries where endpoint_id = e.id and ended_at is null limit ${MOST_COUNTED}) first) as waiting,
      (select count(*)::integer from (
        select from event_deliveries where endpoint_id = e.id and ended_at is not null and not delivered
        limit ${MOST_COUNTED}) first) as failed
    from event_endpoints e
    left join lateral (
      select created_at, problem from event_deliveries where endpoint_id = e.id and ended_at is null
      order by created_at limit 1) oldest on true
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
      ${jsonText([{ secret: seal(newSecret().reveal(), placeIn('secrets', id)) }])}, '', clock_timestamp())
    on conflict do nothing`.execute(db);
}

/**
 * `waiting` counts the deliveries that have not ended, with the time since when the oldest of them waits, and why its
 * last try failed. `failed` counts those that were set aside. Former secrets sign until `formerSecretsUntil`, too.
 * `secretsProblem` is why nothing can be delivered: the encryption key of its secrets is missing.
 */
export type EndpointView = Awaited<ReturnType<EventEndpoints['view']>>;
