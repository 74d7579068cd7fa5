/**
 * Reads the next recipients of running campaigns ahead and composes pending messages, so that a claim reads only
 * messages.
 *
 * AHEAD-1 A campaign has at most {@link AHEAD} composed messages ahead. It is read in batches: the next batch when less
 *    than a batch is left. The first batch is small. The size doubles if most of the messages ahead were claimed during
 *    the reading of a batch.
 * AHEAD-2 The ledger is polled every five seconds for campaigns with too few messages ahead, in case a shift missed
 *    one.
 * AHEAD-4 The messages of an account that is out are composed again at once, for other accounts, whatever these have ahead.
 * AHEAD-3 A campaign with rejected messages is checked before more recipients are read, since it may have to be paused.
 */
import { AppError, type CampaignId, type ContentTemplate, type MessageContent } from '../contract/index.js';
import { contentSchema } from '../contract/schemas.js';
import { readContentRecipients, renderContent } from '../domain/index.js';
import type { Gateway } from '../gateway/index.js';
import type { Composed, DueAttempt, ReadRecipient } from '../ledger/index.js';
import type { DispatcherDependencies } from './shift/dependencies.js';
import { requestOf } from './post/poster.js';

/** A slow campaign has few messages ahead, since a change of its text composes them again. */
const FIRST_BATCH = 128;
const LARGEST_BATCH = 512;
export const AHEAD = 2 * LARGEST_BATCH;
const POLL_EVERY_MS = 5_000;
/** Batches of one poll (AHEAD-4). An account has few messages ahead; those of a retry may be many. */
const MOST_ROUNDS = 16;
/** Campaigns whose numbers are kept, also after their end. One that is forgotten is read once more. */
export const MOST_KNOWN = 10_000;
/** The time between two polls for woken instances. */
const REST_MS = 100;

export type ReaderDependencies = Pick<
  DispatcherDependencies,
  'ledger' | 'gateway' | 'clock' | 'timers' | 'pauseIfFailing' | 'tracing' | 'log'
>;

export class RecipientReader {
  readonly #deps: ReaderDependencies;
  readonly #wake: (instance: string) => void;
  readonly #served = new Set<string>();
  readonly #left = new Map<CampaignId, number>();
  readonly #batches = new Map<CampaignId, number>();
  readonly #busy = new Set<CampaignId>();
  #cancelPoll: (() => void) | undefined;
  /** The instances of the next poll. */
  readonly #woken = new Set<string>();
  #cancelRest: (() => void) | undefined;

  /** @param wake  called when an instance has new messages; another process may serve it */
  constructor(deps: ReaderDependencies, wake: (instance: string) => void) {
    this.#deps = deps;
    this.#wake = wake;
  }

  /** Called when a shift of the instance begins or is woken. */
  serve(instance: string): void {
    this.#served.add(instance);
    this.#woken.add(instance);
    this.#pollWoken();
    this.#pollLater();
  }

