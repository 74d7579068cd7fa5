import { randomUUID } from 'node:crypto';
import {
  AppError,
  type CampaignId,
  type CancelResult,
  type EditResult,
  type MessageId,
  type MessageResult,
  type MessageStatus,
  type Milestone,
} from '../contract/index.js';
import { editRequestSchema, idempotencyKeySchema, type SendRequest } from '../contract/schemas.js';
import { campaignHandle, type CampaignHandle } from './campaigns/campaign-handle.js';
import { campaignRuns } from './campaigns/campaign-runs.js';
import { editId, messageId } from './ids.js';
import { readMessageRequest, type CheckOperation } from './message-request.js';
import { messageRuns, type TemporalAccess } from './message-runs.js';
import { readInput } from './read-input.js';

export interface EverpostOptions extends TemporalAccess {
  /** The gateway room's `check`. @default none: limits are then checked by the worker, and what waits for the message throws INPUT_INVALID */
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

const WAIT_FOR_DEFAULT_MS = 60_000;
/** What the run takes at most. */
const WAIT_FOR_MOST_MS = 7 * 24 * 60 * 60 * 1000;
/** How long the answer of a run may be under way, when its own waiting has ended. */
const ANSWER_MS = 5_000;
/** One round of waiting for an edit; after it the same edit is asked for again. */
const EDIT_ROUND_MS = 60_000;

export function createEverpost(options: EverpostOptions): Everpost {
  const { checkOperation } = options;
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
      const outcome = await runs.edit({ id }, request, { timeoutMs: EDIT_ROUND_MS });
      if (outcome === 'gone') throw await closedForEdits(id);
      if (outcome !== 'waiting') return outcome;
    }
  }

  async function closedForEdits(id: MessageId): Promise<AppError> {
    if ((await runs.find({ id })) === undefined) return messageUnknown(id);
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
    const request = { state: milestone, timeoutMs: Math.min(Math.ceil(timeoutMs), WAIT_FOR_MOST_MS) };
    const outcome = await runs.waitFor(id, request, { timeoutMs: request.timeoutMs + ANSWER_MS });
    // A run that has ended may have refused the message: then that is the answer.
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
    'MESSAGE_UNKNOWN',
    `There is no message ${id}. Check the id; ids are given by the answer to a send.`,
  );
}
