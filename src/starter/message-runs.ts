import {
  WithStartWorkflowOperation,
  WorkflowFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
  type Client,
  type WorkflowHandle,
  type WorkflowStartOptions,
} from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError, defineSearchAttributeKey } from '@temporalio/common';
import {
  AppError,
  MESSAGE_CANCEL_UPDATE,
  MESSAGE_CHANGED_SIGNAL,
  MESSAGE_EDIT_UPDATE,
  MESSAGE_STATUS_QUERY,
  TASK_QUEUE,
  WORKFLOW,
  messageWorkflowId,
  type CancelResult,
  type EditRequest,
  type EditResult,
  type MessageId,
  type MessageInput,
  type MessageResult,
  type MessageSnapshot,
  type MessageStatus,
} from '../contract/index.js';
import { TEMPORAL_TIMEOUT_MS, asAppError, callTemporal } from './temporal-call.js';
import { unlessGone } from './unless-gone.js';

/** The workflow `message` as Temporal's client sees it. */
type MessageWorkflow = (input: MessageInput) => Promise<MessageResult>;

/** What Temporal tells of a run without asking a worker. */
export interface RunFacts {
  readonly isRunning: boolean;
  /** ISO UTC. */
  readonly startedAt: string;
  readonly instance?: string;
  readonly kind?: string;
  readonly requestHash?: string;
}

/** The runs of messages, as everything outside Temporal needs them. Every method throws TEMPORAL_UNAVAILABLE when it is away. */
export interface MessageRuns {
  /** Resolves when Temporal answers, so that what is not begun after a failure here surely is not. */
  reachable(): Promise<void>;
  /**
   * Starts a message's run if there never was one.
   * @returns `same` when one was started before, by the same request
   * @throws AppError IDEMPOTENCY_MISMATCH when it was started by another request
   */
  start(input: MessageInput): Promise<'started' | 'same'>;
  /** Undefined when Temporal knows of none (any more). */
  find(id: MessageId): Promise<RunFacts | undefined>;
  /** Asks the run itself, so a worker has to be there. Undefined when there is none. */
  status(id: MessageId): Promise<MessageStatus | undefined>;
  /**
   * Gives an edit to the run, and waits for its end up to `waitMs`. The same edit given twice is one.
   * @returns `waiting` when the run has taken it and it has not ended yet; `gone` when there is no open run
   * @throws AppError with the code that the run refused it by
   */
  edit(id: MessageId, edit: EditRequest, wait: Wait): Promise<EditResult | 'waiting' | 'gone'>;
  /** As {@link edit}, but begins a new run when none is open. */
  editWithStart(input: MessageInput, edit: EditRequest, wait: Wait): Promise<EditResult | 'waiting' | 'gone'>;
  /** Begins a new run that goes on from the row; does nothing while one is open. */
  goOn(input: MessageInput): Promise<void>;
  cancel(id: MessageId): Promise<CancelResult | 'gone'>;
  /** Tells the run what the ledger now says; a run that has ended needs no telling. */
  tellChanged(snapshot: MessageSnapshot): Promise<void>;
  /** Waits for the end of the run, however long that takes. `ended`: cancelled or terminated from outside. */
  result(id: MessageId): Promise<MessageResult | 'gone' | 'ended'>;
}

export interface Wait {
  readonly timeoutMs: number;
  /** Ends the waiting early, e.g. because nobody listens any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface TemporalAccess {
  readonly client: Client;
  /** @default the queue of all everpost workers */
  readonly taskQueue?: string | undefined;
  /** How long one request to Temporal may take, milliseconds. @default 5000 */
  readonly temporalTimeoutMs?: number | undefined;
}

