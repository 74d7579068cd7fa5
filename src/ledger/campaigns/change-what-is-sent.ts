import { sql } from 'kysely';
import { AppError, RECIPIENT_TIMEZONE, type CampaignId, type ContentTemplate, present } from '../../contract/index.js';
import { requiredVariables } from '../../domain/index.js';
import { beginCommand, tookEffect, type AskedCommand } from '../commands.js';
import { endOpenTimes } from '../dispatch/open-streams.js';
import type { Store, Tx } from '../storage/store.js';
import type { UpdateCampaign } from './campaign-ledger.js';
import { existingCampaign, lockCampaign, type CampaignRow } from './campaign-row.js';
import { refuseMissingValues, type MissingValues } from './campaign-start.js';
import { changeCampaign, refusePastDeadline } from './change-campaign.js';
import { pendingRecipients, recipientsInDoubt } from './pending-recipients.js';
import { jsonText } from '../storage/statements.js';
import { stateList } from '../messages/message-state.js';

/**
 * Changes marks, text, deadline, start time, sending windows, limits or name for every recipient who is posted to from now on; of a campaign that has ended,
 * for the recipients that a retry sends to again. The text counts by its version: a claim made from an older one fails.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE (a variable of the new text has no value) | INPUT_INVALID
 *   | COMMAND_SUPERSEDED
 */
export async function changeWhatIsSent(
  store: Store,
  audiences: MissingValues,
  id: CampaignId,
  { change, nowMs, asked }: { change: UpdateCampaign; nowMs: number; asked: AskedCommand | undefined },
): Promise<void> {
  const { highWater, content, deadline, name, startAt, sendingWindows, limits } = change;
  if (asked !== undefined && (await store.run((db) => tookEffect(db, `campaign:${id}`, asked.id)))) return;
  const before = await store.run((db) => existingCampaign(db, id));
  if (content !== undefined) {
    refuseOtherKind(id, before.content, content);
    // A draft's recipients may still change: its start checks them.
    if (before.state !== 'draft' && requiredVariables(content).length > 0) {
      await refuseMissingValues(audiences, id, content);
    }
  }
  const deadlineAt = deadline === undefined ? undefined : new Date(deadline);
  if (deadlineAt !== undefined) refusePastDeadline(id, deadlineAt, nowMs);
  const startsAt = startAt === undefined ? undefined : new Date(startAt);
  await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    const isSameText = content === undefined || JSON.stringify(row.content) === JSON.stringify(content);
    const isSameRest =
      (highWater === undefined || highWater === row.high_water) &&
      (deadlineAt === undefined || deadlineAt.getTime() === row.deadline_at?.getTime()) &&
      (name === undefined || name === row.name) &&
      (startsAt === undefined || startsAt.getTime() === row.start_at?.getTime());
    const isSameTimes =
      (sendingWindows === undefined || JSON.stringify(sendingWindows) === JSON.stringify(row.sending_windows)) &&
      (limits === undefined || JSON.stringify(limits) === JSON.stringify(row.limits));
    const isAlreadySo = isSameText && isSameRest && isSameTimes;
    const { isNew } = await beginCommand(tx, row, 'update', asked, { isAlreadySo, nowMs });
    if (!isNew || isAlreadySo) return;
    if (startsAt !== undefined) refuseStart(row, startsAt, deadlineAt ?? row.deadline_at, nowMs);
    if (sendingWindows?.timezone === RECIPIENT_TIMEZONE) refuseUnknownTimezones(row);
    await changeCampaign(tx, id, {
      ...present({ high_water: highWater, name }),
      ...(startsAt === undefined ? {} : { start_at: startsAt, start_missed_at: null }),
      ...(sendingWindows === undefined ? {} : { sending_windows: sendingWindows && jsonText(sendingWindows) }),
      ...(limits === undefined ? {} : { limits: limits && jsonText(limits) }),
      ...(isSameText ? {} : { content: jsonText(content), content_version: row.content_version + 1 }),
    });
    if (!isSameTimes) await endOpenTimes(tx, sql`s.campaign_id = ${id}`);
    if (deadlineAt !== undefined) await moveDeadline(tx, row, deadlineAt);
  });
}

function refuseStart(row: CampaignRow, startAt: Date, deadline: Date | null, nowMs: number): void {
  const problem = startProblem(row, startAt, deadline, nowMs);
  if (problem === undefined) return;
  throw new AppError('INPUT_INVALID', `The start time of campaign ${row.id} is refused: it ${problem}.`, {
    problems: [{ path: 'startAt', message: problem }],
  });
}

function startProblem(row: CampaignRow, startAt: Date, deadline: Date | null, nowMs: number): string | undefined {
  const mayStillBegin = row.state === 'draft' || row.state === 'scheduled' || row.state === 'paused';
  if (!mayStillBegin || row.started_at !== null) return 'comes too late: the campaign has begun or ended';
  if (startAt.getTime() <= nowMs) return 'has passed';
  return deadline !== null && deadline <= startAt ? 'is not before the deadline' : undefined;
}

/** The timezones of recipients are read by their import. */
function refuseUnknownTimezones({ id, state, by_timezone, definition }: CampaignRow): void {
  const isRead = state === 'draft' && definition.sendingWindows?.timezone === RECIPIENT_TIMEZONE;
  if (by_timezone || isRead) return;
  const message = `cannot become ${RECIPIENT_TIMEZONE}: the recipients were imported without their timezones`;
  throw new AppError('INPUT_INVALID', `The sending windows of campaign ${id} are refused: their timezone ${message}.`, {
    problems: [{ path: 'sendingWindows.timezone', message }],
  });
}

function refuseOtherKind(id: CampaignId, before: ContentTemplate, after: ContentTemplate): void {
  if (after.kind === before.kind) return;
  const message = `has to stay ${before.kind}`;
  throw new AppError('INPUT_INVALID', `The content of campaign ${id} is refused: its kind ${message}.`, {
    problems: [{ path: 'content.kind', message }],
  });
}

/**
 * Changes the deadline of the campaign, and of messages that may still be posted. The campaign's lock is held. A sweep corrects
 * the due rows; the claim reads the message's own row.
 */
export async function moveDeadline(tx: Tx, row: CampaignRow, deadline: Date): Promise<void> {
  await changeCampaign(tx, row.id, { deadline_at: deadline });
  await sql`
    update messages m set expires_at = ${deadline}, version = m.version + 1
    where (m.id in ${pendingRecipients(row, row.audience)} or m.id in ${recipientsInDoubt(row)})
      and m.state in ${stateList('pending', 'in_flight', 'unresolved')}`.execute(tx);
}
