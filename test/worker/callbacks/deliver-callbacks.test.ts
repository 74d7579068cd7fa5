import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { createCallbackPoster, deliverCallbacks } from '../../../src/worker/callbacks/index.js';
import type { LogEntry } from '../../../src/worker/index.js';
import { useCast, type Cast } from '../../ledger/cast.js';
import { aCallbackTarget, type CallbackTarget } from './callback-target.js';
import { eventually } from '../../support/eventually.js';

const HOUR_MS = 60 * 60_000;

const theCast = useCast();
let the: Cast;
let poster: ReturnType<typeof createCallbackPoster>;
let targets: CallbackTarget[];
let logged: LogEntry[];
/** How far the background job's clock is ahead of the real one. */
let aheadMs: number;

beforeEach(() => {
  the = theCast();
  poster = createCallbackPoster({ allowPrivate: true });
  targets = [];
  logged = [];
  aheadMs = 0;
});

afterEach(async () => {
  await poster.close();
  await Promise.all(targets.map((target) => target.close()));
});

async function aTarget(
  respond?: (response: ServerResponse, event: { state: string }) => void,
): Promise<CallbackTarget> {
  const target = await aCallbackTarget(respond);
  targets.push(target);
  return target;
}

/**
 * One round of the background job. The first time that a callback is due is by the database's clock: a little ahead of
 * ours at most.
 */
function round(callbacks: Ledger['callbacks'] = the.ledger.callbacks): Promise<void> {
  const clock = { nowMs: () => Date.now() + 1_000 + aheadMs };
  return deliverCallbacks({ callbacks, poster, clock, log: (entry) => void logged.push(entry) }).round();
}

async function callbacksOf(id: MessageId) {
  return (await the.view(id)).callbacks;
}

describe('a status callback', () => {
  it('is told of every change of state, once and in order', async () => {
    const target = await aTarget();
    const id = await the.accepted('A1', { statusCallback: target.url, reference: 'order 7' });
    for (const status of ['sent', 'delivered', 'read'] as const) await the.receive('A1', status);

    await round();
    await round();

    expect(target.events.map(({ state }) => state)).toEqual(['sending', 'accepted', 'sent', 'delivered', 'read']);
    expect(target.events.at(-1)).toEqual({
      eventId: expect.stringMatching(/^evt_\d+$/) as string,
      id,
      instance: the.instance,
      state: 'read',
      version: (await the.view(id)).version,
      at: '2026-03-01T10:00:00.000Z',
      idMessage: 'A1',
      reference: 'order 7',
    });
    expect(new Set(target.events.map(({ eventId }) => eventId)).size).toBe(5);
    const told = await callbacksOf(id);
    expect(told?.every(({ tries, deliveredAt }) => tries === 1 && deliveredAt !== undefined)).toBe(true);
  });

  it('is told why, and never the text or the recipient', async () => {
    const target = await aTarget();
    await the.accepted('A2', { statusCallback: target.url, text: 'a secret text' });
    await the.receive('A2', 'failed', { description: 'SWE004: to 15550001111' });

    await round();

    expect(target.events.at(-1)).toMatchObject({ state: 'failed', reason: 'failed' });
    expect(JSON.stringify(target.events)).not.toMatch(/secret|1555000/);
  });

  it('that is not taken is tried again, and keeps what comes after it waiting', async () => {
    let status = 503;
    const target = await aTarget((response) => response.writeHead(status).end());
    const id = await the.accepted('A3', { statusCallback: target.url });

    await round();
    await round();
    expect(target.events.map(({ state }) => state)).toEqual(['sending']);
    const [first] = (await callbacksOf(id)) ?? [];
    expect(first).toMatchObject({ tries: 1, problem: 'HTTP 503', nextTryAt: expect.any(String) as string });

    status = 200;
    aheadMs = 6_000;
    await round();

    expect(target.events.map(({ state }) => state)).toEqual(['sending', 'sending', 'accepted']);
    expect(target.events[0]?.eventId).toBe(target.events[1]?.eventId);
  });

  it('waits longer from try to try', async () => {
    const target = await aTarget((response) => response.writeHead(500).end());
    await the.pending({ statusCallback: target.url }).then((id) => the.claim(id));

    for (const secondsLater of [0, 6, 12, 17, 30, 38]) {
      aheadMs = secondsLater * 1_000;
      await round();
    }

    // After 5, 15 and 35 seconds.
    expect(target.events).toHaveLength(4);
  });

  it('that is not taken for a day is given up, with that as evidence, and the next one has its own day', async () => {
    const target = await aTarget((response) => response.writeHead(404).end());
    const id = await the.accepted('A4', { statusCallback: target.url });

    aheadMs = 25 * HOUR_MS;
    await round();

    expect(await callbacksOf(id)).toMatchObject([
      { state: 'sending', problem: 'HTTP 404', givenUpAt: expect.any(String) as string },
      { state: 'accepted', problem: 'HTTP 404', givenUpAt: expect.any(String) as string },
    ]);
    expect(await the.evidence(id, 'callback_given_up')).toMatchObject([
      { witness: 'callback', detail: { state: 'sending', tries: 1, problem: 'HTTP 404' } },
      { witness: 'callback', detail: { state: 'accepted', tries: 1, problem: 'HTTP 404' } },
    ]);
    expect(logged.map(({ message }) => message)).toContain('a status callback was given up');
    expect((await the.view(id)).state).toBe('accepted');
  });

  it('that was posted by a process which then died is told again under the same id', async () => {
    const target = await aTarget();
    const id = await the.pending({ statusCallback: target.url });
    await the.claim(id);
    const dying: Ledger['callbacks'] = {
      claim: (input) => the.ledger.callbacks.claim(input),
      delivered: () => Promise.reject(new Error('killed')),
      putOff: () => Promise.reject(new Error('killed')),
      giveUp: () => Promise.reject(new Error('killed')),
      forget: () => Promise.resolve(0),
    };
    await round(dying);
    await round();
    expect(target.events).toHaveLength(1);

    aheadMs = 61_000;
    await round();

    expect(target.events).toHaveLength(2);
    expect(target.events[0]).toEqual(target.events[1]);
    expect(await callbacksOf(id)).toMatchObject([{ tries: 2, deliveredAt: expect.any(String) as string }]);
  });

  it('that hangs holds up no other', async () => {
    let respondSlowly: (() => void) | undefined;
    const slow = await aTarget((response) => (respondSlowly = () => response.end()));
    const quick = await aTarget();
    const first = await the.pending({ statusCallback: slow.url });
    await the.claim(first);
    const running = round();
    await eventually(() => expect(respondSlowly).toBeDefined());

    await the.accepted('A5', { statusCallback: quick.url });
    // The row's first time is by the database's clock.
    await eventually(() => expect(quick.events.map(({ state }) => state)).toEqual(['sending', 'accepted']));
    respondSlowly?.();
    await running;

    expect(await callbacksOf(first)).toMatchObject([{ deliveredAt: expect.any(String) as string }]);
  });
});