export function messageRuns(access: TemporalAccess): MessageRuns {
  const { client, taskQueue = TASK_QUEUE, temporalTimeoutMs = TEMPORAL_TIMEOUT_MS } = access;
  const call = <T>(what: string, request: () => Promise<T>): Promise<T> =>
    callTemporal(client, what, request, temporalTimeoutMs);
  /** An update also waits for a worker to take it. */
  const acceptTimeoutMs = 2 * temporalTimeoutMs;
  const handleOf = (id: MessageId): WorkflowHandle<MessageWorkflow> =>
    client.workflow.getHandle<MessageWorkflow>(messageWorkflowId(id));

  async function find(id: MessageId): Promise<RunFacts | undefined> {
    const what = `description of message ${id}`;
    const found = await unlessGone(() => call(what, () => handleOf(id).describe()));
    if (found === 'gone') return undefined;
    const instance = found.typedSearchAttributes.get(instanceAttribute);
    const kind = found.typedSearchAttributes.get(kindAttribute);
    const requestHash = found.memo?.['requestHash'];
    return {
      isRunning: found.status.name === 'RUNNING',
      startedAt: found.startTime.toISOString(),
      ...(instance === undefined ? {} : { instance }),
      ...(kind === undefined ? {} : { kind }),
      ...(typeof requestHash === 'string' ? { requestHash } : {}),
    };
  }

  async function status(id: MessageId): Promise<MessageStatus | undefined> {
    const what = `query of message ${id}`;
    const found = await unlessGone(() => call(what, () => handleOf(id).query<MessageStatus>(MESSAGE_STATUS_QUERY)));
    return found === 'gone' ? undefined : found;
  }

  async function start(input: MessageInput): Promise<'started' | 'same'> {
    try {
      await call(`start of message ${input.id}`, () =>
        client.workflow.start<MessageWorkflow>(WORKFLOW.message, {
          ...startOptions(input, taskQueue),
          workflowIdReusePolicy: 'REJECT_DUPLICATE',
          workflowIdConflictPolicy: 'FAIL',
        }),
      );
      return 'started';
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
    // A run that another client began may carry no memo; then the run itself knows.
    const knownHash = (await find(input.id))?.requestHash ?? (await status(input.id))?.requestHash;
    if (knownHash === input.requestHash) return 'same';
    throw idempotencyMismatch(input.id);
  }

  async function waitForEdit(
    edit: EditRequest,
    { timeoutMs, signal }: Wait,
    begin: () => Promise<{ result(): Promise<EditResult> }>,
  ): Promise<EditResult | 'waiting' | 'gone'> {
    const what = `edit ${edit.editId}`;
    return unlessGone(async () => {
      const update = await callTemporal(client, what, begin, acceptTimeoutMs);
      const result = () => client.withDeadline(Date.now() + timeoutMs, () => update.result());
      try {
        return await (signal === undefined ? result() : client.withAbortSignal(signal, result));
      } catch (error) {
        if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) return 'waiting';
        throw error;
      }
    });
  }

  return {
    async reachable() {
      await call('greeting', () => client.workflowService.getSystemInfo({}));
    },
    start,
    find,
    status,

    edit: (id, edit, wait) =>
      waitForEdit(edit, wait, () =>
        handleOf(id).startUpdate<EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE, {
          args: [edit],
          updateId: edit.editId,
          waitForStage: 'ACCEPTED',
        }),
      ),

    editWithStart: (input, edit, wait) =>
      waitForEdit(edit, wait, () =>
        client.workflow.startUpdateWithStart<MessageWorkflow, EditResult, [EditRequest]>(MESSAGE_EDIT_UPDATE, {
          args: [edit],
          updateId: edit.editId,
          waitForStage: 'ACCEPTED',
          startWorkflowOperation: new WithStartWorkflowOperation<MessageWorkflow>(WORKFLOW.message, {
            ...startOptions(input, taskQueue),
            workflowIdConflictPolicy: 'USE_EXISTING',
          }),
        }),
      ),

    async goOn(input) {
      await call(`new run of message ${input.id}`, () =>
        client.workflow.start<MessageWorkflow>(WORKFLOW.message, {
          ...startOptions(input, taskQueue),
          workflowIdReusePolicy: 'ALLOW_DUPLICATE',
          workflowIdConflictPolicy: 'USE_EXISTING',
        }),
      );
    },

    cancel: (id) =>
      unlessGone(() =>
        callTemporal(
          client,
          `cancellation of message ${id}`,
          () => handleOf(id).executeUpdate<CancelResult, []>(MESSAGE_CANCEL_UPDATE),
          acceptTimeoutMs,
        ),
      ),

    async tellChanged(snapshot) {
      await unlessGone(() =>
        call(`signal to message ${snapshot.id}`, () =>
          handleOf(snapshot.id).signal<[MessageSnapshot]>(MESSAGE_CHANGED_SIGNAL, snapshot),
        ),
      );
    },

    result: (id) =>
      unlessGone(async () => {
        try {
          return await handleOf(id).result();
        } catch (error) {
          if (error instanceof WorkflowFailedError) return 'ended';
          throw asAppError(`wait for message ${id}`, error);
        }
      }),
  };
}

const instanceAttribute = defineSearchAttributeKey('EverpostInstance', 'KEYWORD');
const stateAttribute = defineSearchAttributeKey('EverpostState', 'KEYWORD');
const kindAttribute = defineSearchAttributeKey('EverpostKind', 'KEYWORD');

/** Everything here is readable in Temporal's Web UI: no phone number, no text. */
export function startOptions(input: MessageInput, taskQueue: string): WorkflowStartOptions<MessageWorkflow> {
  const { instance, content } = input.request;
  return {
    workflowId: messageWorkflowId(input.id),
    taskQueue,
    args: [input],
    memo: { requestHash: input.requestHash },
    typedSearchAttributes: [
      { key: instanceAttribute, value: instance },
      { key: stateAttribute, value: 'planned' },
      { key: kindAttribute, value: content.kind },
    ],
    staticSummary: `${content.kind} via ${instance}`,
  };
}

export function idempotencyMismatch(id: string): AppError {
  return new AppError(
    'IDEMPOTENCY_MISMATCH',
    `${id} was asked for before with another body. Repeat the first body, or give a new Idempotency-Key.`,
  );
}
