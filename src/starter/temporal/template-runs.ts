import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type WorkflowStartOptions } from '@temporalio/client';
import {
  TASK_QUEUE,
  TEMPLATE_SET_REVIEW_UPDATE,
  WAKE_SIGNAL,
  WORKFLOW,
  templateWorkflowId,
  type LastRun,
  type TemplateReview,
  type TemplateKey,
  type TemplateSnapshot,
  type TemplateStart,
} from '../../contract/index.js';
import {
  type TemporalAccess,
  callTemporal,
  searchAttributes,
  callWorker,
  lastRunOf,
  unlessGone,
} from './temporal-call.js';

/** The workflow `template` as Temporal's client sees it. */
type TemplateWorkflow = (input: TemplateStart) => Promise<TemplateSnapshot>;

/**
 * The runs of templates. Every method throws TEMPORAL_UNAVAILABLE while Temporal is unavailable; a decision also while
 * no worker runs.
 */
export function templateRuns(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE } = access;

  return {
    /**
     * Starts a run that continues from the row, also after one that has ended. An open one may be closing: the signal
     * makes it read the row again before.
     */
    async continueRun(key: TemplateKey): Promise<void> {
      await callTemporal(access, `run of template ${key.elementName}`, () =>
        client.workflow.signalWithStart<TemplateWorkflow>(WORKFLOW.template, {
          ...startOptions(key, taskQueue),
          signal: WAKE_SIGNAL,
        }),
      );
    },

    lastRun: (key: TemplateKey): Promise<LastRun> => lastRunOf(access, templateWorkflowId(key)),

    /**
     * Sends a decision to the run, and starts a run if none is open. `gone`: the run ended at this moment; call again.
     */
    setReview: (key: TemplateKey, review: TemplateReview): Promise<TemplateSnapshot | 'gone'> =>
      unlessGone(() =>
        callWorker(access, `decision on template ${key.elementName}`, () =>
          client.workflow.executeUpdateWithStart<TemplateWorkflow, TemplateSnapshot, [TemplateReview]>(
            TEMPLATE_SET_REVIEW_UPDATE,
            {
              args: [review],
              updateId: randomUUID(),
              startWorkflowOperation: new WithStartWorkflowOperation<TemplateWorkflow>(WORKFLOW.template, {
                ...startOptions(key, taskQueue),
                workflowIdConflictPolicy: 'USE_EXISTING',
              }),
            },
          ),
        ),
      ),
  };
}

export type TemplateRuns = ReturnType<typeof templateRuns>;

/** A run that continues from the row. */
function startOptions(
  { instance, elementName }: TemplateKey,
  taskQueue: string,
): WorkflowStartOptions<TemplateWorkflow> {
  return {
    workflowId: templateWorkflowId({ instance, elementName }),
    taskQueue,
    args: [{ instance, elementName }],
    typedSearchAttributes: searchAttributes({
      EverpostInstance: [instance],
      EverpostState: 'pending',
      EverpostKind: 'template',
    }),
    staticSummary: `Submit template ${elementName} through ${instance}, and follow its review`,
  };
}
