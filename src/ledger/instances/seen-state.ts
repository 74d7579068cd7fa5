/** Conditions of a claim about its instance: INSTANCE-2 and INSTANCE-5 of {@link Instances}. */
import { sql } from 'kysely';
import { SENDING_STATES } from '../../domain/index.js';
import type { Db } from '../storage/store.js';

/**
 * Between two observations an account may have been in another state. A gap up to this length counts as the same state:
 * it is ten times a worker's poll interval of a minute, enough for a restart of everything. The state in a longer gap
 * is unknown.
 */
export const BRIDGED_MS = 10 * 60_000;

/** INSTANCE-2. @param row  an alias with a column `instance` */
export function isNotPaused(row: string) {
  return sql<boolean>`not exists (
    select from instance_pauses pause where pause.instance = ${sql.table(row)}.instance and pause.resumed_at is null)`;
}

/** INSTANCE-5. The last observation, if the account was away in it and it is recent enough: one row or none. */
export function awayState(instance: ReturnType<typeof sql>, now: Date) {
  return sql<{ state: string; since: Date }>`
    select seen.state, seen.since from (
      select s.state, s.since, s.seen_until from instance_states s
      where s.instance = ${instance} order by s.since desc, s.seq desc limit 1) seen
    where seen.state <> all(${SENDING_STATES}::text[]) and seen.seen_until > ${new Date(now.getTime() - BRIDGED_MS)}::timestamptz`;
}

/** The observed states of an account, newest first. */
export function seenStates(db: Db, instance: string) {
  return db
    .selectFrom('instance_states')
    .select(['seq', 'state', 'since', 'seen_until'])
    .where('instance', '=', instance)
    .orderBy('since', 'desc')
    .orderBy('seq', 'desc');
}

export interface InstanceStateView {
  readonly state: string;
  /** ISO UTC: since when the account is known to be in this state, and when it was last seen in it. */
  readonly since: string;
  readonly seenAt: string;
}

/** The state in which the account was last seen. */
export async function seenState(db: Db, instance: string): Promise<InstanceStateView | undefined> {
  const row = await seenStates(db, instance).limit(1).executeTakeFirst();
  return row && { state: row.state, since: row.since.toISOString(), seenAt: row.seen_until.toISOString() };
}
