/**
 * The cast of the ledger's tests: one ledger for each file, and an instance for each test, so that tests share no row.
 * Tests set all times; the ledger reads no clock.
 */
import { randomUUID } from 'node:crypto';
import {
  SENT_OR_OVER,
  type AttemptOutcome,
  type EditId,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
  type TraceContext,
} from '../../src/contract/index.js';
import type {
  DueAttempt,
  DueEdit,
  EditReading,
  Evidence,
  Ledger,
  MessageView,
  Receipt,
} from '../../src/ledger/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { perTest } from '../support/per-test.js';
import { acceptedAs, claimEdits, recordEdit } from '../support/edits.js';
import { shiftOf, tickAt, wantOf } from '../support/shift.js';

export const NOW = Date.parse('2026-03-01T10:00:00.000Z');
export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const CHAT = '15550001111@c.us';
/** The gateway's window minus the product's margin. */
export const WINDOW = 15 * MINUTE - 10 * SECOND;

/** An offset of the gateway's clock that is known to the millisecond. */
export const exactly = (ms: number) => ({ lowestMs: ms, highestMs: ms });

type Status = Extract<Receipt, { kind: 'status' }>['status'];

/** One ledger for all tests of a file; each call of the returned function gives the cast of one test. */
export function useCast(): () => Cast {
  const ledger = useLedger();
  return () => new Cast(ledger);
}

/** The cast of the test that runs. */
export function useOwnCast(): Cast {
  return perTest(useCast());
}

export class Cast {
  readonly ledger: Ledger;
  readonly instance = `i-${randomUUID().slice(0, 8)}`;
  readonly #claimed = new Map<MessageId, DueAttempt>();
  /** By the tokens of their claims. */
  readonly #messages = new Map<string, MessageId>();
  /** Claims one message after the other. */
  #claiming: Promise<unknown> = Promise.resolve();

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
    over: Partial<MessageRequest> & {
      text?: string;
      id?: MessageId;
      run?: 'started';
      expiresAtMs?: number;
      nowMs?: number;
      trace?: TraceContext;
    } = {},
  ): Promise<MessageId> {
    const { id = this.anId(), run = 'none', expiresAtMs = NOW + 60 * MINUTE, nowMs = NOW, trace, ...request } = over;
    const message = { id, requestHash: 'h', request: this.request(request), expiresAtMs, run, nowMs } as const;
    await this.ledger.intake.open({ ...message, ...(trace && { trace }) });
    return id;
  }

  /**
   * Dispatches due messages until this one is claimed, as a shift of its instance does.
   * @returns undefined when the message is not claimed
   */
  claim(id: MessageId, nowMs = NOW): Promise<DueAttempt | undefined> {
    const claiming = this.#claiming.then(() => this.#claim(id, nowMs));
    this.#claiming = claiming.catch(() => undefined);
    return claiming;
  }

  async #claim(id: MessageId, nowMs: number): Promise<DueAttempt | undefined> {
    const { instance } = await this.view(id);
    const shift = shiftOf(instance);
    await this.ledger.dispatch.beginShift(shift, nowMs);
    for (;;) {
      const known = this.#claimed.get(id);
      this.#claimed.delete(id);
      if (known !== undefined) return known;
      const wants = [wantOf(shift, { free: 1 })];
      const { claimed, byInstance } = await tickAt(this.ledger.dispatch, nowMs, { wants });
      // A row that another transaction was changing is due again at once.
      const isLocked = (byInstance.get(instance)?.next?.atMs ?? Infinity) <= nowMs;
      if (claimed.length === 0 && !isLocked) return undefined;
      for (const attempt of claimed) {
        this.#claimed.set(attempt.messageId, attempt);
        this.#messages.set(attempt.token, attempt.messageId);
      }
    }
  }

  async claimed(id: MessageId, nowMs?: number): Promise<DueAttempt> {
    const attempt = await this.claim(id, nowMs);
    if (attempt === undefined) throw new Error(`${id} is not claimed: it is ${await this.state(id)}`);
    return attempt;
  }

  /** Another shift takes over, so that the POSTs of the previous one have an unknown outcome. */
  async takeOver(id: MessageId, nowMs = NOW): Promise<void> {
    const { instance } = await this.view(id);
    await this.ledger.dispatch.beginShift(shiftOf(instance, 2), nowMs);
  }

  /** @returns the message of this claim */
  async record(token: string, outcome: AttemptOutcome, nowMs = NOW): Promise<MessageSnapshot | undefined> {
    await this.ledger.dispatch.recordOutcomes([{ token, outcome, atMs: nowMs }]);
    return this.ledger.messages.snapshot(this.#messages.get(token)!);
  }

  /** A message whose request has left. */
  async posting(over: Parameters<Cast['pending']>[0] = {}): Promise<{ id: MessageId; token: string }> {
    const id = await this.pending(over);
    return { id, token: (await this.claimed(id)).token };
  }

  accept(token: string, idMessage: string, nowMs = NOW): Promise<MessageSnapshot | undefined> {
    return this.record(token, { kind: 'accepted', idMessage, httpStatus: 200 }, nowMs);
  }

  /** A message that the gateway accepted with this id. */
  async accepted(idMessage: string, over: Parameters<Cast['pending']>[0] = {}): Promise<MessageId> {
    const { id, token } = await this.posting(over);
    await this.accept(token, idMessage);
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

  /** An edit of a message that was sent as `A1`; the edit's request has left. */
  async claimedEdit(text = 'new'): Promise<{ id: MessageId; edit: EditId; due: DueEdit }> {
    const id = await this.sent('A1');
    const edit = await this.edit(id, text);
    return { id, edit, due: (await this.claimEdit(edit))! };
  }

  /** An edit of a message that was sent as `A1`, posted as `E1`. */
  async postedEdit(): Promise<{ id: MessageId; edit: EditId; due: DueEdit }> {
    const claimed = await this.claimedEdit();
    await this.recordEdit(claimed.due, acceptedAs('E1'));
    return claimed;
  }

  /** A tick of a shift that posts edits. @returns undefined if it does not post this one */
  async claimEdit(editId: EditId, nowMs = NOW): Promise<DueEdit | undefined> {
    const edits = await claimEdits(this.ledger, this.instance, nowMs);
    return edits.find((due) => due.editId === editId);
  }

  recordEdit(due: DueEdit, outcome: AttemptOutcome, nowMs = NOW): Promise<void> {
    return recordEdit(this.ledger, due, outcome, nowMs);
  }

  /** The journal is read, and shows this text or nothing. */
  readEdit(editId: EditId, seen: EditReading | string, nowMs = NOW): Promise<void> {
    const reading: EditReading = typeof seen === 'string' ? { kind: 'text', text: seen } : seen;
    return this.ledger.dispatch.recordEditReading(editId, reading, nowMs);
  }

  async view(id: MessageId): Promise<MessageView> {
    const view = await this.ledger.views.message(id, NOW);
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

/** How the send activity of a run waits for its message. */
export function aWait(messageId: MessageId, runId = `run of ${messageId}`) {
  const activity = { workflowId: `message:${messageId}`, runId, activityId: 'send' };
  return { messageId, activity, until: SENT_OR_OVER, namespace: 'default', nowMs: NOW } as const;
}
