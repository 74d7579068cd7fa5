import type { Db } from '../store.js';

/** What the account was seen to be last. */
export async function seenState(db: Db, instance: string) {
  const row = await db
    .selectFrom('instance_states')
    .select(['state', 'since', 'seen_until'])
    .where('instance', '=', instance)
    .orderBy('since', 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && { state: row.state, since: row.since.toISOString(), seenAt: row.seen_until.toISOString() };
}
