import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import {
  AppError,
  KIND_SENT_BY,
  OPERATION_NAMES,
  type OperationName,
  type SendOperation,
  type TemplateState,
  isOperationName,
  present,
  templateKeyOf,
  templateWorkflowId,
  operationUnknown,
  operationFailed,
} from '../contract/index.js';
import { operationRequestSchema, type Shape, time } from '../contract/schemas.js';
import type { EditView, MessageView, OperationView, TemplateView } from '../ledger/index.js';
import { readInput, asContent, isSendOperation, pathInOperation } from '../domain/index.js';
import {
  type AskGateway,
  type AskedFor,
  beginMessage,
  editId,
  isEditId,
  keyHashOfOperation,
  operationId,
  operationKeyHash,
  readMessageRequest,
  requestHash,
  type Wait,
  withPaths,
} from '../starter/index.js';
import { type FoundEdit, editMessage, type FoundMessage, findMessage } from './existing-message.js';
import type { RouteDependencies } from './route-dependencies.js';
import { findTemplate, submitTemplate } from './templates.js';
import { waitUntil } from './waiting.js';

interface BegunOperation {
  readonly operation: OperationResponse;
  /** True if an earlier request with the same key began the operation. */
  readonly isReplay: boolean;
}

/**
 * Begins an operation once for its key. A send becomes a message, an edit of an everpost message becomes its edit, a
 * template is submitted once for its name, and every other operation becomes a job.
 * @param body `{ instance, request }`, the request under the gateway's own field names
 * @throws AppError OPERATION_NOT_FOUND | INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH |
 *   TEMPORAL_UNAVAILABLE
 */
export async function beginOperation(
  dependencies: RouteDependencies,
  method: string,
  body: unknown,
  asked: AskedFor,
  wait: Wait,
): Promise<BegunOperation> {
  const { instances, checkOperation } = dependencies;
  const name = knownOperation(method);
  const what = `The operation ${name}`;
  const { instance, request = {} } = readInput(operationRequestSchema, body, what);
  instances.get(instance);
  const pathOf = (path: string) => (path === '' ? 'request' : `request.${path}`);
  withPaths(what, pathOf, () => checkOperation(name, request));
  if (name === 'createTemplate') {
    const { template, isReplay } = await submitTemplate(dependencies, { instance, template: request });
    return { operation: ofTemplate(template), isReplay };
  }
  if (isSendOperation(name)) return beginSend(dependencies, name, instance, request, asked);
  if (name === 'editMessage') {
    const idMessage = String(request['idMessage']);
    const [own] = (await dependencies.ledger.views.messages({ instance, idMessage, limit: 1 })).items;
    if (own !== undefined) {
      const { key, witness } = asked;
      const ofOwn = { editId: editId(own.id, key), text: String(request['message']), witness };
      const { edit, isReplay } = await editMessage(dependencies, own.id, ofOwn, wait);
      return { operation: ofEdit(edit), isReplay };
    }
  }
  return beginJob(dependencies, name, instance, request, asked.key);
}

async function beginSend(
  dependencies: RouteDependencies,
  name: SendOperation,
  instance: string,
  fields: Readonly<Record<string, unknown>>,
  asked: AskedFor,
): Promise<BegunOperation> {
  const pathOf = (path: string) => pathInOperation(KIND_SENT_BY[name], path);
  const { request } = withPaths(`The operation ${name}`, pathOf, () =>
    readMessageRequest({ instance, ...asContent(name, fields) }, {}),
  );
  const { id, isReplay } = await beginMessage(dependencies, request, asked);
  return { operation: ofMessage(name, await findMessage(dependencies, id)), isReplay };
}

async function beginJob(
  { ledger, clock, operationRuns }: RouteDependencies,
  name: OperationName,
  instance: string,
  request: unknown,
  key: string,
): Promise<BegunOperation> {
  const keyHash = operationKeyHash(name, instance, key);
  const row = await ledger.operations.open({
    id: operationId(keyHash),
    method: name,
    instance,
    requestHash: requestHash({ method: name, instance, request }),
    request,
    nowMs: clock.nowMs(),
  });
  const operation = { ...row, method: name };
  if (hasEnded(operation)) return { operation, isReplay: true };
  await operationRuns.start(name, keyHash, instance);
  return { operation, isReplay: false };
}

