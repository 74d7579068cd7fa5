import { sql } from 'kysely';
import { templateKeyOf, templateWorkflowId } from '../../contract/index.js';
import { isOfInstances } from '../keys/of-instances.js';
import { cursorInvalid, pageSizeOf, type ListFilter } from '../page-cursor.js';
import type { Db } from '../store.js';
import type { TemplateListItem } from './template-ledger.js';
import { viewOfTemplate } from './template-row.js';

/** A page of templates by instance and name, which is the order of the primary key. */
export async function listTemplates(
  db: Db,
  { instance, instances, cursor, limit }: ListFilter,
): Promise<{ items: TemplateListItem[]; cursor?: string }> {
  const pageSize = pageSizeOf(limit);
  let query = db
    .selectFrom('templates')
    .selectAll()
    .orderBy('instance')
    .orderBy('element_name')
    .limit(pageSize + 1);
  if (instance !== undefined) query = query.where('instance', '=', instance);
  if (instances !== undefined) query = query.where(isOfInstances('instance', instances));
  if (cursor !== undefined) {
    const last = readTemplateCursor(cursor);
    query = query.where(sql<boolean>`(instance, element_name) > (${last.instance}, ${last.elementName})`);
  }
  const rows = await query.execute();
  const items = rows.slice(0, pageSize).map((row) => {
    const { changes: _, ...item } = viewOfTemplate(row, []);
    return item;
  });
  const last = rows.length > pageSize ? items.at(-1) : undefined;
  return {
    items,
    ...(last === undefined ? {} : { cursor: Buffer.from(templateWorkflowId(last)).toString('base64url') }),
  };
}

/** @throws AppError INPUT_INVALID */
export function readTemplateCursor(cursor: string) {
  const key = templateKeyOf(Buffer.from(cursor, 'base64url').toString());
  if (key === undefined) throw cursorInvalid();
  return key;
}
