import { createHash } from 'node:crypto';
import { activityInfo } from '@temporalio/activity';
import {
  AppError,
  ErrorNext,
  OPERATIONS,
  shortId,
  type OperationInput,
  type OperationName,
  type OperationResult,
  present,
  gatewayTimeMs,
  type JobInput,
  type RecurringJob,
  operationUnknown,
  operationFailed,
} from '../contract/index.js';
import type { OperationRequest } from '../gateway/index.js';
import type { OperationView } from '../ledger/index.js';
import { groupDataOf, lidsOfGroup } from '../domain/index.js';
import { clearQueue } from './clear-queue.js';
import type { ActivityDependencies } from './dependencies.js';

/** A larger response stays in the ledger. Temporal would retry an activity whose result is too large for a history. */
const RESULT_LIMIT_BYTES = 256 * 1024;

/**
 * Creates the activity of one gateway operation that is not a send. The activity's policy retries repeatable operations
 * while the gateway is unavailable. Other operations make at most one request with an unknown outcome.
 */
export function operationActivity(deps: ActivityDependencies, method: OperationName) {
  const { ledger, clock } = deps;
  const once = OPERATIONS[method].durability === 'once';

  return async (input: OperationInput): Promise<OperationResult> => {
    const { row, request } = await openOperation(deps, method, input);
    const { id, instance } = row;
    const answer = (view: OperationView): OperationResult => resultOf(view, 'operationId' in input);
    if (row.state !== 'pending' && row.state !== 'sending') return answer(row);
    if (method === 'clearMessagesQueue') return answer(await clearQueue(deps, row));
    if (once && !(await ledger.operations.beginOnce(id))) {
      return answer(await mayHaveHappened(id, 'OPERATION_MAY_HAVE_HAPPENED'));
    }
    try {
      const { response } = await deps.gateway.call(instance, method, request as OperationRequest<typeof method>);
      if (method === 'getGroupData') await learnLids(deps, response);
      if (method === 'reboot') await readState(deps, instance);
      const result = await ledger.receipts.hideTexts(instance, withoutSecrets(response));
      return answer(await ledger.operations.finish(id, { state: 'done', result }, clock.nowMs()));
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'LEDGER_UNAVAILABLE') throw error;
      return answer(await failed(id, error));
    }
  };

  async function failed(id: string, error: AppError): Promise<OperationView> {
    switch (error.next) {
      case ErrorNext.stop: {
        const { code, problems, gatewayText } = error;
        const text = gatewayText ?? problems?.map(({ path, message }) => `${path}: ${message}`).join('; ');
        await ledger.operations.finish(id, { state: 'failed', code, ...present({ text }) }, clock.nowMs());
        throw error;
      }
      case ErrorNext.wait:
      case ErrorNext.human:
        if (once) await ledger.operations.giveBack(id);
        throw error;
      case ErrorNext.ask:
        if (!once) throw error;
        return mayHaveHappened(id, error.code, error.gatewayText);
      case ErrorNext.bug:
        throw error;
    }
  }

  function mayHaveHappened(id: string, code: string, text?: string): Promise<OperationView> {
    const end = { state: 'may_have_happened', code, ...present({ text }) } as const;
    return ledger.operations.finish(id, end, clock.nowMs());
  }
}

/** A restarting account is away, as soon as everpost knows it. Otherwise the next poll reads the state. */
async function readState({ ledger, gateway, clock, log }: ActivityDependencies, instance: string): Promise<void> {
  try {
    const { response } = await gateway.call(instance, 'getStateInstance', {});
    const { stateInstance: state } = response;
    if (state !== null) await ledger.instanceStates.record({ instance, state, atMs: clock.nowMs() });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    log({ level: 'info', message: 'the state after a reboot could not be read', instance, code: error.code });
  }
}

/** Every response of getGroupData passes here: of operations, imports of a group, snapshots and recurring jobs. */
async function learnLids({ ledger, clock }: Pick<ActivityDependencies, 'ledger' | 'clock'>, group: object) {
  await ledger.lids.learn(lidsOfGroup({ ...group }), 'group', clock.nowMs());
}

