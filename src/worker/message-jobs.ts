import type { AppError, Clock, MessageId, MessageSnapshot } from '../contract/index.js';
import type { Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EXPIRE_EVERY_MS = 1_000;
const EXPIRE_AT_ONCE = 500;

/** Ends messages that were not posted in their time, also those that nothing else looks at. */
export function expireMessages({ ledger, clock }: JobDependencies): BackgroundJob {
  return {
    name: 'expire messages',
    everyMs: EXPIRE_EVERY_MS,
    inEveryWorker: true,
    async round() {
      while ((await ledger.dispatch.expireDue(EXPIRE_AT_ONCE, clock.nowMs())) === EXPIRE_AT_ONCE) {
        // The next ones.
      }
    },
  };
}

const REJECT_EVERY_MS = 10_000;
const REJECT_AT_ONCE = 500;

/** Ends messages of templates that can never be approved: those that came after the verdict was written. */
export function rejectByTemplate({ ledger, clock }: JobDependencies): BackgroundJob {
  return {
    name: 'reject messages by their templates',
    everyMs: REJECT_EVERY_MS,
    async round() {
      while ((await ledger.dispatch.rejectByTemplate(REJECT_AT_ONCE, clock.nowMs())) === REJECT_AT_ONCE) {
        // The next ones.
      }
    },
  };
}

const WAKE_EVERY_MS = 5_000;
const WAKE_AT_ONCE = 1_000;

/** Wakes instances with due messages that no shift serves: their wake was lost, or their worker. */
export function wakeInstances({ ledger, clock }: JobDependencies, wake: (instance: string) => void): BackgroundJob {
  return {
    name: 'wake instances',
    everyMs: WAKE_EVERY_MS,
    inEveryWorker: true,
    async round() {
      for (const instance of await ledger.dispatch.dueInstances(WAKE_AT_ONCE, clock.nowMs())) wake(instance);
    },
  };
}

const UNHEARD_EVERY_MS = 60_000;
const UNHEARD_AT_ONCE = 100;

/** Ends accepted messages of which no receipt came in all the time that one could; the journal is asked before. */
export function endUnheard(
  { ledger, clock }: JobDependencies,
  askJournal: (id: MessageId) => Promise<string | undefined>,
): BackgroundJob {
  return {
    name: 'end messages without receipts',
    everyMs: UNHEARD_EVERY_MS,
    async round() {
      let ids: MessageId[];
      do {
        ids = await ledger.messages.unheard(UNHEARD_AT_ONCE, clock.nowMs());
        for (const id of ids) await ledger.messages.expire(id, clock.nowMs(), await askJournal(id));
      } while (ids.length === UNHEARD_AT_ONCE);
    },
  };
}

const UNRESOLVED_EVERY_MS = 10 * 60_000;
const UNRESOLVED_AT_ONCE = 100;

/**
 * Looks for late evidence of unresolved messages. Notifications settle one at once; this is for a journal, and for an
 * identical message that stood in its way.
 */
export function askAboutUnresolved(
  { ledger, log }: JobDependencies,
  reconcile: (id: MessageId) => Promise<MessageSnapshot>,
): BackgroundJob {
  return {
    name: 'ask about unresolved messages',
    everyMs: UNRESOLVED_EVERY_MS,
    async round() {
      let afterId: MessageId | undefined;
      do {
        const ids = await ledger.reconciling.unresolved(UNRESOLVED_AT_ONCE, afterId);
        for (const id of ids) {
          await reconcile(id).catch((error: AppError) => {
            log({ level: 'warn', message: 'an unresolved message could not be asked about', messageId: id, error });
          });
        }
        afterId = ids.length < UNRESOLVED_AT_ONCE ? undefined : ids.at(-1);
      } while (afterId !== undefined);
    },
  };
}

export interface JobDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly log: Log;
}
