import { sql } from 'kysely';
import type { DutyLedger } from './ledger.js';
import type { Store } from './store.js';

/** By the database's clock, so that workers' clocks may differ as they like. */
export class Duties implements DutyLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async take(name: string, holder: string, forMs: number): Promise<boolean> {
    const { rows } = await this.#store.run((db) =>
      sql`
        insert into duties as duty (name, holder, held_until)
        values (${name}, ${holder}, clock_timestamp() + ${forMs}::float8 * interval '1 millisecond')
        on conflict (name) do update set holder = excluded.holder, held_until = excluded.held_until
        where duty.holder = excluded.holder or duty.held_until <= clock_timestamp()
        returning name`.execute(db),
    );
    return rows.length > 0;
  }

  async leave(name: string, holder: string): Promise<void> {
    await this.#store.run((db) =>
      db.deleteFrom('duties').where('name', '=', name).where('holder', '=', holder).execute(),
    );
  }
}
