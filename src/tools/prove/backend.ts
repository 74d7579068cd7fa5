import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { STEER_WITHIN_MS, type ApiClient } from '../../client/index.js';
import { AppError, ErrorNext, type MessageId } from '../../contract/index.js';
import type { PlannedCampaign, PlannedEdit } from './plan/campaign-plan.js';
import type { Count, GatewayUnderTest } from './under-test/gateway-under-test.js';
import type { PlannedMessage } from './plan/plan.js';

/** A killed product is back within seconds. */
const ASK_AGAIN_MS = 150;

export type AskAgain = ReturnType<typeof createAskAgain>;

/**
 * Retries a request as a backend should: with the same body and the same key, until there is a response.
 * @param stop  aborted to reject the requests that still wait for a response
 */
export function createAskAgain(stop: AbortSignal) {
  const surprises: string[] = [];
  return {
    /** Responses that no request should get: the request and the error code. */
    surprises: surprises as readonly string[],
    /** @returns undefined if the API refused the request for good */
    async untilResponse<Result>(what: string, request: () => Promise<Result>): Promise<Result | undefined> {
      for (;;) {
        stop.throwIfAborted();
        try {
          return await request();
        } catch (error) {
          if (!(error instanceof AppError)) throw error;
          if (error.next !== ErrorNext.wait) {
            surprises.push(`${what}: ${error.code}`);
            return undefined;
          }
          await delay(ASK_AGAIN_MS, undefined, { signal: stop });
        }
      }
    },
  };
}

/** A message as its sender knows it: the request, and the id from the acknowledgement. */
export interface AskedSingle {
  readonly planned: PlannedMessage;
  readonly id?: MessageId;
}

export interface BackendDependencies {
  readonly api: ApiClient;
  readonly askAgain: AskAgain;
  readonly stop: AbortSignal;
}

