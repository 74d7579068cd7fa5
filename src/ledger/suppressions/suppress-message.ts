import { sql } from 'kysely';
import { suppressionReason, type SuppressionScope, type SuppressionSource } from '../../contract/index.js';
import { endMessage } from '../end-message.js';
import { addEvidence } from '../evidence.js';
import type { MessageRow } from '../message-row.js';
import type { Db, Tx } from '../store.js';
import { holdingFor } from './holding.js';

interface HoldingEntry {
  readonly id: string;
  readonly instance: string | null;
  readonly scope: SuppressionScope;
  readonly source: SuppressionSource;
  readonly since: Date;
}

/** U2: ends a planned message whose chat is on the list, with the entry that has held longest as evidence. */
export async function suppressMessage(tx: Tx, row: MessageRow, nowMs: number): Promise<void> {
  if (row.state !== 'planned') return;
  const entry = await longestHolding(tx, row);
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

export async function longestHolding(db: Db, { id }: Pick<MessageRow, 'id'>): Promise<HoldingEntry | undefined> {
  const { rows } = await sql<HoldingEntry>`
    select held.* from messages m, lateral (
      select s.id, s.instance, s.scope, s.source, s.since from ${holdingFor('m')}
      order by s.since, s.id limit 1) held
    where m.id = ${id}`.execute(db);
  return rows[0];
}
