import { randomUUID } from 'node:crypto';
import { Client, Connection } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import {
  AppError,
  CAMPAIGN_CANCEL_UPDATE,
  CAMPAIGN_PAUSE_UPDATE,
  CAMPAIGN_RESUME_UPDATE,
  CAMPAIGN_RETRY_UPDATE,
  CAMPAIGN_UPDATE_UPDATE,
  type CampaignId,
  type CampaignResponse,
  type EditResult,
  type MessageId,
  type MessageResult,
  MESSAGE_STATES,
  type Milestone,
  type CampaignProgress,
  type RetriedRecipients,
  type WaitForResult,
  hasArrivedAt,
  parseEncryptionKeys,
  present,
  messageUnknown,
} from '../../contract/index.js';
import { editRequestSchema, idempotencyKeySchema } from '../../contract/schemas.js';
import { readInput } from '../../domain/index.js';
import { dataConverter } from '../../codec/index.js';
import { type CampaignRuns, campaignRuns } from '../temporal/campaign-runs.js';
import type {
  CampaignHandle,
  ConnectOptions,
  ConnectedEverpost,
  Everpost,
  EverpostOptions,
  MessageHandle,
} from './everpost-types.js';
import { campaignUpdateId, editId, messageId } from '../ids.js';
import { readMessageRequest } from '../messages/message-request.js';
import { messageRuns } from '../messages/message-runs.js';
import { passingTrace } from '../temporal/trace-header.js';

const WAIT_FOR_DEFAULT_MS = 60_000;
/** The longest wait that a run accepts. */
const WAIT_FOR_MOST_MS = 7 * 24 * 60 * 60 * 1000;
/** Added to a wait: the time in which the run's response has to arrive after its own timeout. */
const RESPONSE_MS = 5_000;
/** Asks for the state of now. */
const AT_ONCE = { state: 'pending', timeoutMs: 0 } as const;
/** One request waits for this time; then the same edit is requested again. */
const EDIT_ROUND_MS = 60_000;

export function createEverpost(options: EverpostOptions): Everpost {
  const { checkOperation } = options;
  const access = { ...options, client: options.client as Client };
  const runs = messageRuns(access);
  const campaigns = campaignRuns(access);

  /** The row as an open run reads it, or the result of one that has ended. */
  async function status(id: MessageId): Promise<MessageResult> {
    const now = await askRun(id, () => runs.waitFor(id, AT_ONCE, { timeoutMs: RESPONSE_MS }));
    if (now === 'ended') return result(id);
    if (now !== 'waiting') {
      const { reached: _, ...row } = now;
      return row;
    }
    throw new AppError(
      'TEMPORAL_UNAVAILABLE',
      `The run of message ${id} did not read its state in time: its worker is busy, or it stopped. Retry, or read the ledger: GET /v1/messages/${id}`,
      { retryAfterMs: RESPONSE_MS },
    );
  }

  /**
   * Sends a request to the run of a message, also to a run that began after a response said that there is none.
   * @throws AppError MESSAGE_NOT_FOUND
   */
  async function askRun<Outcome>(id: MessageId, ask: () => Promise<Outcome | 'gone'>): Promise<Outcome | 'ended'> {
    for (;;) {
      const outcome = await ask();
      if (outcome !== 'gone') return outcome;
      const run = await runs.find({ id });
      if (run === undefined) throw messageUnknown(id);
      if (!run.isRunning) return 'ended';
    }
  }

  async function edit(id: MessageId, text: string, key: string = randomUUID()): Promise<EditResult> {
    const { text: newText } = readInput(editRequestSchema, { text }, `The edit of ${id}`);
    const request = { editId: editId(id, key), text: newText };
    for (;;) {
      const outcome = await askRun(id, () => runs.edit({ id }, request, { timeoutMs: EDIT_ROUND_MS }));
      if (outcome === 'ended') {
        throw new AppError(
          'EDIT_NOT_POSSIBLE',
          `Message ${id} cannot be edited here: its run has ended. Use the HTTP API: POST /v1/messages/${id}/edits`,
        );
      }
      if (outcome !== 'waiting') return outcome;
    }
  }

  async function result(id: MessageId): Promise<MessageResult> {
    const outcome = await runs.result(id);
    if (outcome === 'gone') throw messageUnknown(id);
    if (outcome !== 'ended') return outcome;
    // A run that was ended from outside has no result. Its search attribute has the state that it showed last.
    const shown = (await runs.find({ id }))?.shownState;
    const state = MESSAGE_STATES.find((known) => known === shown);
    if (state === undefined) throw messageUnknown(id);
    return { id, state };
  }

  async function waitFor(id: MessageId, milestone: Milestone, timeoutMs: number): Promise<WaitForResult> {
    const request = { state: milestone, timeoutMs: Math.min(Math.ceil(timeoutMs), WAIT_FOR_MOST_MS) };
    const outcome = await askRun(id, () => runs.waitFor(id, request, { timeoutMs: request.timeoutMs + RESPONSE_MS }));
    if (outcome !== 'ended' && outcome !== 'waiting') return outcome;
    // A run that refused the message has ended: then its failure is the response.
    const last = outcome === 'ended' ? await result(id) : await status(id);
    return { ...last, reached: hasArrivedAt(last.state, milestone) };
  }

  const message = (id: MessageId): MessageHandle => ({
    id,
    status: () => status(id),
    edit: (text, { key } = {}) => edit(id, text, key),
    async cancel() {
      const outcome = await askRun(id, () => runs.cancel({ id }));
      if (outcome !== 'ended') return outcome;
      const { state } = await result(id);
      return { cancelled: state === 'cancelled', state };
    },
    result: () => result(id),
    waitFor: (milestone, { timeoutMs = WAIT_FOR_DEFAULT_MS } = {}) => waitFor(id, milestone, timeoutMs),
  });

  return {
    async send({ key = randomUUID(), ...body }) {
      const { request } = readMessageRequest(body, { checkOperation });
      const id = messageId(request.instance, readInput(idempotencyKeySchema, key, 'The key'));
      await runs.startNew(request, key);
      return message(id);
    },
    message,
    campaign: (id) => campaignHandle(campaigns, id),
  };
}

