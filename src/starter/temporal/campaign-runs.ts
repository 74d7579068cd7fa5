/** The workflows and activities of campaigns in Temporal. What changes in the ledger comes to them by the outbox. */
import { randomUUID } from 'node:crypto';
import {
  ActivityCancelledError,
  ActivityExecutionFailedError,
  ActivityNotFoundError,
  ActivityPausedError,
  ActivityResetError,
  WithStartWorkflowOperation,
  type WorkflowHandle,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  AMEND_ACTIVITY,
  AppError,
  CAMPAIGN_END_STATES,
  PRIORITY_FIRST,
  READ_CAMPAIGN_ACTIVITY,
  SEND_ACTIVITY_ID,
  TASK_QUEUE,
  WAKE_SIGNAL,
  WORKFLOW,
  accountsOf,
  amendActivityId,
  campaignWorkflowId,
  isErrorCode,
  senderWords,
  type AmendInput,
  type CampaignId,
  type CampaignInput,
  type CampaignProgress,
  type CampaignResult,
  type Log,
} from '../../contract/index.js';
import type { WaitingActivity } from '../../ledger/index.js';
import { endTry, startActivity } from './activity-runs.js';
import {
  TEMPORAL_TIMEOUT_MS,
  type TemporalAccess,
  type Wait,
  callTemporal,
  callWorker,
  lastRunWithId,
  updateResult,
  searchAttributes,
} from './temporal-call.js';

/** The workflow `campaign` as Temporal's client sees it. */
type CampaignWorkflow = (input: CampaignInput) => Promise<CampaignResult>;

/** An update of a campaign's run. Two requests with the same id are one update, and both get its response. */
export interface CampaignUpdate {
  readonly name: string;
  /** Only counts and enum values: the run's history stores them. */
  readonly args: readonly unknown[];
  readonly updateId: string;
}

/** After this time another worker replaces one that died. */
const HEARTBEAT_TIMEOUT = '10 seconds';
/** The gateway retains a message for a day, and its edit waits until the message is sent. */
const LONGEST_AMENDMENT = '2 days';

/** The activity does not wait any more, or an operator has asked for something that concerns its try, not what it shows. */
const IGNORED_WHEN_SHOWN = [ActivityNotFoundError, ActivityPausedError, ActivityResetError, ActivityCancelledError];

export type CampaignRuns = ReturnType<typeof campaignRuns>;

/**
 * The runs of campaigns. Every method throws TEMPORAL_UNAVAILABLE while Temporal is unavailable; an update also while
 * no worker runs.
 */
