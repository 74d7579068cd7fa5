/** The callers that wait until a message has reached a state. */
import { condition } from '@temporalio/workflow';
import { hasArrivedAt, hasReached, type WaitForRequest, type WaitForResult } from '../contract/index.js';
import { ledger } from './activity-proxies.js';
import type { MessageRow } from './message-row.js';

const RECEIPTS: ReadonlySet<string> = new Set(['delivered', 'read', 'end']);

export class MessageWaits {
  /** Whether the run accepts no more waits, because it ends when its handlers have ended. */
  isClosing = false;
  readonly #row: MessageRow;
  #waits = 0;
  /** Whether the row says that this run waits for receipts. */
  #isNotified = false;

  constructor(row: MessageRow) {
    this.#row = row;
  }

  async waitFor({ state, timeoutMs }: WaitForRequest): Promise<WaitForResult> {
    const row = this.#row;
    this.#waits += 1;
    try {
      await row.untilOpen();
      // The run gets signals for receipts after the first one only if a caller waits for them.
      if (RECEIPTS.has(state) && !this.#isNotified) {
        row.learn(await ledger.awaitReceipts({ messageId: row.id }));
        this.#isNotified = true;
      }
      const isOver = (): boolean => hasReached(row.known.state, state) || this.isClosing;
      if (timeoutMs === undefined) await condition(isOver);
      else await condition(isOver, timeoutMs, { summary: `until ${state}` });
      return { ...row.status(), reached: hasArrivedAt(row.known.state, state) };
    } finally {
      this.#waits -= 1;
    }
  }

  /** Ends all waits at once. */
  async end(): Promise<void> {
    this.isClosing = true;
    await condition(() => this.#waits === 0);
  }
}
