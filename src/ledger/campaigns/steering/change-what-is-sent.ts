import { sql } from 'kysely';
import {
  RECIPIENT_TIMEZONE,
  firstAccountOf,
  present,
  type AppError,
  type CampaignId,
  type ContentTemplate,
  type UpdateCampaign,
} from '../../../contract/index.js';
import { contentsOf, inputInvalid, type SentContents, withTyping } from '../../../domain/index.js';
import { beginCommand, tookEffect, type AskedCommand } from '../../storage/commands.js';
import { endOpenTimes } from '../../streams/open-streams.js';
import type { Store, Tx } from '../../storage/store.js';
import {
  existingCampaign,
  lockCampaign,
  type CampaignRow,
  changeCampaign,
  permitted,
  refusePastDeadline,
} from '../campaign-row.js';
import { secondsOf } from '../audiences/drafts.js';
import { accountRows, listAccounts, listed } from '../campaign-accounts.js';
import { refuseMissingValues, refuseUnknownVariables } from '../audiences/variables.js';
import { jsonText } from '../../storage/statements.js';

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
  const changed = changedContents(before, change);
  if (changed !== undefined && change.content !== undefined) {
    // A draft's recipients may still get values; its start checks them.
    const refuse = before.state === 'draft' ? refuseUnknownVariables : refuseMissingValues;
    await store.run((db) => refuse(db, before, contentsOf(changed)));
  }
  await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    const contents = changedContents(row, change);
    const wanted = { ...columnsOf(change), ...contents };
    const isOther = (column: keyof typeof wanted) =>
      wanted[column] !== undefined && JSON.stringify(wanted[column]) !== JSON.stringify(row[column]);
    const { instances } = change;
    const isOtherPool =
      instances !== undefined && JSON.stringify(instances) !== JSON.stringify(listed(await accountRows(tx, id)));
    const isAlreadySo = !isOtherPool && !(Object.keys(wanted) as (keyof typeof wanted)[]).some(isOther);
    const { isNew } = await beginCommand(tx, row, 'update', asked, { isAlreadySo, nowMs });
    if (!isNew || isAlreadySo) return;
    const { content, variants, winner, sending_windows, limits, start_at, ...rest } = wanted;
    permitted(row, 'update');
    if (start_at !== undefined) permitted(row, 'reschedule');
    await refuseTimes(tx, row, wanted, nowMs);
    if (isOtherPool) await listAccounts(tx, id, instances, nowMs);
    await changeCampaign(tx, id, {
      ...present(rest),
      ...(isOtherPool ? { instance: firstAccountOf({ instances }) } : {}),
      ...(start_at === undefined ? {} : rescheduled(row, start_at)),
      ...(sending_windows === undefined ? {} : { sending_windows: sending_windows && jsonText(sending_windows) }),
      ...(limits === undefined ? {} : { limits: limits && jsonText(limits) }),
      ...(isOther('content') || isOther('variants') || isOther('winner')
        ? {
            content: jsonText(content),
            variants: variants && jsonText(variants),
            winner,
            content_version: row.content_version + 1,
          }
        : {}),
    });
    if (isOther('sending_windows') || isOther('limits')) {
      await endOpenTimes(tx, sql`s.campaign_id = ${id}`, [`campaign:${id}`]);
    }
    if (isOther('sending_windows')) await changeOrder(tx, row, sending_windows?.timezone === RECIPIENT_TIMEZONE);
  });
}

/**
 * What the campaign sends after the change; undefined if it changes no content. VARIANT-3.
 * @throws AppError INPUT_INVALID
 */
