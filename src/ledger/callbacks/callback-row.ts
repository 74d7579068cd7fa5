import { present } from '../../contract/index.js';
import type { Selectable } from 'kysely';
import type { MessageId } from '../../contract/index.js';
import { iso } from '../iso.js';
import type { CallbacksTable } from '../schema.js';
import type { Db } from '../store.js';
import type { CallbackView } from './callback-ledger.js';

/** In the order in which they are told. */
export async function callbacksOf(db: Db, id: MessageId): Promise<CallbackView[]> {
  const rows = await db.selectFrom('callbacks').selectAll().where('message_id', '=', id).orderBy('seq').execute();
  return rows.map(viewOf);
}

function viewOf(row: Selectable<CallbacksTable>): CallbackView {
  const endedAt = iso(row.ended_at);
  return {
    state: row.state,
    at: row.at.toISOString(),
    tries: row.tries,
    ...present({
      problem: row.problem,
      deliveredAt: row.delivered ? endedAt : null,
      givenUpAt: row.delivered ? null : endedAt,
      nextTryAt: endedAt === undefined ? row.next_try_at.toISOString() : null,
    }),
  };
}
