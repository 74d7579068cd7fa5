import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type MessageId, type MessageSnapshot } from '../contract/index.js';
import type { PendingSignal } from '../ledger/index.js';
import type { ReceiverOptions } from './options.js';
import { createRounds } from './rounds.js';
import { problemOf } from './apply-notifications.js';

type SignallerOptions = Pick<ReceiverOptions, 'ledger' | 'clock' | 'log' | 'notify' | 'isBusy'>;

const BATCH = 100;
const AT_ONCE = 8;
/** The batch size of a busy process. It is small, so that all signals are sent before their claim expires. */
const BUSY_BATCH = 10;
const BUSY_REST_TIMES = 9;
const BUSY_REST_MAX_MS = 1_000;
/** How long this process has the right to send claimed signals. After that another process sends them. */
const CLAIM_MS = 15_000;
/** How often the ledger is polled for postponed signals, and for changes by jobs, activities and other processes. */
const POLL_MS = 1_000;
/** The first pause of all signals while Temporal is unavailable. */
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 15_000;
/** The first pause of one signal that fails for its own reason. */
const PUT_OFF_FIRST_MS = 5_000;
const PUT_OFF_MAX_MS = 60 * 60_000;
const CLOSE_WITHIN_MS = 2_000;

/**
 * Sends the signals that the ledger has recorded, in the background. No other work waits for it.
 *
 * SIGNAL-1 A run gets one signal at a time, with the newest version of its message. Changes during a request share the
 *    next one.
 * SIGNAL-2 An idle process sends its own signals at once, and those of other processes within a second. A busy process
 *    sends one signal at a time, the oldest first, for a tenth of its time, since a signal costs ten times as much as
 *    storing a receipt.
 */
export function createSignaller({ ledger, clock, log, notify, isBusy = () => false }: SignallerOptions) {
  let isClosed = false;
  /** Claimed signals that are neither sent nor postponed yet. */
  const claimed = new Set<MessageId>();

  const rounds = createRounds({
    work: sendBatch,
    pollMs: POLL_MS,
    retryFirstMs: RETRY_FIRST_MS,
    retryMaxMs: RETRY_MAX_MS,
    onFailed(error, failures) {
      log({ level: 'warn', message: 'Workflows could not be signalled; retried automatically', failures, error });
    },
  });

  /**
   * @returns whether more signals may be left
   * @throws AppError if Temporal or the ledger is unavailable; signals that were sent before are recorded as sent
   */
  async function sendBatch(): Promise<boolean> {
    if (isClosed) return false;
    const [limit, atOnce] = isBusy() ? [BUSY_BATCH, 1] : [BATCH, AT_ONCE];
    const batch = await ledger.signals.claim({ nowMs: clock.nowMs(), forMs: CLAIM_MS, limit });
    const queue = batch.values();
    const sent: MessageSnapshot[] = [];
    for (const { snapshot } of batch) claimed.add(snapshot.id);
    const results = await Promise.allSettled(
      Array.from({ length: Math.min(atOnce, batch.length) }, async (_, place) => {
        for (const signal of queue) {
          if (isClosed) return;
          const startedMs = performance.now();
          if (await isSent(signal)) sent.push(signal.snapshot);
          claimed.delete(signal.snapshot.id);
          if (!isBusy()) continue;
          if (place > 0) return;
          const restMs = BUSY_REST_TIMES * (performance.now() - startedMs);
          await delay(Math.min(restMs, BUSY_REST_MAX_MS), undefined, { ref: false });
        }
      }),
    );
    await ledger.signals.sent(sent);
    await release();
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    return batch.length === limit;
  }

  async function release(): Promise<void> {
    const unsent = [...claimed];
    claimed.clear();
    await ledger.signals.release(unsent, clock.nowMs());
  }

  /** @returns false if the signal was postponed. @throws an error that affects all signals */
  async function isSent(signal: PendingSignal): Promise<boolean> {
    const { snapshot, tries } = signal;
    try {
      if ((await notify(signal)) === 'signalled') return true;
      await putOff(snapshot.id, tries, 'its send has not begun');
      return false;
    } catch (error) {
      // Temporal is unavailable or rejects us, so all other signals would fail too.
      if (error instanceof AppError) throw error;
      const { id } = snapshot;
      log({ level: 'warn', message: 'The workflow of a message could not be signalled; retried later', id, error });
      await putOff(id, tries, problemOf(error));
      return false;
    }
  }

  async function putOff(id: MessageId, tries: number, problem: string): Promise<void> {
    const delayMs = Math.min(PUT_OFF_FIRST_MS * 2 ** tries, PUT_OFF_MAX_MS);
    await ledger.signals.putOff(id, problem, clock.nowMs() + delayMs);
  }

  return {
    /**
     * Called when a signal was recorded. Sends it at once or after a short rest, or with the next retry while Temporal
     * is unavailable.
     */
    wake(): void {
      // While Temporal is unavailable only the timer retries, since each try would wait for a timeout.
      if (!rounds.isFailing()) rounds.ask();
    },

    /** Resolves when every recorded signal was sent or tried. */
    idle: (): Promise<void> => rounds.now(),

    /** Waits briefly for the signals under way. The others are sent after the next start. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.race([rounds.close(), delay(CLOSE_WITHIN_MS, undefined, { ref: false })]);
      // If the release fails, the signals are sent when the claim has expired.
      await release().catch((error: unknown) => {
        log({ level: 'warn', message: 'Signals to workflows could not be handed over; sent later', error });
      });
    },
  };
}
