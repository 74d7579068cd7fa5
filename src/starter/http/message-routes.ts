import type { Context, Hono } from 'hono';
import { AppError, hasReached, type Clock, type InstanceDirectory, type MessageId } from '../../contract/index.js';
import { editRequestSchema, resolveRequestSchema } from '../../contract/schemas.js';
import type { Ledger, MessageFilter } from '../../ledger/index.js';
import type { BeginMessage } from '../begin-message.js';
import type { CancelMessage } from '../cancel-message.js';
import { isSettled, type EditMessage, type FoundEdit } from '../edit-message.js';
import type { FindId } from '../find-id.js';
import type { FindMessage } from '../find-message.js';
import { editId, isEditId } from '../ids.js';
import { readMessageRequest, type CheckOperation } from '../message-request.js';
import type { ResolveMessage } from '../resolve-message.js';
import { inputInvalid, readInput } from '../read-input.js';
import { ENDPOINTS } from './endpoints.js';
import { readIdempotencyKey, readJson, readQuery } from './read-request.js';
import { pathPart, route } from './router.js';
import type { Waiting } from './waiting.js';

export interface MessageRouteDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly instances: InstanceDirectory;
  readonly checkOperation: CheckOperation;
  readonly allowPrivateCallbacks: boolean;
  readonly waiting: Waiting;
  readonly beginMessage: BeginMessage;
  readonly findId: FindId;
  readonly findMessage: FindMessage;
  readonly editMessage: EditMessage;
  readonly cancelMessage: CancelMessage;
  readonly resolveMessage: ResolveMessage;
}

export function messageRoutes(app: Hono, dependencies: MessageRouteDependencies): void {
  const { ledger, waiting, checkOperation } = dependencies;

  async function messageIdIn(c: Context): Promise<MessageId> {
    const id = await dependencies.findId.message(pathPart(c, 'id'));
    if (id !== undefined) return id;
    throw new AppError(
      'MESSAGE_NOT_FOUND',
      'No message has this id, or an id that begins with it; a beginning has at least 4 characters. List messages: everpost message list',
    );
  }

  route(app, ENDPOINTS.sendMessage, async (c) => {
    const key = readIdempotencyKey(c);
    const { request, warnings } = readMessageRequest(await readJson(c), dependencies);
    const { id, state, isReplay } = await dependencies.beginMessage(request, key);
    const response = { id, state, instance: request.instance, kind: request.content.kind };
    c.header('Location', `/v1/messages/${id}`);
    markReplay(c, isReplay);
    return c.json({ ...response, ...(warnings.length === 0 ? {} : { warnings }) }, 202);
  });

  route(app, ENDPOINTS.listMessages, async (c) => {
    const { to, ...rest } = readQuery(c, ENDPOINTS.listMessages.query);
    return c.json(await ledger.messages.list(withoutUndefined({ ...rest, chatId: to })));
  });

  route(app, ENDPOINTS.getMessage, async (c) => {
    const id = await messageIdIn(c);
    const { wait, timeoutMs } = readQuery(c, ENDPOINTS.getMessage.query);
    const found = await dependencies.findMessage(id);
    if (wait === undefined || hasReached(found.state, wait)) return c.json(found);
    // Many may wait at once: while they do, only the row is looked at, and of it only what tells that the wait is over.
    await waiting.until(c, {
      id,
      reads: 'state',
      read: () => ledger.messages.snapshot(id),
      isDone: (row) => row !== undefined && hasReached(row.state, wait),
      timeoutMs,
    });
    return c.json(await waiting.share(`message ${id}`, () => dependencies.findMessage(id)));
  });

  route(app, ENDPOINTS.editMessage, async (c) => {
    const messageId = await messageIdIn(c);
    const { timeoutMs } = readQuery(c, ENDPOINTS.editMessage.query);
    const id = editId(messageId, readIdempotencyKey(c));
    const { text } = readInput(editRequestSchema, await readJson(c), `The edit of ${messageId}`);
    checkText(messageId, text, checkOperation);
    const wait = { timeoutMs, signal: waiting.signalOf(c) };
    const { edit, isReplay } = await waiting.held(timeoutMs, () =>
      dependencies.editMessage(messageId, { editId: id, text }, wait),
    );
    c.header('Location', `/v1/messages/${messageId}/edits/${id}`);
    markReplay(c, isReplay);
    return editResponse(c, edit);
  });

  route(app, ENDPOINTS.getEdit, async (c) => {
    const messageId = await messageIdIn(c);
    const id = pathPart(c, 'editId');
    const { timeoutMs } = readQuery(c, ENDPOINTS.getEdit.query);
    const edit = await waiting.until(c, {
      id: messageId,
      reads: `edit ${id}`,
      read: async () => {
        const found = isEditId(id) ? await ledger.edits.view(id) : undefined;
        if (found?.messageId !== messageId) {
          throw new AppError(
            'EDIT_NOT_FOUND',
            `Message ${messageId} has no such edit. Check the id; it is given by the response to the edit.`,
          );
        }
        return found;
      },
      isDone: isSettled,
      timeoutMs,
    });
    return editResponse(c, edit);
  });

  route(app, ENDPOINTS.cancelMessage, async (c) => {
    const id = await messageIdIn(c);
    return c.json({ id, ...(await dependencies.cancelMessage(id, waiting.signalOf(c))) });
  });

  route(app, ENDPOINTS.resolveMessage, async (c) => {
    const id = await messageIdIn(c);
    const word = readInput(resolveRequestSchema, await readJson(c), `The word on ${id}`);
    const { state } = await dependencies.resolveMessage(id, word.outcome);
    return c.json({ id, state });
  });
}

function editResponse(c: Context, edit: FoundEdit): Response {
  return isSettled(edit) ? c.json({ ...edit, outcome: edit.state }, 200) : c.json(edit, 202);
}

/**
 * The limits of an edit's text are the gateway's for editMessage; its chat and id, given later, stand for themselves.
 */
function checkText(id: MessageId, message: string, checkOperation: CheckOperation): void {
  try {
    checkOperation('editMessage', { chatId: '10000000000@c.us', idMessage: 'given later', message });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'INPUT_INVALID') throw error;
    throw inputInvalid(
      `The edit of ${id}`,
      (error.problems ?? []).map((problem) => ({ path: 'text', message: problem.message })),
    );
  }
}

export function markReplay(c: Context, isReplay: boolean): void {
  if (isReplay) c.header('Idempotent-Replayed', 'true');
}

function withoutUndefined(filter: {
  readonly [Name in keyof MessageFilter]: MessageFilter[Name] | undefined;
}): MessageFilter {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
}