/** @throws AppError OPERATION_NOT_FOUND | MESSAGE_NOT_FOUND */
export async function findOperation(
  dependencies: RouteDependencies,
  method: string,
  given: string,
): Promise<OperationResponse> {
  const { ledger, findId } = dependencies;
  const name = knownOperation(method);
  if (isEditId(given) && name === 'editMessage') {
    const edit = await ledger.edits.view(given);
    if (edit !== undefined) return ofEdit(edit);
  }
  const template = name === 'createTemplate' ? templateKeyOf(given) : undefined;
  if (template !== undefined) return ofTemplate(await findTemplate(dependencies, template));
  const messageId = isSendOperation(name) ? await findId.message(given) : undefined;
  if (messageId !== undefined) return ofMessage(name, await findMessage(dependencies, messageId));
  const id = (await findId.operation(name, given)) ?? given;
  const keyHash = keyHashOfOperation(id);
  if (keyHash !== undefined) {
    const row = await ledger.operations.view(id);
    if (row?.method === name) return { ...(await closeIfDead(dependencies, name, keyHash, row)), method: name };
  }
  throw operationUnknown(`${name} ${given}`);
}

/**
 * Closes the row of a job that Temporal gave up or an operator ended in the Web UI: the job does not write its row any
 * more.
 */
async function closeIfDead(
  { ledger, clock, operationRuns }: RouteDependencies,
  name: OperationName,
  keyHash: string,
  row: OperationView,
): Promise<OperationView> {
  if (row.state !== 'pending' && row.state !== 'sending') return row;
  // A background job ends it, together with its effect on messages (CLEAR-6).
  if (name === 'clearMessagesQueue' && row.state === 'sending') return row;
  if (!(await operationRuns.hasEnded(name, keyHash))) return row;
  const newRow = await ledger.operations.view(row.id);
  if (newRow !== undefined && newRow.state !== row.state) return newRow;
  const end =
    row.state === 'sending'
      ? ({ state: 'may_have_happened', code: 'OPERATION_MAY_HAVE_HAPPENED' } as const)
      : ({ state: 'failed', code: 'OPERATION_FAILED' } as const);
  const text = 'Temporal ended the job before it was done';
  return ledger.operations.finish(row.id, { ...end, text }, clock.nowMs());
}

/** @throws AppError OPERATION_NOT_FOUND */
export function knownOperation(method: string): OperationName {
  if (isOperationName(method)) return method;
  throw new AppError(
    'OPERATION_NOT_FOUND',
    `There is no operation ${method}. Use one of: ${OPERATION_NAMES.join(', ')}`,
  );
}

/** An operation as a durable job. `may_have_happened`: a request left and its outcome is unknown. */
export const operationSchema = z
  .object({
    id: z.string().describe('Id of the operation'),
    method: z.enum(OPERATION_NAMES).describe("The gateway's name of the operation"),
    instance: z.string().optional().describe('The instance that runs it'),
    state: z
      .enum(['pending', 'sending', 'done', 'failed', 'may_have_happened'])
      .describe('`may_have_happened`: a request left and its outcome is unknown'),
    result: z.unknown().optional().describe("The gateway's response without its secret fields"),
    code: z.string().optional().describe('Code of the failure, see docs/errors.md'),
    text: z.string().optional().describe("The gateway's own words"),
    createdAt: time.optional().describe('When the operation was requested'),
    endedAt: time.optional().describe('When the operation ended'),
  })
  .meta({ id: 'Operation' });

export type OperationResponse = Shape<typeof operationSchema>;

export function hasEnded({ state }: OperationResponse): boolean {
  return state !== 'pending' && state !== 'sending';
}

