/**
 * One occurrence of a schedule becomes a campaign, or one message.
 *
 *   decide → write the campaign → read its recipients → start it → record it
 *   decide → write the message → record it
 *
 * A try may be interrupted after any step: the next try begins from the start and finds the existing rows. Each try
 * reads the recipients again until the campaign's start freezes them.
 */
import {
  AppError,
  campaignWorkflowId,
  messageWorkflowId,
  parseDurationMs,
  present,
  type CampaignDefinition,
  type CampaignId,
  type Clock,
  type InstanceDirectory,
  type LastRun,
  type MessageId,
  type ScheduleDefinition,
  type ScheduledCampaign,
  type ScheduledMessage,
  type ScheduleRecipients,
  type ScheduleRun,
  type ScheduleRunInput,
  type ScheduleRunResult,
} from '../../contract/index.js';
import type { Ledger, RunReason } from '../../ledger/index.js';
import { type AskGateway, importAudience, type RecipientsFrom } from '../campaigns/import-audience.js';
import type { FollowCampaign } from '../campaigns/campaign-runs.js';
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

/** The data that a run of a campaign needs. */
interface CampaignOfRun extends Pick<ScheduleDefinition, 'missedStart' | 'graceTime'> {
  readonly id: CampaignId;
  readonly campaign: ScheduledCampaign;
  readonly recipients: ScheduleRecipients;
}

const DEFAULT_EXPIRY = '24h';
/** How often a run checks whether the campaign of an earlier run has ended. */
const POLL_MS = 15_000;
const RETRY_FIRST_MS = 5_000;
const RETRY_MAX_MS = 5 * 60_000;
/** After this time a run no longer tries to start the campaign. */
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60_000;

