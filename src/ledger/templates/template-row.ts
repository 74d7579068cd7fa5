import { sql, type Selectable, type UpdateObject } from 'kysely';
import {
  AppError,
  type TemplateInput,
  type TemplateKey,
  type TemplateSnapshot,
  present,
} from '../../contract/index.js';
import { iso } from '../iso.js';
import type { Schema, TemplateChangesTable, TemplatesTable } from '../schema.js';
import type { Db, Tx } from '../store.js';
import type { TemplateChange, TemplateView } from './template-ledger.js';
import { jsonText } from '../storable.js';

export type TemplateRow = Selectable<TemplatesTable>;

function templateRows(db: Db, { instance, elementName }: TemplateKey) {
  return db
    .selectFrom('templates')
    .selectAll()
    .where('instance', '=', instance)
    .where('element_name', '=', elementName);
}

export function readTemplate(db: Db, key: TemplateKey): Promise<TemplateRow | undefined> {
  return templateRows(db, key).executeTakeFirst();
}

/** Until the transaction ends nothing else changes it. @throws AppError TEMPLATE_NOT_FOUND */
export async function lockTemplate(tx: Tx, key: TemplateKey): Promise<TemplateRow> {
  return (await templateRows(tx, key).forUpdate().executeTakeFirst()) ?? unknownTemplate(key);
}

export function unknownTemplate({ instance, elementName }: TemplateKey): never {
  throw new AppError(
    'TEMPLATE_NOT_FOUND',
    `Instance ${instance} has no template ${elementName} that was submitted through everpost. Check the name, or submit it.`,
  );
}

type Change = UpdateObject<Schema, 'templates'>;

/** A change that followers of the template see: the version grows. */
export async function changeTemplate(tx: Tx, key: TemplateKey, change: Change): Promise<void> {
  await noteOfTemplate(tx, key, { ...change, version: sql<number>`version + 1` });
}

/** When it was looked at, and who drives it: nothing that is waited for. */
export async function noteOfTemplate(db: Db, key: TemplateKey, note: Change): Promise<void> {
  await db
    .updateTable('templates')
    .set(note)
    .where('instance', '=', key.instance)
    .where('element_name', '=', key.elementName)
    .execute();
}

export async function addChange(
  tx: Tx,
  { instance, elementName }: TemplateKey,
  change: Omit<TemplateChange, 'at'> & { readonly nowMs: number },
): Promise<void> {
  const { witness, what, status, reason, detail, nowMs } = change;
  await tx
    .insertInto('template_changes')
    .values({
      instance,
      element_name: elementName,
      at: new Date(nowMs),
      witness,
      what,
      status: status ?? null,
      reason: reason ?? null,
      detail: detail === undefined ? null : jsonText(detail),
    })
    .execute();
}

export async function changesOf(db: Db, { instance, elementName }: TemplateKey): Promise<TemplateChange[]> {
  const rows = await db
    .selectFrom('template_changes')
    .selectAll()
    .where('instance', '=', instance)
    .where('element_name', '=', elementName)
    .orderBy('seq')
    .execute();
  return rows.map(changeOf);
}

function changeOf({ at, witness, what, status, reason, detail }: Selectable<TemplateChangesTable>): TemplateChange {
  return { at: at.toISOString(), witness, what, ...present({ status, reason, detail }) };
}

export function snapshotOfTemplate(row: TemplateRow): TemplateSnapshot {
  return {
    instance: row.instance,
    elementName: row.element_name,
    version: row.version,
    state: row.state,
    createdAt: row.created_at.toISOString(),
    ...present({
      status: row.status,
      statusSince: iso(row.status_since),
      reason: row.reason,
      templateId: row.template_id,
      unwatchedSince: iso(row.unwatched_since),
    }),
  };
}

export function viewOfTemplate(row: TemplateRow, changes: readonly TemplateChange[]): TemplateView {
  return {
    ...snapshotOfTemplate(row),
    definition: row.definition,
    ...present({
      submittedAt: iso(row.submitted_at),
      checkedAt: iso(row.checked_at),
      nextCheckAt: iso(row.next_check_at),
      checkCode: row.check_code,
      checkText: row.check_text,
    }),
    changes,
  };
}

export function inputOfTemplate(row: TemplateRow): TemplateInput {
  return {
    instance: row.instance,
    elementName: row.element_name,
    definition: row.definition,
    definitionHash: row.definition_hash,
    requestedAt: row.created_at.toISOString(),
  };
}
