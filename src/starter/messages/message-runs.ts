import { randomUUID } from 'node:crypto';
import { WorkflowFailedError, type WorkflowStartOptions } from '@temporalio/client';
import { ApplicationFailure, WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  AppError,
  COMPARE_ACTIVITY,
  type CancelResult,
  type CompareInput,
  type EditId,
  type EditRequest,
  type EditResult,
  MESSAGE_CANCEL_UPDATE,
  MESSAGE_EDIT_UPDATE,
  MESSAGE_WAIT_FOR_UPDATE,
  type MessageId,
  type MessageInput,
  type MessageKind,
  type MessageRequest,
  type MessageResult,
  type NewMessageInput,
  PRIORITY_FIRST,
  PRIORITY_LAST,
  TASK_QUEUE,
  WORKFLOW,
  type WaitForRequest,
  type WaitForResult,
  isErrorCode,
  messageWorkflowId,
  present,
} from '../../contract/index.js';
import { readPayload } from '../../codec/index.js';
import type { StartedRun } from '../../ledger/index.js';
import {
  TEMPORAL_TIMEOUT_MS,
  type TemporalAccess,
  type Wait,
  asAppError,
  callTemporal,
  searchAttributes,
  callWorker,
  describeRun,
  isNotFound,
  lastRunOf,
  unlessGone,
  updateResult,
} from '../temporal/temporal-call.js';
import { messageId, requestHash } from '../ids.js';
import { readMessageRequest } from './message-request.js';

/** The workflow `message` as Temporal's client sees it. */
type MessageWorkflow = (input: MessageInput) => Promise<MessageResult>;

/** The run that shows a message: `message:<id>`, unless its row names another workflow. */
export interface RunRef {
  readonly id: MessageId;
  readonly workflowId?: string;
}

/** Starts a new run for a message that has a row. */
export interface MessageOfRow {
  readonly id: MessageId;
  readonly instance: string;
  readonly kind: MessageKind;
  /** ISO UTC. The run shows it while it waits. */
  readonly expiresAt?: string;
}

/**
 * The runs of messages, for all code outside Temporal. Every method throws TEMPORAL_UNAVAILABLE while Temporal is
 * unavailable.
 */
