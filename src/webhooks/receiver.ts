import { groupBy, present, type ReachedFaultPoint } from '../contract/index.js';
import type { Applied, StoredNotification } from '../ledger/index.js';
import { codeOf, createApplier, type ApplierDependencies, type ReadNotification } from './apply-notifications.js';
import { storeNotification, readRawBody, type RawBody } from './inbox.js';
import { createSequences } from './sequences.js';
import { createRounds } from './rounds.js';
import { createSenderCheck, type Sender } from './verify-sender.js';
import { createSignaller, type SignallerDependencies } from './signal-runs.js';

export interface ReceiverOptions
  extends Omit<ApplierDependencies, 'onSignalOwed'>, Pick<SignallerDependencies, 'notify' | 'isBusy'> {
  readonly reached?: ReachedFaultPoint | undefined;
  /** Called with the instance of each notification that was stored. */
  readonly onStored?: (instance: string) => void;
  /** Called when events were recorded that may have to be delivered. */
  readonly onEvents?: () => void;
}

/**
 * Receives the gateway's notifications: authenticate → store → 200 → apply to the ledger; signals to the runs are sent
 * separately.
 *
 * The gateway repeats a notification until it gets a 200, and all later ones wait. So every authenticated and stored
 * notification is answered 200, readable or not; later failures do not concern the gateway.
 *
 * RECEIPT-1  Applying waits only for the ledger, never for Temporal: a STOP or a yellow card counts at once.
 * RECEIPT-2  A notification that cannot be applied is set aside with its reason; the next one is still applied.
 * RECEIPT-3  Statuses are applied together, with one commit for all. Others are applied one by one, and delay only
 *   notifications of the same message, or others of the same instance that are applied one by one.
 */
export interface Receiver {
  /**
   * Resolves once the notification is durable; applying it goes on behind.
   * @param authorization the request's Authorization header
   * @param from  `isLocal`: sent by a program on this machine, which needs no token where the instance has none.
   *   @default false
   * @throws AppError WEBHOOK_UNVERIFIED | INSTANCE_NOT_FOUND | LEDGER_UNAVAILABLE (the gateway asks again in a minute)
   */
  receive(
    instance: string,
    authorization: string | undefined,
    rawBody: RawBody,
    from?: Pick<Sender, 'isLocal'> & { readonly contentType?: string },
  ): Promise<{ readonly status: 200 }>;
  /**
   * Receives a polled notification, whose sender need not be verified. Resolves once it is durable.
   * @throws AppError LEDGER_UNAVAILABLE
   */
  accept(instance: string, rawBody: Uint8Array): Promise<void>;
  /** Another process stored a notification or began a replay: the next drain begins at once. */
  wake(): void;
  /** Messages changed elsewhere in this process: their runs are signalled at once. */
  signal(): void;
  /** Resolves when every stored notification was applied and signalled, or at least tried. */
  idle(): Promise<void>;
  /** Waits for the notification under way. The rest is applied after the next start. */
  close(): Promise<void>;
}

const BATCH = 500;
const REPLAY_BATCH = 100;
/** With this many waiting in sequences no more are read, since a body may have a megabyte. */
const MOST_IN_SEQUENCES = 500;
/** Another process may have died between storing and applying. */
const POLL_AGAIN_MS = 30_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

