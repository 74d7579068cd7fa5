import { type Selectable, sql } from 'kysely';
import { isPauseState, isSendingState } from '../../domain/index.js';
import type { InstanceStatesTable } from '../storage/schema.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { type Db, LedgerPart, type Store, type Tx } from '../storage/store.js';
import { pauseInstance, BRIDGED_MS, newestState, seenState } from './pauses.js';

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
  readonly current = this.statement(seenState);
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
  const before = await newestState(tx, instance, sql`since <= ${at}`);
  const bridges = before !== undefined && before.seen_until.getTime() >= atMs - BRIDGED_MS;
  if (bridges && before.state === state) {
    await sql`update instance_states set seen_until = greatest(seen_until, ${at}) where seq = ${before.seq}`.execute(
      tx,
    );
    return false;
  }
  // A late observation splits the interval of another state into the parts before and after it.
  if (before !== undefined && before.seen_until > at) {
    await sql`update instance_states set seen_until = ${at} where seq = ${before.seq}`.execute(tx);
    await insertState(tx, instance, before.state, before.seen_until);
  }
  await insertState(tx, instance, state, at);
  return true;
}

async function insertState(tx: Tx, instance: string, state: string, at: Date): Promise<void> {
  await sql`
    insert into instance_states (instance, state, since, seen_until)
    values (${instance}, ${state}, ${at}, ${at})`.execute(tx);
}

/**
 * True if the instance is known to have been away during the whole period: the last observation before it and each one
 * in it says so, and no gap is too long.
 */
export async function wasNeverAuthorized(db: Db, instance: string, fromMs: number, toMs: number): Promise<boolean> {
  const from = new Date(fromMs);
  const before = await newestState(db, instance, sql`since <= ${from}`);
  const { rows: within } = await sql<Selectable<InstanceStatesTable>>`
    select * from instance_states
    where instance = ${instance} and since > ${from} and since <= ${new Date(toMs)} order by since`.execute(db);
  let knownUntilMs = fromMs;
  for (const { state, since, seen_until } of before === undefined ? within : [before, ...within]) {
    if (isSendingState(state) || since.getTime() > knownUntilMs + BRIDGED_MS) return false;
    knownUntilMs = Math.max(knownUntilMs, seen_until.getTime());
  }
  return knownUntilMs + BRIDGED_MS >= toMs;
}
