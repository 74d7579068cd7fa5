import { groupBy, present } from '../contract/index.js';
import type { Applied } from '../ledger/index.js';
import { appliedReceipt, failureName, createApplier, type ReadNotification } from './apply-notifications.js';
import { storeNotification, readRawBody, type RawBody } from './inbox.js';
import type { ReceiverOptions } from './options.js';
import { createSequences } from './sequences.js';
import { createRounds } from './rounds.js';
import { createSenderCheck, type Sender } from './verify-sender.js';

const BATCH = 500;
const REPLAY_BATCH = 100;
/** The limit of notifications in sequences. While it is reached, none is read, since a body may have a megabyte. */
const MOST_IN_SEQUENCES = 500;
/** How often the ledger is polled for notifications of a process that died before it applied them. */
const POLL_AGAIN_MS = 30_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

/**
 * Receives the gateway's notifications: authenticate → store → 200 → apply to the ledger.
 *
 * The gateway repeats a notification until it gets a 200, and all later ones wait. So every authenticated and stored
 * notification gets a 200, readable or not. Later failures do not concern the gateway.
 *
 * RECEIPT-1 A notification is applied as soon as the ledger is available, without Temporal, so that a STOP or a yellow
 *    card counts at once.
 * RECEIPT-2 A notification that cannot be applied is set aside with its reason, and the next one is applied.
 * RECEIPT-3 Statuses are applied together in one commit. Other notifications are applied one by one. They delay only
 *    notifications of the same message and other such notifications of the same instance.
 */
export function createReceiver(options: ReceiverOptions) {
  const { ledger, clock, reached, log, onStored, onEvents, onReceipts } = options;
  const applier = createApplier(options);
  const verifySender = createSenderCheck(options);
  const sequences = createSequences(applyOne, (error) => {
    sequenceFailure = { error };
    void drains.now();
  });
  const drains = createRounds({
    /** Applies stored notifications, oldest first, and then replays. */
    work: async () => (await applyStored()) || applyAgain(),
    pollMs: POLL_AGAIN_MS,
    retryFirstMs: RETRY_FIRST_MS,
    retryMaxMs: RETRY_MAX_MS,
    onPoll() {
      mayReplay = true;
    },
    onFailed(error, failures) {
      log({
        level: 'warn',
        message: 'Notifications wait until the ledger is available; retried automatically',
        code: failureName(error),
        failures,
        error,
      });
    },
  });
  let isClosed = false;
  /**
   * Ids of notifications whose messages changed during their batch. If that happens again, they are applied in
   * sequence.
   */
  let busyBefore: ReadonlySet<string> = new Set();
  let sequenceFailure: { readonly error: unknown } | undefined;
  /** Whether there may be a replay, which this or another process has begun. The ledger is not asked each time. */
  let mayReplay = true;

  /** @returns whether more notifications may be left */
  async function applyStored(): Promise<boolean> {
    await sequences.until(MOST_IN_SEQUENCES);
    const failure = sequenceFailure;
    sequenceFailure = undefined;
    if (failure !== undefined) throw failure.error;
    if (isClosed) return false;
    const batch = (await ledger.receipts.unapplied(BATCH, sequences.ids())).map((stored) => applier.read(stored));
    const held = new Set(sequences.subjects());
    for (const { notification, subject } of batch) {
      if (subject !== undefined && busyBefore.has(notification.id)) held.add(subject);
    }
    const isHeld = ({ subject }: ReadNotification) => subject !== undefined && held.has(subject);
    const { applied, left, busy } = await applier.applyTogether(batch.filter((one) => !isHeld(one)));
    onReceipts?.(applied.flatMap(appliedReceipt));
    busyBefore = new Set(busy.map(({ notification }) => notification.id));
    const forSequences = new Set(left);
    for (const one of batch) if (isHeld(one) || forSequences.has(one)) sequences.add(one);
    return batch.length === BATCH || busy.length > 0;
  }

  async function applyOne(read: ReadNotification): Promise<void> {
    const result = await applier.apply(read);
    await ledger.receipts.markApplied(new Map([[read.notification.id, result]]));
    if (result.outcome === 'applied') onReceipts?.(appliedReceipt(read));
  }

  /** @returns whether there was a batch of a replay */
  async function applyAgain(): Promise<boolean> {
    if (isClosed || !mayReplay) return false;
    const batch = await ledger.replays.next(REPLAY_BATCH);
    mayReplay = batch !== undefined;
    if (batch === undefined) return false;
    const outcomes = new Map<string, Applied>();
    // The notifications of each instance are applied in order.
    const results = await Promise.allSettled(
      [...groupBy(batch.notifications, ({ instance }) => instance).values()].map(async (group) => {
        for (const notification of group) {
          if (isClosed) return;
          outcomes.set(notification.id, await applier.apply(applier.read(notification)));
        }
      }),
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
    if (isClosed) return false;
    await ledger.replays.advance(batch, outcomes, clock.nowMs());
    return true;
  }

  async function accept(instance: string, rawBody: RawBody, contentType?: string): Promise<void> {
    const { body, ...came } = await readRawBody(rawBody);
    const hasEvents = await storeNotification(options, instance, body, { ...came, ...present({ contentType }) });
    reached?.('receipt.stored');
    onStored?.(instance);
    if (hasEvents) onEvents?.();
    // The response goes first, since an embedded ledger works on this thread.
    setImmediate(() => drains.ask());
  }

  void drains.now();

  return {
    /**
     * Resolves when the notification is durable. It is applied in the background.
     * @param authorization  the Authorization header of the request
     * @param from  `isLocal`: whether a program on this machine sent it, which needs no token if the instance has none.
     *   @default false
     * @throws AppError WEBHOOK_UNVERIFIED | INSTANCE_NOT_FOUND | LEDGER_UNAVAILABLE (the gateway retries after a minute)
     */
    async receive(
      instance: string,
      authorization: string | undefined,
      rawBody: RawBody,
      from: Pick<Sender, 'isLocal'> & { readonly contentType?: string } = { isLocal: false },
    ): Promise<{ readonly status: 200 }> {
      verifySender(instance, { authorization, isLocal: from.isLocal });
      await accept(instance, rawBody, from.contentType);
      return { status: 200 };
    },

    /**
     * Receives a fetched notification, whose sender needs no verification. Resolves when it is durable.
     * @throws AppError LEDGER_UNAVAILABLE
     */
    accept: (instance: string, rawBody: Uint8Array): Promise<void> => accept(instance, rawBody),

    /** Called when another process has stored a notification or begun a replay. Applies it at once. */
    wake(): void {
      mayReplay = true;
      void drains.now();
    },

    /** Resolves when every stored notification was applied, or an attempt failed. */
    async idle(): Promise<void> {
      mayReplay = true;
      await drains.now();
      await sequences.until(0);
    },

    /** Waits for the notification under way. The next start applies the others. */
    async close(): Promise<void> {
      isClosed = true;
      await Promise.all([sequences.close(), drains.close()]);
    },
  };
}

export type Receiver = ReturnType<typeof createReceiver>;
