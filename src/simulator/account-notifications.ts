import type { Account } from './account.js';
import type { JsonObject } from './wire.js';
import { envelope, sender } from './notifications.js';

/** stateInstanceChanged, by stateWebhook. An unlinked account has no chat id. */
export function notifyState(instance: Account, nowMs: number): void {
  const { settings, state, outbox } = instance;
  if (settings.stateWebhook === 'no') return;
  const body = envelope(instance, 'stateInstanceChanged', nowMs);
  const wid = state === 'notAuthorized' ? '' : instance.wid;
  const instanceData = { idInstance: Number(instance.idInstance), wid, typeInstance: 'whatsapp' };
  outbox.add({ ...body, instanceData, stateInstance: state }, nowMs);
}

/** statusInstanceChanged, by stateWebhook or statusInstanceWebhook. */
export function notifyOnlineStatus(instance: Account, nowMs: number): void {
  const { settings, statusInstance } = instance;
  if (settings.stateWebhook === 'no' && settings.statusInstanceWebhook === 'no') return;
  instance.outbox.add({ ...envelope(instance, 'statusInstanceChanged', nowMs), statusInstance }, nowMs);
}

/** deviceInfo, by deviceWebhook. */
export function notifyDevice(instance: Account, deviceData: JsonObject, nowMs: number): void {
  if (instance.settings.deviceWebhook === 'no') return;
  instance.outbox.add({ ...envelope(instance, 'deviceInfo', nowMs), deviceData }, nowMs);
}

/** incomingCall, by incomingCallWebhook. */
export function notifyCall(
  instance: Account,
  call: { readonly idMessage: string; readonly from: string; readonly status: string },
  nowMs: number,
): void {
  if (instance.settings.incomingCallWebhook === 'no') return;
  instance.outbox.add({ ...envelope(instance, 'incomingCall', nowMs), ...call }, nowMs);
}

/** incomingBlock, by incomingBlockWebhook. */
export function notifyBlock(
  instance: Account,
  block: { readonly chatId: string; readonly chatState: string },
  nowMs: number,
): void {
  if (instance.settings.incomingBlockWebhook === 'no') return;
  instance.outbox.add({ ...envelope(instance, 'incomingBlock', nowMs), ...block }, nowMs);
}

/** quotaExceeded: no known setting controls it, and its samples have no timestamp. */
export function notifyQuota(instance: Account, quotaData: JsonObject, nowMs: number): void {
  instance.outbox.add({ ...sender(instance, 'quotaExceeded'), quotaData }, nowMs);
}
