/** Checks an audience before its campaign starts. */
import {
  AppError,
  type CampaignId,
  type ColumnFacts,
  type ContentTemplate,
  type Problem,
} from '../../../contract/index.js';
import { requiredVariables } from '../../../domain/index.js';
import type { Db, Store } from '../../storage/store.js';
import type { MissingValue } from '../campaign-ledger.js';
import { existingCampaign, type CampaignRow } from '../campaign-row.js';

/** @returns the number of recipients. @throws AppError CAMPAIGN_INCOMPLETE | CAMPAIGN_EMPTY */
export async function readyAudience(db: Db, row: CampaignRow): Promise<number> {
  const unfinished = await db
    .selectFrom('audiences')
    .select('no')
    .where('campaign_id', '=', row.id)
    .where('finished_at', 'is', null)
    .where('discarded', '=', false)
    .executeTakeFirst();
  if (unfinished !== undefined) {
    throw new AppError(
      'CAMPAIGN_INCOMPLETE',
      `The import for campaign ${row.id} has not ended, or was interrupted. Wait for it, or import the recipients again: everpost campaign import FILE`,
      { problems: [{ path: 'recipients', message: 'are not completely imported' }] },
    );
  }
  const recipients = await countAudience(db, row);
  if (recipients > 0) return recipients;
  throw new AppError(
    'CAMPAIGN_EMPTY',
    `Campaign ${row.id} has no recipients. Import them: everpost campaign import FILE`,
  );
}

export async function countAudience(db: Db, { audience_no }: CampaignRow): Promise<number> {
  if (audience_no === null) return 0;
  const { recipients } = await db
    .selectFrom('recipients')
    .select((is) => is.fn.countAll<string>().as('recipients'))
    .where('audience_no', '=', audience_no)
    .executeTakeFirstOrThrow();
  return Number(recipients);
}

/**
 * @throws AppError CAMPAIGN_INCOMPLETE when a recipient has no value for a variable without a fallback, with all such
 *   variables
 */
export async function refuseMissingValues(store: Store, id: CampaignId, content: ContentTemplate): Promise<void> {
  const variables = requiredVariables(content);
  const missing = variables.length === 0 ? [] : await store.run((db) => missingValues(db, id, variables));
  if (missing.length === 0) return;
  const problems: Problem[] = missing.map(({ variable, recipients, firstLine }) => ({
    path: `content {{${variable}}}`,
    message: `has no value for ${recipients} of the recipients, the first on line ${firstLine}, and no fallback`,
  }));
  throw new AppError(
    'CAMPAIGN_INCOMPLETE',
    `Campaign ${id} has no values for variables of its text. Add them, or give a fallback: {{name|fallback}}`,
    { problems },
  );
}

/** The given variables that have no value for some recipient. @throws AppError CAMPAIGN_NOT_FOUND */
export async function missingValues(db: Db, id: CampaignId, variables: readonly string[]): Promise<MissingValue[]> {
  const { audience, audience_no } = await existingCampaign(db, id);
  if (audience_no === null || audience === 0) return [];
  const imported = await db.selectFrom('audiences').select('columns').where('no', '=', audience_no).executeTakeFirst();
  if (imported === undefined) return [];
  const { line } = await db
    .selectFrom('recipients')
    .select(({ fn }) => fn.min<number>('line').as('line'))
    .where('audience_no', '=', audience_no)
    .executeTakeFirstOrThrow();
  const known = new Map(Object.entries(imported.columns as Readonly<Record<string, ColumnFacts>>));
  return variables.flatMap((variable) => {
    // A variable without a column is missing from the first line on.
    const { recipients, firstMissingLine = line } = known.get(variable) ?? { recipients: 0 };
    return recipients === audience
      ? []
      : [{ variable, recipients: audience - recipients, firstLine: firstMissingLine }];
  });
}