/** Opens the operation's row: the named one, or a new row if a workflow calls the activity. */
async function openOperation(
  { ledger, clock }: ActivityDependencies,
  method: OperationName,
  input: OperationInput,
): Promise<{ readonly row: OperationView; readonly request: unknown }> {
  if ('operationId' in input) {
    const row = await ledger.operations.view(input.operationId);
    if (row === undefined) throw operationUnknown(input.operationId);
    return { row, request: await ledger.operations.requestOf(row.id) };
  }
  const { instance, request } = input;
  const { workflowExecution, activityId } = activityInfo();
  const id = `op_${shortId(digest([workflowExecution?.workflowId, workflowExecution?.runId, activityId]))}`;
  const requestHash = digest([method, instance, request]).toString('hex');
  const row = await ledger.operations.open({ id, method, instance, requestHash, request, nowMs: clock.nowMs() });
  return { row, request };
}

function digest(parts: readonly unknown[]): Buffer {
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}

/**
 * The result of the activity. A response contains chats, names and texts, so the response of a row stays in the row.
 */
function resultOf(view: OperationView, isOfRow: boolean): OperationResult {
  if (view.state === 'may_have_happened') return { state: 'may_have_happened', code: view.code ?? view.state };
  if (view.state === 'failed') {
    throw operationFailed(view.method, view.id, view.code ?? 'no reason recorded', view.text);
  }
  const sizeBytes = Buffer.byteLength(JSON.stringify(view.result ?? null));
  return isOfRow || sizeBytes > RESULT_LIMIT_BYTES
    ? { state: 'done', storedAs: view.id, sizeBytes }
    : { state: 'done', response: view.result ?? null };
}

/** Fields of gateway responses that grant access. They never enter a history, a ledger row or a log. */
const SECRET_FIELDS = new Set(['webhookUrlToken', 'apiTokenInstance', 'apiTokenWaba', 'token', 'groupInviteLink']);
const REMOVED = '[removed]';

/** A copy of a JSON value with every non-empty secret field replaced, at any depth. */
export function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET_FIELDS.has(key) && inner !== '' && inner !== null ? REMOVED : withoutSecrets(inner),
    ]),
  );
}

/** The gateway shows the stories of one day. */
const MOST_MINUTES = 1_440;
/** Added to the time since the last run, since clocks may differ and a story may be shown late. */
const MORE_MINUTES = 10;

/**
 * Creates the activity for one run of a recurring job, see JOB-1. Temporal retries it while the gateway is unavailable.
 */
export function recurringJobActivity(deps: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>) {
  const { ledger, clock } = deps;
  return async ({ jobId }: JobInput): Promise<void> => {
    const job = await ledger.account.job(jobId);
    if (job === undefined || Date.parse(job.nextAt) > clock.nowMs()) return;
    try {
      const { kind, instance, groupId } = job;
      if (kind === 'stories') await storeStories(deps, job);
      else if (groupId !== undefined) {
        const { response } = await deps.gateway.call(instance, 'getGroupData', { groupId });
        await learnLids(deps, response);
        await ledger.account.storeSnapshot(instance, groupId, groupDataOf(response), clock.nowMs());
      }
    } catch (error) {
      if (!(error instanceof AppError) || error.next !== ErrorNext.stop) throw error;
      // The gateway rejects the request now, e.g. for a group that the account has left. The next run tries again.
      await ledger.account.endRun(jobId, { problem: error.gatewayText ?? error.code }, clock.nowMs());
      return;
    }
    await ledger.account.endRun(jobId, {}, clock.nowMs());
  };
}

async function storeStories(
  { ledger, gateway, clock }: Pick<ActivityDependencies, 'ledger' | 'gateway' | 'clock'>,
  { instance, lastAt }: RecurringJob,
): Promise<void> {
  const sinceMs = lastAt === undefined ? Infinity : clock.nowMs() - Date.parse(lastAt);
  const minutes = Math.min(MOST_MINUTES, Math.max(1, Math.ceil(sinceMs / 60_000) + MORE_MINUTES));
  const { response } = await gateway.call(instance, 'getIncomingStories', { minutes });
  const nowMs = clock.nowMs();
  const stories = response.map((story) => ({
    idMessage: story.idMessage,
    atMs: gatewayTimeMs(story.timestamp, nowMs) ?? nowMs,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- an object stays one
    story: withoutSecrets(story) as Readonly<Record<string, unknown>>,
  }));
  await ledger.account.storeStories(instance, stories, nowMs);
}
