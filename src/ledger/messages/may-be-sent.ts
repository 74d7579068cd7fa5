import { type RawBuilder, sql } from 'kysely';
import { stateList } from '../storage/state-lists.js';

/** Its outcome is open, or it belongs to a campaign and no recipient got it, so that a retry sends it again. */
export function mayBeSent(message: string): RawBuilder<boolean> {
  const m = sql.table(message);
  return sql`(${m}.state in ${stateList('pending', 'in_flight', 'unresolved')}
    or ${m}.campaign_id is not null and ${m}.state in ${stateList('accepted', 'undeliverable', 'unsent')}
      and ${m}.chat_id not like 'erased:%')`;
}
