import { sql } from 'kysely';
import { groupedWrites } from '../storage/grouped-writes.js';
import { LedgerPart, type Db } from '../storage/store.js';

export interface ReserveTurns {
  readonly instance: string;
  readonly operation: string;
  /** The most turns. */
  readonly turns: number;
  /** Time between two turns; more than 0. */
  readonly spacingMs: number;
  /** A turn later than this is not granted. A turn that is free now is always granted. */
  readonly maxWaitMs: number;
}

export interface GrantedTurns {
  readonly turns: number;
  /** Time until the first granted turn. If none is granted: time until the next possible turn. */
  readonly firstInMs: number;
  readonly blockedForMs: number;
}

/**
 * Turns of requests to the gateway, with one rate limit bucket for each instance and operation. Not durable. Uses the
 * database's clock, so that workers' clocks may differ.
 */
export class RateLimitBuckets extends LedgerPart {
  readonly #tryReserve = groupedWrites((group: readonly ReserveTurns[]) =>
    this.database.run((db) => reserveAll(db, group)),
  );

  async reserve(input: ReserveTurns): Promise<GrantedTurns> {
    const granted = await this.#tryReserve(input);
    if (granted !== undefined) return granted;
    // The first request creates the bucket.
    await this.block(input.instance, input.operation, 0);
    return (await this.#tryReserve(input)) ?? { turns: 0, firstInMs: 0, blockedForMs: 0 };
  }

  /** No turn is granted for this time; a longer block stays in effect. */
  async block(instance: string, operation: string, forMs: number): Promise<void> {
    await this.database.rows(sql`
        insert into rate_limit_buckets as bucket (instance, operation, next_turn, blocked_until, granted_from, granted)
        select ${instance}, ${operation}, now, now + ${forMs}::float8 * interval '1 millisecond', now, 0
        from (select clock_timestamp() as now) n
        on conflict (instance, operation) do update
        set blocked_until = greatest(bucket.blocked_until, excluded.blocked_until)`);
  }

  /** 0: not blocked. */
  async blockedForMs(instance: string, operation: string): Promise<number> {
    const rows = await this.database.rows(sql<{ blockedForMs: number }>`
        select ${fromNowMs('blocked_until')} as "blockedForMs" from rate_limit_buckets
        where instance = ${instance} and operation = ${operation}`);
    return rows[0]?.blockedForMs ?? 0;
  }
}

/** One statement for all buckets that are requested at the same time; callers of the same bucket share its turns. */
async function reserveAll(db: Db, group: readonly ReserveTurns[]): Promise<(GrantedTurns | undefined)[]> {
  const granted: (GrantedTurns | undefined)[] = [];
  let left = group.map((input, at) => ({ input, at }));
  while (left.length > 0) {
    const first = new Map(left.toReversed().map((asking) => [keyOf(asking.input), asking]));
    const together = [...first.values()];
    const results = await reserveTogether(
      db,
      together.map(({ input }) => input),
    );
    together.forEach(({ at }, place) => (granted[at] = results[place]));
    left = left.filter((asking) => first.get(keyOf(asking.input)) !== asking);
  }
  return granted;
}

const keyOf = ({ instance, operation }: ReserveTurns) => `${operation} ${instance}`;

/**
 * One statement, so that each row is locked as briefly as possible. The row keeps the grant for operators.
 * @param group  requests for different buckets
 * @returns for each request, undefined if its bucket does not exist
 */
async function reserveTogether(db: Db, group: readonly ReserveTurns[]): Promise<(GrantedTurns | undefined)[]> {
  const { rows } = await sql<GrantedTurns & { readonly place: string }>`
    with asked as (
      select * from unnest(
        ${group.map(({ instance }) => instance)}::text[], ${group.map(({ operation }) => operation)}::text[],
        ${group.map(({ turns }) => turns)}::float8[], ${group.map(({ spacingMs }) => spacingMs)}::float8[],
        ${group.map(({ maxWaitMs }) => Math.max(0, maxWaitMs))}::float8[])
      with ordinality as a(instance, operation, turns, spacing_ms, max_wait_ms, place)),
    locked as (
      select asked.* from rate_limit_buckets bucket join asked using (instance, operation)
      order by instance, operation for update of bucket)
    update rate_limit_buckets bucket
    set (granted_from, granted, next_turn) = (
      select first, turns, first + turns * spacing_ms * interval '1 millisecond'
      from (select greatest(bucket.next_turn, bucket.blocked_until, clock_timestamp()) as first) f,
        lateral (select greatest(0, extract(epoch from first - clock_timestamp())::float8 * 1000) as wait_ms) w,
        lateral (select case when wait_ms > locked.max_wait_ms then 0
          else least(locked.turns, 1 + floor((locked.max_wait_ms - wait_ms) / locked.spacing_ms))::integer end as turns) t)
    from locked
    where bucket.instance = locked.instance and bucket.operation = locked.operation
    returning locked.place, granted as turns, ${fromNowMs('granted_from')} as "firstInMs", ${fromNowMs('blocked_until')} as "blockedForMs"`.execute(
    db,
  );
  const byPlace = new Map(rows.map(({ place, ...granted }) => [Number(place), granted]));
  return group.map((_, at) => byPlace.get(at + 1));
}

function fromNowMs(column: string) {
  return sql`greatest(0, extract(epoch from ${sql.ref(column)} - clock_timestamp())::float8 * 1000)`;
}
