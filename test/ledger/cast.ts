/**
 * The cast of the ledger's tests: one ledger for a file, and for each test an instance of its own, so that tests share
 * no row. Times are the test's own; nothing in the ledger looks at a clock.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import type { AttemptOutcome, EditId, MessageId, MessageRequest, MessageSnapshot } from '../../src/contract/index.js';
import type {
  ClaimedAttempt,
  ClaimEditResult,
  ClaimResult,
  Evidence,
  Ledger,
  MessageView,
  Receipt,
} from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';

export const NOW = Date.parse('2026-03-01T10:00:00.000Z');
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const CHAT = '15550001111@c.us';
/** The gateway's window, less our margin. */
export const WINDOW = 15 * MINUTE - 10 * SECOND;

/** An offset of the gateway's clock that is known to the millisecond. */
export const exactly = (ms: number) => ({ lowestMs: ms, highestMs: ms });

type Status = Extract<Receipt, { kind: 'status' }>['status'];

/** One ledger for all tests of a file; each call of the returned function is the cast of one test. */
export function useCast(): () => Cast {
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = await aLedger();
  });
  afterAll(() => ledger.close());
  return () => new Cast(ledger);
}

export class Cast {
  readonly ledger: Ledger;
  readonly instance = `i-${randomUUID().slice(0, 8)}`;

  constructor(ledger: Ledger) {
    this.ledger = ledger;
  }

  request(over: Partial<MessageRequest> & { text?: string } = {}): MessageRequest {
    const { text = `text ${randomUUID()}`, ...rest } = over;
    return { instance: this.instance, chatId: CHAT, content: { kind: 'text', text }, ...rest };
  }

  anId(): MessageId {
    return `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
  }

  anEditId(): EditId {
    return `edt_${randomUUID().replaceAll('-', '')}` as EditId;
  }

  async pending(
    over: Partial<MessageRequest> & { text?: string; id?: MessageId; expiresAtMs?: number; nowMs?: number } = {},
  ): Promise<MessageId> {
    const { id = this.anId(), expiresAtMs = NOW + 60 * MINUTE, nowMs = NOW, ...request } = over;
    await this.ledger.messages.open({ id, requestHash: 'h', request: this.request(request), expiresAtMs, nowMs });
    return id;
  }

  claim(id: MessageId, token: string = randomUUID(), nowMs = NOW): Promise<ClaimResult> {
    return this.ledger.messages.claim({
      id,
      token,
      worker: 'worker-1',
      postingDeadlineMs: nowMs + 5 * SECOND,
      reconcileAfterMs: nowMs + 35 * SECOND,
      nowMs,
    });
  }

  async claimed(id: MessageId, token?: string, nowMs?: number): Promise<ClaimedAttempt> {
    const result = await this.claim(id, token, nowMs);
    if (result.kind !== 'claimed') throw new Error(`expected a claim, got ${JSON.stringify(result)}`);
    return result.attempt;
  }

  record(token: string, outcome: AttemptOutcome, nowMs = NOW): Promise<MessageSnapshot> {
    return this.ledger.messages.recordOutcome(token, outcome, nowMs);
  }

  accept(token: string, idMessage: string, nowMs = NOW): Promise<MessageSnapshot> {
    return this.record(token, { kind: 'accepted', idMessage, httpStatus: 200 }, nowMs);
  }

  /** A message that the gateway took under this id. */
  async accepted(idMessage: string, over: Parameters<Cast['pending']>[0] = {}): Promise<MessageId> {
    const id = await this.pending(over);
    await this.accept((await this.claimed(id)).token, idMessage);
    return id;
  }

  /** A message that was sent at {@link NOW}, by our clock and the gateway's. */
  async sent(idMessage: string, over: Parameters<Cast['pending']>[0] = {}): Promise<MessageId> {
    const id = await this.accepted(idMessage, over);
    await this.receive(idMessage, 'sent');
    return id;
  }

  receive(
    idMessage: string,
    status: Status,
    { atMs = NOW, nowMs = NOW, description }: { atMs?: number; nowMs?: number; description?: string } = {},
  ): Promise<MessageSnapshot | undefined> {
    const receipt = { kind: 'status', idMessage, status, atMs } as const;
    return this.ledger.receipts.apply(
      this.instance,
      description === undefined ? receipt : { ...receipt, description },
      nowMs,
    );
  }

  async edit(messageId: MessageId, text: string, editId = this.anEditId(), nowMs = NOW): Promise<EditId> {
    await this.ledger.edits.open({ editId, messageId, text, nowMs });
    return editId;
  }

  /** @param token  names the try; a new one each time unless given */
  claimEdit(editId: EditId, nowMs = NOW, token: string = randomUUID()): Promise<ClaimEditResult> {
    return this.ledger.edits.claim(editId, token, nowMs);
  }

  async view(id: MessageId): Promise<MessageView> {
    const view = await this.ledger.messages.view(id);
    if (view === undefined) throw new Error(`${id} is not in the ledger`);
    return view;
  }

  async state(id: MessageId): Promise<string> {
    return (await this.view(id)).state;
  }

  async evidence(id: MessageId, what: string): Promise<Evidence[]> {
    return (await this.view(id)).evidence.filter((entry) => entry.what === what);
  }

  async editState(editId: EditId): Promise<string | undefined> {
    return (await this.ledger.edits.view(editId))?.state;
  }
}
