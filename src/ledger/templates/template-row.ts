import { type Selectable, sql, type UpdateObject } from 'kysely';
import {
  AppError,
  type TemplateDefinition,
  type TemplateInput,
  type TemplateKey,
  templateKeyOf,
  type TemplateSnapshot,
  templateWorkflowId,
  isReviewEnded,
  present,
} from '../../contract/index.js';
import type { Schema, TemplateChangesTable, TemplatesTable } from '../schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { cursorInvalid, isOfInstances, type ListFilter, pageOf, pageSizeOf } from '../storage/pages.js';
import type { Db, Tx } from '../storage/store.js';

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

/** Locks the row until the transaction ends. @throws AppError TEMPLATE_NOT_FOUND */
export async function lockTemplate(tx: Tx, key: TemplateKey): Promise<TemplateRow> {
  return (await templateRows(tx, key).forUpdate().executeTakeFirst()) ?? unknownTemplate(key);
}

export function unknownTemplate({ instance, elementName }: TemplateKey): never {
  throw new AppError(
    'TEMPLATE_NOT_FOUND',
    `Instance ${instance} has no template ${elementName} that was submitted through everpost. List templates: everpost template list. Submit one: everpost template submit FILE`,
  );
}

type Change = UpdateObject<Schema, 'templates'>;

/** A change that followers of the template see; increases the version. */
export async function changeTemplate(tx: Tx, key: TemplateKey, change: Change): Promise<void> {
  await noteOfTemplate(tx, key, { ...change, version: sql<number>`version + 1` });
}

/** A record of the last poll or of the run that drives it; no follower waits for it. */
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

export function viewOfTemplate(row: TemplateRow, changes: readonly TemplateChange[]): TemplateView {
  return { ...templateItemOf(row), changes };
}

export function inputOfTemplate(row: TemplateRow): TemplateInput {
  return {
    ...shown(row, 'instance', 'element_name', 'definition', 'definition_hash'),
    requestedAt: row.created_at.toISOString(),
  };
}

/** A template as the gateway shows it. */
export interface TemplateReading {
  readonly templateId?: string;
  /** The gateway's status, unchanged; absent if it gave none. */
  readonly status?: string;
  readonly reason?: string;
}

export interface ClaimTemplate {
  readonly key: TemplateKey;
  /** New for each try; identifies the attempt. */
  readonly token: string;
  /** From this time on this attempt can no longer be accepted. */
  readonly reconcileAfterMs: number;
}

export type ClaimTemplateResult =
  | {
      readonly kind: 'claimed';
      readonly definition: TemplateDefinition;
      /** An earlier request may have created it, so the name may be taken by our own template. */
      readonly mayExist: boolean;
    }
  /** It is submitted or refused: nothing has to be posted. */
  | { readonly kind: 'not_pending'; readonly snapshot: TemplateSnapshot }
  /** A request has left, or its response was lost; the outcome can be determined from `reconcileAfterMs` on. */
  | {
      readonly kind: 'open';
      readonly state: 'sending' | 'unknown';
      readonly token: string;
      readonly reconcileAfterMs: number;
    };

/** The outcome of one createTemplate. `text` is the gateway's text, without secrets. */
export type TemplateOutcome =
  | { readonly kind: 'accepted'; readonly reading: TemplateReading; readonly witness: string; readonly detail?: object }
  | { readonly kind: 'refused'; readonly code: string; readonly text?: string; readonly detail?: object }
  | { readonly kind: 'not_accepted'; readonly code: string; readonly text?: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly text?: string };

export interface UnfinishedTemplates {
  readonly namespace: string;
  readonly after?: TemplateKey;
  readonly limit: number;
}

/** A page of templates by instance and name, which is the order of the primary key. */
export async function listTemplates(
  db: Db,
  { instance, instances, cursor, limit }: ListFilter,
): Promise<{ items: TemplateListItem[]; cursor?: string }> {
  let query = db
    .selectFrom('templates')
    .selectAll()
    .orderBy('instance')
    .orderBy('element_name')
    .limit(pageSizeOf(limit) + 1);
  if (instance !== undefined) query = query.where('instance', '=', instance);
  if (instances !== undefined) query = query.where(isOfInstances('instance', instances));
  if (cursor !== undefined) {
    const last = readTemplateCursor(cursor);
    query = query.where(sql<boolean>`(instance, element_name) > (${last.instance}, ${last.elementName})`);
  }
  return pageOf(await query.execute(), limit, templateItemOf, (row) => {
    const key = { instance: row.instance, elementName: row.element_name };
    return Buffer.from(templateWorkflowId(key)).toString('base64url');
  });
}

/** @throws AppError INPUT_INVALID */
export function readTemplateCursor(cursor: string) {
  const key = templateKeyOf(Buffer.from(cursor, 'base64url').toString());
  if (key === undefined) throw cursorInvalid();
  return key;
}

/** The gateway has the template, and shows it. */
export async function acceptTemplate(
  tx: Tx,
  key: TemplateKey,
  row: TemplateRow,
  { reading, witness, detail }: Extract<TemplateOutcome, { kind: 'accepted' }>,
  nowMs: number,
): Promise<void> {
  if (row.state !== 'submitted') {
    await changeTemplate(tx, key, {
      state: 'submitted',
      submitted_at: new Date(nowMs),
      reason: null,
      attempt_token: null,
      reconcile_after: null,
    });
    const { templateId } = reading;
    const facts = { ...present({ templateId }), ...detail };
    await addChange(tx, key, { witness, what: 'submitted', detail: facts, nowMs });
  }
  await takeReading(tx, key, (await readTemplate(tx, key)) ?? row, reading, witness, nowMs);
}

/** TEMPLATE-4. */
export async function takeReading(
  tx: Tx,
  key: TemplateKey,
  row: TemplateRow,
  { templateId, status, reason }: TemplateReading,
  witness: string,
  nowMs: number,
): Promise<void> {
  if (templateId !== undefined && templateId !== row.template_id) {
    await changeTemplate(tx, key, { template_id: templateId });
  }
  if (status === undefined) return;
  const words = jsonText([status, reason ?? null]);
  if (words === row.last_reading) return;
  await noteOfTemplate(tx, key, { last_reading: words });
  if (status === row.status && (reason ?? null) === row.reason) return;
  const wentBack = row.status === 'APPROVED' || isReviewEnded(row.status ?? undefined);
  await changeTemplate(tx, key, {
    status,
    reason: reason ?? null,
    unwatched_since: null,
    ...(status === row.status ? {} : { status_since: new Date(nowMs) }),
  });
  await addChange(tx, key, {
    witness,
    what: 'status',
    status,
    ...present({ reason }),
    ...(wentBack && status !== row.status ? { detail: { after: row.status } } : {}),
    nowMs,
  });
}
