import { sql } from 'kysely';
import { type ContentTemplate, type Problem, TemplateStatus } from '../../../contract/index.js';
import { contentsOf, inputInvalid, variablesOf } from '../../../domain/index.js';
import type { Db } from '../../storage/store.js';
import { accountRows, listed } from '../campaign-accounts.js';
import type { CampaignRow } from '../campaign-row.js';

interface Found {
  readonly instance: string;
  readonly status: string | null;
  readonly language: string;
}

/**
 * Every account of a pool needs the approved template of a campaign, in one language: a recipient may get any of them. A
 * campaign with one account waits for its template.
 * @throws AppError INPUT_INVALID, naming the accounts
 */
export async function refuseMissingTemplates(db: Db, row: CampaignRow): Promise<void> {
  const instances = listed(await accountRows(db, row.id));
  if (instances.length === 1) return;
  const problems: Problem[] = [];
  for (const { content } of contentsOf(row)) problems.push(...(await templateProblems(db, instances, content)));
  if (problems.length > 0) throw inputInvalid(`Campaign ${row.id}`, problems);
}

async function templateProblems(
  db: Db,
  instances: readonly string[],
  { kind, elementName }: ContentTemplate,
): Promise<Problem[]> {
  if (kind !== 'template' || typeof elementName !== 'string' || variablesOf({ elementName }).length > 0) return [];
  const { rows } = await sql<Found>`
    select instance, status, definition ->> 'languageCode' as language from templates
    where element_name = ${elementName} and instance = any(${instances}::text[])`.execute(db);
  const isApproved = ({ status }: Found) => status === TemplateStatus.APPROVED;
  const found = new Map(rows.map((row) => [row.instance, row]));
  const first = instances.map((instance) => found.get(instance)).find((one) => one !== undefined && isApproved(one));
  return instances.flatMap((instance, at): Problem[] => {
    const own = found.get(instance);
    if (own !== undefined && isApproved(own) && own.language === first?.language) return [];
    const lacks =
      own === undefined
        ? 'was not submitted'
        : isApproved(own)
          ? `is in ${own.language}`
          : `is ${own.status ?? 'not reviewed'}`;
    const wanted = first === undefined ? '' : ` in ${first.language}`;
    const message = `is ${instance}, which has no approved template ${elementName}${wanted}: there it ${lacks}. Submit it: everpost template submit FILE; or take the account from the list`;
    return [{ path: `instances[${at}]`, message }];
  });
}