export function messageRuns(access: TemporalAccess) {
  const { client, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;
  const handleOf = (run: RunRef) => client.workflow.getHandle<MessageWorkflow>(workflowIdOf(run));

  /** @returns its run id; undefined if Temporal refuses the id: a run is open or, by the reuse policy, was started before */
  async function startRun(
    row: MessageOfRow,
    options: Partial<Pick<WorkflowStartOptions<MessageWorkflow>, 'args' | 'priority' | 'workflowIdReusePolicy'>>,
  ): Promise<string | undefined> {
    try {
      const started = await callTemporal(access, `start of message ${row.id}`, () =>
        client.workflow.start<MessageWorkflow>(WORKFLOW.message, {
          ...startOptions(row, taskQueue),
          ...options,
          workflowIdConflictPolicy: 'FAIL',
        }),
      );
      return started.firstExecutionRunId;
    } catch (error) {
      if (error instanceof WorkflowExecutionAlreadyStartedError) return undefined;
      throw error;
    }
  }

  /**
   * Compares the request with that of the last run's input, else with its row. No run shows a hash of a request, which
   * would confirm a guess.
   */
  async function isSameRequest(id: MessageId, request: MessageRequest): Promise<boolean> {
    const what = `comparison with message ${id}`;
    const hash = requestHash(request);
    const { loadedDataConverter, namespace } = client.options;
    const started = await callTemporal(access, what, async () => {
      const { history } = await client.workflowService.getWorkflowExecutionHistory({
        namespace,
        execution: { workflowId: messageWorkflowId(id) },
        maximumPageSize: 1,
      });
      const [payload] = history?.events?.[0]?.workflowExecutionStartedEventAttributes?.input?.payloads ?? [];
      return payload && readPayload<MessageInput>(loadedDataConverter, payload);
    });
    if (started !== undefined && !('id' in started)) {
      const { key, ...body } = started;
      return requestHash(readMessageRequest(body, {}).request) === hash;
    }
    const input: CompareInput = { id, requestHash: hash };
    const compare = () =>
      client.activity.execute<boolean>(COMPARE_ACTIVITY, {
        id: `compare:${id}:${randomUUID()}`,
        args: [input],
        taskQueue,
        startToCloseTimeout: temporalTimeoutMs,
        // The call's own deadline comes first, and its error contains a remedy.
        scheduleToCloseTimeout: 4 * temporalTimeoutMs,
      });
    return callWorker(access, what, compare);
  }

  /** TASKS-2: its next tasks come before those of runs that only show. No effect if no run is open. */
  async function putFirst(run: RunRef): Promise<void> {
    const change = () =>
      client.workflowService.updateWorkflowExecutionOptions({
        namespace: client.options.namespace,
        workflowExecution: { workflowId: workflowIdOf(run) },
        workflowExecutionOptions: { priority: PRIORITY_FIRST },
        updateMask: { paths: ['priority'] },
      });
    try {
      await callTemporal(access, `priority of message ${run.id}`, change);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }

  return {
    /** Resolves once Temporal has answered, so that a failure after it surely started nothing. */
    async reachable(): Promise<void> {
      await callTemporal(access, 'greeting', () => client.workflowService.getSystemInfo({}));
    },

    /** Starts a run that continues from the row, also after one that has ended. No effect while a run is open. */
    async start(row: MessageOfRow): Promise<StartedRun> {
      const runId = await startRun(row, { priority: PRIORITY_LAST, workflowIdReusePolicy: 'ALLOW_DUPLICATE' });
      return { id: row.id, ...present({ runId }) };
    },

    /**
     * Starts the run of a new message. No effect if the same request started it before.
     * @throws AppError IDEMPOTENCY_MISMATCH if another request started it
     */
    async startNew(request: MessageRequest, key: string): Promise<void> {
      const { chatId, ...body } = request;
      const id = messageId(body.instance, key);
      // The same input as from any other client.
      const input: NewMessageInput = { ...body, ...present({ to: chatId }), key };
      const row = { id, instance: body.instance, kind: body.content.kind };
      const runId = await startRun(row, { args: [input], workflowIdReusePolicy: 'REJECT_DUPLICATE' });
      if (runId !== undefined) return;
      if (!(await isSameRequest(id, request)))
        throw new AppError(
          'IDEMPOTENCY_MISMATCH',
          `${id} was requested before with another body. Repeat the first body, or use a new Idempotency-Key.`,
        );
    },

    lastRun: (run: RunRef) => lastRunOf(access, workflowIdOf(run)),

    /** The data that Temporal has about a run, without asking a worker. Undefined if Temporal has no such run. */
    async find(run: RunRef) {
      const what = `description of message ${run.id}`;
      const found = await callTemporal(access, what, () => describeRun(client, workflowIdOf(run)));
      return (
        found && {
          isRunning: found.status === 'running',
          startedAt: new Date(found.startedAtMs).toISOString(),
          ...present({
            instance: found.attribute('EverpostInstance'),
            kind: found.attribute('EverpostKind'),
            // The row's state as the run shows it.
            shownState: found.attribute('EverpostState'),
          }),
        }
      );
    },

    /**
     * Asks the run to edit, and waits for the end of the edit. Its text is sent through Temporal, and its id is also the
     * update's id, so that sending the same edit twice has no further effect.
     * @returns `waiting` if the run has accepted the edit and not finished it; `gone` if no run is open
     * @throws AppError with the code of the run's rejection
     */
    async edit(run: RunRef, { editId, text }: { readonly editId: EditId; readonly text: string }, wait: Wait) {
      await putFirst(run);
      return updateResult(access, `edit ${editId}`, wait, () =>
        handleOf(run).startUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE, {
          args: [{ text }],
          updateId: editId,
          waitForStage: 'ACCEPTED',
        }),
      );
    },

    /** Waits until the run knows that the message has the state. Waits as `edit` does. */
    waitFor: (id: MessageId, request: WaitForRequest, wait: Wait) =>
      updateResult(access, `wait for message ${id}`, wait, () =>
        handleOf({ id }).startUpdate<WaitForResult, [WaitForRequest]>(MESSAGE_WAIT_FOR_UPDATE, {
          args: [request],
          waitForStage: 'ACCEPTED',
        }),
      ),

    async cancel(run: RunRef) {
      await putFirst(run);
      return unlessGone(() =>
        callWorker(access, `cancellation of message ${run.id}`, () =>
          handleOf(run).executeUpdate<CancelResult, []>(MESSAGE_CANCEL_UPDATE),
        ),
      );
    },

    /**
     * Waits for the end of the run, without a timeout. `ended`: the run was cancelled or terminated from outside.
     * @throws AppError with the code that the run failed with, e.g. INPUT_INVALID
     */
    result: (id: MessageId): Promise<MessageResult | 'gone' | 'ended'> =>
      unlessGone(async () => {
        try {
          return await handleOf({ id }).result();
        } catch (error) {
          if (!(error instanceof WorkflowFailedError)) throw asAppError(`wait for message ${id}`, error);
          const { cause } = error;
          if (!(cause instanceof ApplicationFailure) || !isErrorCode(cause.type)) return 'ended';
          throw new AppError(cause.type, cause.message, { cause: error });
        }
      }),
  };
}

export type MessageRuns = ReturnType<typeof messageRuns>;

function workflowIdOf({ id, workflowId = messageWorkflowId(id) }: RunRef): string {
  return workflowId;
}

/**
 * A run that continues from the row. Temporal's Web UI shows everything except the arguments in clear text: no phone
 * number, no text.
 */
export function startOptions(
  { id, instance, kind, expiresAt }: MessageOfRow,
  taskQueue: string,
): WorkflowStartOptions<MessageWorkflow> {
  return {
    workflowId: messageWorkflowId(id),
    taskQueue,
    args: [{ id, ...present({ expiresAt }) }],
    typedSearchAttributes: searchAttributes({
      EverpostInstance: [instance],
      EverpostState: 'pending',
      EverpostKind: kind,
    }),
    staticSummary: `Send a ${kind} through ${instance}`,
  };
}
