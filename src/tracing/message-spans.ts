/**
 * The spans of what happens to a message after its request: each looks up the context in the message's row. Nothing
 * waits for a lookup; if many are under way, further spans are left out.
 */
import {
  isInPhase,
  type AppliedReceipt,
  type Clock,
  type Log,
  type MessageId,
  type MessageSnapshot,
  type SpanFacts,
  type Tracing,
} from '../contract/index.js';
import type { Ledger, TracedMessage, TracedReceipt } from '../ledger/index.js';

interface MessageSpansOptions {
  readonly tracing: Tracing;
  readonly ledger: Pick<Ledger, 'traces'>;
  readonly clock: Clock;
  readonly log: Log;
}

const MOST_LOOKUPS = 64;
const BAD_RECEIPTS: readonly string[] = ['failed', 'no_account', 'edit_failed'];

export function createMessageSpans({ tracing, ledger: { traces }, clock, log }: MessageSpansOptions) {
  const lookups = new Set<Promise<void>>();

  function inBackground(work: () => Promise<void>): void {
    if (lookups.size >= MOST_LOOKUPS) return;
    const lookup = work()
      .catch((error: unknown) => {
        log({ level: 'debug', message: 'spans are left out: the ledger was not available', error });
      })
      .finally(() => lookups.delete(lookup));
    lookups.add(lookup);
  }

  function receipt(
    { id, instance, context }: TracedMessage,
    shown: TracedReceipt,
    beganAtMs: number,
    endedAtMs: number,
  ) {
    const { status, gatewayAt } = shown;
    const code = BAD_RECEIPTS.includes(status) ? status : undefined;
    const facts: SpanFacts = { instance, messageId: id, outcome: status, gatewayAt };
    tracing.begin('receipt', facts, { parent: context, atMs: beganAtMs }).end({ code }, Math.max(beganAtMs, endedAtMs));
  }

  /** Receipts that waited for the outcome of their message, and were applied with it. */
  function waitedReceipts(message: TracedMessage): void {
    for (const one of message.receipts) receipt(message, one, Date.parse(one.at), Date.parse(one.at));
  }

  async function reconciled(id: MessageId, sinceMs: number): Promise<void> {
    const [message] = await traces.ofMessages([id]);
    if (message === undefined) return;
    const { instance, state, context } = message;
    tracing
      .begin('reconcile', { instance, messageId: id, outcome: state }, { parent: context, atMs: sinceMs })
      .end({}, clock.nowMs());
    waitedReceipts(message);
  }

  return {
    /** The acceptance of these messages was recorded. */
    accepted(ids: readonly MessageId[]): void {
      if (ids.length === 0) return;
      inBackground(async () => {
        for (const message of await traces.ofMessages(ids)) waitedReceipts(message);
      });
    },

    /** The outcome of a message was unknown, and a witness has decided it. */
    decided(id: MessageId): void {
      inBackground(() => reconciled(id, clock.nowMs()));
    },

    /** A poll of the witnesses, which may decide. */
    async duringPoll(id: MessageId, poll: () => Promise<MessageSnapshot>): Promise<MessageSnapshot> {
      const sinceMs = clock.nowMs();
      const row = await poll();
      if (!isInPhase(row.state, 'in_flight')) inBackground(() => reconciled(id, sinceMs));
      return row;
    },

    received(applied: readonly AppliedReceipt[]): void {
      if (applied.length === 0) return;
      const appliedAtMs = clock.nowMs();
      inBackground(async () => {
        for (const { place, shown: status, ...message } of await traces.ofReceipts(applied)) {
          const { atMs = 0, receivedAtMs = 0 } = applied[place] ?? {};
          receipt(message, { status, gatewayAt: new Date(atMs).toISOString() }, receivedAtMs, appliedAtMs);
        }
      });
    },

    /** Resolves when no lookup is under way. */
    async idle(): Promise<void> {
      await Promise.all(lookups);
    },
  };
}

export type MessageSpans = ReturnType<typeof createMessageSpans>;
