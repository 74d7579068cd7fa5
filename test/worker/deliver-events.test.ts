import type { ServerResponse } from 'node:http';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Secret, type PostedEvent } from '../../src/contract/index.js';
import type { NewEndpoint, NotificationFacts } from '../../src/ledger/index.js';
import { deliverEvents, startBackgroundJob } from '../../src/worker/index.js';
import { createEventPoster, type EventPoster } from '../../src/worker/post-event.js';
import type { LogEntry } from '../../src/contract/index.js';
import { NOW, useCast, type Cast } from '../ledger/cast.js';
import { eventually } from '../support/eventually.js';
import { anEventTarget, type EventTarget, type TakenRequest } from './event-target.js';

const HOUR_MS = 60 * 60_000;

const theCast = useCast();
let the: Cast;
let poster: EventPoster;
let logged: LogEntry[];
/** How far the deliverer's clock is ahead of the real one. */
let aheadMs: number;

beforeEach(() => {
  the = theCast();
  poster = createEventPoster({ allowPrivate: true });
  logged = [];
  aheadMs = 0;
  onTestFinished(async () => {
    await poster.close();
    // The ledger is shared: the next test would deliver what is left.
    for (const { id } of await the.ledger.eventEndpoints.list()) await the.ledger.eventEndpoints.remove(id);
  });
});

async function aTarget(...respond: Parameters<typeof anEventTarget>): Promise<EventTarget> {
  const target = await anEventTarget(...respond);
  onTestFinished(() => target.close());
  return target;
}

function deliver(holder = 'worker') {
  const clock = { nowMs: () => Date.now() + aheadMs };
  const log = (entry: LogEntry) => void logged.push(entry);
  const deliverer = startBackgroundJob(deliverEvents({ ledger: the.ledger, poster, clock, log }), {
    leases: the.ledger.leases,
    holder,
    log,
  });
  onTestFinished(() => deliverer.stop());
  return deliverer;
}

/** Waits until the endpoint is shown with these facts. */
async function untilShown(id: string, facts: object): Promise<void> {
  await eventually(async () => expect(await the.ledger.eventEndpoints.view(id)).toMatchObject(facts));
}

async function endpoint(url: string, over: Partial<NewEndpoint> = {}) {
  const id = `evp_${crypto.randomUUID()}`;
  const given = { id, instance: the.instance, url, events: ['*'], raw: false, requestHash: 'h', ...over };
  const { secret } = await the.ledger.eventEndpoints.create(given, NOW);
  return { id, webhook: new Webhook(secret?.reveal() ?? '') };
}

async function notify(body: unknown, over: Partial<NonNullable<NotificationFacts['event']>> = {}): Promise<void> {
  const event = { type: 'message.received' as const, key: 'a', ...over };
  await the.ledger.receipts.store(the.instance, body, NOW, { event });
}

function eventIn({ body }: TakenRequest): PostedEvent {
  return JSON.parse(body.toString()) as PostedEvent;
}

function dataOf({ requests }: EventTarget): unknown[] {
  return requests.map((request) => eventIn(request).data);
}

/** The library throws when the signature has another secret. */
function verify(webhook: Webhook, { body, headers }: TakenRequest): unknown {
  return webhook.verify(body.toString(), headers as Record<string, string>);
}

