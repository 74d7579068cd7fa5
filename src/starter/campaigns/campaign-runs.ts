/** The workflows and activities of campaigns in Temporal, and how they are notified of changes in the ledger. */
import { WithStartWorkflowOperation, type WorkflowHandle, type WorkflowStartOptions } from '@temporalio/client';
import {
  AMEND_ACTIVITY,
  CAMPAIGN_CHANGED_SIGNAL,
  CAMPAIGN_END_STATES,
  CAMPAIGN_PLAN_QUERY,
  CAMPAIGN_PROGRESS_QUERY,
  TASK_QUEUE,
  WORKFLOW,
  amendActivityId,
  campaignWorkflowId,
  type AmendInput,
  type CampaignId,
  type CampaignInput,
  type CampaignProgress,
  type CampaignResult,
  type DispatchPlan,
  type PacedProgress,
  type Log,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { startActivity } from '../temporal/activity-runs.js';
import {
  type TemporalAccess,
  type Wait,
  callTemporal,
  lastRunOf,
  unlessGone,
  updateResult,
  searchAttributes,
} from '../temporal/temporal-call.js';

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

export type CampaignRuns = ReturnType<typeof campaignRuns>;

/**
 * The runs of campaigns. Every method throws TEMPORAL_UNAVAILABLE while Temporal is unavailable; an update also while
 * no worker runs.
 */
export function campaignRuns(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE } = access;
  const handleOf = (id: CampaignId): WorkflowHandle<CampaignWorkflow> =>
    client.workflow.getHandle<CampaignWorkflow>(campaignWorkflowId(id));
  const query = <Answer>(id: CampaignId, name: string) =>
    unlessGone(() => callTemporal(access, `query of campaign ${id}`, () => handleOf(id).query<Answer>(name)));

  return {
    /** Temporal's namespace of the runs. */
    namespace: client.options.namespace,

    /** Makes the open run read the row, else starts a run that continues from it. One request, and one task of the run. */
    async follow(progress: CampaignProgress): Promise<void> {
      await callTemporal(access, `run of campaign ${progress.id}`, () =>
        client.workflow.signalWithStart<CampaignWorkflow>(WORKFLOW.campaign, {
          ...startOptions(progress, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          signal: CAMPAIGN_CHANGED_SIGNAL,
          signalArgs: [],
        }),
      );
    },

    /** The status of the last run, and the campaign's state as that run knows it. */
    lastRun: (id: CampaignId) => lastRunOf(access, campaignWorkflowId(id)),

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

    /** Makes an open run read the ledger now. */
    async notifyChanged(id: CampaignId): Promise<void> {
      await unlessGone(() =>
        callTemporal(access, `signal to campaign ${id}`, () => handleOf(id).signal(CAMPAIGN_CHANGED_SIGNAL)),
      );
    },

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

    progress: (id: CampaignId) => query<PacedProgress>(id, CAMPAIGN_PROGRESS_QUERY),

    plan: (id: CampaignId) => query<DispatchPlan>(id, CAMPAIGN_PLAN_QUERY),
  };
}

/** The client's types allow an update with arguments or one without, not one with optional arguments. */
function given(args: CampaignUpdate['args']): [unknown] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's handler accepts any number of arguments
  return [...args] as unknown as [unknown];
}

/** Temporal's Web UI shows all of this in clear text. */
function startOptions(progress: CampaignProgress, taskQueue: string): WorkflowStartOptions<CampaignWorkflow> {
  const { id, instance, state } = progress;
  return {
    workflowId: campaignWorkflowId(id),
    taskQueue,
    args: [{ campaignId: id, progress }],
    typedSearchAttributes: searchAttributes({
      EverpostCampaign: id,
      EverpostInstance: instance,
      EverpostState: state,
    }),
    staticSummary: `campaign via ${instance}`,
  };
}

/** Starts the activity without waiting for it. Never throws: the sweeper starts a missing activity. */
export type StartAmendment = (id: CampaignId) => Promise<void>;

export function startAmendmentWith({ startAmendment }: CampaignRuns, log: Log): StartAmendment {
  return async (id) => {
    try {
      await startAmendment(id);
    } catch (error) {
      log({ level: 'warn', message: 'An amendment could not be started; the sweeper retries', id, error });
    }
  };
}

/**
 * Makes the run of a campaign read what has changed in the ledger, and starts a run if none is open. No caller waits
 * for it, and it never throws: the sweeper starts a missing run, and a run polls periodically.
 */
export type FollowCampaign = (progress: CampaignProgress) => Promise<void>;

export function followCampaignWith(runs: CampaignRuns, log: Log): FollowCampaign {
  return async (progress) => {
    const { id, state } = progress;
    if (state === 'draft') return;
    try {
      await (CAMPAIGN_END_STATES.includes(state) ? runs.notifyChanged(id) : runs.follow(progress));
    } catch (error) {
      log({ level: 'warn', message: 'The run of a campaign was not notified; it polls periodically', id, error });
    }
  };
}

/**
 * Creates the function that notifies the running campaigns of an instance that can send again. Without it a run still
 * polls within ten minutes.
 * @returns a function that never throws; it resolves after the notification, or after a failure was logged
 */
export function createCampaignWaker(
  options: TemporalAccess & { readonly campaigns: Pick<Ledger['campaigns'], 'running'>; readonly log: Log },
) {
  const { campaigns, log } = options;
  const runs = campaignRuns(options);
  const underWay = new Map<string, Promise<void>>();
  const askedAgain = new Set<string>();

  async function wake(instance: string): Promise<void> {
    try {
      do {
        askedAgain.delete(instance);
        for (const id of await campaigns.running(instance)) await runs.notifyChanged(id);
      } while (askedAgain.has(instance));
    } catch (error) {
      log({ level: 'warn', message: 'Campaigns could not be notified; they poll within ten minutes', instance, error });
    }
    underWay.delete(instance);
  }

  return (instance: string): Promise<void> => {
    askedAgain.add(instance);
    const waking = underWay.get(instance) ?? wake(instance);
    underWay.set(instance, waking);
    return waking;
  };
}