function changedContents(row: CampaignRow, { content, variant, winner }: UpdateCampaign): SentContents | undefined {
  if (content === undefined && winner === undefined) return undefined;
  const { id, variants, definition } = row;
  const replaced = (before: ContentTemplate): ContentTemplate => {
    if (content === undefined) return before;
    if (content.kind === before.kind) return withTyping(content, definition.typing);
    throw refused(id, 'content.kind', `must be ${before.kind}, as before`);
  };
  if (variants === null) {
    const only = 'is only for a campaign with variants';
    if (winner !== undefined) throw refused(id, 'winner', only);
    if (variant !== undefined) throw refused(id, 'variant', only);
    return { content: replaced(row.content), variants, winner: null };
  }
  const names = variants.map(({ name }) => name);
  const isUnknown = (name: string | null | undefined) => typeof name === 'string' && !names.includes(name);
  const known = `The campaign has the variants ${names.join(', ')}`;
  if (isUnknown(winner)) throw refused(id, 'winner', `is none of its variants. ${known}`);
  if (isUnknown(variant)) throw refused(id, 'variant', `is none of its variants. ${known}`);
  if (content !== undefined && variant === undefined)
    throw refused(id, 'variant', `is missing. ${known}: name the one whose content changes`);
  const changed = variants.map((one) => (one.name === variant ? { ...one, content: replaced(one.content) } : one));
  const chosen = winner === undefined ? row.winner : winner;
  const first = changed.find(({ name }) => name === chosen) ?? changed[0];
  return { content: first?.content ?? row.content, variants: changed, winner: chosen };
}

function columnsOf(change: UpdateCampaign) {
  const { highWater, deadline, name, startAt, sendingWindows, limits, repliesFor } = change;
  return {
    high_water: highWater,
    name,
    deadline_at: deadline === undefined ? undefined : new Date(deadline),
    start_at: startAt === undefined ? undefined : new Date(startAt),
    sending_windows: sendingWindows,
    limits,
    replies_for_seconds: repliesFor === undefined ? undefined : secondsOf(repliesFor),
  };
}

function refused(id: CampaignId, path: string, message: string): AppError {
  return inputInvalid(`The change of campaign ${id}`, [{ path, message }]);
}

/**
 * @throws AppError INPUT_INVALID if the changed start time or deadline leaves no time to send, or the changed windows need
 *   timezones that the recipients do not have
 */
async function refuseTimes(
  tx: Tx,
  row: CampaignRow,
  { start_at, deadline_at, sending_windows }: ReturnType<typeof columnsOf>,
  nowMs: number,
): Promise<void> {
  const { id, state } = row;
  if (deadline_at !== undefined) refusePastDeadline(id, deadline_at, nowMs);
  if (start_at !== undefined && row.started_at !== null) throw refused(id, 'startAt', 'cannot change: it has begun');
  if (start_at !== undefined && start_at.getTime() <= nowMs) throw refused(id, 'startAt', 'has passed');
  const [start, deadline] = [start_at ?? row.start_at, deadline_at ?? row.deadline_at];
  const isAsked = start_at !== undefined || deadline_at !== undefined;
  if (isAsked && row.started_at === null && start !== null && deadline !== null && deadline <= start) {
    if (start_at === undefined) throw refused(id, 'deadline', 'is not after the start');
    throw refused(id, 'startAt', 'is not before the deadline');
  }
  if (sending_windows?.timezone !== RECIPIENT_TIMEZONE) return;
  // An import reads timezones only for a campaign that uses them.
  const isKnown =
    state === 'draft'
      ? row.definition.sendingWindows?.timezone === RECIPIENT_TIMEZONE
      : (await sql`select from campaign_timezones where campaign_id = ${id} limit 1`.execute(tx)).rows.length > 0;
  if (isKnown) return;
  const message = `cannot be ${RECIPIENT_TIMEZONE}: the recipients were imported without timezones`;
  throw refused(id, 'sendingWindows.timezone', message);
}

/** A campaign that waits for an operator because it missed its start waits for the new one. */
function rescheduled({ start_missed_at, state }: CampaignRow, start_at: Date) {
  const isHeld = state === 'paused' && start_missed_at !== null;
  return { start_at, start_missed_at: null, ...(isHeld ? ({ state: 'scheduled', paused_at: null } as const) : {}) };
}

/**
 * A started campaign is read in the order of its lines, or by timezone. A change begins from the first line, and passes
 * over recipients who were read (STREAM-1).
 */
async function changeOrder(
  tx: Tx,
  { id, state, by_timezone: before }: CampaignRow,
  byTimezone: boolean,
): Promise<void> {
  if (state === 'draft' || before === byTimezone) return;
  await changeCampaign(tx, id, { by_timezone: byTimezone, read_ahead_line: 0 });
  await sql`update campaign_timezones set read_ahead_line = 0, read_recipients = 0 where campaign_id = ${id}`.execute(
    tx,
  );
}
