import type { Clock, MessageSnapshot } from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';
import { applyInstanceNews } from '../instance-news.js';
import { decide } from './decide.js';
import { noticeSighting } from './message-sighting.js';

export interface LateEvidenceDependencies {
  readonly ledger: Ledger;
  readonly clock: Clock;
  /** Told of an instance that can send again. Waits for the ledger alone. */
  readonly onAuthorized?: (instance: string) => Promise<void>;
}

/**
 * What a notification that moves no message by itself tells of messages that are unknown or unresolved: one that was sent through the
 * API and that no row accounts for may be theirs, however late it comes. A change of the instance is noted for decisions to
 * come, and may pause its instance. Nothing that it does is done twice when it is told again. A forward is not settled here, since only the gateway can
 * show the message it is a copy of: the notification is kept for whoever asks next.
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
  await applyInstanceNews({ ledger, ...(onAuthorized && { onAuthorized }) }, instance, notification, receivedAtMs);
  const sighting = noticeSighting(notification);
  const [idMessage] = sighting?.ids ?? [];
  if (sighting === undefined || idMessage === undefined) return undefined;
  await ledger.reconciling.keepSighting(instance, idMessage, notification, nowMs);
  if (sighting.likeness === undefined) return undefined;

  const chatId = sighting.likeness.kind === 'status' ? undefined : sighting.likeness.chatId;
  const gatewayOffset = await ledger.gatewayClocks.offset(instance, nowMs);
  for (const open of await ledger.reconciling.openQuestions(instance, chatId)) {
    const decision = decide({
      attempt: open,
      nowMs,
      sightings: [sighting],
      accounted: await ledger.reconciling.accounted(instance, [idMessage]),
      instanceRestarted: false,
      ...(gatewayOffset === undefined ? {} : { gatewayOffset }),
    });
    if (decision.kind !== 'adopt') continue;
    const snapshot = await ledger.reconciling.adopt(open, idMessage, { witness: decision.witness }, nowMs);
    if (snapshot.idMessage === idMessage) return snapshot;
  }
  return undefined;
}