  leave(instance: string): void {
    this.#served.delete(instance);
    if (this.#served.size > 0) return;
    this.#cancelPoll?.();
    this.#cancelPoll = undefined;
    this.#cancelRest?.();
    this.#cancelRest = undefined;
    this.#woken.clear();
    this.#left.clear();
    this.#batches.clear();
  }

  claimed(attempts: readonly DueAttempt[]): void {
    const short = new Set<CampaignId>();
    for (const { campaignId } of attempts) {
      if (campaignId === undefined) continue;
      const left = (this.#left.get(campaignId) ?? 0) - 1;
      this.#left.set(campaignId, left);
      if (left < this.#batch(campaignId)) short.add(campaignId);
    }
    for (const campaignId of short) void this.#read(campaignId);
  }

  /** AHEAD-3 */
  rejected({ campaignId }: DueAttempt): void {
    if (campaignId !== undefined) void this.#pauseIfFailing(campaignId);
  }

  /** Polls at once only after a pause, since single messages may wake their instance a hundred times per second. */
  #pollWoken(): void {
    if (this.#cancelRest !== undefined || this.#woken.size === 0) return;
    void this.#poll([...this.#woken]);
    this.#woken.clear();
    this.#cancelRest = this.#deps.timers.after(REST_MS, () => {
      this.#cancelRest = undefined;
      this.#pollWoken();
    });
  }

  /** AHEAD-2 */
  #pollLater(): void {
    this.#cancelPoll ??= this.#deps.timers.after(POLL_EVERY_MS, () => {
      this.#cancelPoll = undefined;
      if (this.#served.size === 0) return;
      void this.#poll([...this.#served]);
      this.#pollLater();
    });
  }

  async #poll(instances: readonly string[]): Promise<void> {
    try {
      const campaigns = await this.#deps.ledger.campaignsToRead(instances, FIRST_BATCH, this.#deps.clock.nowMs());
      await Promise.all(
        campaigns.map(async ({ id, isMoving }) => {
          // A change of the campaign may have left none of the messages ahead that are known here.
          this.#left.delete(id);
          // AHEAD-4
          const rounds = isMoving ? MOST_ROUNDS : 1;
          for (let round = 0; round < rounds && (await this.#read(id)); round += 1);
        }),
      );
    } catch (error) {
      this.#deps.log({ level: 'warn', message: 'campaigns to read could not be found; retried automatically', error });
    }
  }

  /** @returns whether it composed a whole batch again, and may have left some */
  async #read(id: CampaignId): Promise<boolean> {
    if (this.#busy.has(id)) return false;
    this.#busy.add(id);
    const { ledger, gateway, clock, tracing, log } = this.#deps;
    const limit = this.#batch(id);
    let hasMore = false;
    try {
      const { count, again, instances } = await ledger.readAhead(id, {
        limit,
        compose: (recipient, template) => composeContent(gateway, template, recipient),
        trace:
          tracing &&
          (({ messageId, account: instance }, campaignId) =>
            tracing.begin('recipient', { instance, messageId, campaignId })),
        nowMs: clock.nowMs(),
      });
      this.#growBatch(id);
      // A campaign without unread recipients is not polled at every claim.
      this.#left.set(id, count === 0 ? Infinity : this.#known(id) + count);
      const [oldest = id] = this.#left.keys();
      if (this.#left.size > MOST_KNOWN && this.#left.delete(oldest)) this.#batches.delete(oldest);
      for (const instance of instances) this.#wake(instance);
      hasMore = again >= limit;
    } catch (error) {
      const isGone = error instanceof AppError && error.code === 'CAMPAIGN_NOT_FOUND';
      if (!isGone)
        log({
          level: 'warn',
          message: 'recipients could not be read ahead; retried automatically',
          campaignId: id,
          error,
        });
    }
    this.#busy.delete(id);
    return hasMore;
  }

  #batch(id: CampaignId): number {
    return this.#batches.get(id) ?? FIRST_BATCH;
  }

  #growBatch(id: CampaignId): void {
    const batch = this.#batch(id);
    const isShort = this.#left.has(id) && this.#known(id) < batch / 2;
    if (isShort) this.#batches.set(id, Math.min(LARGEST_BATCH, 2 * batch));
  }

  #known(id: CampaignId): number {
    const left = this.#left.get(id) ?? 0;
    return left === Infinity ? 0 : Math.max(0, left);
  }

  async #pauseIfFailing(id: CampaignId): Promise<void> {
    try {
      await this.#deps.pauseIfFailing(id);
    } catch (error) {
      this.#deps.log({ level: 'warn', message: 'a campaign could not be checked for failures', campaignId: id, error });
    }
  }
}

/** Composes the content for one recipient: the rendered template, or the recipient's own text. */
function composeContent(
  gateway: Gateway,
  template: ContentTemplate,
  { chatId, values, ownContent }: ReadRecipient,
): Composed {
  const rendered = ownContent ?? renderContent(template, values);
  const read = contentSchema.safeParse(rendered);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- kept for the report, and never posted
  if (!read.success)
    return {
      content: rendered as MessageContent,
      problem: read.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`).join('; '),
    };
  const { content, problems } = readContentRecipients(read.data);
  const [unreadable] = problems;
  if (unreadable !== undefined) return { content, problem: `${unreadable.path} ${unreadable.message}` };
  try {
    const { operation, request } = requestOf({ chatId, content });
    gateway.check(operation, request);
    return { content };
  } catch (error) {
    if (!(error instanceof AppError) || error.problems === undefined) throw error;
    return { content, problem: error.problems.map(({ message }) => message).join('; ') };
  }
}
