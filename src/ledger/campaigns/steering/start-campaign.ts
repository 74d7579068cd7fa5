/** CAMPAIGN-1 and CAMPAIGN-9: how a campaign begins. */
import { sql, type Selectable, type Updateable } from 'kysely';
import {
  AppError,
  CAMPAIGN_DEADLINE_MS,
  DEFAULT_GRACE_TIME,
  DEFAULT_MISSED_START,
  MOST_REJECTED,
  RECIPIENT_TIMEZONE,
  isCountedAsRejected,
  isMuchRejected,
  parseDurationMs,
  rejectedOf,
  remediesFor,
  type CampaignId,
} from '../../../contract/index.js';
import { inputInvalid } from '../../../domain/index.js';
import type { AudiencesTable, CampaignsTable } from '../../schema.js';
import type { Store, Tx } from '../../storage/store.js';
import { cancelCampaign } from './end-campaign.js';
import {
  existingCampaign,
  lockCampaign,
  type CampaignRow,
  changeCampaign,
  refusePastDeadline,
} from '../campaign-row.js';
import { readyAudience } from '../audiences/audience-rows.js';
import { refuseMissingValues } from '../audiences/variables.js';

export interface StartOptions {
  /** A start time that has passed by more than the grace time is not refused: {@link beginScheduled} decides. */
  readonly mayBeMissed?: boolean;
  /** Starts although many lines of the recipients were rejected, as if the definition accepted it. */
  readonly acceptRejected?: boolean;
}

/** The checks read the whole audience, so they run before the lock, and are valid only for the draft that they read. */
export async function startCampaign(
  store: Store,
  id: CampaignId,
  namespace: string,
  nowMs: number,
  { mayBeMissed = false, acceptRejected = false }: StartOptions,
): Promise<void> {
  // Repeated if the draft changed between the checks and the lock.
  for (;;) {
    const draft = await store.run((db) => existingCampaign(db, id));
    if (draft.state !== 'draft') return;
    if (draft.plan_until !== null) {
      throw new AppError(
        'INPUT_INVALID',
        `Campaign ${id} is only for a plan, and cannot be started. Start it from its file: everpost campaign start FILE`,
      );
    }
    const audience = await store.run((db) => readyAudience(db, draft));
    if (!acceptRejected && draft.definition.acceptRejected !== true) await refuseRejectedLines(store, draft);
    await refuseMissingValues(store, id, draft.content);
    if (!mayBeMissed && isMissed(draft.start_at, draft.definition, nowMs)) {
      const message = `has passed by more than the campaign's grace time. Set a new one: everpost campaign update ${id} --start-at TIME`;
      throw inputInvalid(`The start of campaign ${id}`, [{ path: 'startAt', message }]);
    }
    refusePastDeadline(id, draft.deadline_at, Math.max(nowMs, draft.start_at?.getTime() ?? 0));
    const isDone = await store.transaction(async (tx) => {
      const row = await lockCampaign(tx, id);
      if (row.state !== 'draft') return true;
      if (!isSameDraft(row, draft)) return false;
      const isDue = row.start_at === null || row.start_at.getTime() <= nowMs;
      await changeCampaign(tx, id, {
        ...(isDue && !isMissed(row.start_at, row.definition, nowMs) ? begun(row, nowMs) : { state: 'scheduled' }),
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

/** @throws AppError CAMPAIGN_REJECTED_LINES with the count and remedy of each verdict */
async function refuseRejectedLines(store: Store, { id, audience_no }: CampaignRow): Promise<void> {
  const [imported] = await store.rows(sql<Selectable<AudiencesTable>>`
    select * from audiences where no = ${audience_no}`);
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

/** Applies the definition once its start time has come. A repeated call after an interruption continues. */
export async function beginScheduled(store: Store, id: CampaignId, nowMs: number): Promise<void> {
  const isSkipped = await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    if (row.state !== 'scheduled' || row.start_at === null || row.start_at.getTime() > nowMs) return false;
    const { missedStart = DEFAULT_MISSED_START } = row.definition;
    const now = new Date(nowMs);
    const missed = isMissed(row.start_at, row.definition, nowMs) ? { start_missed_at: row.start_missed_at ?? now } : {};
    if (missed.start_missed_at === undefined || missedStart === 'run') {
      await changeCampaign(tx, id, { ...begun(row, nowMs), ...missed });
      return false;
    }
    const held = missedStart === 'hold' ? ({ state: 'paused', paused_at: now } as const) : {};
    await changeCampaign(tx, id, { ...missed, ...held });
    return missedStart === 'skip';
  });
  if (isSkipped) await cancelCampaign(store, id, 'missed start', nowMs);
}

/** True for a start that is later than its grace time. */
export function isMissed(
  startAt: Date | null,
  { graceTime = DEFAULT_GRACE_TIME }: { readonly graceTime?: string },
  nowMs: number,
): boolean {
  return startAt !== null && startAt.getTime() + parseDurationMs(graceTime) < nowMs;
}

/** The changes of the row when a campaign begins to run. */
export function begun(row: Pick<CampaignRow, 'deadline_at'>, nowMs: number) {
  return {
    state: 'running',
    started_at: new Date(nowMs),
    deadline_at: row.deadline_at ?? new Date(nowMs + CAMPAIGN_DEADLINE_MS),
  } as const satisfies Updateable<CampaignsTable>;
}

/**
 * The changes of the row when an operator resumes the campaign: one that has not begun begins now, unless its start
 * time is in the future.
 */
export function resumed(row: CampaignRow, nowMs: number): Updateable<CampaignsTable> {
  if (row.started_at !== null) return { state: 'running' };
  return row.start_at !== null && row.start_at.getTime() > nowMs ? { state: 'scheduled' } : begun(row, nowMs);
}

/** For a campaign in the timezones of its recipients. */
async function nameTimezones(tx: Tx, id: CampaignId): Promise<void> {
  await sql`
    insert into campaign_timezones (campaign_id, timezone)
    select distinct c.id, r.timezone from campaigns c join recipients r on r.audience_no = c.audience_no
    where c.id = ${id} and c.by_timezone and r.timezone is not null`.execute(tx);
}

function isSameDraft(one: CampaignRow, other: CampaignRow): boolean {
  return one.version === other.version && String(one.audience_no) === String(other.audience_no);
}
