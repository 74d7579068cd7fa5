import { sql, type Selectable } from 'kysely';
import { isPauseState, isSendingState } from '../domain/index.js';
import { pauseInstance } from './instances/pauses.js';
import { seenState } from './instances/seen-state.js';
import { BRIDGED_MS } from './instances/open-instance.js';
import type { InstanceStateView, SeenInstanceState } from './ledger.js';
import type { InstanceStatesTable } from './schema.js';
import type { Db, Store, Tx } from './store.js';

/**
 * What instances were seen to be, told by their notifications or asked for, and for how long. A row is one state without a gap in
 * the observations of it.
 */
export class InstanceStates {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /**
   * Writes a sight down, also one that is told late; a state that pauses an instance does so in the same transaction.
   * @returns true when the account was not known to be in this state
   */
  async record(seen: SeenInstanceState): Promise<boolean> {
    const { instance, state, atMs, witness = 'getStateInstance' } = seen;
    if (!isPauseState(state) && (await this.#store.run((db) => isSeenAgain(db, seen)))) return false;
    return this.#store.transaction(async (tx) => {
      const isNew = await keepSight(tx, seen);
      if (isPauseState(state)) await pauseInstance(tx, { instance, reason: state, atMs, witness });
      if (isNew) {
        await sql`select record_event(${instance}, 'instance.state_changed', 'instance', ${new Date(atMs)}::timestamptz,
          json_build_object('state', ${state}::text, 'witness', ${witness}::text))`.execute(tx);
      }
      return isNew;
    });
  }

  /** Undefined when nothing is known yet. */
  async current(instance: string): Promise<InstanceStateView | undefined> {
    return this.#store.run((db) => seenState(db, instance));
  }
}

/** What nearly every sight is, in one statement. @returns false when it is another state, or one not seen for too long */
async function isSeenAgain(db: Db, { instance, state, atMs }: SeenInstanceState): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`/* seen_again */
    update instance_states set seen_until = greatest(seen_until, ${new Date(atMs)}::timestamptz)
    where seq = (
      select seq from instance_states
      where instance = ${instance} and since <= ${new Date(atMs)}::timestamptz order by since desc, seq desc limit 1)
      and state = ${state} and seen_until >= ${new Date(atMs - BRIDGED_MS)}::timestamptz`.execute(db);
  return numAffectedRows > 0n;
}

/** @returns true when the account was not known to be in this state */
async function keepSight(tx: Tx, { instance, state, atMs }: SeenInstanceState): Promise<boolean> {
  const at = new Date(atMs);
  const before = await tx
    .selectFrom('instance_states')
    .select(['seq', 'state', 'seen_until'])
    .where('instance', '=', instance)
    .where('since', '<=', at)
    .orderBy('since', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  const bridges = before !== undefined && before.seen_until.getTime() >= atMs - BRIDGED_MS;
  if (bridges && before.state === state) {
    await tx
      .updateTable('instance_states')
      .set({ seen_until: sql<Date>`greatest(seen_until, ${at})` })
      .where('seq', '=', before.seq)
      .execute();
    return false;
  }
  if (before !== undefined && before.seen_until > at) await cutAt(tx, instance, before, at);
  await tx.insertInto('instance_states').values({ instance, state, since: at, seen_until: at }).execute();
  return true;
}

/**
 * What is told late comes between the sights of another state: that one was seen until then, and was seen again since.
 */
async function cutAt(
  tx: Tx,
  instance: string,
  { seq, state, seen_until }: Pick<Selectable<InstanceStatesTable>, 'seq' | 'state' | 'seen_until'>,
  at: Date,
): Promise<void> {
  await tx.updateTable('instance_states').set({ seen_until: at }).where('seq', '=', seq).execute();
  await tx.insertInto('instance_states').values({ instance, state, since: seen_until, seen_until }).execute();
}

/**
 * True when the instance is known to have been away all the time: each observation in it
 * says so, the last one before it too, and none is missing for longer than is bridged.
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
    if (isSendingState(state) || since.getTime() > knownUntilMs + BRIDGED_MS) return false;
    knownUntilMs = Math.max(knownUntilMs, seen_until.getTime());
  }
  return knownUntilMs + BRIDGED_MS >= toMs;
}
