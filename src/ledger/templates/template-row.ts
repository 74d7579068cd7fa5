/** Rows of templates, and their views. */
import { type Selectable, sql, type UpdateObject } from 'kysely';
import {
  isReviewEnded,
  present,
  type TemplateInput,
  type TemplateKey,
  type TemplateSnapshot,
  templateUnknown,
} from '../../contract/index.js';
import type { Schema, TemplateChangesTable, TemplatesTable } from '../storage/schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { cursorsOf, textPart } from '../storage/cursors.js';
import { isOfInstances, type ListFilter, pageOf, pageSizeOf } from '../storage/pages.js';
import type { Db, Tx } from '../storage/store.js';

export type TemplateRow = Selectable<TemplatesTable>;

/** What a step writes about a template. */
export interface Step {
  /** Each is a change that followers of the template see, and increases the version. */
  readonly changes?: readonly UpdateObject<Schema, 'templates'>[];
  /** A record of the last poll or of the run that drives it; no follower waits for it. */
  readonly notes?: UpdateObject<Schema, 'templates'>;
  readonly history?: readonly Omit<TemplateChange, 'at'>[];
}

export async function readTemplate(db: Db, { instance, elementName }: TemplateKey): Promise<TemplateRow | undefined> {
  const { rows } = await sql<TemplateRow>`
    select * from templates where instance = ${instance} and element_name = ${elementName}`.execute(db);
  return rows[0];
}

/** Locks the row until the transaction ends. @throws AppError TEMPLATE_NOT_FOUND */
export async function lockTemplate(tx: Tx, key: TemplateKey): Promise<TemplateRow> {
  const { instance, elementName } = key;
  const { rows } = await sql<TemplateRow>`
    select * from templates where instance = ${instance} and element_name = ${elementName} for update`.execute(tx);
  if (rows[0] === undefined) throw templateUnknown(key);
  return rows[0];
}

/** @returns the row as it is then */
export async function writeStep(
  tx: Tx,
  row: TemplateRow,
  { changes = [], notes = {}, history = [] }: Step,
  nowMs: number,
): Promise<TemplateRow> {
  const { instance, element_name, version } = row;
  for (const { witness, what, status, reason, detail } of history) {
    await sql`
      insert into template_changes (instance, element_name, at, witness, what, status, reason, detail)
      values (${instance}, ${element_name}, ${new Date(nowMs)}, ${witness}, ${what}, ${status}, ${reason},
        ${detail === undefined ? null : jsonText(detail)})`.execute(tx);
  }
  const written = Object.assign({}, notes, ...changes) as typeof notes;
  if (Object.keys(written).length === 0) return row;
  return tx
    .updateTable('templates')
    .set({ ...written, version: version + changes.length })
    .where('instance', '=', instance)
    .where('element_name', '=', element_name)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** A template as the gateway shows it. */
export interface TemplateReading {
  readonly templateId?: string;
  /** The gateway's status, unchanged; absent if it gave none. */
  readonly status?: string;
  readonly reason?: string;
  /** A review may change it. */
  readonly category?: string;
}

/** TEMPLATE-4. */
export function readingStep(
  row: TemplateRow,
  { templateId, status, reason = null, category }: Omit<TemplateReading, 'reason'> & { reason?: string | null },
  witness: string,
  nowMs: number,
): Step {
  const named = templateId === undefined || templateId === row.template_id ? [] : [{ template_id: templateId }];
  const shownCategory = category === undefined || category === row.category ? {} : { category };
  const words = status === undefined ? row.last_reading : jsonText([status, reason]);
  if (status === undefined || words === row.last_reading) return { changes: named, notes: shownCategory };
  const notes = { ...shownCategory, last_reading: words };
  if (status === row.status && reason === row.reason) return { changes: named, notes };
  const isNew = status !== row.status;
  const wentBack = row.status === 'APPROVED' || isReviewEnded(row.status ?? undefined);
  const review = { status, reason, unwatched_since: null, ...(isNew && { status_since: new Date(nowMs) }) };
  const detail = wentBack && isNew ? { detail: { after: row.status } } : {};
  return {
    changes: [...named, review],
    notes,
    history: [{ witness, what: 'status', status, ...present({ reason }), ...detail }],
  };
}

function changeOf(row: Selectable<TemplateChangesTable>) {
  return shown(row, 'at', 'witness', 'what', 'status', 'reason', 'detail');
}

/**
 * `witness`: `request`, `response`, `getTemplates`, `getTemplateById`, `operator`, `workflow`. `what`: a stable word,
 * e.g. `submitted`, `lost_response`, `status`.
 */
type TemplateChange = ReturnType<typeof changeOf>;

export function snapshotOfTemplate(row: TemplateRow): TemplateSnapshot {
  return {
    ...shown(row, 'instance', 'element_name', 'version', 'state', 'created_at', 'status', 'status_since', 'reason'),
    ...shown(row, 'template_id', 'unwatched_since'),
  };
}

function templateItemOf(row: TemplateRow) {
  return {
    ...snapshotOfTemplate(row),
    ...shown(row, 'definition', 'submitted_at', 'checked_at', 'next_check_at', 'check_code', 'check_text'),
  };
}

/** A template without its history. */
export type TemplateListItem = ReturnType<typeof templateItemOf>;

/** The ledger's data of one template, for operators and the API. */
export interface TemplateView extends TemplateListItem {
  readonly changes: readonly TemplateChange[];
}

export async function viewOfTemplate(db: Db, row: TemplateRow): Promise<TemplateView> {
  const { rows } = await sql<Selectable<TemplateChangesTable>>`
    select * from template_changes
    where instance = ${row.instance} and element_name = ${row.element_name} order by seq`.execute(db);
  return { ...templateItemOf(row), changes: rows.map(changeOf) };
}

export function inputOfTemplate(row: TemplateRow): TemplateInput {
  return {
    ...shown(row, 'instance', 'element_name', 'definition', 'definition_hash'),
    requestedAt: row.created_at.toISOString(),
  };
}

const CURSORS = cursorsOf('templates', textPart, textPart);

/** A page of templates by instance and name, which is the order of the primary key. */
export async function listTemplates(
  db: Db,
  { instance, instances, cursor, limit }: ListFilter,
): Promise<{ items: TemplateListItem[]; cursor?: string }> {
  const [afterInstance, afterName] = cursor === undefined ? ['', ''] : CURSORS.read(cursor);
  const { rows } = await sql<TemplateRow>`
    select * from templates
    where (instance, element_name) > (${afterInstance}, ${afterName})
      and (${instance ?? null}::text is null or instance = ${instance ?? null})
      and ${instances === undefined ? sql`true` : isOfInstances('instance', instances)}
    order by instance, element_name limit ${pageSizeOf(limit) + 1}`.execute(db);
  return pageOf(rows, limit, templateItemOf, ({ instance: last, element_name }) => CURSORS.write(last, element_name));
}
