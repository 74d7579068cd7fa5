import { setTimeout as delay } from 'node:timers/promises';
import {
  settingsOf,
  AppError,
  type InstanceDirectory,
  type MessageId,
  type MessageSnapshot,
} from '../contract/index.js';
import type { BackgroundJob, JobDependencies } from './background-job.js';
import type { CampaignDrivers, SweeperDependencies } from './sweepers.js';
import { isSendingState } from '../domain/index.js';
import type { Gateway } from '../gateway/index.js';

/** Ends messages that expired before they were posted, including those that no shift reads. */
export function expireMessages({ ledger, clock }: JobDependencies): BackgroundJob {
  return {
    name: 'expire messages',
    everyMs: 1_000,
    inEveryWorker: true,
    round: () => inParts(500, (limit) => ledger.dispatch.expireDue(limit, clock.nowMs())),
  };
}

/** Ends messages that came after the final verdict against their template was recorded. */
export function rejectByTemplate({ ledger, clock }: JobDependencies): BackgroundJob {
  return {
    name: 'reject messages by their templates',
    everyMs: 10_000,
    round: () => inParts(500, (limit) => ledger.dispatch.rejectByTemplate(limit, clock.nowMs())),
  };
}

/** Wakes instances that have due messages and no shift, because a wake was lost or a worker died. */
export function wakeInstances({ ledger, clock }: JobDependencies, wake: (instance: string) => void): BackgroundJob {
  return {
    name: 'wake instances',
    everyMs: 5_000,
    inEveryWorker: true,
    async round() {
      for (const instance of await ledger.dispatch.dueInstances(1_000, clock.nowMs())) wake(instance);
    },
  };
}

/**
 * Writes changed hours, limits and edit windows of the instances file to the ledger, so that they apply at
 * once. The start of a shift writes them too.
 */
export function configureInstances(
  { ledger, instances }: JobDependencies & { readonly instances: InstanceDirectory },
  wake: (instance: string) => void,
): BackgroundJob {
  const known = new Map<string, string>();
  return {
    name: 'configure instances',
    everyMs: 5_000,
    inEveryWorker: true,
    async round() {
      const given = instances
        .names()
        .map((name) => ({ instance: name, settings: settingsOf(instances.get(name)) }))
        .filter(({ instance, settings }) => known.get(instance) !== JSON.stringify(settings));
      if (given.length === 0) return;
      for (const instance of await ledger.dispatch.configure(given)) wake(instance);
      for (const { instance, settings } of given) known.set(instance, JSON.stringify(settings));
    },
  };
}

/** Ends the wait for outcomes that only a removed instance's gateway could show. */
export function settleRemoved({
  ledger,
  clock,
  instances,
}: JobDependencies & { readonly instances: InstanceDirectory }): BackgroundJob {
  return {
    name: 'settle messages of removed instances',
    everyMs: 10_000,
    round: () => inParts(100, (limit) => ledger.reconciling.settleRemoved(instances.names(), limit, clock.nowMs())),
  };
}

/** Polls the journal about accepted messages after the wait for a receipt, and ends them. */
export function endWithoutReceipts(
  { ledger, clock }: JobDependencies,
  pollJournal: (id: MessageId) => Promise<string | undefined>,
): BackgroundJob {
  return {
    name: 'end messages without receipts',
    everyMs: 60_000,
    round: () =>
      inParts(100, async (limit) => {
        const ids = await ledger.messages.withoutReceipt(limit, clock.nowMs());
        for (const id of ids) await ledger.messages.expire(id, clock.nowMs(), await pollJournal(id));
        return ids.length;
      }),
  };
}

const UNRESOLVED_AT_ONCE = 100;

/**
 * Polls for late evidence of unresolved messages, while it can still come. A notification decides a message at once.
 * This job finds evidence in journals, and decides messages that an identical message blocked.
 */
export function pollUnresolved(
  { ledger, clock, log }: JobDependencies,
  reconcile: (id: MessageId) => Promise<MessageSnapshot>,
): BackgroundJob {
  return {
    name: 'poll unresolved messages',
    everyMs: 10 * 60_000,
    async round() {
      await inParts(500, (limit) => ledger.reconciling.endBlocking(limit, clock.nowMs()));
      let afterId: MessageId | undefined;
      do {
        const ids = await ledger.reconciling.unresolved(clock.nowMs(), UNRESOLVED_AT_ONCE, afterId);
        for (const id of ids) {
          const message = 'the witnesses of an unresolved message could not be polled';
          await reconcile(id).catch((error: unknown) => log({ level: 'warn', message, messageId: id, error }));
        }
        afterId = ids.length < UNRESOLVED_AT_ONCE ? undefined : ids.at(-1);
      } while (afterId !== undefined);
    },
  };
}

/** @param part  handles at most `limit` rows and returns how many; fewer than `limit` means that none is left */
async function inParts(limit: number, part: (limit: number) => Promise<number>): Promise<void> {
  let done: number;
  do done = await part(limit);
  while (done === limit);
}

/**
 * Ends each campaign soon after its last recipient has ended, by a receipt or by an operator. The runs poll too, but
 * rarely after a long wait.
 */
export function endCampaigns(
  dependencies: Omit<SweeperDependencies<Pick<CampaignDrivers, 'notifyChanged'>>, 'log'>,
): BackgroundJob {
  const { ledger, drivers, namespace, clock } = dependencies;
  return {
    name: 'end campaigns',
    everyMs: 2_000,
    async round() {
      for (const id of await ledger.campaigns.withoutOpenRecipients(namespace)) {
        await ledger.campaigns.endIfDone(id, clock.nowMs());
        await drivers.notifyChanged(id);
      }
    },
  };
}

/** How many polls run at once. Requests of a thousand instances at once would block the process. */
const TOGETHER = 50;
const PAUSE_MS = 100;
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
      const inTurn = async (name: string, place: number): Promise<void> => {
        if (place >= TOGETHER) await delay(Math.floor(place / TOGETHER) * PAUSE_MS, undefined, { ref: false });
        await poll(name);
      };
      await Promise.all(names.map(inTurn));
    },
  };
}
