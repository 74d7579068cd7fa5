import { sql } from 'kysely';
import type { InstanceStateLedger, InstanceStateView, SeenInstanceState } from './ledger.js';
import type { Db, Store } from './store.js';

/**
 * Between two sightings an instance may have been in another state. So much time without one is bridged: ten of the looks
 * that a worker makes once a minute, a restart of everything included. Longer, and nothing is claimed about that time.
 */
const BRIDGED_MS = 10 * 60_000;

/** What instances were seen to be, and for how long. A row is one state without a gap in the sightings of it. */
export class InstanceStates implements InstanceStateLedger {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async record({ instance, state, atMs }: SeenInstanceState): Promise<void> {
    const at = new Date(atMs);
    await this.#store.run(async (db) => {
      const prolonged = await sql`
        update instance_states s set seen_until = greatest(s.seen_until, ${at})
        where s.seq = (
            select seq from instance_states
            where instance = ${instance} and since <= ${at} order by since desc, seq desc limit 1)
          and s.state = ${state} and s.seen_until >= ${new Date(atMs - BRIDGED_MS)}
        returning s.seq`.execute(db);
      if (prolonged.rows.length > 0) return;
      await db.insertInto('instance_states').values({ instance, state, since: at, seen_until: at }).execute();
    });
  }

  async current(instance: string): Promise<InstanceStateView | undefined> {
    const row = await this.#store.run((db) =>
      db
        .selectFrom('instance_states')
        .select(['state', 'since', 'seen_until'])
        .where('instance', '=', instance)
        .orderBy('since', 'desc')
        .orderBy('seq', 'desc')
        .limit(1)
        .executeTakeFirst(),
    );
    return row && { state: row.state, since: row.since.toISOString(), seenAt: row.seen_until.toISOString() };
  }

  async inUse(): Promise<string[]> {
    const rows = await this.#store.run((db) =>
      db
        .selectFrom('messages')
        .select('instance')
        .where('state', 'in', ['planned', 'posting', 'unknown', 'held', 'accepted'])
        .where('ended_at', 'is', null)
        // Of a campaign that has not fed anybody yet there are no messages.
        .union(db.selectFrom('campaigns').select('instance').where('state', '=', 'running'))
        .execute(),
    );
    return rows.map(({ instance }) => instance);
  }
}

/**
 * True when the instance is known to have been in other states than `authorized` all the time: each sighting in it says so,
 * the last one before it too, and none is missing for longer than is bridged.
 */
export async function wasNeverAuthorized(db: Db, instance: string, fromMs: number, toMs: number): Promise<boolean> {
  const within = await db
    .selectFrom('instance_states')
    .select(['state', 'since', 'seen_until'])
    .where('instance', '=', instance)
    .where('since', '>', new Date(fromMs))
    .where('since', '<=', new Date(toMs))
    .orderBy('since')
    .execute();
  const before = await db
    .selectFrom('instance_states')
    .select(['state', 'since', 'seen_until'])
    .where('instance', '=', instance)
    .where('since', '<=', new Date(fromMs))
    .orderBy('since', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .execute();
  let knownUntilMs = fromMs;
  for (const { state, since, seen_until } of [...before, ...within]) {
    if (state === 'authorized' || since.getTime() > knownUntilMs + BRIDGED_MS) return false;
    knownUntilMs = Math.max(knownUntilMs, seen_until.getTime());
  }
  return knownUntilMs + BRIDGED_MS >= toMs;
}
