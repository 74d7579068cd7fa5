/** Keeps the ledger small: what is no longer needed is deleted, or put together. */
import type { Clock } from '../contract/index.js';
import type { Ledger, ErasureSubject } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const HOUR_MS = 60 * 60_000;

/** A busy second adds hundreds of counts, which metrics add up each time they are asked for. */
const FOLD_EVERY_MS = 10_000;

/** Keeps the counts of messages few. */
export function foldMessageCounts({ metrics }: { readonly metrics: Pick<Ledger['metrics'], 'fold'> }): BackgroundJob {
  return {
    name: 'fold message counts',
    everyMs: FOLD_EVERY_MS,
    async round() {
      await metrics.fold();
    },
  };
}

/** Deletes notifications that were applied, and events with their deliveries, once they are older than their retention. */
export function forgetNotifications(dependencies: {
  readonly notifications: Pick<Ledger['notifications'], 'forget'>;
  readonly events: Pick<Ledger['events'], 'forget'>;
  /** Also how far back a replay can go. */
  readonly keptForMs: number;
  readonly eventsKeptForMs: number;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { notifications, events, keptForMs, eventsKeptForMs, clock, log } = dependencies;
  return {
    name: 'forget notifications',
    everyMs: HOUR_MS,
    async round() {
      const nowMs = clock.nowMs();
      const forgotten = {
        notifications: await notifications.forget(nowMs - keptForMs),
        events: await events.forget(nowMs - eventsKeptForMs),
      };
      log({ level: 'debug', message: 'old notifications and events were deleted', ...forgotten });
    },
  };
}

const PLANS_EVERY_MS = 10 * 60_000;

/** Removes campaigns that were made for a plan by a command that was cut off before it could remove them. */
export function removePlans(dependencies: {
  readonly audiences: Pick<Ledger['audiences'], 'removeOldPlans'>;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { audiences, clock, log } = dependencies;
  return {
    name: 'remove plans',
    everyMs: PLANS_EVERY_MS,
    async round() {
      const removed = await audiences.removeOldPlans(clock.nowMs());
      if (removed > 0)
        log({ level: 'info', message: 'campaigns that were only made for a plan were removed', removed });
    },
  };
}

/** Deletes what is no longer needed; docs/guarantees.md lists every table with what bounds it. */
export function removeOld(dependencies: {
  readonly retention: Ledger['retention'];
  readonly audit: Pick<Ledger['audit'], 'removeOld'>;
  /** How long records of finished work are kept. */
  readonly keptForMs: number;
  readonly auditKeptForMs: number;
  /** Undefined: forever. */
  readonly messagesKeptForMs: number | undefined;
  readonly clock: Clock;
  readonly log: Log;
}): BackgroundJob {
  const { retention, audit, keptForMs, auditKeptForMs, messagesKeptForMs, clock, log } = dependencies;
  return {
    name: 'remove old records',
    everyMs: HOUR_MS,
    async round() {
      const nowMs = clock.nowMs();
      const removed = await retention.removeOld({ nowMs, keptSinceMs: nowMs - keptForMs });
      const entries = await audit.removeOld(nowMs - auditKeptForMs);
      log({ level: 'debug', message: 'old records were deleted', ...removed, audit: entries });
      if (messagesKeptForMs === undefined) return;
      const old = await retention.removeMessages({ nowMs, keptSinceMs: nowMs - messagesKeptForMs });
      if (old.messages + old.campaigns > 0) {
        log({ level: 'info', message: 'messages that ended long ago were deleted', ...old });
      }
    },
  };
}

const ERASE_EVERY_MS = 5_000;

interface EraseRecipientsDependencies {
  readonly ledger: Pick<Ledger, 'erasures' | 'messages' | 'edits'>;
  /** How long notifications are kept: so late may one of an erased chat come. */
  readonly keptForMs: number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Carries out erasures, see ERASE-1 to ERASE-5. Each step can be done again, by any worker. */
export function eraseRecipients({ ledger, keptForMs, clock, log }: EraseRecipientsDependencies): BackgroundJob {
  const { erasures, messages, edits } = ledger;

  /** A message that is claimed at this moment is in flight. */
  async function cancelPending(subject: ErasureSubject): Promise<void> {
    const pending = await erasures.pending(subject);
    for (const id of pending.messages) await messages.cancel(id, 'erasure', clock.nowMs());
    for (const id of pending.edits) {
      await edits.settle(id, 'not_possible', { witness: 'erasure', reason: 'recipient_erased' }, clock.nowMs());
    }
    if (pending.messages.length + pending.edits.length > 0) await cancelPending(subject);
  }

  async function erase(subject: ErasureSubject): Promise<void> {
    await cancelPending(subject);
    const waiting = await erasures.inFlight(subject);
    if (Object.keys(waiting).length > 0) return;
    while ((await erasures.pass(subject)) > 0);
    await erasures.end(subject.erasureId, clock.nowMs());
    log({ level: 'info', message: 'a recipient was erased', erasure: subject.erasureId });
  }

  return {
    name: 'erase recipients',
    everyMs: ERASE_EVERY_MS,
    async round() {
      for (const subject of await erasures.open()) await erase(subject);
      await erasures.eraseLate({ nowMs: clock.nowMs(), keptForMs });
    },
  };
}
