import { gatewayTimeMs, type PauseState } from '../contract/index.js';
import { isPauseState, isSendingState } from '../domain/index.js';
import type { Ledger } from '../ledger/index.js';
import type { Notification } from './read-notification.js';

export interface AccountDependencies {
  readonly ledger: Pick<Ledger, 'instances' | 'instanceStates' | 'gatewayClocks'>;
  /** Called when an instance can send again. It may wait only for the ledger. */
  readonly onAuthorized?: (instance: string) => Promise<void>;
}

/**
 * A notification that arrives within this time of its date has the time of its arrival, an older one that of its date.
 */
const FRESH_MS = 60_000;

/**
 * Records the account's state and connection from a notification, and pauses the instance if a message failed because
 * of a yellow card. Ignores other notifications. A repeated notification has no further effect.
 */
export async function applyAccountChange(
  { ledger, onAuthorized }: AccountDependencies,
  instance: string,
  notification: Notification,
  receivedAtMs: number,
): Promise<void> {
  const change = changeIn(notification);
  if (change === 'none') return;
  const offset = await ledger.gatewayClocks.offset(instance, receivedAtMs);
  const atMs = latestTimeOf(notification.timestamp, offset?.lowestMs ?? 0, receivedAtMs);
  const witness = notification.typeWebhook;
  switch (change.of) {
    case 'state':
      await ledger.instanceStates.record({ instance, state: change.state, atMs, witness });
      if (isSendingState(change.state)) await onAuthorized?.(instance);
      return;
    case 'connection':
      return ledger.instances.recordConnection({ instance, status: change.status, atMs });
    case 'message':
      return ledger.instances.pause({ instance, reason: change.reason, atMs, witness });
  }
}

type AccountChange =
  | { readonly of: 'state'; readonly state: string }
  | { readonly of: 'connection'; readonly status: string }
  /** The account's state prevented a message. */
  | { readonly of: 'message'; readonly reason: PauseState };

/** Lists every type of notification, so that a new one about the account does not compile without its change. */
function changeIn(notification: Notification): AccountChange | 'none' {
  switch (notification.typeWebhook) {
    case 'stateInstanceChanged': {
      const { stateInstance: state } = notification;
      return state === undefined ? 'none' : { of: 'state', state };
    }
    case 'statusInstanceChanged': {
      const { statusInstance: status } = notification;
      return status === undefined ? 'none' : { of: 'connection', status };
    }
    case 'outgoingMessageStatus': {
      const { status: reason = '' } = notification;
      return isPauseState(reason) ? { of: 'message', reason } : 'none';
    }
    case 'outgoingAPIMessageReceived':
    case 'outgoingMessageReceived':
    case 'incomingMessageReceived':
    case 'editedMessage':
    case 'deletedMessage':
    case 'deviceInfo':
    case 'incomingCall':
    case 'incomingBlock':
    case 'quotaExceeded':
      return 'none';
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