export function campaignRuns(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;
  const handleOf = (id: CampaignId): WorkflowHandle<CampaignWorkflow> =>
    client.workflow.getHandle<CampaignWorkflow>(campaignWorkflowId(id));

  return {
    /** Temporal's namespace of the runs. */
    namespace: client.options.namespace,

    /** Starts a run that continues from the row. No effect while a run is open: a change of the row completes its activity. */
    async follow(progress: CampaignProgress): Promise<void> {
      await callTemporal(access, `run of campaign ${progress.id}`, () =>
        client.workflow.start<CampaignWorkflow>(WORKFLOW.campaign, {
          ...startOptions(progress, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      );
    },

    /**
     * Starts a run of a campaign that was taken back from its end. A run that shows the end may be closing: the signal
     * makes it read the row again, unless it has closed before.
     */
    async runAgain(progress: CampaignProgress): Promise<void> {
      await callTemporal(access, `run of campaign ${progress.id}`, () =>
        client.workflow.signalWithStart<CampaignWorkflow>(WORKFLOW.campaign, {
          ...startOptions(progress, taskQueue),
          signal: WAKE_SIGNAL,
        }),
      );
    },

    lastRun: (id: CampaignId) => lastRunWithId(access, campaignWorkflowId(id)),

    /** Lets Temporal start another try of the activity that waits in the open run. */
    waitAgain: (id: CampaignId) =>
      endTry(
        access,
        { workflowId: campaignWorkflowId(id), activityId: SEND_ACTIVITY_ID },
        {
          type: 'WAIT_LOST',
          message: `The ledger has no wait of campaign ${id}; the next try records it.`,
        },
      ),

    /**
     * Sends an update to the open run.
     * @returns `waiting` if the run has accepted the update and not finished it, `gone` if no run is open
     * @throws AppError with the code of the run's rejection
     */
    update: <Result>(id: CampaignId, { name, args, updateId }: CampaignUpdate, wait: Wait) =>
      updateResult(access, `${name} of campaign ${id}`, wait, () =>
        handleOf(id).startUpdate<Result, [unknown]>(name, { args: given(args), updateId, waitForStage: 'ACCEPTED' }),
      ),

    /** Like {@link update}, but starts a run if none is open. */
    updateWithStart: <Result>(progress: CampaignProgress, { name, args, updateId }: CampaignUpdate, wait: Wait) =>
      updateResult(access, `${name} of campaign ${progress.id}`, wait, () =>
        client.workflow.startUpdateWithStart<CampaignWorkflow, Result, [unknown]>(name, {
          args: given(args),
          updateId,
          waitForStage: 'ACCEPTED',
          startWorkflowOperation: new WithStartWorkflowOperation<CampaignWorkflow>(WORKFLOW.campaign, {
            ...startOptions(progress, taskQueue),
            workflowIdConflictPolicy: 'USE_EXISTING',
          }),
        }),
      ),

    /**
     * Starts the standalone activity that posts the edits of a campaign's amendments. No effect while one is running.
     */
    startAmendment: (id: CampaignId) =>
      startActivity(access, `amendment of campaign ${id}`, AMEND_ACTIVITY, {
        id: amendActivityId(id),
        args: [{ campaignId: id } satisfies AmendInput],
        startToCloseTimeout: LONGEST_AMENDMENT,
        scheduleToCloseTimeout: LONGEST_AMENDMENT,
        heartbeatTimeout: HEARTBEAT_TIMEOUT,
        retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '10 seconds' },
        idReusePolicy: 'ALLOW_DUPLICATE',
        summary: `amends campaign ${id}`,
      }),

    /** Asks a worker, also after the end of the run. @throws AppError CAMPAIGN_NOT_FOUND */
    async progress(id: CampaignId): Promise<CampaignProgress> {
      const read = () =>
        client.activity.execute<CampaignProgress>(READ_CAMPAIGN_ACTIVITY, {
          id: `read-campaign:${id}:${randomUUID()}`,
          args: [{ campaignId: id }],
          taskQueue,
          startToCloseTimeout: temporalTimeoutMs,
          // The call's own deadline comes first, and its error contains a remedy.
          scheduleToCloseTimeout: 4 * temporalTimeoutMs,
          priority: PRIORITY_FIRST,
        });
      try {
        return await callWorker(access, `progress of campaign ${id}`, read);
      } catch (error) {
        const cause = error instanceof ActivityExecutionFailedError ? error.cause : undefined;
        if (!(cause instanceof ApplicationFailure) || !isErrorCode(cause.type)) throw error;
        throw new AppError(cause.type, cause.message, { cause: error });
      }
    },

    /** Shows the progress at an activity that waits, without an event. No effect if it no longer waits. */
    async show(waiting: WaitingActivity, progress: object): Promise<void> {
      const { workflowId, runId, activityId } = waiting;
      const beat = () => client.activity.heartbeat({ workflowId, runId, activityId }, progress);
      try {
        await callTemporal(access, `progress of ${workflowId}`, beat);
      } catch (error) {
        const isPassedOver = IGNORED_WHEN_SHOWN.some((kind) => error instanceof kind);
        if (!isPassedOver) throw error;
      }
    },
  };
}

/** The client's types allow an update with arguments or one without, not one with optional arguments. */
function given(args: CampaignUpdate['args']): [unknown] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's handler accepts any number of arguments
  return [...args] as unknown as [unknown];
}

/** Temporal's Web UI shows all of this in clear text. */
function startOptions(progress: CampaignProgress, taskQueue: string): WorkflowStartOptions<CampaignWorkflow> {
  const { id, state } = progress;
  return {
    workflowId: campaignWorkflowId(id),
    taskQueue,
    args: [{ campaignId: id, progress }],
    typedSearchAttributes: searchAttributes({
      EverpostCampaign: id,
      EverpostInstance: accountsOf(progress),
      EverpostState: state,
    }),
    staticSummary: `Send campaign ${id} through ${senderWords(progress)}`,
  };
}

/** Starts the activity without waiting for it. Never throws: the sweeper starts a missing activity. */
export function startAmendmentWith({ startAmendment }: CampaignRuns, log: Log) {
  const message = 'An amendment could not be started; the sweeper retries';
  return (id: CampaignId): Promise<void> =>
    startAmendment(id).catch((error: unknown) => log({ level: 'warn', message, campaignId: id, error }));
}

/**
 * Starts the run of a campaign if none is open; drafts and ended campaigns need none. No caller waits for it, and it
 * never throws: the sweeper starts a missing run.
 */
export type FollowCampaign = (progress: CampaignProgress) => Promise<void>;

export function followCampaignWith(runs: CampaignRuns, log: Log): FollowCampaign {
  return async (progress) => {
    const { id, state } = progress;
    if (state === 'draft' || CAMPAIGN_END_STATES.includes(state)) return;
    const message = 'The run of a campaign could not be started; the sweeper retries';
    await runs.follow(progress).catch((error: unknown) => log({ level: 'warn', message, campaignId: id, error }));
  };
}
