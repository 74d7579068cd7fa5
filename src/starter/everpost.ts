import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import {
  AppError,
  type EditResult,
  type MessageId,
  type MessageResult,
  type MessageStatus,
  type Milestone,
  present,
} from '../contract/index.js';
import { editRequestSchema, idempotencyKeySchema } from '../contract/schemas.js';
import { campaignHandle } from './campaigns/campaign-handle.js';
import { campaignRuns } from './campaigns/campaign-runs.js';
import type { Everpost, EverpostOptions, MessageHandle } from './everpost-types.js';
import { editId, messageId } from './ids.js';
import { readMessageRequest } from './message-request.js';
import { messageRuns } from './message-runs.js';
import { readInput } from '../domain/index.js';

const WAIT_FOR_DEFAULT_MS = 60_000;
/** What the run takes at most. */
const WAIT_FOR_MOST_MS = 7 * 24 * 60 * 60 * 1000;
/** How long the response of a run may be under way, when its own waiting has ended. */
const RESPONSE_MS = 5_000;
/** One round of waiting for an edit; after it the same edit is asked for again. */
const EDIT_ROUND_MS = 60_000;

export function createEverpost(options: EverpostOptions): Everpost {
  const { checkOperation } = options;
  const access = { ...options, client: options.client as Client };
  const runs = messageRuns(access);
  const campaigns = campaignRuns(access);

  async function status(id: MessageId): Promise<MessageStatus> {
    const found = await runs.status(id);
    if (found === undefined) throw messageUnknown(id);
    return found;
  }

  async function edit(id: MessageId, text: string, key: string = randomUUID()): Promise<EditResult> {
    const { text: newText } = readInput(editRequestSchema, { text }, `The edit of ${id}`);
    const request = { editId: editId(id, key), text: newText };
    for (;;) {
      const outcome = await runs.editByText({ id }, request, { timeoutMs: EDIT_ROUND_MS });
      if (outcome === 'gone') throw await closedForEdits(id);
      if (outcome !== 'waiting') return outcome;
    }
  }

  async function closedForEdits(id: MessageId): Promise<AppError> {
    if ((await runs.find({ id })) === undefined) return messageUnknown(id);
    return new AppError(
      'EDIT_NOT_POSSIBLE',
      `Message ${id} cannot be edited here: its run has ended. The HTTP API can still response: POST /v1/messages/${id}/edits`,
    );
  }

  async function result(id: MessageId): Promise<MessageResult> {
    const outcome = await runs.result(id);
    if (outcome === 'gone') throw messageUnknown(id);
    if (outcome !== 'ended') return outcome;
    const { snapshot } = await status(id);
    if (snapshot === undefined) throw messageUnknown(id);
    const { state, idMessage, reason } = snapshot;
    return {
      id,
      state,
      ...present({ idMessage, reason }),
    };
  }

  async function waitFor(id: MessageId, milestone: Milestone, timeoutMs: number): Promise<MessageStatus> {
    const request = { state: milestone, timeoutMs: Math.min(Math.ceil(timeoutMs), WAIT_FOR_MOST_MS) };
    const outcome = await runs.waitFor(id, request, { timeoutMs: request.timeoutMs + RESPONSE_MS });
    // A run that has ended may have refused the message: then that is the response.
    if (outcome === 'gone') await result(id);
    return outcome === 'gone' || outcome === 'waiting' ? status(id) : outcome;
  }

  const message = (id: MessageId): MessageHandle => ({
    id,
    status: () => status(id),
    edit: (text, { key } = {}) => edit(id, text, key),
    async cancel() {
      const outcome = await runs.cancel({ id });
      if (outcome !== 'gone') return outcome;
      const { snapshot } = await status(id);
      if (snapshot === undefined) throw messageUnknown(id);
      return { cancelled: snapshot.state === 'cancelled', state: snapshot.state };
    },
    result: () => result(id),
    waitFor: (milestone, { timeoutMs = WAIT_FOR_DEFAULT_MS } = {}) => waitFor(id, milestone, timeoutMs),
  });

  return {
    async send({ key = randomUUID(), ...body }) {
      const { request } = readMessageRequest(body, { checkOperation });
      const id = messageId(request.instance, readInput(idempotencyKeySchema, key, 'The key'));
      await runs.start(request, key);
      return message(id);
    },
    message,
    campaign: (id) => campaignHandle(campaigns, id),
  };
}

export function messageUnknown(id: string): AppError {
  return new AppError(
    'MESSAGE_NOT_FOUND',
    `There is no message ${id}. Check the id; ids are given by the response to a send.`,
  );
}
