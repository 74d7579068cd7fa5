import {
  AppError,
  ErrorNext,
  type Clock,
  type InstanceDirectory,
  type MessageSnapshot,
  type ReachedFaultPoint,
} from '../contract/index.js';
import type { Ledger, StoredNotification } from '../ledger/index.js';
import { isAuthorized } from './authorization.js';
import { readIncoming, type IncomingMessage } from './incoming-message.js';
import { readNotification } from './read-notification.js';

export interface ReceiverOptions {
  readonly ledger: Ledger;
  readonly instances: InstanceDirectory;
  readonly clock: Clock;
  /** Told of each message that a notification is about. When it throws, it is told again later. */
  readonly notify: (snapshot: MessageSnapshot) => Promise<void>;
  /**
   * Told of each notification that moves no message by itself; it may be late evidence for one whose answer was lost.
   * Returns the message that it settled.
   */
  readonly lateEvidence?: (instance: string, body: unknown) => Promise<MessageSnapshot | undefined>;
  /** Told of each message that somebody wrote to the account. When it throws, it is told again later. */
  readonly incoming?: (message: IncomingMessage) => Promise<void>;
  readonly reached?: ReachedFaultPoint | undefined;
  readonly log: (entry: {
    readonly level: 'info' | 'warn' | 'error';
    readonly message: string;
    readonly [fact: string]: unknown;
  }) => void;
}

/**
 * Takes the gateway's notifications: authenticate → store raw → 200 → apply.
 *
 * The gateway repeats one notification until it gets a 200, and everything behind it waits. So whatever is authenticated and
 * stored is answered 200, readable or not, and nothing that goes wrong afterwards is the gateway's business.
 */
export interface Receiver {
  /**
   * Resolves once the notification is durable; applying it goes on behind.
   * @param authorization the request's Authorization header
   * @throws AppError INSTANCE_UNKNOWN | WEBHOOK_UNVERIFIED | LEDGER_UNAVAILABLE (the gateway asks again in a minute)
   */
  receive(instance: string, authorization: string | undefined, rawBody: Uint8Array): Promise<{ readonly status: 200 }>;
  /**
   * The same for a body that needs no Authorization, because we fetched it ourselves.
   * @throws AppError LEDGER_UNAVAILABLE
   */
  accept(instance: string, rawBody: Uint8Array): Promise<void>;
  /** Resolves when everything stored so far is applied or, with something in the way, was tried. */
  idle(): Promise<void>;
  /** Waits for the notification under way. What is left is applied after the next start. */
  close(): Promise<void>;
}

const BATCH = 100;
/** Other processes may have stored something and died before applying it. */
const LOOK_AGAIN_MS = 30_000;
const RETRY_FIRST_MS = 500;
const RETRY_MAX_MS = 30_000;

