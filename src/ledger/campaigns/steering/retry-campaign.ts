import { sql } from 'kysely';
import { AppError, type CampaignId, QUEUE_CLEARED, type RetryRequest } from '../../../contract/index.js';
import { violatedUnique } from '../../storage/database-error.js';
import { countedTally } from '../campaign-tally.js';
import { REASON_WITHOUT_MESSAGE } from '../../messages/end-reasons.js';
import { identicalHash, IDENTICAL_ATTEMPTS } from '../../messages/writer/identical.js';
import { messagesIn, moveMessages } from '../../messages/writer/move-messages.js';
import { applyNewestEdits } from '../../messages/edits/edits.js';
import { beginCommand, countRetried, superseded, type AskedCommand } from '../../storage/commands.js';
import type { Store, Tx } from '../../storage/store.js';
import {
  lockCampaign,
  type CampaignRow,
  changeCampaign,
  permitted,
  refusePastDeadline,
  refuseWithoutRecipients,
} from '../campaign-row.js';
import { beginCampaign } from './begin-campaign.js';
import { undecidedRecipients } from './end-campaign.js';

/** Recipients in one transaction: with the embedded ledger all other work waits until it ends. */
const AT_ONCE = 1_000;

/**
 * CAMPAIGN-6. Goes through the recipients in several transactions. Each leaves the campaign running if it made a
 * recipient pending, so a retry that was interrupted continues when it is delivered again. A recipient who ends again
 * meanwhile is not retried twice. A later command stops the retry: a campaign that was cancelled since must not run
 * again.
 * @returns how many recipients are retried, including those of an interrupted delivery
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_NOT_STARTED | CAMPAIGN_RECIPIENTS_REMOVED |
 *   CAMPAIGN_STOPPED | INPUT_INVALID (the deadline has passed) | COMMAND_SUPERSEDED
 */
export async function retryCampaign(
  store: Store,
  id: CampaignId,
  retry: RetryRequest,
  askedNowMs: number,
  asked?: AskedCommand,
): Promise<number> {
  const first = await store.transaction(async (tx) => {
    const row = await lockCampaign(tx, id);
    const command = await beginCommand(tx, row, 'retry', asked, { isAlreadySo: false, nowMs: askedNowMs });
    if (!command.isNew) return command;
    permitted(row, 'retry');
    const retried = await reopenWithoutMessage(tx, row, retry, askedNowMs);
    await countRetried(tx, id, asked, retried);
    return { ...command, retried };
  });
  const { begunAtMs: nowMs, place } = first;
  let recipients = first.retried;
  const batches = [planEndedAgain];
  if (retry.scopes.includes('unknown')) batches.push(retry.maySendTwice === true ? planUnknownAgain : pollAgain);
  for (const batch of batches) {
    let more: number;
    do {
      more = await retryingIdentical(id, () =>
        store.transaction(async (tx) => {
          const row = await lockCampaign(tx, id);
          if (Number(row.command_asked) > place) throw superseded('retry', id);
          const taken = await batch(tx, row, retry, nowMs);
          if (taken > 0) {
            await runAgain(tx, id, retry, nowMs);
            await countRetried(tx, id, asked, taken);
          }
          return taken;
        }),
      );
      recipients += more;
    } while (more > 0);
  }
  return recipients;
}

/** One column of the campaign retries all recipients without a message. It comes first, since it checks the request. */
async function reopenWithoutMessage(tx: Tx, row: CampaignRow, retry: RetryRequest, nowMs: number): Promise<number> {
  const { id } = row;
  refuseWithoutRecipients(row);
  // AMEND-8: the text with which a campaign was stopped is for those who have an older one.
  const stops = await sql`
    select from amendments where campaign_id = ${id} and content_version = ${row.content_version} and stop
      and content::jsonb <> content_before::jsonb`.execute(tx);
  if (stops.rows.length > 0) {
    throw new AppError(
      'CAMPAIGN_STOPPED',
      `Campaign ${id} was stopped with a text that corrects an older one: a retry would send it to recipients who got none. Give it a text to send, then retry: everpost campaign update ${id} --text TEXT`,
    );
  }
  const deadline = retry.deadline === undefined ? row.deadline_at : new Date(retry.deadline);
  refusePastDeadline(id, deadline, nowMs);
  if (deadline !== null && deadline.getTime() !== row.deadline_at?.getTime())
    await changeCampaign(tx, row.id, { deadline_at: deadline });
  const { state_without_message: state } = row;
  if (state === 'pending' || !retry.scopes.includes(state)) return 0;
  if (retry.reasons !== undefined && !retry.reasons.includes(REASON_WITHOUT_MESSAGE[state])) return 0;
  const recipients = row.audience - (await countedTally(tx, row)).withRow;
  if (recipients === 0) return 0;
  await changeCampaign(tx, id, { state_without_message: 'pending' });
  await runAgain(tx, id, retry, nowMs);
  return recipients;
}

