import { sql } from 'kysely';
import type { BrakeState } from '../../contract/index.js';
import { recordCommand, recordResult } from '../commands.js';
import type { Store } from '../store.js';
import { brakesOn, putOn, release } from './brakes.js';
import type { BrakeView, InstanceLedger, InstanceView, SeenBrake } from './instance-ledger.js';
import { instanceView } from './instance-view.js';

export class Instances implements InstanceLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  view(instance: string): Promise<InstanceView> {
    return this.#store.run((db) => instanceView(db, instance));
  }

  brakes(instance: string): Promise<BrakeView[]> {
    return this.#store.run((db) => brakesOn(db, instance));
  }

  putOnBrake(seen: SeenBrake): Promise<void> {
    return this.#store.run((db) => putOn(db, seen));
  }

  async askRelease(instance: string, commandId: string, nowMs: number) {
    const { asked, result } = await this.#store.run((db) =>
      recordCommand(db, `instance:${instance}`, 'release', { id: commandId }, nowMs),
    );
    const released = (result ?? undefined) as readonly BrakeView[] | undefined;
    return { until: Number(asked), ...(released === undefined ? {} : { released }) };
  }

  async recordRelease(instance: string, commandId: string, released: readonly BrakeView[]) {
    const result = await this.#store.run((db) => recordResult(db, `instance:${instance}`, commandId, released));
    return result as readonly BrakeView[];
  }

  release(
    instance: string,
    by: 'person' | 'authorized',
    nowMs: number,
    which: { readonly only?: readonly BrakeState[]; readonly until?: number } = {},
  ) {
    return this.#store.transaction((tx) => release(tx, instance, { by, nowMs, ...which }));
  }

  async recordConnection(seen: { instance: string; status: string; atMs: number }): Promise<void> {
    const { instance, status } = seen;
    const at = new Date(seen.atMs);
    await this.#store.run((db) =>
      sql`/* record_connection */
        insert into instance_connections as c (instance, status, since)
        values (${instance}::text, ${status}::text, ${at}::timestamptz)
        on conflict (instance) do update set status = excluded.status, since = excluded.since
          where c.status <> excluded.status and c.since <= excluded.since`.execute(db),
    );
  }
}
