import type { Instance } from './instance.js';
import type { JsonObject } from './wire.js';

/** An instance as the control endpoint shows it. Times are ISO UTC by the simulator's clock. */
export function showInstance(instance: Instance): JsonObject {
  const { idInstance, wid, state, statusInstance, settings, accounts, rateLimits, editAnswersNewId } = instance;
  return {
    idInstance,
    wid,
    state,
    statusInstance,
    settings: { ...settings },
    accounts: { ...accounts },
    rateLimits,
    editAnswersNewId,
    queue: instance.queue.items.map((item) => ({
      ids: item.ids,
      chatId: item.chatId,
      kind: item.content.kind,
      acceptedAt: iso(item.acceptedAtMs),
    })),
    typing: instance.typingShown.map(({ chatId, typingType, fromMs, untilMs }) => ({
      chatId,
      typingType,
      from: iso(fromMs),
      until: iso(untilMs),
    })),
    incoming: instance.journal.incoming().map(({ idMessage, chatId, status, atMs }) => ({
      idMessage,
      chatId,
      status,
      at: iso(atMs),
    })),
    notifications: instance.outbox.waiting.map(({ number, body, createdAtMs }) => ({
      number,
      createdAt: iso(createdAtMs),
      body,
    })),
    notificationFaults: instance.outbox.faults.filter(({ times }) => times > 0).map((fault) => ({ ...fault })),
  };
}

function iso(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
