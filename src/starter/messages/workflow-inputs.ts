/**
 * Reads the inputs of the workflows `message` and `template` from any Temporal client. They are refused for the same
 * reasons, with the same texts, as a body of the HTTP API.
 */
import {
  AppError,
  isReservedForMessage,
  messageWorkflowId,
  postingTimes,
  type AskedMessage,
  type InstanceDirectory,
  type MessageRequest,
  type MessageStart,
  type Problem,
  type WorkflowInputs,
  isRecord,
} from '../../contract/index.js';
import { MAX_BODY_BYTES, idempotencyKeySchema, templateKeySchema } from '../../contract/schemas.js';
import type { Ledger } from '../../ledger/index.js';
import { editId, isEditId, isMessageId, messageId, requestHash } from '../ids.js';
import { inputInvalid, problemsOf, unsendableTexts } from '../../domain/index.js';
import { readTemplate } from '../read-template.js';
import { fileProblems, refuseUnusableTemplate } from './begin-message.js';
import { readMessageRequest, type RequestChecks } from './message-request.js';

export function createWorkflowInputs(
  dependencies: RequestChecks & {
    readonly instances: InstanceDirectory;
    readonly ledger: Pick<Ledger, 'templates' | 'files'>;
  },
): WorkflowInputs {
  function newMessage(start: MessageStart): Extract<AskedMessage, { kind: 'new' }> {
    if (!isRecord(start.input))
      throw inputInvalid('The message', [{ path: '', message: 'the input is not a JSON object' }]);
    // The key is not part of the request: two requests with the same key are compared without it.
    const { key, ...body } = start.input;
    const readKey = idempotencyKeySchema.optional().safeParse(key);
    const problems = [
      ...unsendableTexts({ key }),
      ...(readKey.success ? [] : problemsOf(readKey.error).map((problem) => ({ ...problem, path: 'key' }))),
    ];
    const request = requestOf(body, problems);
    return {
      kind: 'new',
      id: messageId(request.instance, readKey.data ?? `workflow run ${start.firstRunId}`),
      request,
      requestHash: requestHash(request),
      async check() {
        const requestedAtMs = Date.parse(start.requestedAt);
        const { expiresAtMs } = postingTimes(request, requestedAtMs);
        const isPast = request.expiresAt !== undefined && expiresAtMs <= requestedAtMs;
        readAll(body, dependencies, isPast ? [{ path: 'expiresAt', message: 'has passed' }] : []);
        await refuseUnusableTemplate(dependencies.ledger, request);
        const ofFile = await fileProblems(dependencies, request, expiresAtMs);
        if (ofFile.length > 0) throw inputInvalid('The message', ofFile);
      },
    };
  }

  /** Without the checks whose result can change over time. An invalid shape is refused with all its problems. */
  function requestOf(body: unknown, problems: readonly Problem[]): MessageRequest {
    try {
      if (problems.length === 0) return readMessageRequest(body, {}).request;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
    }
    return readAll(body, dependencies, problems).request;
  }

  return {
    message(start, workflowId) {
      const existing = messageNamedBy(start.input);
      const asked = existing ?? newMessage(start);
      const canonical = messageWorkflowId(asked.id);
      if (workflowId === canonical || (existing === undefined && !isReservedForMessage(workflowId))) return asked;
      const allowed = existing === undefined ? 'any id that does not begin with message:' : canonical;
      const message = `was started under a workflow id that is reserved: use ${allowed}`;
      throw inputInvalid('The message', [{ path: '', message }]);
    },

    template(input, requestedAt) {
      const existing = templateKeySchema.safeParse(input);
      if (existing.success) return { kind: 'existing', key: existing.data };
      const { instance, definition } = asInputInvalid('The template', () =>
        readTemplate(input, dependencies.instances),
      );
      const { elementName } = definition;
      const definitionHash = requestHash(definition);
      return { kind: 'new', input: { instance, elementName, definition, definitionHash, requestedAt } };
    },

    editId(message, { key, updateId }) {
      if (key !== undefined) return editId(message, key);
      // The HTTP API uses the edit's id as the update's id.
      return isEditId(updateId) ? updateId : editId(message, `update ${updateId}`);
    },
  };
}

function messageNamedBy(input: unknown): Extract<AskedMessage, { kind: 'existing' }> | undefined {
  if (!isRecord(input)) return undefined;
  const { id, expiresAt: _, ...others } = input;
  if (id === undefined || Object.keys(others).length > 0) return undefined;
  if (typeof id === 'string' && isMessageId(id)) return { kind: 'existing', id };
  throw inputInvalid('The message', [{ path: 'id', message: 'is not the id of a message' }]);
}

function readAll(body: unknown, checks: RequestChecks, problems: readonly Problem[]) {
  const sizeBytes = Buffer.byteLength(JSON.stringify(body));
  if (sizeBytes > MAX_BODY_BYTES) {
    const message = `the input has ${sizeBytes} bytes, more than the limit of ${MAX_BODY_BYTES}`;
    throw inputInvalid('The message', [...problems, { path: '', message }]);
  }
  return asInputInvalid('The message', () => readMessageRequest(body, checks, problems));
}

/**
 * Reports an instance that is not configured, and a request that is too large for the gateway, as problems of the
 * input.
 */
function asInputInvalid<Read>(what: string, read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'INPUT_TOO_LARGE') throw inputInvalid(what, error.problems ?? []);
    if (error.code !== 'INSTANCE_NOT_FOUND') throw error;
    throw inputInvalid(what, [{ path: 'instance', message: error.message.replace(/\.$/, '') }]);
  }
}
