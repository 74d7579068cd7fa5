import { sql, type Selectable } from 'kysely';
import { suppressionReason } from '../../contract/index.js';
import { endMessage } from '../end-message.js';
import { addEvidence } from '../evidence.js';
import type { MessageRow } from '../message-row.js';
import type { SuppressionsTable } from '../schema.js';
import type { Db, Tx } from '../store.js';
import { activeEntriesFor } from './active-entries.js';

type ActiveEntry = Pick<Selectable<SuppressionsTable>, 'id' | 'instance' | 'scope' | 'source' | 'since'>;

/** SUPPRESS-2: ends a pending message whose chat is on the list, with the entry that has held longest as evidence. */
export async function suppressMessage(tx: Tx, row: MessageRow, nowMs: number): Promise<void> {
  if (row.state !== 'pending') return;
  const entry = await oldestActiveEntry(tx, row);
  if (entry === undefined) return;
  const { id, instance, scope, source, since } = entry;
  await endMessage(tx, row.id, { state: 'suppressed', reason: suppressionReason(source), nowMs });
  await addEvidence(tx, {
    messageId: row.id,
    fact: `suppressed:${row.version}`,
    witness: 'suppression',
    what: 'suppressed',
    detail: { entry: id, source, scope, since: since.toISOString(), ...(instance === null ? {} : { instance }) },
    nowMs,
  });
}

export async function oldestActiveEntry(db: Db, { id }: Pick<MessageRow, 'id'>): Promise<ActiveEntry | undefined> {
  const { rows } = await sql<ActiveEntry>`
    select active.* from messages m, lateral (
      select s.id, s.instance, s.scope, s.source, s.since from ${activeEntriesFor('m')}
      order by s.since, s.id limit 1) active
    where m.id = ${id}`.execute(db);
  return rows[0];
}
