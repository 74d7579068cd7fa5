import type { Instance } from './instance.js';
import type { JsonObject } from './json.js';

/** Whose a notification is; most kinds begin with it and a time. */
export function sender(instance: Instance, typeWebhook: string): JsonObject {
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
export function envelope(instance: Instance, typeWebhook: string, nowMs: number): JsonObject {
  return { ...sender(instance, typeWebhook), timestamp: Math.floor(nowMs / 1000) };
}
