/**
 * The cast of the dispatcher's tests: an instance with a shift, single messages, and a gateway with given responses.
 */
import { randomUUID } from 'node:crypto';
import {
  DEFAULT_HIGH_WATER,
  Priority,
  type AttemptOutcome,
  type InstanceSettings,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
} from '../../../src/contract/index.js';
import type { DueAttempt, Ledger, OpenMessage, Outcome, Shift, TickResult, Want } from '../../../src/ledger/index.js';
import { shiftOf, tickAt, wantOf, type PlannedWant } from '../../support/shift.js';
import { MINUTE, NOW } from '../cast.js';

const ROOM = Object.fromEntries(
  Object.values(Priority).map((priority) => [priority, DEFAULT_HIGH_WATER[priority]]),
) as Record<Priority, number>;

export interface Wanted extends Partial<Omit<Want, 'shift'>> {
  readonly outcomes?: readonly Outcome[];
  readonly nowMs?: number;
}

export class DispatchCast {
  readonly ledger: Ledger;
  readonly instance: string;
  shift: Shift;
  /** The configuration of its worker. */
  settings: InstanceSettings = {};

  constructor(ledger: Ledger, instance = `i-${randomUUID().slice(0, 8)}`) {
    this.ledger = ledger;
    this.instance = instance;
    this.shift = shiftOf(instance, 1, String(NOW));
  }

  /** With a shift that has begun. */
  static async begun(ledger: Ledger, settings: InstanceSettings = {}, instance?: string): Promise<DispatchCast> {
    const c = new DispatchCast(ledger, instance);
    c.settings = settings;
    await c.begin();
    return c;
  }

  /** Begins a later shift. */
  async begin(attempt = this.shift.try.attempt + 1, nowMs = NOW): Promise<readonly MessageId[]> {
    const shift = { ...this.shift, try: { ...this.shift.try, attempt } };
    const begun = await this.ledger.dispatch.beginShift(shift, nowMs, this.settings);
    if (!begun.granted) throw new Error(`the shift ${attempt} was not granted`);
    this.shift = shift;
    return begun.unknown;
  }

  async take(over: Partial<MessageRequest> & Partial<OpenMessage> & { text?: string } = {}): Promise<MessageId> {
    const { text = `text ${randomUUID()}`, id = anId(), expiresAtMs, nowMs = NOW, sendAtMs, test, ...request } = over;
    await this.ledger.intake.open({
      id,
      requestHash: 'h',
      request: { instance: this.instance, chatId: aChat(), content: { kind: 'text', text }, ...request },
      expiresAtMs: expiresAtMs ?? nowMs + 60 * MINUTE,
      nowMs,
      ...(sendAtMs === undefined ? {} : { sendAtMs }),
      ...(test === undefined ? {} : { test }),
    });
    return id;
  }

  /** This many messages to different chats, in their order. */
  async takeMany(count: number, over: Parameters<DispatchCast['take']>[0] = {}): Promise<MessageId[]> {
    return Promise.all(Array.from({ length: count }, () => this.take({ ...over })));
  }

  want({ outcomes: _, nowMs: __, ...want }: Wanted = {}, shift = this.shift): PlannedWant {
    return wantOf(shift, { room: ROOM, ...want });
  }

  /** What the tick claimed, and what it found in this instance. */
  async tick(wanted: Wanted = {}, shift = this.shift) {
    const { outcomes = [], nowMs = NOW } = wanted;
    const wants = [this.want(wanted, shift)];
    const { byInstance, claimed } = await tickAt(this.ledger.dispatch, nowMs, { wants, outcomes });
    const { error, next, ...found } = byInstance.get(this.instance) ?? {};
    if (error !== undefined) throw error;
    return { claimed, nextDueMs: next?.atMs, ...found };
  }

  async claim(wanted: Wanted = {}): Promise<readonly DueAttempt[]> {
    return (await this.tick(wanted)).claimed;
  }

  /** The first that is claimed; there has to be one. */
  async claimOne(wanted: Wanted = {}): Promise<DueAttempt> {
    const [attempt] = await this.claim(wanted);
    if (attempt === undefined) throw new Error('nothing was claimed');
    return attempt;
  }

  async claimIds(wanted: Wanted = {}): Promise<MessageId[]> {
    return (await this.claim(wanted)).map(({ messageId }) => messageId);
  }

  /** Records these outcomes without a claim. */
  write(...outcomes: readonly Outcome[]): Promise<TickResult> {
    return tickAt(this.ledger.dispatch, outcomes[0]?.atMs ?? NOW, { outcomes });
  }

  async state(id: MessageId): Promise<MessageSnapshot['state'] | undefined> {
    return (await this.ledger.messages.snapshot(id))?.state;
  }

  states(ids: readonly MessageId[]): Promise<(MessageSnapshot['state'] | undefined)[]> {
    return Promise.all(ids.map((id) => this.state(id)));
  }
}

export function anId(): MessageId {
  return `msg_${randomUUID().replaceAll('-', '')}` as MessageId;
}

export function aChat(): string {
  return `1555${String(Math.floor(Math.random() * 1e9)).padStart(9, '0')}@c.us`;
}

export function accepted({ token }: Pick<DueAttempt, 'token'>, atMs = NOW, idMessage = `G-${token}`): Outcome {
  return { token, outcome: { kind: 'accepted', idMessage, httpStatus: 200 }, atMs };
}

export function other(
  { token }: Pick<DueAttempt, 'token'>,
  outcome: Exclude<AttemptOutcome, { kind: 'accepted' }>,
  atMs = NOW,
): Outcome {
  return { token, outcome, atMs };
}
