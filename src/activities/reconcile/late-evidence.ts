import { present, type Clock, type MessageSnapshot } from '../../contract/index.js';
import { adoption, idsSeenBefore, noticeObservation, STATUS_CHAT } from '../../domain/index.js';
import type { Ledger } from '../../ledger/index.js';

/**
 * Checks whether a notification of an unknown message id is late evidence. A repeated notification has no further
 * effect. A forward is left to the next reconciliation.
 * @param receivedAtMs  when the notification arrived, which may be long ago
 * @returns the message whose outcome the notification decided
 */
export async function applyLateEvidence(
  { ledger, clock }: { readonly ledger: Ledger; readonly clock: Clock },
  instance: string,
  notification: unknown,
  receivedAtMs: number = clock.nowMs(),
): Promise<MessageSnapshot | undefined> {
  const nowMs = clock.nowMs();
  const observation = noticeObservation(notification);
  const [idMessage] = observation?.ids ?? [];
  if (observation === undefined || idMessage === undefined) return undefined;
  const { atMs: leftAtMs } = observation;
  const when = { receivedAtMs, ...present({ leftAtMs }) };
  await ledger.observations.keep(instance, idMessage, notification, nowMs, when);
  if (observation.comparable === undefined) return undefined;

  const { chat } = observation.comparable;
  const gatewayOffset = await ledger.gatewayClocks.offset(instance, nowMs);
  for (const attempt of await ledger.reconciling.attemptsTo(instance, chat === STATUS_CHAT ? undefined : chat)) {
    const before = await ledger.queueReadings.lastBefore(attempt);
    const adopted = adoption({
      attempt,
      observations: [observation],
      seenBefore: before === undefined ? new Set() : idsSeenBefore(attempt.claimSequence, [before]),
      accounted: await ledger.queueReadings.accounted(instance, [idMessage]),
      lids: await ledger.lids.keysOf([chat, attempt.chatId ?? chat]),
      ...present({ gatewayOffset }),
    });
    if (adopted === undefined) continue;
    const snapshot = await ledger.reconciling.adopt(attempt, idMessage, adopted.witness, nowMs);
    if (snapshot.idMessage === idMessage) return snapshot;
  }
  return undefined;
}
