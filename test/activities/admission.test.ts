/**
 * Single messages wait here until they can leave the gateway's queue in their time: ADMISSION-1 to ADMISSION-3 of the
 * admission.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { MessageId } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';
import { aFeedWorld, HOUR, MINUTE, SECOND, type FeedWorld } from './feed-world.js';

let ledger: Ledger;
let world: FeedWorld;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());
afterEach(() => world.close());

/** What becomes of the unmatched messages is of no interest here. */
const UNHEARD = { settings: { outgoingWebhook: 'no' } } as const;

/** Something to stand in line behind. */
async function fill(items: number): Promise<void> {
  for (let item = 0; item < items; item += 1) {
    await fetch(`${world.simulator.url}/waInstance1101000001/sendMessage/simulator-token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ chatId: '15558888888@c.us', message: `an unmatched ${item}` }),
    });
  }
}

/** Proves SEND-6 and PROTOCOL-10. */
describe('a single message', () => {
  it('is posted at once into a queue that it can leave in its time', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    const id = await world.single();
    expect(await world.trySingle(id)).toMatchObject({ state: 'accepted' });
    expect((await ledger.messages.view(id))?.waiting).toBeUndefined();
  });

  it('ADMISSION-1 waits here behind a queue that is longer than its life, says for what, and is posted when it fits', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await fill(31);
    const id = await world.single({}, 25 * SECOND);
    expect(await world.trySingle(id)).toEqual({ code: 'MESSAGE_NOT_ADMITTED', retryAfterMs: expect.any(Number) });
    expect(await ledger.messages.view(id)).toMatchObject({
      state: 'pending',
      attempts: [],
      waiting: { code: 'MESSAGE_NOT_ADMITTED', text: 'queue: 30 ahead, 1 min' },
    });
    expect(world.requests('sendMessage')).toBe(31);
    await world.pass(20 * SECOND);
    const again = await world.single({}, 25 * SECOND);
    expect(await world.trySingle(again)).toMatchObject({ state: 'accepted' });
  });

  it('ADMISSION-1 ends here when its time is over, and was never in the queue', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await fill(31);
    const id = await world.single({}, 5 * SECOND);
    await world.trySingle(id);
    await world.pass(5 * SECOND);
    expect(await world.trySingle(id)).toMatchObject({ state: 'expired' });
    expect(world.requests('sendMessage')).toBe(31);
  });

  it('ADMISSION-1 is told to come again within a minute, and not before a second', async () => {
    world = await aFeedWorld(ledger, { settings: { delaySendMessagesMilliseconds: MINUTE } });
    await fill(6);
    const soon = await world.single({}, 6 * MINUTE);
    expect(await world.trySingle(soon)).toMatchObject({ retryAfterMs: expect.closeTo(36 * SECOND, -4) as number });
    const late = await world.single({}, 2 * MINUTE);
    expect(await world.trySingle(late)).toMatchObject({ retryAfterMs: MINUTE });
  });

  it('ADMISSION-1 waits for those of higher priority, and for the older ones, before it', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await fill(20);
    const life = 21 * SECOND;
    const first = await world.single({}, life);
    await world.pass(1);
    const second = await world.single({}, life);
    const urgent = await world.single({ priority: 'urgent' }, life);
    for (const id of [second, first, urgent])
      expect(await world.trySingle(id)).toMatchObject({ code: 'MESSAGE_NOT_ADMITTED' });
    const text = async (id: MessageId) => (await ledger.messages.view(id))?.waiting?.text;
    for (const id of [second, first, urgent]) await world.trySingle(id);
    const ahead = await Promise.all([urgent, first, second].map(text));
    expect(ahead.map((words) => /queue: (\d+) ahead/.exec(words ?? '')?.[1])).toEqual(['19', '20', '21']);
  });

  it('ADMISSION-2 waits for an authorized phone when it lives for less than a day, and goes out when it is back', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await world.patch({ state: 'notAuthorized' });
    const id = await world.single({}, HOUR);
    expect(await world.trySingle(id)).toEqual({ code: 'MESSAGE_NOT_ADMITTED', retryAfterMs: 10 * SECOND });
    expect((await ledger.messages.view(id))?.waiting).toMatchObject({
      code: 'MESSAGE_NOT_ADMITTED',
      text: 'instance notAuthorized',
    });
    await world.patch({ state: 'authorized' });
    await world.pass(10 * SECOND);
    expect(await world.trySingle(id)).toMatchObject({ state: 'accepted' });
    expect((await ledger.messages.view(id))?.waiting).toBeUndefined();
  });

  it('ADMISSION-2 is posted to a phone that is away when it lives for a day', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await world.patch({ state: 'notAuthorized' });
    expect(await world.trySingle(await world.single())).toMatchObject({ state: 'accepted' });
    expect(world.requests('getStateInstance')).toBe(0);
  });

  it('ADMISSION-2 waits while it is unknown whether the phone is there', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await world.fault({ method: 'getStateInstance', kind: 'status', status: 429 });
    const id = await world.single({}, HOUR);
    expect(await world.trySingle(id)).toMatchObject({ code: 'MESSAGE_NOT_ADMITTED' });
    expect((await ledger.messages.view(id))?.waiting?.text).toBe('instance state not known (GATEWAY_BUSY)');
  });

  it('ADMISSION-3 costs a quiet instance no reading of its queue for each message', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    for (let message = 0; message < 6; message += 1) {
      expect(await world.trySingle(await world.single())).toMatchObject({ state: 'accepted' });
      await world.pass(MINUTE);
    }
    expect(world.requests('showMessagesQueue')).toBe(1);
  });

  it('ADMISSION-3 shares one reading with those that come at the same time', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    const ids = await Promise.all(Array.from({ length: 8 }, () => world.single()));
    await Promise.all(ids.map((id) => world.trySingle(id)));
    expect(world.requests('showMessagesQueue')).toBe(1);
    expect(world.requests('sendMessage')).toBe(8);
  });

  it('ADMISSION-3 is not kept waiting by a queue that cannot be read', async () => {
    world = await aFeedWorld(ledger, UNHEARD);
    await world.fault({ method: 'showMessagesQueue', kind: 'status', status: 403, times: 10 });
    expect(await world.trySingle(await world.single({}, MINUTE))).toMatchObject({ state: 'accepted' });
  });
});