const OF_MESSAGE: Readonly<Record<MessageView['state'], OperationView['state']>> = {
  pending: 'pending',
  sending: 'sending',
  unknown: 'may_have_happened',
  unresolved: 'may_have_happened',
  accepted: 'done',
  sent: 'done',
  delivered: 'done',
  read: 'done',
  rejected: 'failed',
  failed: 'done',
  no_account: 'done',
  expired: 'failed',
  cancelled: 'failed',
  suppressed: 'failed',
  held_out: 'failed',
};

/** The operation ends when the gateway accepts the message. The message itself has the later states. */
function ofMessage(method: OperationName, message: FoundMessage): OperationResponse {
  const { id, instance, createdAt, reason } = message;
  const state = OF_MESSAGE[message.state];
  const { idMessage, reasonText, acceptedAt }: Partial<MessageView> = 'version' in message ? message : {};
  return {
    id,
    method,
    ...present({ instance }),
    state,
    ...(state === 'done' && idMessage !== undefined ? { result: { idMessage } } : {}),
    ...(state === 'failed' || state === 'may_have_happened' ? { code: reason ?? message.state } : {}),
    ...(state === 'failed' && reasonText !== undefined ? { text: reasonText } : {}),
    createdAt,
    ...present({ endedAt: acceptedAt }),
  };
}

const OF_EDIT: Readonly<Record<EditView['state'], OperationView['state']>> = {
  pending: 'pending',
  sending: 'sending',
  posted: 'sending',
  edited: 'done',
  too_late: 'failed',
  refused: 'failed',
  unconfirmed: 'may_have_happened',
  superseded: 'failed',
  not_possible: 'failed',
};

function ofEdit(edit: FoundEdit): OperationResponse {
  const state = OF_EDIT[edit.state];
  const idMessage = edit.idMessageReturned ?? edit.idMessageGiven;
  return {
    id: edit.id,
    method: 'editMessage',
    state,
    ...(state === 'done' ? { result: { idMessage } } : {}),
    ...(state === 'failed' || state === 'may_have_happened' ? { code: edit.state } : {}),
    createdAt: edit.requestedAt,
    ...present({ text: edit.reason, endedAt: edit.endedAt }),
  };
}

const OF_TEMPLATE: Readonly<Record<TemplateState, OperationView['state']>> = {
  pending: 'pending',
  sending: 'sending',
  unknown: 'sending',
  submitted: 'done',
  refused: 'failed',
};

/** The operation ends when the gateway has the template. The template itself has the result of its review. */
function ofTemplate(template: TemplateView): OperationResponse {
  const { instance, elementName, templateId, status, reason, createdAt, submittedAt } = template;
  const state = OF_TEMPLATE[template.state];
  return {
    id: templateWorkflowId(template),
    method: 'createTemplate',
    instance,
    state,
    ...(state === 'done' ? { result: { template: { elementName, templateId, status, reason } } } : {}),
    ...(state === 'failed' ? { code: 'GATEWAY_REJECTED' } : {}),
    ...(state === 'failed' && reason !== undefined ? { text: reason } : {}),
    createdAt,
    ...present({ endedAt: submittedAt }),
  };
}

/**
 * Queries an instance through an operation: a worker sends the request, with the account's rate limits and retries.
 * @throws AppError OPERATION_FAILED with the gateway's text when it rejects the request | GATEWAY_UNREACHABLE without a
 *   response in time
 */
export async function askByOperation<Result>(
  dependencies: RouteDependencies,
  ...[method, instance, request, wait]: Parameters<AskGateway>
): Promise<Result> {
  const asked = { key: randomUUID(), witness: 'everpost' };
  const { operation } = await beginOperation(dependencies, method, { instance, request }, asked, wait);
  const { id } = operation;
  const read = () => findOperation(dependencies, method, id);
  const answered = await waitUntil(dependencies.bell, { ...wait, id, read, isDone: hasEnded });
  if (answered.state === 'done') return answered.result as Result;
  if (hasEnded(answered)) {
    const { code = answered.state, text } = answered;
    throw operationFailed(method, id, code, text);
  }
  throw new AppError(
    'GATEWAY_UNREACHABLE',
    `${method} of instance ${instance} got no response in time: no worker runs, or the gateway is unreachable. Show why it waits: GET /v1/operations/${method}/${id}. Then retry.`,
  );
}
