import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../contract/index.js';
import { STEER_WITHIN_MS } from '../../client/index.js';
import type { BackendDependencies } from './backend.js';
import type { PlannedCampaign } from './campaign-plan.js';
import type { Count, GatewayUnderTest } from './gateway-under-test.js';

/** A campaign as its author knows it. */
export interface AskedCampaign {
  readonly planned: PlannedCampaign;
  /** The API acknowledged that it is started. */
  readonly isStarted: boolean;
  /** Sends to its recipients that came between the response to the pause and the wish to go on. */
  readonly sentWhilePaused: number;
}

/** The one who wants campaigns. */
export interface CampaignBackend {
  /** Defines a campaign and imports its recipients, in its own time. */
  prepare(campaign: PlannedCampaign): void;
  /** Starts one that is prepared, and pauses it as planned; in its own time, too. */
  start(campaign: PlannedCampaign): void;
  asked(): readonly AskedCampaign[];
  /** When every request so far has a response, those that follow from them included. */
  responded(): Promise<void>;
  /** What was asked of campaigns, and how often it was granted. */
  counts(): ReadonlyMap<string, Count>;
}

type Entry = { -readonly [Fact in keyof AskedCampaign]: AskedCampaign[Fact] } & {
  readonly prepared: Promise<boolean>;
  pauses: number;
};

export function createCampaignBackend({
  api,
  askAgain,
  stop,
  gateway,
}: BackendDependencies & { readonly gateway: GatewayUnderTest }): CampaignBackend {
  const { untilResponse } = askAgain;
  const entries: Entry[] = [];
  const underWay: Promise<unknown>[] = [];

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

  /** A caller that waits for `responded` hears of it. */
  function track(work: Promise<unknown>): void {
    work.catch(() => undefined);
    underWay.push(work);
  }

  return {
    prepare(planned) {
      const prepared = prepare(planned);
      track(prepared);
      entries.push({ planned, prepared, isStarted: false, sentWhilePaused: 0, pauses: 0 });
    },
    start(campaign) {
      const entry = entries.find(({ planned }) => planned === campaign);
      if (entry !== undefined) track(start(entry));
    },
    asked: () => entries,
    async responded() {
      await Promise.all(underWay);
    },
    counts() {
      if (entries.length === 0) return new Map();
      const paused = entries.reduce((sum, { pauses }) => sum + pauses, 0);
      return new Map([['campaign paused, and gone on', { planned: entries.length, fired: paused }]]);
    },
  };
}

function chatOf(to: string): string {
  return `${to}@c.us`;
}
