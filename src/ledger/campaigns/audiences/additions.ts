/**
 * Sources that are added to an audience.
 *
 * ADD-1 An addition is an import whose audience begins with a copy of the current one. So IMPORT-1 and IMPORT-2 hold: an
 *    interrupted addition leaves the audience unchanged, and the index finds duplicates of earlier sources.
 * ADD-2 Lines of an addition are numbered from the next million: line 12 of the first addition is line 1000012. Message
 *    ids contain the number of the line, so it is unique in the campaign.
 * ADD-3 A line of a file of rejected lines names the line that it corrects. That one is no rejected line any more, if it
 *    still has the same verdict; otherwise the file belongs to an earlier audience.
 */
import { sql, type Insertable, type Selectable } from 'kysely';
import {
  AppError,
  RECIPIENT_VERDICTS,
  zeroOfEach,
  type CampaignId,
  type Columns,
  type RejectedLine,
  type VerdictCounts,
} from '../../../contract/index.js';
import type { AudiencesTable } from '../../storage/schema.js';
import type { Db, Store, Tx } from '../../storage/store.js';
import { jsonText } from '../../storage/statements.js';
import type { CampaignRow } from '../campaign-row.js';
import { superseded } from './audience-rows.js';

type AudienceRow = Selectable<AudiencesTable>;

/** ADD-2 */
const LINES_FROM = 1_000_000;
/** As many rows as a removal at once. */
const COPIED_AT_ONCE = 5_000;

/** An addition, and the audience that it begins with. */
export interface BegunAddition {
  readonly no: string;
  /** Line 1 of the source is the line after it. */
  readonly afterLine: number;
  readonly lines: number;
  readonly verdicts: VerdictCounts;
  readonly columns: Columns | undefined;
  readonly rejectColumns: readonly string[];
  readonly likelyCountry: string | undefined;
  readonly firstLine: number | undefined;
}

export type CorrectedLine = Pick<RejectedLine, 'line' | 'reason'>;

/** The columns of an addition to an audience. @throws AppError CAMPAIGN_EMPTY */
export async function additionTo(tx: Tx, id: CampaignId, audienceNo: CampaignRow['audience_no']) {
  const { rows } = await sql<AudienceRow & { lastLine: number }>`
    select *, greatest(
      (select max(line) from recipients where audience_no = a.no),
      (select max(line) from recipient_rejects where audience_no = a.no), 0) as "lastLine"
    from audiences a where no = ${audienceNo}`.execute(tx);
  const [earlier] = rows;
  if (earlier === undefined) {
    throw new AppError(
      'CAMPAIGN_EMPTY',
      `Campaign ${id} has no recipients to add to: none were imported, or its instance, default country or timezones changed since. Import the whole source without --add; nothing was added.`,
    );
  }
  return {
    adds_to: earlier.no,
    after_line: Math.ceil((earlier.lastLine + 1) / LINES_FROM) * LINES_FROM,
    source_hash: earlier.source_hash,
    additions: jsonText(earlier.additions),
    lines: earlier.lines,
    verdicts: earlier.verdicts && jsonText(earlier.verdicts),
    columns: earlier.columns && jsonText(earlier.columns),
    reject_columns: earlier.reject_columns && jsonText(earlier.reject_columns),
    likely_country: earlier.likely_country,
  } satisfies Partial<Insertable<AudiencesTable>>;
}

/** ADD-1. @throws AppError IMPORT_SUPERSEDED */
export async function copyEarlier(store: Store, row: AudienceRow): Promise<BegunAddition> {
  const { no, adds_to, after_line, lines, verdicts, columns, reject_columns, likely_country } = row;
  const tables = {
    recipients: sql`line, chat_id, key, "values", timezone`,
    recipient_rejects: sql`line, reason, value, columns, chat_id, duplicate_of`,
  };
  for (const [table, copied] of Object.entries(tables)) {
    for (let line: number | null = 0; line !== null;) {
      const [part]: { read: number | null; written: number | null }[] = await store.rows(sql`
        with part as materialized (
          select ${copied} from ${sql.table(table)} where audience_no = ${adds_to}::bigint and line > ${line}::integer
          order by line limit ${COPIED_AT_ONCE}
        ), added as (
          insert into ${sql.table(table)} (audience_no, ${copied})
          select a.no, part.* from part,
            (select no from audiences where no = ${no}::bigint and not discarded for share) a
          returning line
        )
        select (select max(line) from part) as read, (select max(line) from added) as written`);
      line = part?.read ?? null;
      if (line !== (part?.written ?? null)) throw superseded();
    }
  }
  const [first] = await store.rows(sql<{ line: number | null }>`
    select min(line) as line from recipients where audience_no = ${no}::bigint`);
  return {
    no: String(no),
    afterLine: after_line,
    lines,
    verdicts: verdicts ?? zeroOfEach(RECIPIENT_VERDICTS),
    columns: columns ?? undefined,
    rejectColumns: reject_columns ?? [],
    likelyCountry: likely_country ?? undefined,
    firstLine: first?.line ?? undefined,
  };
}

/** ADD-3 */
export async function removeCorrected(
  db: Db,
  audienceNo: string,
  corrected: readonly CorrectedLine[],
): Promise<CorrectedLine['reason'][]> {
  if (corrected.length === 0) return [];
  const { rows } = await sql<{ reason: CorrectedLine['reason'] }>`
    with gone as (
      delete from recipient_rejects r
      using unnest(${corrected.map(({ line }) => line)}::integer[], ${corrected.map(({ reason }) => reason)}::text[])
        as c (line, reason)
      where r.audience_no = ${audienceNo}::bigint and r.line = c.line and r.reason = c.reason
      returning r.reason
    ), counted as (
      update audiences set lines = lines - (select count(*) from gone)::integer
      where no = ${audienceNo}::bigint and finished_at is null and not discarded
    )
    select reason from gone`.execute(db);
  return rows.map(({ reason }) => reason);
}
