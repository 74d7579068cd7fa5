import {
  KIND_SENT_BY,
  AppError,
  OPERATION_NAMES,
  isOperationName,
  templateKeyOf,
  type Clock,
  type InstanceDirectory,
  type MessageId,
  type OperationName,
  type SendOperation,
} from '../contract/index.js';
import { operationRequestSchema } from '../contract/schemas.js';
import type { Ledger, OperationView } from '../ledger/index.js';
import type { AskedFor, BeginMessage } from './begin-message.js';
import { asContent, isSendOperation, pathInOperation } from './content-fields.js';
import type { EditMessage } from './edit-message.js';
import type { FindId } from './find-id.js';
import type { FindMessage } from './find-message.js';
import type { Wait } from './temporal-call.js';
import { editId, isEditId, keyHashOfOperation, operationId, operationKeyHash, requestHash } from './ids.js';
import { readMessageRequest, type CheckOperation } from './message-request.js';
import { hasEnded, ofEdit, ofMessage, ofRow, ofTemplate, type OperationResponse } from './operation-response.js';
import type { OperationRuns } from './operation-runs.js';
import { inputInvalid, readInput } from '../domain/index.js';
import type { Templates } from './templates/templates.js';

export interface BegunOperation {
  readonly operation: OperationResponse;
  /** True when an earlier request with the same key had begun it. */
  readonly isReplay: boolean;
}

export interface Operations {
  /**
   * Begins an operation once for its key, for ever. A send becomes a message, an edit of our own message its edit, a
   * template is submitted once for its name, and everything else becomes a job of its own.
   * @param body `{ instance, request }`, the request under the gateway's own field names
   * @throws AppError OPERATION_NOT_FOUND | INPUT_INVALID | INSTANCE_NOT_FOUND | IDEMPOTENCY_MISMATCH |
   *   TEMPORAL_UNAVAILABLE
   */
  begin(method: string, body: unknown, asked: AskedFor, wait: Wait): Promise<BegunOperation>;
  /** @throws AppError OPERATION_NOT_FOUND | MESSAGE_NOT_FOUND */
  find(method: string, id: string): Promise<OperationResponse>;
}

export interface OperationsDependencies {
  readonly ledger: Ledger;
  readonly runs: OperationRuns;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly checkOperation: CheckOperation;
  readonly beginMessage: BeginMessage;
  readonly findMessage: FindMessage;
  readonly findId: FindId;
  readonly editMessage: EditMessage;
  readonly templates: Templates;
}

export function createOperations(dependencies: OperationsDependencies): Operations {
  const { ledger, runs, clock, instances, checkOperation, beginMessage, findMessage, findId, editMessage, templates } =
    dependencies;

  async function begin(method: string, body: unknown, asked: AskedFor, wait: Wait): Promise<BegunOperation> {
    const name = knownOperation(method);
    const { instance, request = {} } = readInput(operationRequestSchema, body, `The operation ${name}`);
    instances.get(instance);
    checkRequest(name, request);
    if (name === 'createTemplate') return beginTemplate(instance, request);
    if (isSendOperation(name)) return beginSend(name, instance, request, asked);
    if (name === 'editMessage') {
      const own = await ownMessage(instance, request);
      if (own !== undefined) return beginEdit(own, String(request['message']), asked, wait);
    }
    return beginJob(name, instance, request, asked.key);
  }

  function checkRequest(name: OperationName, request: unknown): void {
    try {
      checkOperation(name, request);
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
      throw inputInvalid(
        `The operation ${name}`,
        (error.problems ?? []).map(({ path, message }) => ({
          path: path === '' ? 'request' : `request.${path}`,
          message,
        })),
      );
    }
  }

  async function beginSend(
    name: SendOperation,
    instance: string,
    fields: Readonly<Record<string, unknown>>,
    asked: AskedFor,
  ) {
    const { request } = readAsMessage(name, { instance, ...asContent(name, fields) });
    const { id, isReplay } = await beginMessage(request, asked);
    return { operation: ofMessage(name, await findMessage(id)), isReplay };
  }

  function readAsMessage(name: SendOperation, value: unknown) {
    try {
      return readMessageRequest(value, {});
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
      const kind = KIND_SENT_BY[name];
      throw inputInvalid(
        `The operation ${name}`,
        (error.problems ?? []).map(({ path, message }) => ({ path: pathInOperation(kind, path), message })),
      );
    }
  }

  async function beginTemplate(instance: string, template: unknown) {
    const submitted = await templates.submit({ instance, template });
    return { operation: ofTemplate(submitted.template), isReplay: submitted.isReplay };
  }

  async function ownMessage(
    instance: string,
    request: Readonly<Record<string, unknown>>,
  ): Promise<MessageId | undefined> {
    const { items } = await ledger.messages.list({ instance, idMessage: String(request['idMessage']), limit: 1 });
    return items[0]?.id;
  }

  async function beginEdit(messageId: MessageId, text: string, { key, witness }: AskedFor, wait: Wait) {
    const id = editId(messageId, key);
    const { edit, isReplay } = await editMessage(messageId, { editId: id, text, witness }, wait);
    return { operation: ofEdit(edit), isReplay };
  }

  async function beginJob(name: OperationName, instance: string, request: unknown, key: string) {
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
    await runs.start(name, keyHash, instance);
    return { operation, isReplay: false };
  }

  async function find(method: string, given: string): Promise<OperationResponse> {
    const name = knownOperation(method);
    if (isEditId(given) && name === 'editMessage') {
      const edit = await ledger.edits.view(given);
      if (edit !== undefined) return ofEdit(edit);
    }
    const template = name === 'createTemplate' ? templateKeyOf(given) : undefined;
    if (template !== undefined) return ofTemplate(await templates.find(template));
    const messageId = isSendOperation(name) ? await findId.message(given) : undefined;
    if (isSendOperation(name) && messageId !== undefined) return ofMessage(name, await findMessage(messageId));
    const id = (await findId.operation(name, given)) ?? given;
    const keyHash = keyHashOfOperation(id);
    if (keyHash !== undefined) {
      const row = await ledger.operations.view(id);
      if (row?.method === name) return ofRow(name, await closeIfDead(name, keyHash, row));
    }
    throw operationUnknown(name, given);
  }

  /** A job that Temporal gave up, or that an operator ended in the Web UI, writes its row no more: this does. */
  async function closeIfDead(name: OperationName, keyHash: string, row: OperationView): Promise<OperationView> {
    if (row.state !== 'pending' && row.state !== 'sending') return row;
    if (!(await runs.hasEnded(name, keyHash))) return row;
    const newRow = await ledger.operations.view(row.id);
    if (newRow !== undefined && newRow.state !== row.state) return newRow;
    const end =
      row.state === 'sending'
        ? ({ state: 'may_have_happened', code: 'OPERATION_MAY_HAVE_HAPPENED' } as const)
        : ({ state: 'failed', code: 'OPERATION_FAILED' } as const);
    return ledger.operations.finish(
      row.id,
      { ...end, text: 'Temporal ended the job before it was done' },
      clock.nowMs(),
    );
  }

  return { begin, find };
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
