/**
 * Background jobs that poll gateways.
 *
 * POLL-1 Instances are polled side by side, and each has a time budget a round. A gateway that hangs delays only its own
 *    instance.
 * POLL-2 The next round continues where the budget of an instance ended, so that every row gets its turn: ended rows
 *    leave the list, and a list that keeps its rows is read from the last one that was polled.
 */
import {
  AppError,
  forEachConcurrently,
  type Clock,
  type InstanceDirectory,
  type MessageId,
  type MessageSnapshot,
} from '../contract/index.js';
import { readQueue } from '../activities/index.js';
import type { BackgroundJob, JobDependencies } from './background-job.js';
import { inParts } from './message-jobs.js';
import { isSendingState } from '../domain/index.js';
import type { Gateway } from '../gateway/index.js';

/** Requests of a thousand instances at once would block the process. */
const INSTANCES_AT_ONCE = 100;
/** A poll that has begun ends by its own timeout. */
const BUDGET_MS = 30_000;

/** POLL-1. @param itemsOf  what a round polls of an instance; it is read no further once the budget is spent */
async function pollByInstance<Item>(
  clock: Clock,
  instances: readonly string[],
  itemsOf: (instance: string) => AsyncIterable<Item> | Iterable<Item>,
  poll: (item: Item) => Promise<void>,
): Promise<void> {
  await forEachConcurrently(INSTANCES_AT_ONCE, instances, async (instance) => {
    const untilMs = clock.nowMs() + BUDGET_MS;
    for await (const item of itemsOf(instance)) {
      await poll(item);
      if (clock.nowMs() >= untilMs) return;
    }
  });
}

const PAGE = 100;

/** Polls the journal about accepted messages after the wait for a receipt, and ends them. */
export function endWithoutReceipts(
  { ledger, clock }: JobDependencies,
  pollJournal: (id: MessageId) => Promise<string | undefined>,
): BackgroundJob {
  async function* overdue(instance: string): AsyncGenerator<MessageId> {
    let ids: readonly MessageId[];
    do {
      ids = await ledger.messages.withoutReceipt(instance, PAGE, clock.nowMs());
      yield* ids;
    } while (ids.length === PAGE);
  }

  return {
    name: 'end messages without receipts',
    everyMs: 60_000,
    async round() {
      const instances = await ledger.messages.instancesWithoutReceipt(clock.nowMs());
      await pollByInstance(clock, instances, overdue, async (id) => {
        await ledger.messages.expire(id, clock.nowMs(), await pollJournal(id));
      });
    },
  };
}

type Reconcile = (of: { readonly messageId: MessageId }) => Promise<MessageSnapshot>;

/**
 * Polls for late evidence of unresolved messages, while it can still come. A notification decides a message at once.
 * This job finds evidence in journals, and decides messages that an identical message blocked.
 * @param begin  begins the round of an instance, whose messages share the readings of its witnesses
 */
export function pollUnresolved({ ledger, clock, log }: JobDependencies, begin: () => Reconcile): BackgroundJob {
  /** The last message that was polled, of instances whose last round had no time for all. */
  const continueAfter = new Map<string, MessageId>();

  async function* inDoubt(instance: string): AsyncGenerator<{ messageId: MessageId; reconcile: Reconcile }> {
    const reconcile = begin();
    let ids: readonly MessageId[];
    do {
      ids = await ledger.reconciling.unresolved(instance, clock.nowMs(), PAGE, continueAfter.get(instance));
      for (const messageId of ids) {
        continueAfter.set(instance, messageId);
        yield { messageId, reconcile };
      }
    } while (ids.length === PAGE);
    continueAfter.delete(instance);
  }

  return {
    name: 'poll unresolved messages',
    everyMs: 10 * 60_000,
    async round() {
      await inParts(500, (limit) => ledger.reconciling.endBlocking(limit, clock.nowMs()));
      const instances = await ledger.reconciling.instancesUnresolved(clock.nowMs());
      await pollByInstance(clock, instances, inDoubt, async ({ messageId, reconcile }) => {
        const message = 'the witnesses of an unresolved message could not be polled';
        await reconcile({ messageId }).catch((error: unknown) => log({ level: 'warn', message, messageId, error }));
      });
    },
  };
}

