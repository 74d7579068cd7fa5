/**
 * Changes by callers of the API.
 *
 * AUDIT-1 Each request that changes something, or is refused access, has an entry, written before the response. A process
 *    that is killed between change and entry leaves the caller without a response.
 * AUDIT-2 An entry has caller, operation, time and outcome. It contains no body, no number and no text.
 * AUDIT-3 A message's row names its requester, so sending has no entry here and costs no additional statement.
 */
import { type Selectable, sql } from 'kysely';
import type { AuditEntry } from '../../contract/index.js';
import type { AuditTable } from '../storage/schema.js';
import { shown, jsonText } from '../storage/statements.js';
import { groupedWrites } from '../storage/grouped-writes.js';
import { MAX_BIGINT, cursorsOf, digitsPart } from '../storage/cursors.js';
import { isOfInstances, type ListFilter, pageOf, pageSizeOf } from '../storage/pages.js';
import { forgetInParts, LedgerPart } from '../storage/store.js';

const CURSORS = cursorsOf('audit', digitsPart(MAX_BIGINT));

export class Audit extends LedgerPart {
  /** Entries that arrive during a write are written together. */
  readonly record = groupedWrites((entries: readonly AuditEntry[]) => this.#write(entries));

  /** Newest first. @throws AppError INPUT_INVALID for a cursor of another list */
  async list(filter: ListFilter & { readonly witness?: string | undefined; readonly since?: string | undefined }) {
    const { witness, instance, instances, since, cursor, limit } = filter;
    // Only the conditions that apply, so that a list can use its index.
    const conditions = [
      witness !== undefined && sql`witness = ${witness}`,
      instance !== undefined && sql`instance = ${instance}`,
      instances !== undefined && isOfInstances('instance', instances),
      since !== undefined && sql`at >= ${new Date(since)}`,
      cursor !== undefined && sql`seq < ${CURSORS.read(cursor)[0]}::bigint`,
    ].filter((condition) => condition !== false);
    const rows = await this.database.rows(sql<Selectable<AuditTable>>`
      select * from audit where ${sql.join([sql`true`, ...conditions], sql` and `)}
      order by seq desc limit ${pageSizeOf(limit) + 1}`);
    return pageOf(
      rows,
      limit,
      (row): AuditEntry =>
        shown(row, 'at', 'witness', 'route', 'object_id', 'instance', 'status', 'code', 'request_id', 'address'),
      ({ seq }) => CURSORS.write(seq),
    );
  }

  /** @returns how many entries from before then were deleted */
  removeOld(beforeMs: number): Promise<number> {
    return forgetInParts(async (limit) => {
      const removed = await this.database.rows(sql`
        delete from audit where seq in (select seq from audit where at < ${new Date(beforeMs)} limit ${limit})
        returning seq`);
      return removed.length;
    });
  }

  async #write(entries: readonly AuditEntry[]): Promise<undefined[]> {
    await this.database.rows(sql`/* audit */
        insert into audit (at, witness, route, object_id, instance, status, code, request_id,
          address)
        select e."at", e."witness", e."route", e."objectId", e."instance", e."status", e."code", e."requestId",
          e."address"
        from json_to_recordset(${jsonText(entries)}::json) as e("at" timestamptz, "witness" text, "route" text,
          "objectId" text, "instance" text, "status" integer, "code" text, "requestId" text, "address" text)`);
    return entries.map(() => undefined);
  }
}
