import { gatewayTimeMs } from '../contract/index.js';
import { isPauseState, isSendingState } from '../domain/index.js';
import type { ReceiverOptions } from './options.js';
import type { Notification } from './read-notification.js';

/**
 * A notification that arrives within this time of its date has the time of its arrival, an older one that of its date.
 */
const FRESH_MS = 60_000;

/**
 * Records the account's state and connection from a notification, and pauses the instance if a message failed because
 * of a yellow card. Ignores other notifications. A repeated notification has no further effect.
 */
export async function applyAccountChange(
  { ledger, onAuthorized }: Pick<ReceiverOptions, 'ledger' | 'onAuthorized'>,
  instance: string,
  notification: Notification,
  receivedAtMs: number,
): Promise<void> {
  const { typeWebhook: witness, stateInstance: state, statusInstance, status: reason = '', timestamp } = notification;
  const atMs = async () => {
    const offset = await ledger.gatewayClocks.offset(instance, receivedAtMs);
    return latestTimeOf(timestamp, offset?.lowestMs ?? 0, receivedAtMs);
  };
  if (witness === 'stateInstanceChanged' && state !== undefined) {
    await ledger.instanceStates.record({ instance, state, atMs: await atMs(), witness });
    if (isSendingState(state)) await onAuthorized?.(instance);
  } else if (witness === 'statusInstanceChanged' && statusInstance !== undefined) {
    await ledger.instances.recordConnection({ instance, status: statusInstance, atMs: await atMs() });
  } else if (witness === 'outgoingMessageStatus' && isPauseState(reason)) {
    // The account's state prevented a message.
    await ledger.instances.pause({ instance, reason, atMs: await atMs(), witness });
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
