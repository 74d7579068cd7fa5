import { settingsOf, type InstanceDirectory } from '../contract/index.js';
import type { BackgroundJob, JobDependencies } from './background-job.js';

/** Ends messages that expired before they were posted, including those that no shift reads. */
export function expireMessages({ ledger, clock }: JobDependencies): BackgroundJob {
  return {
    name: 'expire messages',
    everyMs: 1_000,
    inEveryWorker: true,
    round: () => inParts(500, (limit) => ledger.dispatch.expireDue(limit, clock.nowMs())),
  };
}

/** Ends edits by time, also those of instances that nothing serves (EDITROW-7). */
export function endEdits({ ledger, clock }: JobDependencies): BackgroundJob {
  return {
    name: 'end edits',
    everyMs: 5_000,
    inEveryWorker: true,
    round: () => inParts(500, (limit) => ledger.edits.endByTime(limit, clock.nowMs())),
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

/** @param part  handles at most `limit` rows and returns how many; fewer than `limit` means that none is left */
export async function inParts(limit: number, part: (limit: number) => Promise<number>): Promise<void> {
  let done: number;
  do done = await part(limit);
  while (done === limit);
}
