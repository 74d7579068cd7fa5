import { sql } from 'kysely';
import type { GrantedTurns, ReserveTurns } from './ledger.js';
import type { Store } from './store.js';

/**
 * Turns of requests to the gateway, one rate limit bucket for each instance and operation. Not durable. By the database's
 * clock, so that workers' clocks may differ as they like.
 */
export class RateLimitBuckets {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async reserve(input: ReserveTurns): Promise<GrantedTurns> {
    const granted = await this.#tryReserve(input);
    if (granted !== undefined) return granted;
    // The first request there ever was makes the bucket.
    await this.block(input.instance, input.operation, 0);
    return (await this.#tryReserve(input)) ?? { turns: 0, firstInMs: 0, blockedForMs: 0 };
  }

  /** No turn is granted for so long; a longer block stays. */
  async block(instance: string, operation: string, forMs: number): Promise<void> {
    await this.#store.run((db) =>
      sql`
        insert into rate_limit_buckets as bucket (instance, operation, next_turn, blocked_until, granted_from, granted)
        select ${instance}, ${operation}, now, now + ${milliseconds(forMs)}, now, 0
        from (select clock_timestamp() as now) n
        on conflict (instance, operation) do update
        set blocked_until = greatest(bucket.blocked_until, excluded.blocked_until)`.execute(db),
    );
  }

  /** 0: not blocked. */
  async blockedForMs(instance: string, operation: string): Promise<number> {
    const { rows } = await this.#store.run((db) =>
      sql<{ blockedForMs: number }>`
        select ${fromNowMs('blocked_until')} as "blockedForMs" from rate_limit_buckets
        where instance = ${instance} and operation = ${operation}`.execute(db),
    );
    return rows[0]?.blockedForMs ?? 0;
  }

  /**
   * One statement, so that the row is locked for no longer than it takes. What was granted stays in the row to be
   * looked at.
   */
  async #tryReserve(input: ReserveTurns): Promise<GrantedTurns | undefined> {
    const { instance, operation, turns, spacingMs } = input;
    const maxWaitMs = Math.max(0, input.maxWaitMs);
    const { rows } = await this.#store.run((db) =>
      sql<GrantedTurns>`
        update rate_limit_buckets bucket
        set (granted_from, granted, next_turn) = (
          select first, turns, first + turns * ${milliseconds(spacingMs)}
          from (select greatest(bucket.next_turn, bucket.blocked_until, clock_timestamp()) as first) f,
            lateral (select greatest(0, extract(epoch from first - clock_timestamp())::float8 * 1000) as wait_ms) w,
            lateral (select case when wait_ms > ${maxWaitMs}::float8 then 0
              else least(${turns}::float8, 1 + floor((${maxWaitMs}::float8 - wait_ms) / ${spacingMs}::float8))::integer
              end as turns) t)
        where instance = ${instance} and operation = ${operation}
        returning granted as turns, ${fromNowMs('granted_from')} as "firstInMs",
          ${fromNowMs('blocked_until')} as "blockedForMs"`.execute(db),
    );
    return rows[0];
  }
}

function milliseconds(ms: number) {
  return sql`${ms}::float8 * interval '1 millisecond'`;
}

function fromNowMs(column: string) {
  return sql`greatest(0, extract(epoch from ${sql.ref(column)} - clock_timestamp())::float8 * 1000)`;
}