export function createReceiver({
  ledger,
  instances,
  clock,
  notify,
  lateEvidence,
  incoming,
  reached,
  log,
}: ReceiverOptions): Receiver {
  let isClosed = false;
  let failures = 0;
  let timer: NodeJS.Timeout | undefined;
  let draining: Promise<void> | undefined;
  let isAskedAgain = false;

  /** Applies what is stored, oldest first. Asked again meanwhile, it looks once more. */
  function drain(): Promise<void> {
    isAskedAgain = true;
    draining ??= drainAll();
    return draining;
  }

  async function drainAll(): Promise<void> {
    clearTimeout(timer);
    try {
      do {
        isAskedAgain = false;
        await drainOnce();
      } while (isAskedAgain);
      failures = 0;
    } catch (error) {
      failures += 1;
      log({
        level: 'warn',
        message: 'Notifications wait to be applied; tried again by itself',
        code: codeOf(error),
        failures,
      });
    }
    // In the same breath as the last look at isAskedAgain: who asks from here on begins anew.
    draining = undefined;
    if (isClosed) return;
    const delayMs = failures === 0 ? LOOK_AGAIN_MS : Math.min(RETRY_FIRST_MS * 2 ** (failures - 1), RETRY_MAX_MS);
    timer = setTimeout(() => void drain(), delayMs);
    timer.unref();
  }

  async function drainOnce(): Promise<void> {
    for (;;) {
      const batch = await ledger.receipts.unapplied(BATCH);
      const left = batch.length === 1 ? batch : await applyOrdinary(batch);
      const results = await Promise.allSettled(groupByInstance(left).map(applyInOrder));
      const failure = results.find((result) => result.status === 'rejected');
      if (failure !== undefined) throw failure.reason;
      if (batch.length < BATCH || isClosed) return;
    }
  }

  /** Many at once, where a batch holds many of the ordinary kind. @returns the others */
  async function applyOrdinary(batch: readonly StoredNotification[]): Promise<readonly StoredNotification[]> {
    const receipts = batch.flatMap(({ id, instance, body, receivedAt }) => {
      const reading = readNotification(body, Date.parse(receivedAt), idInstanceOf(instance));
      return reading.kind === 'receipt' ? [{ id, instance, receipt: reading.receipt }] : [];
    });
    const applied = await ledger.receipts.applyOrdinary(receipts, clock.nowMs());
    for (const snapshot of new Set(applied.values())) await notify(snapshot);
    if (applied.size > 0) await ledger.receipts.markApplied([...applied.keys()], 'applied', clock.nowMs());
    return batch.filter(({ id }) => !applied.has(id));
  }

  async function applyInOrder(notifications: readonly StoredNotification[]): Promise<void> {
    for (const notification of notifications) {
      if (isClosed) return;
      const { outcome, changed } = await apply(notification);
      // Only what the run was told of counts as applied: after a failure here all of it happens again, to the same end.
      if (changed !== undefined) await notify(changed);
      await ledger.receipts.markApplied(notification.id, outcome, clock.nowMs());
    }
  }

  /**
   * @returns what became of it, a stable word, and the message it is about
   * @throws what is to be waited for; any other error is this notification's alone and must not hold up those behind it
   */
  async function apply({ id, instance, body, receivedAt }: StoredNotification): Promise<Applied> {
    try {
      const reading = readNotification(body, Date.parse(receivedAt), idInstanceOf(instance));
      if (reading.kind === 'noted') {
        const settled = await lateEvidence?.(instance, body);
        return { outcome: `noted: ${reading.what}`, ...(settled === undefined ? {} : { changed: settled }) };
      }
      if (reading.kind === 'incoming') {
        const message = readIncoming(instance, body, reading.atMs);
        if (message === undefined) return { outcome: 'ignored: incomplete' };
        await incoming?.(message);
        return { outcome: 'incoming' };
      }
      if (reading.kind === 'ignored') return { outcome: `ignored: ${reading.why}` };
      const changed = await ledger.receipts.apply(instance, reading.receipt, clock.nowMs());
      return changed === undefined ? { outcome: 'parked' } : { outcome: 'applied', changed };
    } catch (error) {
      if (error instanceof AppError && error.next === ErrorNext.wait) throw error;
      log({
        level: 'error',
        message: 'A notification cannot be applied; it is kept',
        notification: id,
        instance,
        code: codeOf(error),
      });
      return { outcome: `failed: ${codeOf(error)}` };
    }
  }

  /** An instance that was taken out of the configuration has said something all the same. */
  function idInstanceOf(instance: string): string | undefined {
    return instances.names().includes(instance) ? instances.get(instance).idInstance : undefined;
  }

  async function accept(instance: string, rawBody: Uint8Array): Promise<void> {
    await ledger.receipts.store(instance, parse(rawBody), clock.nowMs());
    reached?.('receipt.stored');
    void drain();
  }

  void drain();

  return {
    async receive(instance, authorization, rawBody) {
      const { webhookTokens = [] } = instances.get(instance);
      if (webhookTokens.length > 0 && !isAuthorized(authorization, webhookTokens)) {
        throw new AppError(
          'WEBHOOK_UNVERIFIED',
          `A notification for instance ${instance} is refused: its Authorization is not one of the instance's webhook tokens. Set webhookUrlToken at the gateway to one of them.`,
        );
      }
      await accept(instance, rawBody);
      return { status: 200 };
    },

    accept,

    async idle() {
      await drain();
    },

    async close() {
      isClosed = true;
      clearTimeout(timer);
      await draining;
      clearTimeout(timer);
    },
  };
}

interface Applied {
  readonly outcome: string;
  readonly changed?: MessageSnapshot;
}

function groupByInstance(notifications: readonly StoredNotification[]): StoredNotification[][] {
  const groups = new Map<string, StoredNotification[]>();
  for (const notification of notifications) {
    const group = groups.get(notification.instance);
    if (group === undefined) groups.set(notification.instance, [notification]);
    else group.push(notification);
  }
  return [...groups.values()];
}

/** The gateway's go five levels deep. Thousands of them would exhaust the stack of whoever walks through a stored one. */
const MAX_LEVELS = 100;

/** What is no JSON, or no sane one, is kept as the text it is, for a person to look at. */
function parse(rawBody: Uint8Array): unknown {
  const text = new TextDecoder().decode(rawBody);
  try {
    const body: unknown = JSON.parse(text);
    return isDeeperThan(MAX_LEVELS, body) ? text : body;
  } catch {
    return text;
  }
}

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner));
}

function codeOf(error: unknown): string {
  return error instanceof AppError ? error.code : error instanceof Error ? error.name : 'unknown';
}
