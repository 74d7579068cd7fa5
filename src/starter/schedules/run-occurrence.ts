/**
 * One occurrence of a schedule becomes a campaign, or one message. Its run is open until that has ended, so that
 * Temporal's overlap policy sees it.
 *
 *   begin → write the campaign → read its recipients → start it → record it → wait for its end
 *   begin → write the message → record it → wait until it was posted
 *
 * A try may be interrupted after any step: the next try begins from the start and finds the existing rows. Each try
 * reads the recipients again until the campaign's start freezes them.
 */
import {
  AppError,
  MOST_REJECTED,
  SCHEDULE_RUN_POLL_MS,
  accountsOf,
  campaignWorkflowId,
  firstAccountOf,
  messageWorkflowId,
  parseDurationMs,
  present,
  type Clock,
  type InstanceDirectory,
  type LastRun,
  type MessageId,
  type ScheduleDefinition,
  type ScheduleId,
  type ScheduledMessage,
  type ScheduleRecipients,
  type ScheduleRun,
  type ScheduleRunInput,
  type ScheduleRunResult,
} from '../../contract/index.js';
import type { Ledger, RunReason } from '../../ledger/index.js';
import { type AskGateway, importAudience, type RecipientsFrom } from '../campaigns/import-audience.js';
import type { FollowCampaign } from '../temporal/campaign-runs.js';
import { requestHash } from '../ids.js';

/** @throws AppError SCHEDULE_RUN_WAITS | SCHEDULE_RUN_FAILED (both are retried) | SCHEDULE_NOT_FOUND */
export type RunOccurrence = (input: Required<ScheduleRunInput>, signal: AbortSignal) => Promise<ScheduleRunResult>;

export interface RunOccurrenceDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly namespace: string;
  /** The last run of a workflow id. */
  readonly lastRun: (workflowId: string) => Promise<LastRun>;
  readonly followCampaign: FollowCampaign;
  readonly askGateway: AskGateway;
  readonly openSource: (
    instance: string,
    source: Exclude<ScheduleRecipients, { readonly group: string }>,
    signal: AbortSignal,
  ) => Promise<Extract<RecipientsFrom, { readonly bytes: unknown }>>;
  wake(instance: string): void;
}

/** Another request created a campaign with the id of the run's. */
const ID_TAKEN = 'IDEMPOTENCY_MISMATCH';

/** The run is open, or the ledger or Temporal is unavailable: nothing is wrong with the run. */
const PASSING: readonly string[] = ['LEDGER_UNAVAILABLE', 'SCHEDULE_RUN_WAITS', 'TEMPORAL_UNAVAILABLE'];

const DEFAULT_EXPIRY = '24h';
/** A message is posted within seconds. */
const FIRST_POLL_MS = 1_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 60_000;

