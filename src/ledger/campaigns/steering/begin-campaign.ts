/** CAMPAIGN-1 and CAMPAIGN-9: how a campaign begins, by whichever command. */
import { sql, type Selectable, type Updateable } from 'kysely';
import {
  AppError,
  CAMPAIGN_DEADLINE_MS,
  MOST_REJECTED,
  RECIPIENT_TIMEZONE,
  isCountedAsRejected,
  isMuchRejected,
  present,
  rejectedOf,
  remediesFor,
  TemplateStatus,
  type Problem,
} from '../../../contract/index.js';
import { beginning, contentsOf, inputInvalid, variablesOf, type BegunBy } from '../../../domain/index.js';
import { beginCommand } from '../../storage/commands.js';
import type { AudiencesTable, CampaignsTable } from '../../storage/schema.js';
import type { Db, Tx } from '../../storage/store.js';
import { stopCampaign } from './end-campaign.js';
import { accountRows, listed, takeIn } from '../campaign-accounts.js';
import { type CampaignRow, changeCampaign, existingCampaign } from '../campaign-row.js';
import { readyAudience } from '../audiences/audience-rows.js';
import { refuseMissingValues } from '../audiences/variables.js';

export interface BeginOptions {
  readonly by: BegunBy;
  /** Temporal's namespace of its run; a campaign that was started keeps its own. */
  readonly namespace?: string | undefined;
  /** Starts although many lines of the recipients were rejected, as if the definition accepted it. */
  readonly acceptRejected?: boolean | undefined;
  /** The requester of a start. */
  readonly requestedBy?: string | undefined;
  readonly nowMs: number;
}

/**
 * Lets a campaign run whose row is locked: a start, its start time, a resume, a retry. One that has begun continues. The
 * first time, it freezes the audience and checks it.
 * @param change  further columns of the same change
 * @throws AppError CAMPAIGN_EMPTY | CAMPAIGN_INCOMPLETE | CAMPAIGN_REJECTED_LINES | INPUT_INVALID (its start time or its
 *   deadline)
 */
export async function beginCampaign(
  tx: Tx,
  row: CampaignRow,
  options: BeginOptions,
  change: Updateable<CampaignsTable> = {},
): Promise<void> {
  const { id, state, start_at, deadline_at, definition } = row;
  const { by, nowMs } = options;
  // A campaign whose accounts have all been stopped begins again with all of them.
  if ((await accountRows(tx, id)).every(({ out_at }) => out_at !== null)) {
    await takeIn(tx, id, { why: ['too_many_failures', 'cannot_send', 'not_configured'], nowMs });
  }
  if (row.started_at !== null) return changeCampaign(tx, id, { ...change, state: 'running' });
  const now = new Date(nowMs);
  const begins = beginning({ ...definition, startAt: start_at, deadlineAt: deadline_at }, by, nowMs);
  if ('path' in begins) {
    const option = begins.path === 'startAt' ? '--start-at' : '--deadline';
    const message = `${begins.message}. Set a new one: everpost campaign update ${id} ${option} TIME`;
    throw inputInvalid(`Campaign ${id}`, [{ path: begins.path, message }]);
  }
  const { to, isMissed } = begins;
  // Once started, its audience was checked and is frozen. A draft that was cancelled has no namespace.
  const wasStarted = row.namespace !== null || state === 'scheduled' || state === 'paused';
  const columns = {
    ...change,
    ...(wasStarted ? {} : await freeze(tx, row, options)),
    ...(isMissed ? { start_missed_at: row.start_missed_at ?? now } : {}),
    ...(to === 'paused' ? { paused_at: now } : {}),
    ...(to === 'running'
      ? { started_at: now, deadline_at: deadline_at ?? new Date(nowMs + CAMPAIGN_DEADLINE_MS) }
      : {}),
  };
  await changeCampaign(tx, id, { ...columns, ...(to === 'cancelling' ? {} : { state: to }) });
  if (to === 'paused' || to === 'cancelling') {
    const asked = { id: `missed-start:${row.version}`, requestedBy: 'everpost', what: 'missed start' };
    await beginCommand(tx, row, to === 'paused' ? 'pause' : 'cancel', asked, { isAlreadySo: false, nowMs });
  }
  if (to === 'cancelling') await stopCampaign(tx, await existingCampaign(tx, id), 'missed start', now);
}

