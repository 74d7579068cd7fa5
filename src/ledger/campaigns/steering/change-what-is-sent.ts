import { sql } from 'kysely';
import {
  RECIPIENT_TIMEZONE,
  present,
  type AppError,
  type CampaignDefinition,
  type CampaignId,
  type UpdateCampaign,
} from '../../../contract/index.js';
import { inputInvalid, withTyping } from '../../../domain/index.js';
import { beginCommand, tookEffect, type AskedCommand } from '../../commands.js';
import { endOpenTimes } from '../../streams/open-streams.js';
import type { Store, Tx } from '../../storage/store.js';
import {
  existingCampaign,
  lockCampaign,
  type CampaignRow,
  changeCampaign,
  refusePastDeadline,
} from '../campaign-row.js';
import { refuseMissingValues, refuseUnknownVariables } from '../audiences/variables.js';
import { pendingRecipients, undecidedRecipients } from './end-campaign.js';
import { jsonText } from '../../storage/statements.js';
import { moveMessages } from '../../messages/writer/move-messages.js';

/**
 * Changes the content of all messages that are not posted yet; for an ended campaign, of a retry's messages. A claim
 * with an older version of the content fails.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_INCOMPLETE (a variable of the new text has no value) | INPUT_INVALID
 *   | COMMAND_SUPERSEDED
 */
export async function changeWhatIsSent(
  store: Store,
  id: CampaignId,
  change: UpdateCampaign,
  nowMs: number,
  asked?: AskedCommand,
): Promise<void> {
  if (asked !== undefined && (await store.run((db) => tookEffect(db, `campaign:${id}`, asked.id)))) return;
  const before = await store.run((db) => existingCampaign(db, id));
  const wanted = columnsOf(change, before.definition);
  if (wanted.content !== undefined) {
    const { kind } = before.content;
    if (wanted.content.kind !== kind) throw refused(id, 'content.kind', `must be ${kind}, as before`);
    // A draft's recipients may still get values; its start checks them.
    const { content } = wanted;
    if (before.state === 'draft') await store.run((db) => refuseUnknownVariables(db, before, content));
    else await refuseMissingValues(store, id, content);
  }
  if (wanted.deadline_at !== undefined) refusePastDeadline(id, wanted.deadline_at, nowMs);
  await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    const isOther = (column: keyof typeof wanted) =>
      wanted[column] !== undefined && JSON.stringify(wanted[column]) !== JSON.stringify(row[column]);
    const isAlreadySo = !(Object.keys(wanted) as (keyof typeof wanted)[]).some(isOther);
    const { isNew } = await beginCommand(tx, row, 'update', asked, { isAlreadySo, nowMs });
    if (!isNew || isAlreadySo) return;
    const { content, deadline_at, sending_windows, limits, start_at, ...rest } = wanted;
    const problem = start_at && startProblem(row, start_at, deadline_at ?? row.deadline_at, nowMs);
    if (problem !== undefined) throw refused(id, 'startAt', problem);
    if (sending_windows?.timezone === RECIPIENT_TIMEZONE && !knowsTimezones(row)) {
      const message = `cannot be ${RECIPIENT_TIMEZONE}: the recipients were imported without timezones`;
      throw refused(id, 'sendingWindows.timezone', message);
    }
    await changeCampaign(tx, id, {
      ...present(rest),
      ...(start_at === undefined ? {} : { start_at, start_missed_at: null }),
      ...(sending_windows === undefined ? {} : { sending_windows: sending_windows && jsonText(sending_windows) }),
      ...(limits === undefined ? {} : { limits: limits && jsonText(limits) }),
      ...(isOther('content') ? { content: jsonText(content), content_version: row.content_version + 1 } : {}),
    });
    if (isOther('sending_windows') || isOther('limits')) await endOpenTimes(tx, sql`s.campaign_id = ${id}`);
    if (deadline_at !== undefined) await moveDeadline(tx, row, deadline_at, nowMs);
  });
}

function columnsOf(change: UpdateCampaign, { typing }: CampaignDefinition) {
  const { highWater, content, deadline, name, startAt, sendingWindows, limits } = change;
  return {
    high_water: highWater,
    name,
    content: content && withTyping(content, typing),
    deadline_at: deadline === undefined ? undefined : new Date(deadline),
    start_at: startAt === undefined ? undefined : new Date(startAt),
    sending_windows: sendingWindows,
    limits,
  };
}

function refused(id: CampaignId, path: string, message: string): AppError {
  return inputInvalid(`The change of campaign ${id}`, [{ path, message }]);
}

function startProblem(row: CampaignRow, startAt: Date, deadline: Date | null, nowMs: number): string | undefined {
  const mayStillBegin = row.state === 'draft' || row.state === 'scheduled' || row.state === 'paused';
  if (!mayStillBegin || row.started_at !== null) return 'cannot change: the campaign has begun or ended';
  if (startAt.getTime() <= nowMs) return 'has passed';
  return deadline !== null && deadline <= startAt ? 'is not before the deadline' : undefined;
}

/** An import reads timezones only for a campaign that uses them. */
function knowsTimezones({ state, by_timezone, definition }: CampaignRow): boolean {
  return by_timezone || (state === 'draft' && definition.sendingWindows?.timezone === RECIPIENT_TIMEZONE);
}

/**
 * Changes the deadline of the campaign and of messages that may still be posted. The campaign's lock is held. A sweep
 * corrects the due rows; the claim reads the message's own row.
 */
export async function moveDeadline(tx: Tx, row: CampaignRow, deadline: Date, nowMs: number): Promise<void> {
  await changeCampaign(tx, row.id, { deadline_at: deadline });
  const isNotDecided = sql`(m.id in ${pendingRecipients(row, row.audience)} or m.id in ${undecidedRecipients(row)})`;
  await moveMessages(tx, 'deadlineMoved', { where: isNotDecided }, { expires_at: deadline, nowMs });
}
