import {
  isRecord,
  present,
  type Clock,
  type MessageSnapshot,
  LONGEST_GATEWAY_VALUE,
  gatewayTimeMs,
} from '../../contract/index.js';
import { adoption, idsSeenBefore, noticeObservation, isPauseState, isSendingState } from '../../domain/index.js';
import type { Ledger } from '../../ledger/index.js';

interface InstanceNotificationDependencies {
  readonly ledger: Pick<Ledger, 'instances' | 'instanceStates' | 'gatewayClocks'>;
  /** Called when an instance can send again. It may wait only for the ledger. */
  readonly onAuthorized?: (instance: string) => Promise<void>;
}

interface LateEvidenceDependencies extends InstanceNotificationDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
}

/**
 * Checks whether a notification of an unknown message id is late evidence, and records a change of the instance. A
 * repeated notification has no further effect. A forward is left to the next reconciliation.
 * @param receivedAtMs  when the notification arrived, which may be long ago
 * @returns the message that the notification settled
 */
export async function applyLateEvidence(
  deps: LateEvidenceDependencies,
  instance: string,
  notification: unknown,
  receivedAtMs: number = deps.clock.nowMs(),
): Promise<MessageSnapshot | undefined> {
  const { ledger, clock } = deps;
  const nowMs = clock.nowMs();
  await applyInstanceNotification(deps, instance, notification, receivedAtMs);
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

/**
 * A notification that arrives within this time of its date has the time of its arrival, an older one that of its date.
 */
const FRESH_MS = 60_000;

/**
 * Records the account's state and connection from a notification, and pauses the instance if a message failed because
 * of a yellow card. Ignores other notifications.
 */
export async function applyInstanceNotification(
  { ledger, onAuthorized }: InstanceNotificationDependencies,
  instance: string,
  notification: unknown,
  receivedAtMs: number,
): Promise<void> {
  if (!isRecord(notification)) return;
  const { typeWebhook, stateInstance, statusInstance, status, timestamp } = notification;
  const when = async () => {
    const offset = await ledger.gatewayClocks.offset(instance, receivedAtMs);
    return latestTimeOf(timestamp, offset?.lowestMs ?? 0, receivedAtMs);
  };
  if (typeWebhook === 'stateInstanceChanged' && isWord(stateInstance)) {
    const seen = { instance, state: stateInstance, atMs: await when(), witness: typeWebhook };
    await ledger.instanceStates.record(seen);
    if (isSendingState(stateInstance)) await onAuthorized?.(instance);
  } else if (typeWebhook === 'statusInstanceChanged' && isWord(statusInstance)) {
    await ledger.instances.recordConnection({ instance, status: statusInstance, atMs: await when() });
  } else if (typeWebhook === 'outgoingMessageStatus' && typeof status === 'string' && isPauseState(status)) {
    await ledger.instances.pause({ instance, reason: status, atMs: await when(), witness: typeWebhook });
  }
}

/**
 * The latest time of a notification by our clock. The gateway gives whole seconds, so the state began at the end of
 * that second at the latest.
 * @param timestamp  of the notification; if it is missing or impossible, the time of arrival counts
 * @param lowestOffsetMs  the least offset of the gateway's clock from ours, which gives the latest time
 */
function latestTimeOf(timestamp: unknown, lowestOffsetMs: number, receivedAtMs: number): number {
  const gatewayMs = gatewayTimeMs(timestamp, receivedAtMs);
  if (gatewayMs === undefined) return receivedAtMs;
  const atMs = gatewayMs + 999 - lowestOffsetMs;
  return atMs > receivedAtMs - FRESH_MS ? receivedAtMs : atMs;
}

/** Whether the value can be a state of an account, which is a short text. */
function isWord(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= LONGEST_GATEWAY_VALUE;
}
