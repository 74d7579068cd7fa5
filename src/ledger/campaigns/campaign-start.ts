import { sql } from 'kysely';
import {
  AppError,
  RECIPIENT_TIMEZONE,
  type CampaignId,
  type ContentTemplate,
  type Problem,
} from '../../contract/index.js';
import { requiredVariables } from '../../domain/index.js';
import type { Db, Store, Tx } from '../storage/store.js';
import type { Audiences } from './audiences.js';
import { existingCampaign, lockCampaign, type CampaignRow } from './campaign-row.js';
import { changeCampaign, refusePastDeadline } from './change-campaign.js';
import { begun, isMissed, mayBegin } from './scheduled-start.js';

export type MissingValues = Pick<Audiences, 'missingValues'>;

/**
 * CAMPAIGN-1. The checks go through the whole audience, so they come before the lock, and hold for what they were made
 * of.
 */
export async function startCampaign(
  store: Store,
  audiences: MissingValues,
  {
    id,
    namespace,
    nowMs,
    mayBeMissed = false,
  }: {
    readonly id: CampaignId;
    readonly namespace: string;
    readonly nowMs: number;
    /** A start time that has passed by more than the grace time is no refusal: {@link beginScheduled} decides. */
    readonly mayBeMissed?: boolean;
  },
): Promise<void> {
  // Again, when the draft was changed between the checks and the lock.
  for (;;) {
    const draft = await store.run((db) => existingCampaign(db, id));
    if (draft.state !== 'draft') return;
    if (draft.plan_until !== null) throw onlyForPlan(id);
    const audience = await store.run((db) => readyAudience(db, draft));
    await refuseMissingValues(audiences, id, draft.content);
    if (!mayBeMissed && isMissed(draft, nowMs)) throw startPassed(id);
    refusePastDeadline(id, draft.deadline_at, Math.max(nowMs, draft.start_at?.getTime() ?? 0));
    const isDone = await store.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      if (row.state !== 'draft') return true;
      if (!isSameDraft(row, draft)) return false;
      await changeCampaign(tx, id, {
        ...(mayBegin(row, nowMs) ? begun(row, nowMs) : { state: 'scheduled' }),
        audience,
        namespace,
        by_timezone: row.sending_windows?.timezone === RECIPIENT_TIMEZONE,
      });
      await nameTimezones(tx, id);
      return true;
    });
    if (isDone) return;
  }
}

function startPassed(id: CampaignId): AppError {
  return new AppError(
    'INPUT_INVALID',
    `The start time of campaign ${id} has passed by more than its grace time. Give it another: everpost campaign update ${id} --start-at TIME`,
    { problems: [{ path: 'startAt', message: 'has passed' }] },
  );
}

/** For a campaign in the timezones of its recipients. */
async function nameTimezones(tx: Tx, id: CampaignId): Promise<void> {
  await sql`
    insert into campaign_timezones (campaign_id, timezone)
    select distinct c.id, r.timezone from campaigns c join recipients r on r.audience_no = c.audience_no
    where c.id = ${id} and c.by_timezone and r.timezone is not null`.execute(tx);
}

function onlyForPlan(id: CampaignId): AppError {
  return new AppError(
    'INPUT_INVALID',
    `Campaign ${id} was only made for a plan, and cannot be started. Start it by its file: everpost campaign start FILE`,
  );
}

function isSameDraft(one: CampaignRow, other: CampaignRow): boolean {
  return one.version === other.version && String(one.audience_no) === String(other.audience_no);
}

/** @returns how many recipients it has. @throws AppError CAMPAIGN_INCOMPLETE | CAMPAIGN_EMPTY */
async function readyAudience(db: Db, row: CampaignRow): Promise<number> {
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
      `An import for campaign ${row.id} has not ended, or was cut off. Wait for it, or import the recipients again.`,
      { problems: [{ path: 'recipients', message: 'are not imported to the end' }] },
    );
  }
  const recipients = await countAudience(db, row);
  if (recipients > 0) return recipients;
  throw new AppError(
    'CAMPAIGN_EMPTY',
    `Campaign ${row.id} has no recipients. Import them first: everpost campaign import`,
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
export async function refuseMissingValues(
  audiences: MissingValues,
  id: CampaignId,
  content: ContentTemplate,
): Promise<void> {
  const missing = await audiences.missingValues(id, requiredVariables(content));
  if (missing.length === 0) return;
  const problems: Problem[] = missing.map(({ variable, recipients, firstLine }) => ({
    path: `content {{${variable}}}`,
    message: `has no value for ${recipients} of the recipients, the first on line ${firstLine}, and no fallback`,
  }));
  throw new AppError(
    'CAMPAIGN_INCOMPLETE',
    `Campaign ${id} lacks values for its text. Add them, or give a fallback: {{name|instead}}`,
    { problems },
  );
}