describe('an event', () => {
  it("is posted with a signature that the published library verifies, and contains the notification's body unchanged", async () => {
    const target = await aTarget();
    const { webhook } = await endpoint(target.url);
    const body = { typeWebhook: 'incomingMessageReceived', text: 'Grüße \u{1F600}' };
    await notify(body);
    deliver();

    await eventually(() => expect(target.requests).toHaveLength(1));

    const [request] = target.requests;
    const { id, timestamp } = eventIn(request as TakenRequest);
    expect(verify(webhook, request as TakenRequest)).toEqual({
      id,
      type: 'message.received',
      timestamp,
      instance: the.instance,
      data: body,
    });
    expect(request?.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
    expect(() => verify(new Webhook(btoa('another secret')), request as TakenRequest)).toThrow();
  });

  it('is verified by the previous secret and by the new one during a rotation', async () => {
    const target = await aTarget();
    const { id, webhook } = await endpoint(target.url);
    const { secret } = await the.ledger.eventEndpoints.rotateSecret(id, Date.now() + HOUR_MS, Date.now());
    await notify({ a: 1 });
    deliver();

    await eventually(() => expect(target.requests).toHaveLength(1));
    for (const one of [webhook, new Webhook(secret.reveal())]) verify(one, target.requests[0] as TakenRequest);

    // Nothing of the library's tolerance of five minutes is used here: requests are as young as their clock.
    await the.ledger.eventEndpoints.rotateSecret(id, Date.now(), Date.now());
    await notify({ a: 2 });
    await eventually(() => expect(target.requests).toHaveLength(2));
    expect(() => verify(webhook, target.requests[1] as TakenRequest)).toThrow();
  });

  it("is the exact bytes of the notification for an endpoint with raw, under the endpoint's authorization", async () => {
    const target = await aTarget();
    await endpoint(target.url, { raw: true, authorization: new Secret('Bearer bot') });
    const odd = Buffer.from([0x7b, 0x20, 0xff, 0x00, 0x7d]);
    await notify('what could be read of it', { raw: odd, contentType: 'text/odd; charset=x' });
    await notify({ typeWebhook: 'deviceInfo' });
    deliver();

    await eventually(() => expect(target.requests).toHaveLength(2));

    expect(target.requests[0]?.body.equals(odd)).toBe(true);
    expect(target.requests[0]?.headers).toMatchObject({
      'content-type': 'text/odd; charset=x',
      authorization: 'Bearer bot',
    });
    expect(target.requests[1]?.body.toString()).toBe('{"typeWebhook":"deviceInfo"}');
  });

  it('is retried when it is not accepted, and delays only later ones of its chat', async () => {
    let status = 503;
    const target = await aTarget((response, request) =>
      response.writeHead(eventIn(request).data === 1 ? status : 200).end(),
    );
    const { id } = await endpoint(target.url);
    await notify(1, { key: 'a' });
    await notify(2, { key: 'a' });
    await notify(3, { key: 'b' });
    deliver();

    await eventually(() => expect(new Set(dataOf(target))).toEqual(new Set([1, 3])));
    await untilShown(id, { waiting: 2, problem: 'HTTP 503' });
    status = 200;
    aheadMs = 6_000;

    await eventually(() => expect(dataOf(target).slice(2)).toEqual([1, 2]));
    const [first, , again] = target.requests;
    expect(eventIn(first as TakenRequest).id).toBe(eventIn(again as TakenRequest).id);
  });

  it('is set aside when it is not accepted for three days, and a replay delivers it', async () => {
    let status = 404;
    const target = await aTarget((response) => response.writeHead(status).end());
    const { id } = await endpoint(target.url);
    await notify(1);
    aheadMs = 73 * HOUR_MS;
    deliver();

    await untilShown(id, { waiting: 0, failed: 1 });
    expect(logged.map(({ message }) => message)).toContain('an event could not be delivered');
    status = 200;
    await the.ledger.eventEndpoints.replay(id, { fromMs: 0, toMs: Date.now() }, { id: 'k', requestHash: 'h' }, NOW);

    await untilShown(id, { waiting: 0, failed: 0 });
  });

  it('disables an endpoint that is gone, and is delivered when that is enabled again', async () => {
    let status = 410;
    const target = await aTarget((response) => response.writeHead(status).end());
    const { id } = await endpoint(target.url);
    await notify(1);
    deliver();
    await untilShown(id, { enabled: false, disabledReason: 'HTTP 410', waiting: 1 });
    await notify(2);
    const before = target.requests.length;

    status = 200;
    await the.ledger.eventEndpoints.change(id, { enabled: true }, Date.now());

    await eventually(() => expect(dataOf(target).slice(before)).toEqual([1, 2]));
  });

  it('waits for as long as the endpoint asks, whatever its chat', async () => {
    let status = 429;
    const target = await aTarget((response) => response.writeHead(status, { 'retry-after': '3600' }).end());
    const { id } = await endpoint(target.url);
    await notify(1, { key: 'a' });
    deliver();
    await untilShown(id, { problem: 'HTTP 429' });
    await notify(2, { key: 'b' });
    status = 200;
    aheadMs = 0.9 * HOUR_MS;
    const other = await aTarget();
    await endpoint(other.url);
    await notify(3, { key: 'c' });
    await eventually(() => expect(dataOf(other)).toEqual([3]));
    expect(target.requests).toHaveLength(1);

    aheadMs = 1.1 * HOUR_MS;
    await eventually(() => expect(new Set(dataOf(target))).toEqual(new Set([1, 2, 3])));
  });

  it('delays no other when its endpoint hangs', async () => {
    const hanging: ServerResponse[] = [];
    const slow = await aTarget((response) => void hanging.push(response));
    const quick = await aTarget();
    await endpoint(slow.url);
    await endpoint(quick.url);
    for (let at = 0; at < 40; at++) await notify(at, { key: `chat ${at}` });
    deliver();

    await eventually(() => expect(quick.requests).toHaveLength(40));
    expect(slow.requests).toHaveLength(16);
    for (const response of hanging) response.end();
  });

  it('is not posted by two workers at once', async () => {
    const target = await aTarget();
    await endpoint(target.url);
    for (let at = 0; at < 50; at++) await notify(at, { key: `chat ${at % 5}` });
    const deliverers = [deliver('worker 1'), deliver('worker 2')];

    await eventually(() => expect(target.requests).toHaveLength(50));
    await Promise.all(deliverers.map((deliverer) => deliverer.stop()));
    expect(new Set(target.requests.map((request) => eventIn(request).id)).size).toBe(50);
  });

  it('comes at least once and in the order of its chat, whatever fails', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 1, maxLength: 25 }),
        fc.infiniteStream(fc.integer({ min: 0, max: 19 })),
        async (chats, dice) => {
          the = theCast();
          const taken: { readonly chat: number; readonly at: number }[] = [];
          const { id } = await endpoint('http://target.example/');
          for (const [at, chat] of chats.entries()) await notify({ chat, at }, { key: `chat ${chat}` });
          const { ledger } = the;
          let nowMs = Date.now();
          const deliveries: typeof ledger.deliveries = {
            claim: (claim) => ledger.deliveries.claim(claim),
            record: async (...given) => {
              if (given[0].length > 0 && dice.next().value === 0) throw new Error('the ledger is away');
              await ledger.deliveries.record(...given);
            },
          };
          const post = async (_url: string, _headers: unknown, body: Uint8Array) => {
            const roll = dice.next().value;
            const { data } = JSON.parse(Buffer.from(body).toString()) as { data: (typeof taken)[number] };
            if (roll > 4) taken.push(data);
            return roll > 6 ? {} : { problem: 'HTTP 500', httpStatus: 500 };
          };
          // Each reading of the clock is minutes later, so no retry has to be waited for.
          const clock = { nowMs: () => (nowMs += HOUR_MS / 12) };
          const faulty = { ledger: { ...ledger, deliveries }, poster: { post } };
          const log = () => undefined;
          const deliverer = startBackgroundJob(deliverEvents({ ...faulty, clock, log }), {
            leases: ledger.leases,
            holder: crypto.randomUUID(),
            log,
          });
          try {
            await eventually(() => expect(new Set(taken.map(({ at }) => at)).size).toBe(chats.length));
          } finally {
            await deliverer.stop();
            await ledger.eventEndpoints.remove(id);
          }
          for (const chat of new Set(chats)) {
            const first = [...new Set(taken.filter((one) => one.chat === chat).map(({ at }) => at))];
            expect(first).toEqual(first.toSorted((a, b) => a - b));
          }
        },
      ),
      { numRuns: 5 },
    );
  }, 60_000);
});

