import { WithStartWorkflowOperation, type WorkflowHandle, type WorkflowStartOptions } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  CAMPAIGN_CHANGED_SIGNAL,
  CAMPAIGN_PLAN_QUERY,
  CAMPAIGN_PROGRESS_QUERY,
  TASK_QUEUE,
  WORKFLOW,
  campaignWorkflowId,
  type CampaignId,
  type CampaignInput,
  type CampaignProgress,
  type CampaignResult,
  type DispatchPlan,
  type PacedProgress,
  type LastRun,
} from '../../contract/index.js';
import { type TemporalAccess, type Wait, callTemporal, lastRunOf, unlessGone, updateResult } from '../temporal-call.js';

/** The workflow `campaign` as Temporal's client sees it. */
type CampaignWorkflow = (input: CampaignInput) => Promise<CampaignResult>;

/** An update of a campaign's run. The same id asked for twice is one, and both are answered by it. */
export interface CampaignUpdate {
  readonly name: string;
  /** Counts and words only: it is kept in the run's history. */
  readonly args: readonly unknown[];
  readonly updateId: string;
}

/**
 * The runs of campaigns. Every method throws TEMPORAL_UNAVAILABLE when Temporal, or for an update a worker, is away.
 */
export interface CampaignRuns {
  /** Where the runs live. */
  readonly namespace: string;
  /** Starts a run that continues from the row, also after one that has ended; does nothing while one is open. */
  continueRun(progress: CampaignProgress): Promise<void>;
  /** The status of the last run, and the campaign's state that the run has. */
  lastRun(id: CampaignId): Promise<{ readonly run: LastRun; readonly knownState?: string }>;
  /**
   * Gives an update to the open run.
   * @returns `waiting` when the run has taken it and is not done yet, `gone` when none is open
   * @throws AppError with the code that the run refused it by
   */
  update<Result>(id: CampaignId, update: CampaignUpdate, wait: Wait): Promise<Result | 'waiting' | 'gone'>;
  /** As {@link update}, but begins a run when none is open. */
  updateWithStart<Result>(
    progress: CampaignProgress,
    update: CampaignUpdate,
    wait: Wait,
  ): Promise<Result | 'waiting' | 'gone'>;
  /** Something changed in the ledger: an open run reads it now. */
  notifyChanged(id: CampaignId): Promise<void>;
  progress(id: CampaignId): Promise<PacedProgress | 'gone'>;
  plan(id: CampaignId): Promise<DispatchPlan | 'gone'>;
}

export function campaignRuns(access: TemporalAccess): CampaignRuns {
  const { client, taskQueue = TASK_QUEUE } = access;
  const handleOf = (id: CampaignId): WorkflowHandle<CampaignWorkflow> =>
    client.workflow.getHandle<CampaignWorkflow>(campaignWorkflowId(id));

  return {
    namespace: client.options.namespace,

    async continueRun(progress) {
      await callTemporal(access, `run of campaign ${progress.id}`, () =>
        client.workflow.start<CampaignWorkflow>(WORKFLOW.campaign, {
          ...startOptions(progress, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      );
    },

    lastRun: (id) => lastRunOf(access, campaignWorkflowId(id)),

    update: <Result>(id: CampaignId, { name, args, updateId }: CampaignUpdate, wait: Wait) =>
      updateResult(access, `${name} of campaign ${id}`, wait, () =>
        handleOf(id).startUpdate<Result, [unknown]>(name, { args: given(args), updateId, waitForStage: 'ACCEPTED' }),
      ),

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

    async notifyChanged(id) {
      await unlessGone(() =>
        callTemporal(access, `signal to campaign ${id}`, () => handleOf(id).signal(CAMPAIGN_CHANGED_SIGNAL)),
      );
    },

    progress: (id) =>
      unlessGone(() =>
        callTemporal(access, `query of campaign ${id}`, () =>
          handleOf(id).query<PacedProgress>(CAMPAIGN_PROGRESS_QUERY),
        ),
      ),

    plan: (id) =>
      unlessGone(() =>
        callTemporal(access, `query of campaign ${id}`, () => handleOf(id).query<DispatchPlan>(CAMPAIGN_PLAN_QUERY)),
      ),
  };
}

/** The client's types know an update with arguments or one without, not one that may have some. */
function given(args: CampaignUpdate['args']): [unknown] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the run's handler takes as many as there are
  return [...args] as unknown as [unknown];
}

const campaignAttribute = defineSearchAttributeKey('EverpostCampaign', 'KEYWORD');
const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');

/** Everything here is readable in Temporal's Web UI. */
function startOptions(progress: CampaignProgress, taskQueue: string): WorkflowStartOptions<CampaignWorkflow> {
  const { id, instance, state } = progress;
  return {
    workflowId: campaignWorkflowId(id),
    taskQueue,
    args: [{ campaignId: id, progress }],
    typedSearchAttributes: [
      { key: campaignAttribute, value: id },
      { key: instanceAttribute, value: instance },
      { key: stateAttribute, value: state },
    ],
    staticSummary: `campaign via ${instance}`,
  };
}