async function freeze(tx: Tx, row: CampaignRow, { acceptRejected, namespace }: BeginOptions) {
  const { id, definition, audience_no, sending_windows, plan_until } = row;
  if (plan_until !== null) {
    throw new AppError(
      'INPUT_INVALID',
      `Campaign ${id} is only for a plan, and cannot be started. Start it from its file: everpost campaign start FILE`,
    );
  }
  const audience = await readyAudience(tx, row);
  if (acceptRejected !== true && definition.acceptRejected !== true) await refuseRejectedLines(tx, row);
  await refuseMissingValues(tx, row, contentsOf(row));
  await refuseMissingTemplates(tx, row);
  const by_timezone = sending_windows?.timezone === RECIPIENT_TIMEZONE;
  if (by_timezone) {
    await sql`
      insert into campaign_timezones (campaign_id, timezone, recipients)
      select ${id}, r.timezone, count(*) from recipients r
      where r.audience_no = ${audience_no} and r.timezone is not null group by r.timezone
      on conflict do nothing`.execute(tx);
  }
  return { audience, by_timezone, ...present({ namespace }) };
}

/** @throws AppError CAMPAIGN_REJECTED_LINES with the count and remedy of each verdict */
async function refuseRejectedLines(db: Db, { id, audience_no }: CampaignRow): Promise<void> {
  const { rows } = await sql<Selectable<AudiencesTable>>`select * from audiences where no = ${audience_no}`.execute(db);
  const [imported] = rows;
  const verdicts = imported?.verdicts;
  if (!verdicts || !isMuchRejected(verdicts)) return;
  const { rejected, lines } = rejectedOf(verdicts);
  throw new AppError(
    'CAMPAIGN_REJECTED_LINES',
    `Campaign ${id} was not started: ${rejected} of ${lines} lines of its recipients were rejected, more than ${MOST_REJECTED * 100} %. Correct them and import them with --add, or start without them: everpost campaign start ${id} --accept-rejected`,
    {
      problems: remediesFor(verdicts, imported.likely_country ?? undefined)
        .filter(({ verdict }) => isCountedAsRejected(verdict))
        .map(({ verdict, lines: count, remedy }) => ({
          path: `recipients.${verdict}`,
          message: `${count} ${count === 1 ? 'line' : 'lines'}: ${remedy}`,
        })),
    },
  );
}

/**
 * Every account of a pool needs the approved template of a campaign, in one language: a recipient may get any of them. A
 * campaign with one account waits for its template.
 * @throws AppError INPUT_INVALID, naming the accounts
 */
async function refuseMissingTemplates(db: Db, row: CampaignRow): Promise<void> {
  const instances = listed(await accountRows(db, row.id));
  if (instances.length === 1) return;
  const problems: Problem[] = [];
  for (const { content } of contentsOf(row)) {
    const { kind, elementName } = content;
    if (kind !== 'template' || typeof elementName !== 'string' || variablesOf({ elementName }).length > 0) continue;
    const { rows } = await sql<{ instance: string; status: string | null; language: string }>`
      select instance, status, definition ->> 'languageCode' as language from templates
      where element_name = ${elementName} and instance = any(${instances}::text[])`.execute(db);
    const inOrder = instances.map((instance) => rows.find((one) => one.instance === instance));
    const language = inOrder.find((own) => own?.status === TemplateStatus.APPROVED)?.language;
    for (const [at, own] of inOrder.entries()) {
      const isApproved = own?.status === TemplateStatus.APPROVED;
      if (isApproved && own.language === language) continue;
      const is = isApproved ? `in ${own.language}` : (own?.status ?? 'not reviewed');
      const lacks = own === undefined ? 'was not submitted' : `is ${is}`;
      const wanted = language === undefined ? '' : ` in ${language}`;
      const message = `is ${instances[at]}, which has no approved template ${elementName}${wanted}: there it ${lacks}. Submit it: everpost template submit FILE; or take the account from the list`;
      problems.push({ path: `instances[${at}]`, message });
    }
  }
  if (problems.length > 0) throw inputInvalid(`Campaign ${row.id}`, problems);
}