export function runOccurrenceWith(dependencies: RunOccurrenceDependencies): RunOccurrence {
  const { ledger, clock, namespace, lastRun, followCampaign, openSource, wake } = dependencies;
  const { schedules, campaigns, audiences, intake } = ledger;

  async function end(run: ScheduleRun, state: 'skipped' | 'failed', why: RunReason): Promise<ScheduleRun> {
    const ended = await schedules.endRun(run.scheduleId, run.at, { state, ...why }, clock.nowMs());
    await dropDraft(ended);
    return ended;
  }

  /** Cancels the draft of a run that does not take place. */
  async function dropDraft({ scheduleId, campaignId: id, reason }: ScheduleRun): Promise<void> {
    const isAnothers = reason === ID_TAKEN;
    if (id === undefined || isAnothers || (await campaigns.state(id)) !== 'draft') return;
    const asked = { id: 'not-started', requestedBy: requesterOf(scheduleId) };
    await campaigns.cancel(id, 'schedule', clock.nowMs(), asked);
  }

  /** Writes the campaign or message of the run, which stays open until that has ended. */
  async function start(run: ScheduleRun, definition: ScheduleDefinition, signal: AbortSignal): Promise<ScheduleRun> {
    const { scheduleId, at, campaignId, messageId } = run;
    const { campaign, recipients, message } = definition;
    if (messageId !== undefined && message !== undefined) return startMessage(run, messageId, message);
    // The row is of a schedule that sent the other kind.
    if (!campaignId || !campaign || !recipients) return end(run, 'skipped', { reason: 'schedule_changed' });
    let progress = await campaigns.progress(campaignId, clock.nowMs());
    if (progress === undefined || progress.state === 'draft') {
      // SCHEDULE-4. The ledger was restored from a backup that is older than this run.
      const last = await lastRun(campaignWorkflowId(campaignId));
      if (last !== 'none') return end(run, 'failed', alreadyRan(`campaign ${campaignId}`));
      const asked = { id: campaignId, requestHash: hashOf(run), definition: campaign, nowMs: clock.nowMs() };
      const draft = await audiences.open(asked);
      const instance = firstAccountOf(draft.campaign.definition);
      const from = 'group' in recipients ? { ...recipients, signal } : await openSource(instance, recipients, signal);
      await importAudience(dependencies, draft.campaign, from);
      // The schedule may have been changed or deleted while the recipients were read.
      const decision = await schedules.beginRun(scheduleId, at, clock.nowMs());
      if (decision.kind !== 'go') {
        await dropDraft(run);
        return decision.run;
      }
      const requestedBy = requesterOf(scheduleId);
      progress = await campaigns.start(campaignId, namespace, clock.nowMs(), { requestedBy });
    }
    if (progress.state === 'running') for (const instance of accountsOf(progress)) wake(instance);
    await followCampaign(progress);
    return schedules.started(scheduleId, at);
  }

  async function startMessage(run: ScheduleRun, id: MessageId, message: ScheduledMessage): Promise<ScheduleRun> {
    if (run.messageState === undefined) {
      if ((await lastRun(messageWorkflowId(id))) !== 'none') return end(run, 'failed', alreadyRan(`message ${id}`));
      const { to, expiresIn = DEFAULT_EXPIRY, ...rest } = message;
      const sendAtMs = Date.parse(run.createdAt);
      await intake.begin({
        id,
        requestHash: hashOf(run),
        request: { ...rest, ...present({ chatId: to }) },
        sendAtMs,
        expiresAtMs: sendAtMs + parseDurationMs(expiresIn),
        run: 'wanted',
        requestedBy: requesterOf(run.scheduleId),
        nowMs: clock.nowMs(),
      });
    }
    wake(message.instance);
    return schedules.started(run.scheduleId, run.at);
  }

  async function failed(run: ScheduleRun, error: unknown): Promise<ScheduleRun> {
    const { problems: faults } = error instanceof AppError ? error : {};
    const problems = faults?.map(({ path, message }) => `${path} ${message}`).join('; ');
    const message = error instanceof Error ? error.message : String(error);
    const why: Required<RunReason> = {
      reason: error instanceof AppError ? error.code : 'INTERNAL',
      text: problems === undefined ? message : `${message} ${problems}`,
    };
    if (why.reason === 'CAMPAIGN_EMPTY') return end(run, 'skipped', { reason: 'no_recipients' });
    if (why.reason === ID_TAKEN) return end(run, 'failed', why);
    if (why.reason === 'CAMPAIGN_REJECTED_LINES') {
      // Its campaign is cancelled and cannot be started, as that error advises.
      const text = `more than ${MOST_REJECTED * 100} % of the lines of its recipients were rejected: ${problems}. Correct them, or set acceptRejected in the campaign of the schedule; then: everpost schedule trigger ${run.scheduleId}`;
      return end(run, 'failed', { ...why, text });
    }
    await schedules.failedTry(run.scheduleId, run.at, why);
    throw new AppError(
      'SCHEDULE_RUN_FAILED',
      `The run of schedule ${run.scheduleId} at ${run.at} failed (${why.reason}) and is retried. ${why.text}`,
      { cause: error, retryAfterMs: Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(run.tries, 10)) },
    );
  }

  /** @throws AppError SCHEDULE_RUN_WAITS while the run is open */
  function resultOf({ scheduleId, at, createdAt, endedAt, ...run }: ScheduleRun, why: string): ScheduleRunResult {
    const { state, campaignId, messageId, reason } = run;
    if (endedAt !== undefined) return { state, ...present({ campaignId, messageId, reason }) };
    const sinceMs = clock.nowMs() - Date.parse(createdAt);
    throw new AppError('SCHEDULE_RUN_WAITS', `The run of schedule ${scheduleId} at ${at} is open: ${why}.`, {
      retryAfterMs: Math.min(SCHEDULE_RUN_POLL_MS, Math.max(FIRST_POLL_MS, Math.round(sinceMs / 4))),
    });
  }

  return async ({ scheduleId, at }, signal) => {
    const decision = await schedules.beginRun(scheduleId, at, clock.nowMs());
    const { run } = decision;
    if (decision.kind === 'wait') return resultOf(run, decision.why);
    if (decision.kind === 'ended') {
      if (run.state !== 'started') await dropDraft(run);
      return resultOf(run, 'it has ended');
    }
    try {
      return resultOf(await start(run, decision.definition, signal), 'it has just started');
    } catch (error) {
      if (error instanceof AppError && PASSING.includes(error.code)) throw error;
      return resultOf(await failed(run, error), 'it is retried');
    }
  };
}

/** It does not depend on the definition, which may change between two tries. */
function hashOf({ scheduleId, at }: ScheduleRun): string {
  return requestHash({ schedule: scheduleId, at });
}

/** As campaigns and messages show who requested them. */
function requesterOf(id: ScheduleId): string {
  return `schedule:${id}`;
}

function alreadyRan(what: string): RunReason {
  return {
    reason: 'already_ran',
    text: `Temporal has ${what} and the ledger does not: the ledger was restored from an older backup. Nothing is sent again`,
  };
}
