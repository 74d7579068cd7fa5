import { setTimeout as delay } from 'node:timers/promises';
import { AppError, type MessageId } from '../../contract/index.js';
import type { ApiClient } from '../../client/index.js';
import type { AskAgain } from './ask-again.js';
import type { PlannedEdit } from './campaign-plan.js';
import type { PlannedMessage } from './plan.js';

/** A message as its sender knows it: what was asked for, and the id that the API acknowledged it with. */
export interface AskedSingle {
  readonly planned: PlannedMessage;
  readonly id?: MessageId;
}

/** The one who wants messages sent. */
export interface Backend {
  /** Asks for a message and, once that is acknowledged, for its edits; goes on with both in its own time. */
  ask(message: PlannedMessage): void;
  /** Everything asked for so far. */
  asked(): readonly AskedSingle[];
  /** When every request so far has a response. */
  responded(): Promise<void>;
}

export interface BackendDependencies {
  readonly api: ApiClient;
  readonly askAgain: AskAgain;
  readonly stop: AbortSignal;
}

export function createBackend({ api, askAgain, stop }: BackendDependencies): Backend {
  const asked: { planned: PlannedMessage; id?: MessageId }[] = [];
  const underWay: Promise<void>[] = [];
  const { untilResponse } = askAgain;

  async function askFor(entry: { planned: PlannedMessage; id?: MessageId }): Promise<void> {
    const { number, instance, to, text, onUnknown, idempotencyKey, edits } = entry.planned;
    const content = { kind: 'text' as const, text };
    const message = { instance, to, content, onUnknown };
    const begun = await untilResponse(`message ${number}`, () =>
      api.sendMessage({ body: message, key: idempotencyKey }),
    );
    if (begun === undefined) return;
    entry.id = begun.id;
    for (const edit of edits) await askToEdit(number, begun.id, edit);
  }

  async function askToEdit(number: number, id: MessageId, edit: PlannedEdit): Promise<void> {
    const { text, idempotencyKey, afterMs } = edit;
    await delay(afterMs, undefined, { signal: stop });
    // Whether it is done, waits, or can no longer be done: the account asks the ledger, and the phone.
    await untilResponse(`message ${number}`, async () => {
      try {
        await api.editMessage({ id, body: { text }, key: idempotencyKey, query: { timeoutMs: 0 } });
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
      // A caller that waits for `responded` hears of it.
      work.catch(() => undefined);
      underWay.push(work);
    },
    asked: () => asked,
    async responded() {
      await Promise.all(underWay);
    },
  };
}