describe('a status callback', () => {
  it('gets every change of state, once and in order, signed', async () => {
    const target = await aTarget();
    const id = await the.accepted('A1', { statusCallback: target.url, reference: 'order 7', text: 'a secret text' });
    for (const status of ['sent', 'delivered', 'read'] as const) await the.receive('A1', status);
    await the.ledger.eventEndpoints.ensureCallbacks(the.instance);
    const { secret } = await the.ledger.eventEndpoints.rotateSecret(`callbacks-${the.instance}`, NOW, Date.now());
    deliver();

    await eventually(() => expect(target.requests).toHaveLength(5));

    const data = dataOf(target) as { state: string }[];
    expect(data.map(({ state }) => state)).toEqual(['sending', 'accepted', 'sent', 'delivered', 'read']);
    const last = target.requests.at(-1) as TakenRequest;
    expect(verify(new Webhook(secret.reveal()), last)).toMatchObject({
      type: 'message.state_changed',
      timestamp: '2026-03-01T10:00:00.000Z',
      instance: the.instance,
      data: { id, state: 'read', version: (await the.view(id)).version, idMessage: 'A1', reference: 'order 7' },
    });
    expect(String(target.requests.map(({ body }) => body))).not.toMatch(/secret text|1555000/);
    await eventually(async () => {
      const told = (await the.view(id)).callbacks;
      expect(told?.every(({ tries, deliveredAt }) => tries === 1 && deliveredAt !== undefined)).toBe(true);
    });
  });

  it('ends when its target is gone, or has not accepted it for three days, with that as evidence', async () => {
    const gone = await aTarget((response) => response.writeHead(410).end());
    const failing = await aTarget((response) => response.writeHead(404).end());
    const one = await the.accepted('A2', { statusCallback: gone.url });
    const other = await the.accepted('A3', { statusCallback: failing.url });
    deliver();
    await eventually(async () => expect(await the.evidence(one, 'callback_given_up')).toHaveLength(2));
    expect(await the.evidence(other, 'callback_given_up')).toEqual([]);

    aheadMs = 73 * HOUR_MS;

    await eventually(async () =>
      expect(await the.evidence(other, 'callback_given_up')).toMatchObject([
        { witness: 'callback', detail: { state: 'sending', problem: 'HTTP 404' } },
        { witness: 'callback', detail: { state: 'accepted', problem: 'HTTP 404' } },
      ]),
    );
    expect((await the.view(other)).callbacks).toMatchObject([
      { state: 'sending', problem: 'HTTP 404', givenUpAt: expect.any(String) as string },
      { state: 'accepted', problem: 'HTTP 404', givenUpAt: expect.any(String) as string },
    ]);
    expect((await the.view(other)).state).toBe('accepted');
  });
});
