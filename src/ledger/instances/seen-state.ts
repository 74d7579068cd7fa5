import type { Db } from '../store.js';

/** The observed states of an account, the last one first. */
export function seenStates(db: Db, instance: string) {
  return db
    .selectFrom('instance_states')
    .select(['seq', 'state', 'since', 'seen_until'])
    .where('instance', '=', instance)
    .orderBy('since', 'desc')
    .orderBy('seq', 'desc');
}

/** What the account was seen to be last. */
export async function seenState(db: Db, instance: string) {
  const row = await seenStates(db, instance).limit(1).executeTakeFirst();
  return row && { state: row.state, since: row.since.toISOString(), seenAt: row.seen_until.toISOString() };
}
