/** Simulator, receiver, ledger, gateway client and activities, all real, on one clock that only the test moves. */
import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { reconcileActivity } from '../../src/activities/index.js';
import {
  AppError,
  type MessageContent,
  type MessageId,
  type MessageRequest,
  type MessageSnapshot,
} from '../../src/contract/index.js';
import { CLOCK_MARGIN_MS, RESTART_WAIT_MS } from '../../src/domain/index.js';
import type { Ledger, MessageView } from '../../src/ledger/index.js';
import type { Settings } from '../../src/simulator/index.js';
import { sendOnce } from '../support/send-once.js';
import { aStack, SECOND, type Stack } from '../support/stack.js';

export const ALICE = '15550000001@c.us';
export const TIMES = {
  postingDeadlineMs: 5_000,
  gatewayTimeoutMs: 2_000,
  settleTimeMs: 2_000,
  editConfirmTimeoutMs: 2_000,
};
/** Faults of the next request: its response is lost, or itself. */
export const LOST_RESPONSE = { kind: 'lose-answer', accepted: true };
export const LOST_REQUEST = { kind: 'reset', accepted: false };
/** Settings. */
export const NO_NOTICES = { outgoingWebhook: 'no', outgoingAPIMessageWebhook: 'no' } as const;
/** From a claim until its attempt can be reconciled. */
export const RECONCILE_MS = TIMES.postingDeadlineMs + TIMES.gatewayTimeoutMs + TIMES.settleTimeMs;
/** From the observed loss of a connection until its attempt can be reconciled. */
export const SETTLED_MS = TIMES.settleTimeMs + CLOCK_MARGIN_MS;
export interface World extends Stack {
  /** Opens a message to Alice and posts it, as far as possible. */
  send(content: string | MessageContent, request?: Partial<MessageRequest>): Promise<MessageSnapshot>;
  /** Posts a pending row again. */
  sendAgain(id: MessageId): Promise<MessageSnapshot>;
  /** The state of the row after a poll, or the reason why it is still unknown. */
  reconcile(id: MessageId): Promise<MessageSnapshot | string>;
  /** The same poll of witnesses that accept every question and answer none. */
  reconcileWithDeafWitnesses(id: MessageId): Promise<MessageSnapshot | string>;
  view(id: MessageId): Promise<MessageView>;
  /** The kinds of the evidence, in order. */
  story(id: MessageId): Promise<string[]>;
  /** Passes time, event by event: a notification is applied before the next one comes. */
  pass(ms: number): Promise<void>;
  delivered(text: string): number;
}

/** @param ledger may be shared: each world has its own instance in it */
export async function aWorld(ledger: Ledger, settings: Partial<Settings> = {}): Promise<World> {
  let nowMs = Date.parse('2026-03-01T10:00:00.000Z');
  const clock = { nowMs: () => nowMs };
  const instance = `i-${randomUUID().slice(0, 8)}`;
  const log = (): void => undefined;
  const stack = await aStack({
    ledger,
    clock,
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
    name: instance,
    settings: { delaySendMessagesMilliseconds: 60 * SECOND, ...settings },
  });
  const { simulator, gateway, settle } = stack;
  const deps = {
    ledger,
    gateway,
    clock,
    times: TIMES,
    timesOf: () => TIMES,
    log,
  };
  const reconcileMessage = reconcileActivity(deps);
  const reconcileDeaf = reconcileActivity({
    ...deps,
    gateway: { ...gateway, call: () => new Promise<never>(() => undefined) },
    times: { ...TIMES, patience: { witnessMs: 0, successorMs: 0, pollMs: 50 } },
  });

  async function sendAgain(id: MessageId): Promise<MessageSnapshot> {
    return (await sendOnce(deps, id)).snapshot;
  }

  const view = async (id: MessageId): Promise<MessageView> => {
    const found = await ledger.views.message(id, nowMs);
    if (found === undefined) throw new Error(`${id} is not in the ledger`);
    return found;
  };
  async function reconcileBy(
    activity: ReturnType<typeof reconcileActivity>,
    id: MessageId,
  ): Promise<MessageSnapshot | string> {
    await settle();
    try {
      return await activity({ messageId: id });
    } catch (error) {
      if (error instanceof AppError && error.code === 'MESSAGE_OUTCOME_UNKNOWN') return error.message;
      throw error;
    }
  }

  return {
    ...stack,
    async send(content, request = {}) {
      const id = `msg_${randomUUID()}` as MessageId;
      const whole = typeof content === 'string' ? ({ kind: 'text', text: content } as const) : content;
      await ledger.intake.open({
        id,
        requestHash: id,
        request: {
          instance,
          ...(whole.kind === 'status' ? {} : { chatId: ALICE }),
          content: whole,
          ...request,
        },
        expiresAtMs: nowMs + 24 * 3_600 * SECOND,
        nowMs,
      });
      return sendAgain(id);
    },
    sendAgain,
    reconcile: (id) => reconcileBy(reconcileMessage, id),
    reconcileWithDeafWitnesses: (id) => reconcileBy(reconcileDeaf, id),
    view,
    async story(id) {
      return (await view(id)).evidence.map(({ what }) => what);
    },
    async pass(ms) {
      const untilMs = nowMs + ms;
      for (;;) {
        await settle();
        const dueMs = simulator.nextDueAtMs() ?? untilMs;
        if (nowMs >= untilMs) return;
        nowMs = Math.min(untilMs, Math.max(dueMs, nowMs + 1));
      }
    },
    delivered: (text) => simulator.delivered().filter((message) => message.text === text).length,
  };
}

/** A message sent later shows that the listing is not truncated; the wait for restarts passes. */
export async function proveAbsent(world: World, id: MessageId): Promise<MessageSnapshot | string> {
  await world.pass(SETTLED_MS);
  await world.send('sent since');
  await world.reconcile(id);
  await world.pass(RESTART_WAIT_MS);
  return world.reconcile(id);
}

/** Sends a message to Alice whose outcome stays unknown. */
export async function sendAndLose(
  world: World,
  fault: object,
  text: string,
  request: Partial<MessageRequest> = {},
): Promise<MessageSnapshot> {
  await world.fault(fault);
  const row = await world.send(text, request);
  expect(row.state).toBe('unknown');
  return row;
}

/** A world in which one message has left, so that later ones wait in the queue for a minute. */
export async function aBusyWorld(ledger: Ledger): Promise<World> {
  const world = await aWorld(ledger);
  await world.send('the first leaves at once');
  await world.pass(SECOND);
  return world;
}
