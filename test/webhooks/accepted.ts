import type { MessageId, MessageRequest } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { claim } from '../support/send-once.js';

const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 15_000, settleTimeMs: 15_000 };
const HOUR_MS = 60 * 60_000;

/** An accepted message with this id, whose workflow was signalled and waits for more. */
export async function anAcceptedMessage(
  ledger: Ledger,
  { id, request, idMessage, nowMs }: { id: MessageId; request: MessageRequest; idMessage: string; nowMs: number },
): Promise<void> {
  const workflow = { run: 'started', namespace: 'default' } as const;
  await ledger.messages.open({ id, requestHash: 'h', request, expiresAtMs: nowMs + HOUR_MS, ...workflow, nowMs });
  const due = await claim({ ledger, clock: { nowMs: () => nowMs }, times: TIMES }, id);
  if (due === undefined) throw new Error(`${id} could not be claimed`);
  await ledger.messages.recordOutcome(due.token, { kind: 'accepted', idMessage, httpStatus: 200 }, nowMs);
  await dropSignal(ledger, id, nowMs);
}

/** As if the message's workflow had been signalled of its current state. */
export async function dropSignal(ledger: Ledger, id: MessageId, nowMs: number): Promise<void> {
  const signals = await ledger.signals.claim({ nowMs, forMs: 0, limit: 1_000 });
  await ledger.signals.sent(signals.map(({ snapshot }) => snapshot).filter((snapshot) => snapshot.id === id));
}
