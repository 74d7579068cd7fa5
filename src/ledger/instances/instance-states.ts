import { type Selectable, sql } from 'kysely';
import { isPauseState, isSendingState } from '../../domain/index.js';
import type { InstanceStatesTable } from '../schema.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { type Db, LedgerPart, type Store, type Tx } from '../storage/store.js';
import { pauseInstance, BRIDGED_MS, type InstanceStateView, seenState, seenStates } from './pauses.js';

interface SeenInstanceState {
  readonly instance: string;
  /** The gateway's name of the state, e.g. `authorized`. */
  readonly state: string;
  /** By our clock. */
  readonly atMs: number;
  /** The witness. @default 'getStateInstance' */
  readonly witness?: string;
}

/** Accounts are polled together; their responses arrive within this time. */
const SEEN_TOGETHER_MS = 100;

/**
 * The observed states of accounts, from notifications and polls, and their duration. A row is one state without a gap
 * in its observations.
 */
export class InstanceStates extends LedgerPart {
  readonly #isSeenAgain: (seen: SeenInstanceState) => Promise<boolean>;

  /** @param gatherMs  how long an observation waits for others, which are written with it */
  constructor(store: Store, gatherMs = SEEN_TOGETHER_MS) {
    super(store);
    const write = (group: readonly SeenInstanceState[]) => store.run((db) => seenAgain(db, group));
    this.#isSeenAgain = groupedWrites(write, gatherMs);
  }

  /**
   * Records an observation, also a late one; a state that pauses an instance does so in the same transaction.
   * @returns true when the account was not known to be in this state
   */
  async record(seen: SeenInstanceState): Promise<boolean> {
    const { instance, state, atMs, witness = 'getStateInstance' } = seen;
    if (!isPauseState(state) && (await this.#isSeenAgain(seen))) return false;
    return this.database.transaction(async (tx) => {
      const isNew = await keepObservation(tx, seen);
      if (isPauseState(state)) await pauseInstance(tx, { instance, reason: state, atMs, witness });
      if (isNew) {
        await sql`select record_event(${instance}, 'instance.state_changed', 'instance', ${new Date(atMs)}::timestamptz,
          json_build_object('state', ${state}::text, 'witness', ${witness}::text))`.execute(tx);
      }
      return isNew;
    });
  }

  /** Undefined if nothing is known yet. */
  async current(instance: string): Promise<InstanceStateView | undefined> {
    return this.database.run((db) => seenState(db, instance));
  }
}

/**
 * Handles the common case of an unchanged state. All accounts are polled at the same time, and the responses are
 * written together.
 * @returns for each observation, false if the state is another one, or was not observed for too long
 */
async function seenAgain(db: Db, group: readonly SeenInstanceState[]): Promise<boolean[]> {
  const instances = group.map(({ instance }) => instance);
  const states = group.map(({ state }) => state);
  const times = group.map(({ atMs }) => new Date(atMs));
  const { rows } = await sql<{ place: string }>`/* seen_again */
    with known as (
      select seen.place, seen.at, last.seq
      from unnest(${instances}::text[], ${states}::text[], ${times}::timestamptz[]) with ordinality as seen(instance, state, at, place)
      cross join lateral (
        select seq, state, seen_until from instance_states
        where instance = seen.instance and since <= seen.at order by since desc, seq desc limit 1) last
      where last.state = seen.state and last.seen_until >= seen.at - ${BRIDGED_MS} * interval '1 millisecond'),
    locked as (
      select seq from instance_states where seq in (select seq from known) order by seq for update)
    update instance_states set seen_until = greatest(seen_until, known.at)
    from known join locked using (seq) where instance_states.seq = known.seq
    returning known.place`.execute(db);
  const places = new Set(rows.map(({ place }) => Number(place)));
  return group.map((_, at) => places.has(at + 1));
}

/** @returns true when the account was not known to be in this state */
async function keepObservation(tx: Tx, { instance, state, atMs }: SeenInstanceState): Promise<boolean> {
  const at = new Date(atMs);
  const before = await seenStates(tx, instance).where('since', '<=', at).limit(1).executeTakeFirst();
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
 * Inserts a late observation into the interval of another state, which is split into the parts before and after it.
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
 * True if the instance is known to have been away during the whole period: the last observation before it and each one
 * in it says so, and no gap is too long.
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
  const before = await seenStates(db, instance).where('since', '<=', new Date(fromMs)).limit(1).execute();
  let knownUntilMs = fromMs;
  for (const { state, since, seen_until } of [...before, ...within]) {
    if (isSendingState(state) || since.getTime() > knownUntilMs + BRIDGED_MS) return false;
    knownUntilMs = Math.max(knownUntilMs, seen_until.getTime());
  }
  return knownUntilMs + BRIDGED_MS >= toMs;
}
