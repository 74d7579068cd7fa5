/** Nothing is posted after its expiry, however long it waits between its claim and the moment at which bytes leave. */
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { RateGate } from '../../src/gateway/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';
import { aFeedWorld, SECOND, type FeedWorld } from './feed-world.js';

let ledger: Ledger;
let world: FeedWorld;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());
afterEach(() => world.close());

/** A send waits so long for its turn; nothing else does. */
function slowGate(waitMs: number): RateGate {
  return {
    async acquire(_, operation) {
      if (operation === 'sendMessage') await world.pass(waitMs);
    },
    block: () => undefined,
    close: () => undefined,
  };
}

/** Proves SEND-3 and PROMISE-6. */
it('a single message that expires while it waits for its turn is not posted, and ends expired', async () => {
  world = await aFeedWorld(ledger, { gate: slowGate(3 * SECOND) });
  const id = await world.single({}, 2 * SECOND);

  expect(await world.trySingle(id)).toMatchObject({ code: 'GATEWAY_DEADLINE_PASSED' });
  expect(await world.trySingle(id)).toMatchObject({ state: 'expired', reason: 'expired_before_sending' });

  expect(world.requests('sendMessage')).toBe(0);
  expect(world.delivered()).toEqual([]);
});

it('a single message that has time left after its wait is posted', async () => {
  world = await aFeedWorld(ledger, { gate: slowGate(3 * SECOND) });
  const id = await world.single({}, 4 * SECOND);

  expect(await world.trySingle(id)).toMatchObject({ state: 'accepted' });
  expect(world.requests('sendMessage')).toBe(1);
});

it('recipients of a campaign whose deadline passes while they wait for their turn are not posted to, and end expired', async () => {
  world = await aFeedWorld(ledger, { gate: slowGate(3 * SECOND) });
  const id = await world.campaign(3, { deadline: new Date(world.nowMs() + 2 * SECOND).toISOString() });

  await world.poll(id);
  await world.untilEnded(id);

  expect(await world.progress(id)).toMatchObject({ state: 'expired', counts: { expired: 3 } });
  expect(world.requests('sendMessage')).toBe(0);
});