/** One request waits for this time; then the same update is requested again. */
const ROUND_MS = 60_000;

function campaignHandle(campaigns: CampaignRuns, id: CampaignId): CampaignHandle {
  /**
   * The run refuses a command that reaches it after a later command took effect: the sender did not know of that one.
   */
  async function update<Result>(name: string, what: readonly unknown[] = [], key: string = randomUUID()) {
    const updateId = campaignUpdateId(id, name, key);
    const { commandSequence: after } = await campaigns.progress(id);
    const args = [...what, { after }];
    for (;;) {
      const wish = { name, args, updateId };
      const response = await campaigns.update<Result>(id, wish, { timeoutMs: ROUND_MS });
      if (response === 'gone')
        throw new AppError(
          'CAMPAIGN_NOT_STARTED',
          `Campaign ${id} does not run. Start it: POST /v1/campaigns/${id}/start. If it has ended, show it: GET /v1/campaigns/${id}`,
        );
      if (response !== 'waiting') return response;
    }
  }

  return {
    id,
    progress: () => campaigns.progress(id),
    async plan() {
      const { instance, priority, highWater, counts, asOf, etaAt, ...others } = await campaigns.progress(id);
      const { releaseIntervalMs, etaUnknown, deadlineAt } = others;
      const isKnown = etaAt !== undefined && asOf !== undefined;
      return {
        id,
        instance,
        priority,
        highWater,
        pending: counts.pending,
        ...(isKnown ? { etaAt, remainingMs: Date.parse(etaAt) - Date.parse(asOf) } : {}),
        ...present({ releaseIntervalMs, etaUnknown, deadlineAt }),
      };
    },
    pause: () => update<CampaignResponse>(CAMPAIGN_PAUSE_UPDATE),
    resume: () => update<CampaignResponse>(CAMPAIGN_RESUME_UPDATE),
    cancel: () => update<CampaignResponse>(CAMPAIGN_CANCEL_UPDATE),
    update: (change) => update<CampaignProgress>(CAMPAIGN_UPDATE_UPDATE, [change]),
    retry: (retry, { key } = {}) => update<RetriedRecipients>(CAMPAIGN_RETRY_UPDATE, [retry], key),
  };
}

/**
 * The typed client with its own connection, which is made at first use. Temporal's variables (`TEMPORAL_ADDRESS`,
 * `TEMPORAL_NAMESPACE`, `TEMPORAL_API_KEY` …) and its configuration file give the server's address; options override
 * them.
 */
export function connectEverpost({
  address,
  namespace,
  encryptionKeys,
  ...options
}: ConnectOptions = {}): ConnectedEverpost {
  const configured = loadClientConnectConfig();
  const connection = Connection.lazy({
    ...configured.connectionOptions,
    ...present({ address }),
  });
  const clientNamespace = namespace ?? configured.namespace;
  const keys = encryptionKeys === undefined ? undefined : parseEncryptionKeys(encryptionKeys);
  const client = new Client({
    connection,
    dataConverter: dataConverter(keys),
    interceptors: { workflow: [passingTrace] },
    ...present({ namespace: clientNamespace }),
  });
  return { ...createEverpost({ ...options, client }), close: () => connection.close() };
}
