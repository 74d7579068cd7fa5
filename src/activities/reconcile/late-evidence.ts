import { present } from '../../contract/index.js';
import type { Clock, MessageSnapshot } from '../../contract/index.js';
import { adoption, idsSeenBefore, noticeObservation } from '../../domain/index.js';
import type { Ledger } from '../../ledger/index.js';
import { applyInstanceNotification } from '../instance-notification.js';

export interface LateEvidenceDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Called for an instance that can send again. Waits for the ledger only. */
  readonly onAuthorized?: (instance: string) => Promise<void>;
}

/**
 * Applies a notification that moves no message to messages that are unknown or unresolved: an id that was sent through
 * the API and that no row accounts for may be theirs, however late it comes. A change of the instance is recorded for
 * later decisions, and may pause the instance. A repeated notification has no second effect. A forward is not settled
 * here, since only the gateway can show its original: the notification is kept for the next reconciliation.
 * @param receivedAtMs  when it came, which may be long ago
 * @returns the message that the notification settled
 */
export async function applyLateEvidence(
  { ledger, clock, onAuthorized }: LateEvidenceDependencies,
  instance: string,
  notification: unknown,
  receivedAtMs: number = clock.nowMs(),
): Promise<MessageSnapshot | undefined> {
  const nowMs = clock.nowMs();
  await applyInstanceNotification(
    { ledger, ...(onAuthorized && { onAuthorized }) },
    instance,
    notification,
    receivedAtMs,
  );
  const observation = noticeObservation(notification);
  const [idMessage] = observation?.ids ?? [];
  if (observation === undefined || idMessage === undefined) return undefined;
  const { atMs: leftAtMs } = observation;
  const when = { receivedAtMs, ...present({ leftAtMs }) };
  await ledger.reconciling.keepObservation(instance, idMessage, notification, nowMs, when);
  if (observation.comparable === undefined) return undefined;

  const chatId = observation.comparable.kind === 'status' ? undefined : observation.comparable.chatId;
  const gatewayOffset = await ledger.gatewayClocks.offset(instance, nowMs);
  for (const open of await ledger.reconciling.openQuestions(instance, chatId)) {
    const { readings } = await ledger.reconciling.readings(instance, nowMs);
    const adopted = adoption({
      attempt: open,
      observations: [observation],
      seenBefore: idsSeenBefore(open.claimSequence, readings),
      accounted: await ledger.reconciling.accounted(instance, [idMessage]),
      ...present({ gatewayOffset }),
    });
    if (adopted === undefined) continue;
    const snapshot = await ledger.reconciling.adopt(open, idMessage, { witness: adopted.witness }, nowMs);
    if (snapshot.idMessage === idMessage) return snapshot;
  }
  return undefined;
}
