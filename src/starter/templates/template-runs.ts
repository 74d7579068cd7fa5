import { randomUUID } from 'node:crypto';
import { WithStartWorkflowOperation, type WorkflowStartOptions } from '@temporalio/client';
import { defineSearchAttributeKey } from '@temporalio/common';
import {
  TASK_QUEUE,
  TEMPLATE_DECIDE_UPDATE,
  WORKFLOW,
  templateWorkflowId,
  type LastRun,
  type TemplateDecision,
  type TemplateInput,
  type TemplateKey,
  type TemplateSnapshot,
} from '../../contract/index.js';
import { lastRunOf } from '../last-run.js';
import type { TemporalAccess } from '../message-runs.js';
import { TEMPORAL_TIMEOUT_MS, callTemporal } from '../temporal-call.js';
import { unlessGone } from '../unless-gone.js';

/** The workflow `template` as Temporal's client sees it. */
type TemplateWorkflow = (input: TemplateInput) => Promise<TemplateSnapshot>;

/** The runs of templates. Every method throws TEMPORAL_UNAVAILABLE when Temporal, or for a decision a worker, is away. */
export interface TemplateRuns {
  /** Starts a run that goes on from the row, also after one that has ended; does nothing while one is open. */
  goOn(input: TemplateInput): Promise<void>;
  lastRun(key: TemplateKey): Promise<LastRun>;
  /** Gives a decision to the run, beginning one when none is open. `gone`: it ended in this moment, ask again. */
  decide(input: TemplateInput, decision: TemplateDecision): Promise<TemplateSnapshot | 'gone'>;
}

export function templateRuns(access: TemporalAccess): TemplateRuns {
  const { client, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;

  return {
    async goOn(input) {
      const start = () =>
        client.workflow.start<TemplateWorkflow>(WORKFLOW.template, {
          ...startOptions(input, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
        });
      await callTemporal(client, `run of template ${input.elementName}`, start, temporalTimeoutMs);
    },

    lastRun: async (key) => (await lastRunOf(access, templateWorkflowId(key))).run,

    decide: (input, decision) =>
      unlessGone(() =>
        callTemporal(
          client,
          `decision on template ${input.elementName}`,
          () =>
            client.workflow.executeUpdateWithStart<TemplateWorkflow, TemplateSnapshot, [TemplateDecision]>(
              TEMPLATE_DECIDE_UPDATE,
              {
                args: [decision],
                updateId: randomUUID(),
                startWorkflowOperation: new WithStartWorkflowOperation<TemplateWorkflow>(WORKFLOW.template, {
                  ...startOptions(input, taskQueue),
                  workflowIdConflictPolicy: 'USE_EXISTING',
                }),
              },
            ),
          // An update also waits for a worker to take it.
          2 * temporalTimeoutMs,
        ),
      ),
  };
}

const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');
const kindAttribute = defineSearchAttributeKey('EverpostKind', 'KEYWORD');

function startOptions(input: TemplateInput, taskQueue: string): WorkflowStartOptions<TemplateWorkflow> {
  return {
    workflowId: templateWorkflowId(input),
    taskQueue,
    args: [input],
    typedSearchAttributes: [
      { key: instanceAttribute, value: input.instance },
      { key: stateAttribute, value: 'planned' },
      { key: kindAttribute, value: 'template' },
    ],
    staticSummary: `template ${input.elementName} via ${input.instance}`,
  };
}
