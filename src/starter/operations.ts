import {
  KIND_SENT_BY,
  AppError,
  OPERATION_NAMES,
  isOperationName,
  templateKeyOf,
  type MessageId,
  type OperationName,
  type SendOperation,
} from '../contract/index.js';
import { operationRequestSchema } from '../contract/schemas.js';
import type { OperationView } from '../ledger/index.js';
import { beginMessage, type AskedFor } from './begin-message.js';
import { asContent, isSendOperation, pathInOperation } from './content-fields.js';
import { editMessage } from './edit-message.js';
import { findMessage } from './find-message.js';
import type { RouteDependencies } from './http/route-dependencies.js';
import type { Wait } from './temporal-call.js';
import { editId, isEditId, keyHashOfOperation, operationId, operationKeyHash, requestHash } from './ids.js';
import { readMessageRequest, withPaths } from './message-request.js';
import { hasEnded, ofEdit, ofMessage, ofRow, ofTemplate, type OperationResponse } from './operation-response.js';
import { readInput } from '../domain/index.js';
import { findTemplate, submitTemplate } from './templates/templates.js';

export interface BegunOperation {
  readonly operation: OperationResponse;
  /** True when an earlier request with the same key had begun it. */
  readonly isReplay: boolean;
}

/**
 * Begins an operation once for its key, for ever. A send becomes a message, an edit of our own message its edit, a
 * template is submitted once for its name, and everything else becomes a job of its own.
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
    const own = await ownMessage(dependencies, instance, request);
    if (own !== undefined) return beginEdit(dependencies, own, String(request['message']), asked, wait);
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

async function ownMessage(
  { ledger }: RouteDependencies,
  instance: string,
  request: Readonly<Record<string, unknown>>,
): Promise<MessageId | undefined> {
  const { items } = await ledger.messages.list({ instance, idMessage: String(request['idMessage']), limit: 1 });
  return items[0]?.id;
}

async function beginEdit(
  dependencies: RouteDependencies,
  messageId: MessageId,
  text: string,
  { key, witness }: AskedFor,
  wait: Wait,
): Promise<BegunOperation> {
  const asked = { editId: editId(messageId, key), text, witness };
  const { edit, isReplay } = await editMessage(dependencies, messageId, asked, wait);
  return { operation: ofEdit(edit), isReplay };
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
  const operation = ofRow(name, row);
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
    if (row?.method === name) return ofRow(name, await closeIfDead(dependencies, name, keyHash, row));
  }
  throw operationUnknown(name, given);
}

/** A job that Temporal gave up, or that an operator ended in the Web UI, writes its row no more: this does. */
async function closeIfDead(
  { ledger, clock, operationRuns }: RouteDependencies,
  name: OperationName,
  keyHash: string,
  row: OperationView,
): Promise<OperationView> {
  if (row.state !== 'pending' && row.state !== 'sending') return row;
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

export function operationUnknown(method: string, id: string): AppError {
  return new AppError(
    'OPERATION_NOT_FOUND',
    `There is no operation ${method} ${id}. Check the id; it is given by the response to its POST.`,
  );
}

/** @throws AppError OPERATION_NOT_FOUND */
export function knownOperation(method: string): OperationName {
  if (isOperationName(method)) return method;
  throw new AppError('OPERATION_NOT_FOUND', `There is no operation ${method}. Known: ${OPERATION_NAMES.join(', ')}.`);
}