/**
 * Reads the queues that may stand still while no shift reads them: at most every two minutes, and none that is empty
 * (STANDSTILL-4). An instance whose verdict changed is woken, so that its run shows it.
 */
export function watchQueues(
  {
    ledger,
    instances,
    gateway,
    clock,
    log,
  }: JobDependencies & { readonly instances: InstanceDirectory; readonly gateway: Gateway },
  wake: (instance: string) => void,
): BackgroundJob {
  const standing = new Set<string>();

  async function read(instance: string): Promise<void> {
    try {
      await readQueue({ ledger, gateway, clock }, instance);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return log({ level: 'warn', message: 'the queue could not be read', instance, code: error.code });
    }
    const { standstill } = await ledger.dispatch.view(instance);
    if ((standstill !== undefined) === standing.has(instance)) return;
    if (standstill === undefined) standing.delete(instance);
    else standing.add(instance);
    wake(instance);
  }

  return {
    name: 'watch queues',
    everyMs: 30_000,
    async round() {
      const readable = instances.names().filter((name) => gateway.offers(name, 'showMessagesQueue'));
      const names = await ledger.queueReadings.toRead(readable);
      await pollByInstance(clock, names, (name) => [name], read);
    },
  };
}

/** CLEAR-6: the effect of clears whose activity has ended before it. */
export function settleClears(
  { ledger, clock, log }: JobDependencies,
  settle: (clear: { readonly id: string; readonly instance: string }) => Promise<unknown>,
): BackgroundJob {
  return {
    name: 'settle cleared queues',
    everyMs: 10_000,
    async round() {
      for (const clear of await ledger.queueClears.lost(clock.nowMs())) {
        const message = 'the effect of clearing a queue could not be recorded; retried automatically';
        await settle(clear).catch((error: unknown) => log({ level: 'warn', message, operation: clear.id, error }));
      }
    },
  };
}

/** A round polls one in five idle instances. */
const IDLE_EVERY = 5;
const IN_USE_FOR_MS = 10 * 60_000;

/**
 * Polls and records the state of each instance once a minute. An authorized instance with nothing to send is polled
 * every fifth minute, since its account may get a yellow card without a notification.
 */
export function watchInstances(
  dependencies: JobDependencies & {
    readonly instances: InstanceDirectory;
    readonly gateway: Gateway;
    /** Called for each authorized instance. `isNew`: its last known state was different. */
    readonly onAuthorized?: (instance: string, isNew: boolean) => Promise<void>;
  },
): BackgroundJob {
  const { instances, ledger, gateway, clock, log, onAuthorized } = dependencies;
  /** Instances that were authorized at their last poll. */
  const authorized = new Set<string>();
  let rounds = 0;

  /** @returns undefined if the state cannot be read, and for an instance that is being created, which has no state */
  async function stateOf(instance: string): Promise<string | undefined> {
    try {
      const { response } = await gateway.call(instance, 'getStateInstance', {});
      return response.stateInstance ?? undefined;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      log({ level: 'warn', message: "an instance's state could not be read", instance, code: error.code });
      return undefined;
    }
  }

  async function poll(instance: string): Promise<void> {
    const state = await stateOf(instance);
    if (state === undefined) return;
    const isNew = await ledger.instanceStates.record({ instance, state, atMs: clock.nowMs() });
    if (!isSendingState(state)) return void authorized.delete(instance);
    authorized.add(instance);
    await onAuthorized?.(instance, isNew);
  }

  return {
    name: 'watch instances',
    // The interval that the gateway's document advises. Notifications between two polls are recorded too.
    everyMs: 60_000,
    async round() {
      const inUse = await ledger.dispatch.inUse(clock.nowMs() - IN_USE_FOR_MS);
      const names = instances
        .names()
        .filter((name, place) => inUse.has(name) || !authorized.has(name) || place % IDLE_EVERY === rounds % IDLE_EVERY)
        .filter((name) => gateway.offers(name, 'getStateInstance'));
      rounds += 1;
      await pollByInstance(clock, names, (name) => [name], poll);
    },
  };
}
