/**
 * Presumes that an attempt was never accepted, for messages that allow it: messages claimed later have left the queue
 * and were notified, and no notification shows the attempt. This is not a proof, since a lost notification makes it
 * wrong.
 *
 * PRESUME-1 There is a successor: an own message claimed after the time of ABSENT-2 was accepted, and its
 *    outgoingAPIMessageReceived arrived.
 * PRESUME-2 Two retry intervals of the gateway have passed since that notification.
 * PRESUME-3 A reading that began after PRESUME-2 was met lists no possible item (ABSENT-4). It need not be complete.
 * PRESUME-4 No notification or receipt since the claim has an unaccounted id, is unreadable, or is still to be applied.
 *    Those of surely different chats are ignored.
 * PRESUME-5 ABSENT-1 and ABSENT-5 hold, and the only account state observed since the claim is authorized.
 * PRESUME-6 Notifications of own messages are on. A change of that setting restarts the instance, so by PRESUME-5 they
 *    were on at the claim.
 * PRESUME-7 Within a day at least 100 own messages were notified. Each own message that left the queue at least two
 *    retry intervals ago has its notification.
 * PRESUME-8 Within a day no own message was notified after another one that left the queue more than a second later.
 * PRESUME-9 Within a day an own message of the attempt's kind was notified.
 */
import { decidableFrom, idsSeenBefore, isPossibleItem } from './absence.js';
import { CLOCK_MARGIN_MS, RESTART_WAIT_MS, type AbsenceEvidence } from './evidence.js';
import { isListedKind } from './observations.js';

/** The documented delay until the gateway retries an undelivered notification. */
export const RETRY_INTERVAL_MS = 60_000;
/** PRESUME-7: fewer messages do not show whether notifications are complete. */
export const LEAST_NOTIFIED = 100;

/** The notifications of an instance's own messages. "Within a day" means in the last 24 hours. */
export interface NotificationHistory {
  /** The first notified own message that was claimed since {@link decidableFrom}. */
  readonly successor?: { readonly idMessage: string; readonly claimedAtMs: number; readonly notifiedAtMs: number };
  /** Whether PRESUME-4 fails. */
  readonly hasUnexplained: boolean;
  readonly isOn: boolean;
  readonly wasAlwaysAuthorized: boolean;
  readonly notifiedWithinDay: number;
  /** How many own messages left the queue within a day, at least two retry intervals ago, without a notification. */
  readonly missingWithinDay: number;
  readonly isOutOfOrder: boolean;
  readonly isKindNotified: boolean;
}

export interface PresumptionEvidence extends AbsenceEvidence {
  readonly notifications: NotificationHistory;
  /** @default RETRY_INTERVAL_MS */
  readonly retryIntervalMs?: number;
}

/** Why absence is not presumed, as stable codes in the evidence. */
export type NotPresumed =
  | 'no_successor'
  | 'successor_too_young'
  | 'no_clear_reading'
  | 'unexplained_notification'
  | 'instance_changed'
  | 'notifications_off'
  | 'notifications_incomplete'
  | 'notifications_out_of_order'
  | 'kind_not_notified';

export interface PresumptionCondition {
  readonly rule: string;
  readonly why: NotPresumed;
  holds(evidence: PresumptionEvidence): boolean;
}

export const PRESUMPTION_CONDITIONS: readonly PresumptionCondition[] = [
  {
    rule: 'PRESUME-1',
    why: 'no_successor',
    holds: ({ attempt, notifications: { successor } }) =>
      successor !== undefined && successor.claimedAtMs >= decidableFrom(attempt),
  },
  { rule: 'PRESUME-2', why: 'successor_too_young', holds: (evidence) => evidence.nowMs >= presumedFrom(evidence) },
  { rule: 'PRESUME-3', why: 'no_clear_reading', holds: hasClearReading },
  { rule: 'PRESUME-4', why: 'unexplained_notification', holds: ({ notifications }) => !notifications.hasUnexplained },
  {
    rule: 'PRESUME-5',
    why: 'instance_changed',
    holds: ({ attempt, isRestarted, notifications }) =>
      isListedKind(attempt.content.kind) && !isRestarted && notifications.wasAlwaysAuthorized,
  },
  { rule: 'PRESUME-6', why: 'notifications_off', holds: ({ notifications }) => notifications.isOn },
  {
    rule: 'PRESUME-7',
    why: 'notifications_incomplete',
    holds: ({ notifications: { notifiedWithinDay, missingWithinDay } }) =>
      notifiedWithinDay >= LEAST_NOTIFIED && missingWithinDay === 0,
  },
  { rule: 'PRESUME-8', why: 'notifications_out_of_order', holds: ({ notifications }) => !notifications.isOutOfOrder },
  { rule: 'PRESUME-9', why: 'kind_not_notified', holds: ({ notifications }) => notifications.isKindNotified },
];

/** @param conditions  tests omit one to show its purpose */
export function presumption(
  evidence: PresumptionEvidence,
  conditions: readonly PresumptionCondition[] = PRESUMPTION_CONDITIONS,
):
  | { readonly kind: 'presumed_absent'; readonly successor: string }
  | { readonly kind: 'not_presumed'; readonly why: NotPresumed } {
  const failed = conditions.find((condition) => !condition.holds(evidence));
  if (failed !== undefined) return { kind: 'not_presumed', why: failed.why };
  return { kind: 'presumed_absent', successor: evidence.notifications.successor?.idMessage ?? '' };
}

/** PRESUME-2 */
function presumedFrom({
  notifications: { successor },
  retryIntervalMs = RETRY_INTERVAL_MS,
}: PresumptionEvidence): number {
  return successor === undefined ? -Infinity : successor.notifiedAtMs + 2 * retryIntervalMs + CLOCK_MARGIN_MS;
}

/** PRESUME-3, with the wait of ABSENT-6, since PRESUME-5 checks for restarts too. */
function hasClearReading(evidence: PresumptionEvidence): boolean {
  const { attempt, nowMs, readings, accounted } = evidence;
  const seenBefore = idsSeenBefore(attempt.claimSequence, readings);
  const from = Math.max(presumedFrom(evidence), decidableFrom(attempt));
  return readings.some(
    ({ begunAtMs, endedAtMs, items }) =>
      begunAtMs >= from &&
      nowMs >= endedAtMs + RESTART_WAIT_MS &&
      !items.some((item) => isPossibleItem(attempt, item, accounted, seenBefore)),
  );
}
