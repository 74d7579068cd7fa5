import type { Clock } from '../contract/index.js';
import type { ErasureSubject, Ledger } from '../ledger/index.js';
import type { BackgroundJob } from './background-job.js';
import type { Log } from './temporal-runtime.js';

const EVERY_MS = 5_000;

export interface EraseRecipientsDependencies {
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
    everyMs: EVERY_MS,
    async round() {
      for (const subject of await erasures.open()) await erase(subject);
      await erasures.eraseLate({ nowMs: clock.nowMs(), keptForMs });
    },
  };
}
