import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  AppError,
  type CampaignId,
  type CancelResult,
  type Clock,
  type EditResult,
  type MessageId,
  type MessageResult,
  type MessageStatus,
} from '../contract/index.js';
import { editRequestSchema, idempotencyKeySchema, type SendRequest } from '../contract/schemas.js';
import { campaignHandle, type CampaignHandle } from './campaigns/campaign-handle.js';
import { campaignRuns } from './campaigns/campaign-runs.js';
import { editId, messageId, requestHash } from './ids.js';
import { readMessageRequest, type CheckOperation } from './message-request.js';
import { messageRuns, type TemporalAccess } from './message-runs.js';
import { hasReached, type Milestone } from './milestones.js';
import { readInput } from './read-input.js';

export interface EverpostOptions extends TemporalAccess {
  /** @default the machine's clock */
  readonly clock?: Clock;
  /** The gateway room's `check`. @default none: limits are then checked by the worker, and the message ends `rejected` */
  readonly checkOperation?: CheckOperation;
}

/** The typed client for backends: needs Temporal, and nothing else. Every method throws AppError, see docs/errors.md. */
export interface Everpost {
  /**
   * Begins a message. Idempotent by key: the same key and request give the same message, for as long as Temporal keeps its
   * run and for ever where the ledger has its row.
   * @throws AppError INPUT_INVALID | IDEMPOTENCY_MISMATCH (same key, other request) | TEMPORAL_UNAVAILABLE (ask again with
   *   the same key)
   */
  send(request: SendRequest & { readonly key?: string }): Promise<MessageHandle>;
  /** A handle on a message by its id; asks nothing yet. */
  message(id: MessageId): MessageHandle;
  /** A handle on a campaign by its id; asks nothing yet. Campaigns are defined, filled and started by the HTTP API. */
  campaign(id: CampaignId): CampaignHandle;
}

export interface MessageHandle {
  readonly id: MessageId;
  /** @throws AppError MESSAGE_UNKNOWN */
  status(): Promise<MessageStatus>;
  /**
   * Edits the text, and waits for how that ended: up to the message's own expiry if it was not sent yet.
   * @param text the whole new text
   * @param options.key the same key and text are one edit. @default a new edit each time
   * @throws AppError EDIT_NOT_TEXT | EDIT_NOT_POSSIBLE | MESSAGE_UNKNOWN
   */
  edit(text: string, options?: { readonly key?: string }): Promise<EditResult>;
  /** @throws AppError MESSAGE_UNKNOWN */
  cancel(): Promise<CancelResult>;
  /** Waits until the message's run ends: no sooner than its edit window. */
  result(): Promise<MessageResult>;
  /**
   * Waits until the message got as far as that, or ended another way: look at the state.
   * @param options.timeoutMs gives the status as it is after this long. @default one minute
   */
  waitFor(milestone: Milestone, options?: { readonly timeoutMs?: number }): Promise<MessageStatus>;
}

const SYSTEM_CLOCK: Clock = { nowMs: () => Date.now() };
const WAIT_FOR_DEFAULT_MS = 60_000;
/** Each look is a query that a worker answers. */
const WAIT_FOR_INTERVAL_MS = 500;
/** One round of waiting for an edit; after it the same edit is asked for again. */
const EDIT_ROUND_MS = 60_000;

export function createEverpost(options: EverpostOptions): Everpost {
  const { clock = SYSTEM_CLOCK, checkOperation } = options;
  const runs = messageRuns(options);
  const campaigns = campaignRuns(options);

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
