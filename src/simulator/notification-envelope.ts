import type { Account } from './account.js';
import type { JsonObject } from './json.js';

/** The kind and the instance of a notification; most kinds have a timestamp as well. */
export function sender(instance: Account, typeWebhook: string): JsonObject {
  return {
    typeWebhook,
    instanceData: {
      idInstance: Number(instance.idInstance),
      wid: instance.wid,
      typeInstance: 'whatsapp',
    },
  };
}

/** The same with `timestamp`, in Unix seconds. */
export function envelope(instance: Account, typeWebhook: string, nowMs: number): JsonObject {
  return { ...sender(instance, typeWebhook), timestamp: Math.floor(nowMs / 1000) };
}
