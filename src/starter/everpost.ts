import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import {
  AppError,
  type Clock,
  type EditResult,
  type MessageId,
  type MessageResult,
  type MessageStatus,
} from '../contract/index.js';
import { editRequestSchema, idempotencyKeySchema } from '../contract/schemas.js';
import { campaignHandle } from './campaigns/campaign-handle.js';
import { campaignRuns } from './campaigns/campaign-runs.js';
import type { Everpost, EverpostOptions, MessageHandle } from './everpost-types.js';
import { editId, messageId, requestHash } from './ids.js';
import { readMessageRequest } from './message-request.js';
import { messageRuns } from './message-runs.js';
import { hasReached, type Milestone } from './milestones.js';
import { readInput } from './read-input.js';

const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };
const WAIT_FOR_DEFAULT_MS = 60_000;
/** Each look is a query that a worker answers. */
const WAIT_FOR_INTERVAL_MS = 500;
/** One round of waiting for an edit; after it the same edit is asked for again. */
const EDIT_ROUND_MS = 60_000;

export function createEverpost(options: EverpostOptions): Everpost {
  const { clock = SYSTEM_CLOCK, checkOperation } = options;
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
      const outcome = await runs.edit(id, request, { timeoutMs: EDIT_ROUND_MS });
      if (outcome === 'gone') throw await closedForEdits(id);
      if (outcome !== 'waiting') return outcome;
    }
  }

  async function closedForEdits(id: MessageId): Promise<AppError> {
    if ((await runs.find(id)) === undefined) return messageUnknown(id);
    return new AppError(
      'EDIT_NOT_POSSIBLE',
      `Message ${id} cannot be edited here: its run has ended. The HTTP API can still answer: POST /v1/messages/${id}/edits`,
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
      ...(idMessage === undefined ? {} : { idMessage }),
      ...(reason === undefined ? {} : { reason }),
    };
  }

  async function waitFor(id: MessageId, milestone: Milestone, timeoutMs: number): Promise<MessageStatus> {
    const untilMs = performance.now() + timeoutMs;
    for (;;) {
      const found = await status(id);
      if (found.snapshot !== undefined && hasReached(found.snapshot.state, milestone)) return found;
      const leftMs = untilMs - performance.now();
      if (leftMs <= 0) return found;
      await sleep(Math.min(WAIT_FOR_INTERVAL_MS, leftMs));
    }
  }

  const message = (id: MessageId): MessageHandle => ({
    id,
    status: () => status(id),
    edit: (text, { key } = {}) => edit(id, text, key),
    async cancel() {
      const outcome = await runs.cancel(id);
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
      const requestedAt = new Date(clock.nowMs()).toISOString();
      await runs.start({ id, requestedAt, requestHash: requestHash(request), request });
      return message(id);
    },
    message,
    campaign: (id) => campaignHandle(campaigns, id),
  };
}

export function messageUnknown(id: string): AppError {
  return new AppError(
    'MESSAGE_UNKNOWN',
    `There is no message ${id}. Check the id; ids are given by the answer to a send.`,
  );
}
