import type { GatewayClockLedger } from './ledger.js';
import type { Store } from './store.js';

/** By how much each instance's gateway clock differs from ours, as last measured. */
export class GatewayClocks implements GatewayClockLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async save(instance: string, offsetMs: number, nowMs: number): Promise<void> {
    const measured = { offset_ms: Math.round(offsetMs), measured_at: new Date(nowMs) };
    await this.#store.run((db) =>
      db
        .insertInto('gateway_clocks')
        .values({ instance, ...measured })
        .onConflict((conflict) => conflict.column('instance').doUpdateSet(measured))
        .execute(),
    );
  }

  async offsetMs(instance: string): Promise<number | undefined> {
    const clock = await this.#store.run((db) =>
      db.selectFrom('gateway_clocks').select('offset_ms').where('instance', '=', instance).executeTakeFirst(),
    );
    return clock && Number(clock.offset_ms);
  }
}