export function runOccurrenceWith(dependencies: RunOccurrenceDependencies): RunOccurrence {
  const { ledger, clock, namespace, lastRun, followCampaign, openSource, wake } = dependencies;
  const { schedules, campaigns, audiences, intake } = ledger;

  async function end(run: ScheduleRun, state: 'started' | 'skipped' | 'failed', why?: RunReason): Promise<ScheduleRun> {
    if (state !== 'started') await dropDraft(run);
    return schedules.endRun(run.scheduleId, run.at, { state, ...why }, clock.nowMs());
  }

  /** Cancels the draft of a run that does not take place. */
  async function dropDraft({ campaignId: id }: ScheduleRun): Promise<void> {
    if (id !== undefined && (await campaigns.state(id)) === 'draft')
      await campaigns.cancel(id, 'schedule', clock.nowMs());
  }

  async function start(run: ScheduleRun, definition: ScheduleDefinition, signal: AbortSignal): Promise<ScheduleRun> {
    const { campaignId, messageId } = run;
    const { campaign, recipients, message } = definition;
    if (messageId !== undefined && message !== undefined) return startMessage(run, messageId, message);
    if (campaignId !== undefined && campaign !== undefined && recipients !== undefined) {
      return startCampaign(run, { ...definition, id: campaignId, campaign, recipients }, signal);
    }
    const text = 'the schedule was created again with other contents';
    return end(run, 'failed', { reason: 'schedule_changed', text });
  }

  async function startMessage(run: ScheduleRun, id: MessageId, message: ScheduledMessage): Promise<ScheduleRun> {
    if (run.messageState === undefined) {
      if ((await lastRun(messageWorkflowId(id))) !== 'none') return end(run, 'failed', alreadyRan(`message ${id}`));
      const { to, expiresIn = DEFAULT_EXPIRY, ...rest } = message;
      const request = { ...rest, ...present({ chatId: to }) };
      const sendAtMs = Date.parse(run.startAt);
      await intake.begin({
        id,
        requestHash: requestHash({ schedule: run.scheduleId, at: run.at }),
        request,
        sendAtMs,
        expiresAtMs: sendAtMs + parseDurationMs(expiresIn),
        run: 'wanted',
        nowMs: clock.nowMs(),
      });
    }
    wake(message.instance);
    return end(run, 'started');
  }

  async function startCampaign(run: ScheduleRun, definition: CampaignOfRun, signal: AbortSignal): Promise<ScheduleRun> {
    const { id } = definition;
    let progress = await campaigns.progress(id, clock.nowMs());
    if (progress === undefined || progress.state === 'draft') {
      // SCHEDULE-4. The ledger was restored from a backup that is older than this run.
      const last = await lastRun(campaignWorkflowId(id));
      if (last !== 'none') return end(run, 'failed', alreadyRan(`campaign ${id}`));
      await fill(run, definition, signal);
      progress = await campaigns.startOccurrence(id, namespace, clock.nowMs());
    }
    if (progress.state === 'running') wake(progress.instance);
    await followCampaign(progress);
    return end(run, 'started');
  }

  async function fill(run: ScheduleRun, definition: CampaignOfRun, signal: AbortSignal): Promise<void> {
    const { campaign } = await audiences.open({
      id: definition.id,
      // Derived from the occurrence, not from the definition, which may change between two tries.
      requestHash: requestHash({ schedule: run.scheduleId, at: run.at }),
      definition: campaignOf(run, definition),
      nowMs: clock.nowMs(),
    });
    const { instance } = campaign.definition;
    const { recipients } = definition;
    const from = 'group' in recipients ? { ...recipients, signal } : await openSource(instance, recipients, signal);
    await importAudience(dependencies, campaign, from);
  }

  async function failed(run: ScheduleRun, error: unknown): Promise<ScheduleRun> {
    const why = reasonOf(error);
    if (why.reason === 'CAMPAIGN_EMPTY') return end(run, 'skipped', { reason: 'no_recipients' });
    // Another campaign has this id, or an operator has to look at the source.
    const isForGood = why.reason === 'IDEMPOTENCY_MISMATCH' || why.reason === 'CAMPAIGN_REJECTED_LINES';
    const isTooLate = clock.nowMs() - Date.parse(run.startAt) > GIVE_UP_AFTER_MS;
    if (isForGood || isTooLate) return end(run, 'failed', why);
    await schedules.failedTry(run.scheduleId, run.at, why);
    throw new AppError(
      'SCHEDULE_RUN_FAILED',
      `The run of schedule ${run.scheduleId} at ${run.at} failed (${why.reason}) and is retried. ${why.text}`,
      { cause: error, retryAfterMs: Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** Math.min(run.tries, 10)) },
    );
  }

  return async ({ scheduleId, at }, signal) => {
    const decision = await schedules.beginRun(scheduleId, at, clock.nowMs());
    const { run } = decision;
    switch (decision.kind) {
      case 'ended':
        if (run.state !== 'started') await dropDraft(run);
        return resultOf(run);
      case 'wait':
        throw new AppError(
          'SCHEDULE_RUN_WAITS',
          `The run of schedule ${scheduleId} at ${at} waits: ${run.text ?? 'an earlier one has not ended'}.`,
          { retryAfterMs: POLL_MS },
        );
      case 'go':
        try {
          return resultOf(await start(run, decision.definition, signal));
        } catch (error) {
          if (isAway(error)) throw error;
          return resultOf(await failed(run, error));
        }
    }
  };
}

/** A run that an operator requested starts at once. */
function campaignOf(run: ScheduleRun, { campaign, missedStart, graceTime }: CampaignOfRun): CampaignDefinition {
  if (run.kind !== 'schedule') return campaign;
  return { ...campaign, startAt: run.startAt, ...present({ missedStart, graceTime }) };
}

function alreadyRan(what: string): RunReason {
  return {
    reason: 'already_ran',
    text: `Temporal has ${what} and the ledger does not: the ledger was restored from an older backup. Nothing is sent again`,
  };
}

/** The ledger or Temporal is unavailable: nothing is wrong with the run. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && ['LEDGER_UNAVAILABLE', 'TEMPORAL_UNAVAILABLE'].includes(error.code);
}

function reasonOf(error: unknown): Required<RunReason> {
  if (!(error instanceof AppError)) {
    return { reason: 'INTERNAL', text: error instanceof Error ? error.message : String(error) };
  }
  const problems = error.problems?.map(({ path, message }) => `${path} ${message}`).join('; ');
  return { reason: error.code, text: problems === undefined ? error.message : `${error.message} ${problems}` };
}

function resultOf({ state, campaignId, messageId, reason }: ScheduleRun): ScheduleRunResult {
  return { state, ...present({ campaignId, messageId, reason }) };
}