export function createReceiver(options: ReceiverOptions): Receiver {
  const { ledger, clock, reached, log, onStored, onEvents } = options;
  const signaller = createSignaller(options);
  const applier = createApplier({ ...options, onSignalOwed: () => signaller.wake() });
  const verifySender = createSenderCheck(options);
  const sequences = createSequences(applyOne, (error) => {
    sequenceFailure = { error };
    void drains.now();
  });
  const drains = createRounds({
    work: drain,
    pollMs: POLL_AGAIN_MS,
    retryFirstMs: RETRY_FIRST_MS,
    retryMaxMs: RETRY_MAX_MS,
    onPoll() {
      mayReplay = true;
    },
    onFailed(error, failures) {
      log({
        level: 'warn',
        message: 'Notifications wait to be applied until the ledger answers; retried automatically',
        code: codeOf(error),
        failures,
        error,
      });
    },
  });
  let isClosed = false;
  /**
   * Those of one batch whose messages changed while they were applied. If that happens again, they are applied in
   * sequence.
   */
  let busyBefore: ReadonlySet<string> = new Set();
  let sequenceFailure: { readonly error: unknown } | undefined;
  /**
   * A replay may have been begun, here or by another process, or be left over: looked for now and then, not each time.
   */
  let mayReplay = true;

  /** Applies what is stored, oldest first. New ones go before replays. */
  async function drain(): Promise<void> {
    while ((await applyStored()) || (await applyAgain())) {
      // The next batch.
    }
  }

  function throwSequenceFailure(): void {
    const failure = sequenceFailure;
    sequenceFailure = undefined;
    if (failure !== undefined) throw failure.error;
  }

  /** @returns whether there may be more */
  async function applyStored(): Promise<boolean> {
    await sequences.until(MOST_IN_SEQUENCES);
    throwSequenceFailure();
    if (isClosed) return false;
    const batch = (await ledger.receipts.unapplied(BATCH, sequences.ids())).map((stored) => applier.read(stored));
    const held = new Set(sequences.subjects());
    for (const { notification, subject } of batch) {
      if (subject !== undefined && busyBefore.has(notification.id)) held.add(subject);
    }
    const isHeld = ({ subject }: ReadNotification) => subject !== undefined && held.has(subject);
    const { left, busy } = await applier.applyTogether(batch.filter((one) => !isHeld(one)));
    busyBefore = new Set(busy.map(({ notification }) => notification.id));
    const forSequences = new Set(left);
    for (const one of batch) if (isHeld(one) || forSequences.has(one)) sequences.add(one);
    return batch.length === BATCH || busy.length > 0;
  }

  async function applyOne(read: ReadNotification): Promise<void> {
    const outcome = await applier.apply(read);
    await ledger.receipts.markApplied(new Map([[read.notification.id, outcome]]));
  }

  /** @returns whether there was anything to do */
  async function applyAgain(): Promise<boolean> {
    if (isClosed || !mayReplay) return false;
    const batch = await ledger.replays.next(REPLAY_BATCH);
    mayReplay = batch !== undefined;
    if (batch === undefined) return false;
    const outcomes = new Map<string, Applied>();
    await inOrder(batch.notifications, async (notification) => {
      outcomes.set(notification.id, await applier.apply(applier.read(notification)));
    });
    if (isClosed) return false;
    await ledger.replays.advance(batch, outcomes, clock.nowMs());
    return true;
  }

  /** Those of one instance one after the other, until this is closed. @throws the first failure, when all have ended */
  async function inOrder(
    notifications: readonly StoredNotification[],
    work: (notification: StoredNotification) => Promise<void>,
  ): Promise<void> {
    const results = await Promise.allSettled(
      [...groupBy(notifications, ({ instance }) => instance).values()].map(async (group) => {
        for (const notification of group) {
          if (isClosed) return;
          await work(notification);
        }
      }),
    );
    const failure = results.find((result) => result.status === 'rejected');
    if (failure !== undefined) throw failure.reason;
  }

  async function accept(instance: string, rawBody: RawBody, contentType?: string): Promise<void> {
    const { body, ...came } = await readRawBody(rawBody);
    const hasEvents = await storeNotification(options, instance, body, { ...came, ...present({ contentType }) });
    reached?.('receipt.stored');
    onStored?.(instance);
    if (hasEvents) onEvents?.();
    // Responds first, since an embedded ledger works on this thread.
    setImmediate(() => drains.ask());
  }

  void drains.now();
  signaller.wake();

  return {
    async receive(instance, authorization, rawBody, { isLocal, contentType } = { isLocal: false }) {
      verifySender(instance, { authorization, isLocal });
      await accept(instance, rawBody, contentType);
      return { status: 200 };
    },

    accept: (instance, rawBody) => accept(instance, rawBody),

    wake() {
      mayReplay = true;
      void drains.now();
    },

    signal: () => signaller.wake(),

    async idle() {
      mayReplay = true;
      await drains.now();
      await sequences.until(0);
      await signaller.idle();
    },

    async close() {
      isClosed = true;
      await Promise.all([sequences.close(), drains.close(), signaller.close()]);
    },
  };
}