/** Tracks requests that run in the background. */
function tracker() {
  const underWay: Promise<unknown>[] = [];
  return {
    track(work: Promise<unknown>): void {
      // `responded` reports the error.
      work.catch(() => undefined);
      underWay.push(work);
    },
    /** Resolves when every tracked request has a response, follow-up requests included. */
    async responded(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

export type Backend = ReturnType<typeof createBackend>;

/** Stands for a backend that sends and edits messages. */
export function createBackend({ api, askAgain, stop }: BackendDependencies) {
  const asked: { planned: PlannedMessage; id?: MessageId }[] = [];
  const { track, responded } = tracker();
  const { untilResponse } = askAgain;

  async function askFor(entry: { planned: PlannedMessage; id?: MessageId }): Promise<void> {
    const { number, instance, to, text, onUnknown, idempotencyKey, edits } = entry.planned;
    const content = { kind: 'text' as const, text };
    const message = { instance, to, content, onUnknown };
    const begun = await untilResponse(`message ${number}`, () =>
      api.sendMessage({ body: message, key: idempotencyKey }),
    );
    if (begun === undefined) return;
    entry.id = begun.id;
    for (const edit of edits) await askToEdit(number, begun.id, edit);
  }

  async function askToEdit(number: number, id: MessageId, edit: PlannedEdit): Promise<void> {
    const { text, idempotencyKey, afterMs } = edit;
    await delay(afterMs, undefined, { signal: stop });
    // The outcome of the edit does not matter here: the account compares the ledger with the phone.
    await untilResponse(`message ${number}`, async () => {
      try {
        await api.editMessage({ id, body: { text }, key: idempotencyKey, query: { timeoutMs: 0 } });
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'EDIT_NOT_POSSIBLE')) throw error;
      }
    });
  }

  return {
    /** Requests a message and, after its acknowledgement, its edits. Returns at once. */
    ask(planned: PlannedMessage): void {
      const entry = { planned };
      asked.push(entry);
      track(askFor(entry));
    },
    /** All messages requested so far. */
    asked: (): readonly AskedSingle[] => asked,
    responded,
  };
}

/** A campaign as its caller knows it. */
export interface AskedCampaign {
  readonly planned: PlannedCampaign;
  /** The API acknowledged that it is started. */
  readonly isStarted: boolean;
  /** How many sends to its recipients came between the response to the pause and the request to resume. */
  readonly sentWhilePaused: number;
}

type Entry = { -readonly [Fact in keyof AskedCampaign]: AskedCampaign[Fact] } & {
  readonly prepared: Promise<boolean>;
  pauses: number;
};

export type CampaignBackend = ReturnType<typeof createCampaignBackend>;

/** Stands for a backend that runs campaigns. */
export function createCampaignBackend({
  api,
  askAgain,
  stop,
  gateway,
}: BackendDependencies & { readonly gateway: GatewayUnderTest }) {
  const { untilResponse } = askAgain;
  const entries: Entry[] = [];
  const { track, responded } = tracker();

  async function prepare(campaign: PlannedCampaign): Promise<boolean> {
    const { id, instance, text, priority, onUnknown, highWater, recipients } = campaign;
    const content = { kind: 'text', text };
    const definition = { instance, content, priority, onUnknown, highWater };
    const defined = await untilResponse(`definition of campaign ${id}`, () =>
      api.defineCampaign({ id, body: definition }),
    );
    if (defined === undefined) return false;
    const lines = recipients.map(({ to, name }) => `${JSON.stringify({ phone: to, name })}\n`);
    const imported = await untilResponse(`import of campaign ${id}`, () =>
      api.importRecipients({ id, file: { type: 'application/x-ndjson', body: Readable.from(lines) } }),
    );
    return imported !== undefined;
  }

  async function start(entry: Entry): Promise<void> {
    const { id, recipients, pause } = entry.planned;
    if (!(await entry.prepared)) return;
    for (const { to, gatewayFault } of recipients) {
      if (gatewayFault !== undefined) await gateway.breakNextSendTo(chatOf(to), gatewayFault);
    }
    const started = await untilResponse(`start of campaign ${id}`, () => api.startCampaign({ id }));
    if (started === undefined) return;
    entry.isStarted = true;
    await delay(pause.afterMs, undefined, { signal: stop });
    if (!(await steer(entry, 'pause'))) return;
    const pausedAtMs = Date.now();
    await delay(pause.forMs, undefined, { signal: stop });
    const chats = new Set(recipients.map(({ to }) => chatOf(to)));
    entry.sentWhilePaused = gateway.sendsSince(pausedAtMs, chats);
    if (await steer(entry, 'resume')) entry.pauses += 1;
  }

  /** @returns false if the campaign had ended before */
  async function steer({ planned: { id } }: Entry, wish: 'pause' | 'resume'): Promise<boolean> {
    const key = `${id}-${wish}`;
    const granted = await untilResponse(`${wish} of campaign ${id}`, async () => {
      try {
        await api[`${wish}Campaign`]({ id, key, waitMs: STEER_WITHIN_MS });
        return true;
      } catch (error) {
        if (error instanceof AppError && error.code === 'CAMPAIGN_ENDED') return false;
        throw error;
      }
    });
    return granted ?? false;
  }

  return {
    /** Defines a campaign and imports its recipients in the background. */
    prepare(planned: PlannedCampaign): void {
      const prepared = prepare(planned);
      track(prepared);
      entries.push({ planned, prepared, isStarted: false, sentWhilePaused: 0, pauses: 0 });
    },
    /** Starts a prepared campaign and pauses and resumes it as planned, in the background. */
    start(campaign: PlannedCampaign): void {
      const entry = entries.find(({ planned }) => planned === campaign);
      if (entry !== undefined) track(start(entry));
    },
    asked: (): readonly AskedCampaign[] => entries,
    responded,
    /** How often a pause was planned, and how often a campaign was paused and resumed. */
    counts(): ReadonlyMap<string, Count> {
      if (entries.length === 0) return new Map();
      const paused = entries.reduce((sum, { pauses }) => sum + pauses, 0);
      return new Map([['campaign paused and resumed', { planned: entries.length, fired: paused }]]);
    },
  };
}

function chatOf(to: string): string {
  return `${to}@c.us`;
}
