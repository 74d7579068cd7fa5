import { setTimeout as delay } from 'node:timers/promises';
import { SIMULATOR_INSTANCE } from '../../config/index.js';
import { AppError, ErrorNext, type MessageId } from '../../contract/index.js';
import type { ApiClient } from '../api-client.js';
import type { AskedMessage } from './account.js';
import type { PlannedEdit, PlannedMessage } from './plan.js';

/** The one who wants messages sent: asks as any backend should, and again with the same key until there is an answer. */
export interface Backend {
  /** Asks for a message and, once that is acknowledged, for its edits; goes on with both in its own time. */
  ask(message: PlannedMessage): void;
  /** Everything asked for so far. */
  asked(): readonly AskedMessage[];
  /** When every request so far has an answer. */
  answered(): Promise<void>;
  /** Answers that no request should get: the message's number, and the code. */
  readonly surprises: readonly string[];
}

/** A product that was just killed is back within seconds. */
const ASK_AGAIN_MS = 150;

/** @param onAcknowledged  told after each 202 */
export function createBackend(api: ApiClient, stop: AbortSignal, onAcknowledged: () => void): Backend {
  const asked: { planned: PlannedMessage; id?: MessageId }[] = [];
  const underWay: Promise<void>[] = [];
  const surprises: string[] = [];

  /** @returns undefined when the request was refused for good */
  async function untilAnswered<Answer>(number: number, request: () => Promise<Answer>): Promise<Answer | undefined> {
    for (;;) {
      stop.throwIfAborted();
      try {
        return await request();
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        if (error.next !== ErrorNext.wait) {
          surprises.push(`message ${number}: ${error.code}`);
          return undefined;
        }
        await delay(ASK_AGAIN_MS, undefined, { signal: stop });
      }
    }
  }

  async function askFor(entry: { planned: PlannedMessage; id?: MessageId }): Promise<void> {
    const { number, to, text, onUnknown, idempotencyKey, edits } = entry.planned;
    const content = { kind: 'text' as const, text };
    const message = { instance: SIMULATOR_INSTANCE.name, to, content, onUnknown };
    const begun = await untilAnswered(number, () => api.send(message, idempotencyKey));
    if (begun === undefined) return;
    entry.id = begun.id;
    onAcknowledged();
    for (const edit of edits) await askToEdit(number, begun.id, edit);
  }

  async function askToEdit(number: number, id: MessageId, edit: PlannedEdit): Promise<void> {
    const { text, idempotencyKey, afterMs } = edit;
    await delay(afterMs, undefined, { signal: stop });
    // Whether it is done, waits, or can no longer be done: the account asks the ledger, and the phone.
    await untilAnswered(number, async () => {
      try {
        await api.edit(id, text, { timeoutMs: 0, key: idempotencyKey });
      } catch (error) {
        if (!(error instanceof AppError && error.code === 'EDIT_NOT_POSSIBLE')) throw error;
      }
    });
  }

  return {
    ask(message) {
      const entry = { planned: message };
      asked.push(entry);
      const work = askFor(entry);
      // Whoever waits for `answered` hears of it.
      work.catch(() => undefined);
      underWay.push(work);
    },
    asked: () => asked,
    async answered() {
      await Promise.all(underWay);
    },
    surprises,
  };
}
