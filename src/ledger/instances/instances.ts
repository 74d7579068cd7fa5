import { present } from '../../contract/index.js';
import { sql } from 'kysely';
import type { PauseReason } from '../../contract/index.js';
import { recordCommand, recordResult } from '../commands.js';
import type { Store } from '../store.js';
import { activePauses, operatorPause, pauseInstance, resume } from './pauses.js';
import type { InstancePause, InstanceLedger, InstanceView, SeenPause } from './instance-ledger.js';
import { instanceView } from './instance-view.js';

export class Instances implements InstanceLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  view(instance: string, nowMs: number): Promise<InstanceView> {
    return this.#store.run((db) => instanceView(db, instance, nowMs));
  }

  pauses(instance: string): Promise<InstancePause[]> {
    return this.#store.run((db) => activePauses(db, instance));
  }

  pause(seen: SeenPause): Promise<void> {
    return this.#store.run((db) => pauseInstance(db, seen));
  }

  pauseByOperator(instance: string, commandId: string, nowMs: number): Promise<InstancePause> {
    const subject = `instance:${instance}` as const;
    return this.#store.transaction(async (tx) => {
      const { result } = await recordCommand(tx, subject, 'pause', { id: commandId }, nowMs);
      if (result !== null) return result as unknown as InstancePause;
      const pause = await operatorPause(tx, instance, nowMs);
      return (await recordResult(tx, subject, commandId, pause)) as InstancePause;
    });
  }

  async underWay(instance: string): Promise<{ sending: number; reconcileAfterMs?: number }> {
    const { rows } = await this.#store.run((db) =>
      sql<{ sending: number; reconcile_after: Date | null }>`/* instance_under_way */
        select count(*)::integer as sending, max(reconcile_after) as reconcile_after from attempts
        where instance = ${instance} and identical_hash is not null and outcome is null`.execute(db),
    );
    const { sending = 0, reconcile_after = null } = rows[0] ?? {};
    return { sending, ...(reconcile_after === null ? {} : { reconcileAfterMs: reconcile_after.getTime() }) };
  }

  async askResume(instance: string, commandId: string, nowMs: number) {
    const { asked, result } = await this.#store.run((db) =>
      recordCommand(db, `instance:${instance}`, 'resume', { id: commandId }, nowMs),
    );
    const resumed = (result ?? undefined) as readonly InstancePause[] | undefined;
    return { until: Number(asked), ...present({ resumed }) };
  }

  async recordResume(instance: string, commandId: string, resumed: readonly InstancePause[]) {
    const result = await this.#store.run((db) => recordResult(db, `instance:${instance}`, commandId, resumed));
    return result as readonly InstancePause[];
  }

  resume(
    instance: string,
    by: 'operator' | 'authorized',
    nowMs: number,
    which: { readonly only?: readonly PauseReason[]; readonly until?: number } = {},
  ) {
    return this.#store.transaction((tx) => resume(tx, instance, { by, nowMs, ...which }));
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
