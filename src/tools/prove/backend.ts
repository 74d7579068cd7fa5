import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { STEER_WITHIN_MS, type ApiClient } from '../../client/index.js';
import { AppError, ErrorNext, type MessageId } from '../../contract/index.js';
import type { PlannedCampaign, PlannedEdit } from './plan/campaign-plan.js';
import type { Count, GatewayUnderTest } from './under-test/gateway-under-test.js';
import type { PlannedMessage } from './plan/plan.js';

/** A product that was just killed is back within seconds. */
const ASK_AGAIN_MS = 150;

export type AskAgain = ReturnType<typeof createAskAgain>;

/**
 * Asks as any backend should: again, in the same words and with the same key, until there is a response.
 * @param stop  a caller that waits for a response then rejects
 */
export function createAskAgain(stop: AbortSignal) {
  const surprises: string[] = [];
  return {
    /** Responses that no request should get: what was asked, and the code. */
    surprises: surprises as readonly string[],
    /** @returns undefined when the request was refused for good */
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

/** A message as its sender knows it: what was asked for, and the id that the API acknowledged it with. */
export interface AskedSingle {
  readonly planned: PlannedMessage;
  readonly id?: MessageId;
}

export interface BackendDependencies {
  readonly api: ApiClient;
  readonly askAgain: AskAgain;
  readonly stop: AbortSignal;
}

/** Follows requests that go on in their own time. */
function tracker() {
  const underWay: Promise<unknown>[] = [];
  return {
    track(work: Promise<unknown>): void {
      // A caller that waits for `responded` gets the error.
      work.catch(() => undefined);
      underWay.push(work);
    },
    /** When every request so far has a response, those that follow from them included. */
    async responded(): Promise<void> {
      await Promise.all(underWay);
    },
  };
}

export type Backend = ReturnType<typeof createBackend>;

/** A program that wants messages sent. */
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
    // Whether it is done, waits, or can no longer be done: the account asks the ledger, and the phone.
    await untilResponse(`message ${number}`, async () => {
      try {
        await api.editMessage({ id, body: { text }, key: idempotencyKey, query: { timeoutMs: 0 } });
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'EDIT_NOT_POSSIBLE')) throw error;
      }
    });
  }

  return {
    /** Asks for a message and, once that is acknowledged, for its edits; continues with both in its own time. */
    ask(planned: PlannedMessage): void {
      const entry = { planned };
      asked.push(entry);
      track(askFor(entry));
    },
    /** Everything asked for so far. */
    asked: (): readonly AskedSingle[] => asked,
    responded,
  };
}

/** A campaign as its author knows it. */
export interface AskedCampaign {
  readonly planned: PlannedCampaign;
  /** The API acknowledged that it is started. */
  readonly isStarted: boolean;
  /** Sends to its recipients that came between the response to the pause and the request to resume. */
  readonly sentWhilePaused: number;
}

type Entry = { -readonly [Fact in keyof AskedCampaign]: AskedCampaign[Fact] } & {
  readonly prepared: Promise<boolean>;
  pauses: number;
};

export type CampaignBackend = ReturnType<typeof createCampaignBackend>;

/** A program that wants campaigns. */
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

  /** @returns false when there is nothing to steer any more: every recipient had an end before */
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
    /** Defines a campaign and imports its recipients, in its own time. */
    prepare(planned: PlannedCampaign): void {
      const prepared = prepare(planned);
      track(prepared);
      entries.push({ planned, prepared, isStarted: false, sentWhilePaused: 0, pauses: 0 });
    },
    /** Starts one that is prepared, and pauses it as planned; in its own time, too. */
    start(campaign: PlannedCampaign): void {
      const entry = entries.find(({ planned }) => planned === campaign);
      if (entry !== undefined) track(start(entry));
    },
    asked: (): readonly AskedCampaign[] => entries,
    responded,
    /** What was asked of campaigns, and how often it was granted. */
    counts(): ReadonlyMap<string, Count> {
      if (entries.length === 0) return new Map();
      const paused = entries.reduce((sum, { pauses }) => sum + pauses, 0);
      return new Map([['campaign paused, and gone on', { planned: entries.length, fired: paused }]]);
    },
  };
}

function chatOf(to: string): string {
  return `${to}@c.us`;
}