/** A campaign that has ended or is being cancelled runs again, or begins; a paused one stays paused. */
async function runAgain(tx: Tx, id: CampaignId, { scopes }: RetryRequest, nowMs: number): Promise<void> {
  const row = await lockCampaign(tx, id);
  const entry = permitted(row, 'retry');
  if (typeof entry !== 'object' || entry.to === undefined) return;
  if (scopes.includes('cancelled')) {
    // A message whose POST was under way at the cancel must not end cancelled either.
    const isCancelled = sql`m.id in ${undecidedRecipients(row)} and m.cancel_requested_at is not null`;
    await moveMessages(tx, 'cancelWithdrawn', { where: isCancelled }, { nowMs });
  }
  const openAgain = { ended_at: null, cancel_requested_at: null, paused_at: null, auto_pause_from: new Date(nowMs) };
  await beginCampaign(tx, row, { by: 'again', nowMs }, openAgain);
}

function reasonIsAsked({ reasons }: RetryRequest) {
  return reasons === undefined ? sql<boolean>`true` : sql<boolean>`m.reason = any(${reasons}::text[])`;
}

/** Makes ended messages pending again; keeps evidence and the gateway's ids. */
async function planEndedAgain(tx: Tx, { id, deadline_at }: CampaignRow, retry: RetryRequest, nowMs: number) {
  const now = new Date(nowMs);
  const scopes = retry.scopes.filter((scope) => scope !== 'unknown');
  const ended = {
    where: sql`m.id in (
      select m.id from messages m
      where m.campaign_id = ${id} and m.state = any(${scopes}::text[]) and m.ended_at <= ${now} and ${reasonIsAsked(retry)}
      order by m.line limit ${AT_ONCE})`,
    columns: sql`m.reason as old_reason, m.id_message`,
  };
  const detail = sql`json_strip_nulls(json_build_object(
    'state', c.was, 'reason', c.old_reason, 'idMessage', c.id_message))`;
  const again = await moveMessages(tx, 'retried', ended, {
    expires_at: deadline_at,
    witness: 'request',
    detail,
    nowMs,
  });
  await applyNewestEdits(tx, again, nowMs);
  return again.length;
}

/**
 * Unresolved → unknown, so that the witnesses are polled again. A message waits for an identical one with an unknown
 * outcome.
 */
async function pollAgain(tx: Tx, { id }: CampaignRow, retry: RetryRequest, nowMs: number): Promise<number> {
  // False for a message that the same retry has reconciled again already.
  const notRetriedSince = sql<boolean>`not exists (
    select from evidence e where e.message_id = m.id and e.what = 'asked_again' and e.at >= ${new Date(nowMs)})`;
  const unresolved = sql`m.id in (
    select m.id from messages m
    where m.campaign_id = ${id} and m.state = 'unresolved' and m.reason is distinct from ${QUEUE_CLEARED}
       and ${reasonIsAsked(retry)} and ${notRetriedSince}
      and not exists (select from ${IDENTICAL_ATTEMPTS})
    order by m.line limit ${AT_ONCE})`;
  const again = await moveMessages(tx, 'pollAgain', { where: unresolved }, { witness: 'request', nowMs });
  if (again.length > 0) {
    await sql`
      update attempts a set identical_hash = ${identicalHash('m')} from messages m
      where ${messagesIn(again.map((message) => message.id)).where} and a.token = m.attempt_token
        and a.identical_hash is null`.execute(tx);
  }
  return again.length;
}

/** Only messages whose last attempt can no longer be accepted, so that two POSTs never overlap. */
async function planUnknownAgain(tx: Tx, campaign: CampaignRow, retry: RetryRequest, nowMs: number): Promise<number> {
  const now = new Date(nowMs);
  const unknown = {
    where: sql`m.id in (
      select m.id from messages m join attempts a on a.token = m.attempt_token
      where m.campaign_id = ${campaign.id} and m.state in ('unknown', 'unresolved') and a.reconcile_after <= ${now}
        and ${reasonIsAsked(retry)}
      order by m.line limit ${AT_ONCE / 10})`,
    columns: sql`m.attempt_token as attempt`,
  };
  const again = await moveMessages(tx, 'sentAgain', unknown, {
    expires_at: sql`coalesce(${campaign.deadline_at}::timestamptz, m.expires_at)`,
    witness: 'request',
    detail: sql`json_build_object('attempt', c.attempt)`,
    nowMs,
  });
  await applyNewestEdits(tx, again, nowMs);
  return again.length;
}

async function retryingIdentical<Result>(id: CampaignId, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (violatedUnique(error) !== 'attempts_in_flight') throw error;
    throw new AppError(
      'MESSAGE_CLAIMED_ELSEWHERE',
      `A retry of campaign ${id} met a message whose identical message was posted at the same moment. Retry again: everpost campaign retry ${id}`,
      { cause: error },
    );
  }
}
