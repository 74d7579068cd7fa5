/** Whether an audience has what the variables of its campaign's content need. */
import { sql } from 'kysely';
import { AppError, type CampaignId, type Columns, type Problem } from '../../../contract/index.js';
import { foldedName, type PlacedContent, requiredVariables, variablesOf } from '../../../domain/index.js';
import type { Db } from '../../storage/store.js';
import { existingCampaign, type CampaignRow } from '../campaign-row.js';

/** @throws AppError CAMPAIGN_INCOMPLETE with every variable that {@link variableProblems} or {@link missingValues} names */
export async function refuseMissingValues(db: Db, row: CampaignRow, contents: readonly PlacedContent[]): Promise<void> {
  const { id } = row;
  await refuseUnknownVariables(db, row, contents);
  const problems: Problem[] = [];
  for (const { path, content } of contents) {
    for (const { variable, recipients, firstLine } of await missingValues(db, id, requiredVariables(content))) {
      const message = `has no value for ${recipients} of the recipients, the first on line ${firstLine}, and no fallback`;
      problems.push({ path: pathOf(path, variable), message });
    }
  }
  if (problems.length === 0) return;
  throw new AppError(
    'CAMPAIGN_INCOMPLETE',
    `Campaign ${id} has no values for variables of its text. Add them, or give a fallback: {{name|fallback}}`,
    { problems },
  );
}

/** @throws AppError CAMPAIGN_INCOMPLETE */
export async function refuseUnknownVariables(
  db: Db,
  row: CampaignRow,
  contents: readonly PlacedContent[],
): Promise<void> {
  refuseProblems(row.id, variableProblems(await columnsOf(db, row), contents));
}

/** @throws AppError CAMPAIGN_INCOMPLETE */
export function refuseProblems(id: CampaignId, problems: readonly Problem[]): void {
  if (problems.length === 0) return;
  throw new AppError(
    'CAMPAIGN_INCOMPLETE',
    `Campaign ${id} has variables that are no column of its recipients. Correct the names in the text or in the file; nothing was changed.`,
    { problems },
  );
}

/**
 * Variables that are no column, although they may have a fallback: a misspelled one would send its fallback to every
 * recipient.
 * @param columns  undefined for an audience without columns: no import yet, or a group
 */
export function variableProblems(columns: Columns | undefined, contents: readonly PlacedContent[]): Problem[] {
  if (columns === undefined) return [];
  const known = new Map(Object.entries(columns));
  const names = Array.from(known.values(), ({ name }) => name).join(', ');
  const listed = names === '' ? 'It has only the column with the number' : `Its columns are: ${names}`;
  return contents.flatMap(({ path, content }) =>
    variablesOf(content)
      .filter((variable) => !known.has(foldedName(variable)))
      .map((variable) => ({
        path: pathOf(path, variable),
        message: `is no column of the recipients' file. ${listed}`,
      })),
  );
}

function pathOf(path: string, variable: string): string {
  return `${path} {{${variable}}}`;
}

export async function columnsOf(db: Db, { audience_no }: CampaignRow): Promise<Columns | undefined> {
  const { rows } = await sql<{ columns: Columns | null }>`
    select columns from audiences where no = ${audience_no}`.execute(db);
  return rows[0]?.columns ?? undefined;
}

export interface MissingValue {
  readonly variable: string;
  /** How many recipients have no value. */
  readonly recipients: number;
  readonly firstLine: number;
}

/** The given variables that have no value for some recipient. @throws AppError CAMPAIGN_NOT_FOUND */
export async function missingValues(db: Db, id: CampaignId, variables: readonly string[]): Promise<MissingValue[]> {
  const row = await existingCampaign(db, id);
  const { audience, audience_no } = row;
  if (audience === 0 || variables.length === 0) return [];
  const known = new Map(Object.entries((await columnsOf(db, row)) ?? {}));
  const { rows } = await sql<{ line: number }>`
    select min(line) as line from recipients where audience_no = ${audience_no}`.execute(db);
  const line = rows[0]?.line ?? 0;
  return variables.flatMap((variable) => {
    // A variable without a column is missing from the first line on.
    const { recipients, firstMissingLine = line } = known.get(foldedName(variable)) ?? { recipients: 0 };
    return recipients === audience
      ? []
      : [{ variable, recipients: audience - recipients, firstLine: firstMissingLine }];
  });
}
