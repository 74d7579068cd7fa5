/**
 * Own messages whose responses were lost, at a gateway whose clock differs from ours and whose notifications are
 * long-polled. The gateway is a small server that advances the test's clock during each request; all else is real.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { applyLateEvidence } from '../../src/activities/index.js';
import { Secret, type MessageId } from '../../src/contract/index.js';
import { createGateway, type Gateway, type RateGate } from '../../src/gateway/index.js';
import { saveGatewayClocks } from '../../src/worker/index.js';
import { useLedger } from '../support/ledger/ledger.js';
import { sendOnce } from '../support/send-once.js';
import { runs, sampleOf } from '../support/runs.js';

const ALICE = '15550000001@c.us';
const TIMES = { postingDeadlineMs: 5_000, gatewayTimeoutMs: 30_000, settleTimeMs: 2_000, editConfirmTimeoutMs: 2_000 };
const OPEN_GATE: RateGate = { acquire: () => Promise.resolve(), block: () => undefined, close: () => undefined };
const POLL_MS = 5_000;
/** `npm test` uses the lowest, none, and the highest. */
const OFFSETS_MS = sampleOf([-3_000, -2_000, -1_000, -500, 0, 400, 800, 1_500, 3_000, 2_500]);
const EACH = runs(30);

const ledger = useLedger();

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

/** A gateway whose clock is ahead of ours by `aheadMs`, and the work of an everpost process with it. */
async function aPolledInstance(offsetMs: number) {
  let nowMs = Date.parse('2026-03-01T10:00:00.137Z');
  const clock = { nowMs: () => nowMs };
  const instance = `i-${randomUUID().slice(0, 8)}`;
  /** When the gateway accepted the last post, by its own clock. */
  let acceptedAtMs = 0;

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    for await (const _ of request);
    nowMs += 12;
    if (request.url?.includes('/sendMessage/') === true) {
      acceptedAtMs = nowMs + offsetMs;
      // The response is lost.
      request.socket.destroy();
      return;
    }
    if (request.url?.includes('/receiveNotification/') === true) nowMs += POLL_MS;
    response.sendDate = false;
    response.setHeader('date', new Date(nowMs + offsetMs).toUTCString());
    nowMs += 12;
    response.end(request.url?.includes('/receiveNotification/') === true ? 'null' : '{"stateInstance":"authorized"}');
  }
  const server = createServer((request, response) => void handle(request, response));
  const url = await listening(server);
  const gateway = createGateway({
    instances: {
      names: () => [instance],
      get: (name) => ({ name, baseUrl: url, idInstance: '1101000001', apiTokenInstance: new Secret('token') }),
    },
    clock,
    gate: OPEN_GATE,
    gatewayTimeoutMs: TIMES.gatewayTimeoutMs,
    onClock: saveGatewayClocks(ledger.gatewayClocks, clock, () => undefined),
  });
  closers.push(() => closed(server, gateway));
  const deps = { ledger, gateway, clock, times: TIMES, timesOf: () => TIMES };

  return {
    instance,
    now: () => nowMs,
    pass: (ms: number) => void (nowMs += ms),
    poll: () => gateway.call(instance, 'receiveNotification', {}),
    ask: () => gateway.call(instance, 'getStateInstance', {}),
    /** Posts a message whose response is lost. @returns when the gateway accepted it, by its clock */
    async loseResponseOf(text: string): Promise<{ id: MessageId; acceptedAtMs: number }> {
      const id = `msg_${randomUUID()}` as MessageId;
      const request = { instance, chatId: ALICE, content: { kind: 'text', text } as const };
      await ledger.intake.open({ id, requestHash: id, request, expiresAtMs: nowMs + 86_400_000, nowMs });
      expect((await sendOnce(deps, id)).snapshot).toMatchObject({ state: 'unknown' });
      return { id, acceptedAtMs };
    },
    /** Any process applies the notification of a message that was sent through the API. */
    notified(text: string, atMs: number) {
      const notification = {
        typeWebhook: 'outgoingAPIMessageReceived',
        idMessage: randomUUID(),
        timestamp: Math.floor(atMs / 1_000),
        senderData: { chatId: ALICE },
        messageData: { typeMessage: 'textMessage', textMessageData: { textMessage: text } },
      };
      return applyLateEvidence({ ledger, clock }, instance, notification, nowMs);
    },
  };
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function closed(server: Server, gateway: Gateway): Promise<void> {
  await gateway.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}

describe('with a gateway whose clock is ahead of ours by', () => {
  it.each(OFFSETS_MS)(
    `%d ms, polled for five seconds at a time, every one of ${EACH} own messages is adopted`,
    async (offsetMs) => {
      const polled = await aPolledInstance(offsetMs);
      let adopted = 0;
      for (let number = 0; number < EACH; number += 1) {
        await polled.poll();
        if (number % 10 === 5) await polled.ask();
        polled.pass(number * 37);
        const text = `message ${number}`;
        const { id, acceptedAtMs } = await polled.loseResponseOf(text);
        const settled = await polled.notified(text, acceptedAtMs);
        if (settled?.id === id && settled.state === 'accepted') adopted += 1;
      }
      expect(adopted).toBe(EACH);
    },
    60_000,
  );

  it.each(OFFSETS_MS)(
    '%d ms, an equal message that another tool sent three seconds earlier is not adopted',
    async (offsetMs) => {
      const polled = await aPolledInstance(offsetMs);
      await polled.poll();
      await polled.ask();
      // The true offset is in the interval, within a second, the time of the request, and half a second for clocks.
      await expect.poll(() => widthOf(polled.instance, polled.now())).toBeLessThan(1_100);
      for (const text of ['first', 'second', 'third']) {
        polled.pass(311);
        const claimedAtMs = polled.now();
        const { id } = await polled.loseResponseOf(text);

        expect(await polled.notified(text, claimedAtMs + offsetMs - 3_000)).toBeUndefined();
        expect(await ledger.messages.snapshot(id)).toMatchObject({ state: 'unknown' });
      }
    },
  );
});

async function widthOf(instance: string, nowMs: number): Promise<number> {
  const offset = await ledger.gatewayClocks.offset(instance, nowMs);
  return offset === undefined ? Infinity : offset.highestMs - offset.lowestMs;
}
