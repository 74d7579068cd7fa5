/** Keeps the ledger small: deletes data that is no longer needed, and folds counts. */
import type { ErasureSubject } from '../ledger/index.js';
import type { BackgroundJob, JobDependencies } from './background-job.js';

/** How long finished data is kept, in milliseconds. */
export interface RetentionTimes {
  /** For applied notifications and records of finished work. It limits how far back a replay can go. */
  readonly keptForMs: number;
  readonly eventsKeptForMs: number;
  readonly auditKeptForMs: number;
  /** For ended messages; undefined: forever. */
  readonly messagesKeptForMs: number | undefined;
}

const HOUR_MS = 60 * 60_000;

/** docs/guarantees.md lists the limit of every table. */
export function retentionJobs(
  { ledger, clock, log }: JobDependencies,
  { keptForMs, eventsKeptForMs, auditKeptForMs, messagesKeptForMs }: RetentionTimes,
): readonly BackgroundJob[] {
  return [
    {
      // A busy second adds hundreds of count rows, which each request for metrics sums.
      name: 'fold message counts',
      everyMs: 10_000,
      async round() {
        await ledger.metrics.fold();
      },
    },
    {
      // An interrupted `campaign plan` leaves the campaign that it created.
      name: 'remove plans',
      everyMs: 10 * 60_000,
      async round() {
        const removed = await ledger.audiences.removeOldPlans(clock.nowMs());
        if (removed > 0)
          log({ level: 'info', message: 'campaigns that were created for a plan were removed', removed });
      },
    },
    {
      name: 'remove streams of ended campaigns',
      everyMs: 60_000,
      round: () => ledger.dispatch.removeEndedStreams(),
    },
    {
      name: 'remove sensitive texts',
      everyMs: 60_000,
      async round() {
        const removed = await ledger.retention.removeTexts(clock.nowMs());
        if (removed > 0) log({ level: 'debug', message: 'texts of sensitive messages were removed', removed });
      },
    },
    {
      name: 'forget notifications',
      everyMs: HOUR_MS,
      async round() {
        const nowMs = clock.nowMs();
        const notifications = await ledger.notifications.forget(nowMs - keptForMs);
        const events = await ledger.events.forget(nowMs - eventsKeptForMs);
        log({ level: 'debug', message: 'old notifications and events were deleted', notifications, events });
      },
    },
    {
      name: 'remove old records',
      everyMs: HOUR_MS,
      async round() {
        const nowMs = clock.nowMs();
        const removed = await ledger.retention.removeOld({ nowMs, keptSinceMs: nowMs - keptForMs });
        const audit = await ledger.audit.removeOld(nowMs - auditKeptForMs);
        log({ level: 'debug', message: 'old records were deleted', ...removed, audit });
        if (messagesKeptForMs === undefined) return;
        const old = await ledger.retention.removeMessages({ nowMs, keptSinceMs: nowMs - messagesKeptForMs });
        if (old.messages + old.campaigns > 0) {
          log({ level: 'info', message: 'messages that ended long ago were deleted', ...old });
        }
      },
    },
  ];
}

const ERASE_EVERY_MS = 5_000;

/**
 * Executes erasures, see ERASE-1 to ERASE-7. Any worker can repeat each step.
 * @param dependencies.keptForMs  how long notifications are kept: one about an erased chat may come this late
 */
export function eraseRecipients(dependencies: JobDependencies & { readonly keptForMs: number }): BackgroundJob {
  const { ledger, keptForMs, clock, log } = dependencies;
  const { erasures, messages, edits } = ledger;

  /** Cancels pending messages. A message that is claimed meanwhile is in flight. */
  async function cancelPending(subject: ErasureSubject): Promise<void> {
    const pending = await erasures.pending(subject);
    for (const id of pending.messages) await messages.cancel(id, 'erasure', clock.nowMs());
    if (pending.edits.length > 0) await edits.eraseWaiting(pending.edits, clock.nowMs());
    if (pending.messages.length + pending.edits.length > 0) await cancelPending(subject);
  }

  async function erase(subject: ErasureSubject): Promise<void> {
    await cancelPending(subject);
    const waiting = await erasures.inFlight(subject);
    if (Object.keys(waiting).length > 0) return;
    let pass = await erasures.pass(subject);
    while (pass.erased > 0) pass = await erasures.pass(subject);
    await erasures.end(subject, pass.kept, clock.nowMs());
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
