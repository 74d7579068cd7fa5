import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ledger } from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';
import { aFeedWorld, type FeedWorld } from './feed-world.js';

let ledger: Ledger;
let world: FeedWorld;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());
afterEach(() => world.close());

describe('feeding a campaign', () => {
  it('puts everybody into the queue, high water by high water, and completes when all are sent', async () => {
    world = await aFeedWorld(ledger);
    const id = await world.campaign(10, { waterMarks: { highWater: 4, lowWater: 2 } });

    const look = await world.look(id);
    expect(look).toMatchObject({ fed: 4, notAccepted: 0, progress: { state: 'running' } });
    await world.untilEnded(id);

    expect(await world.progress(id)).toMatchObject({ state: 'completed' });
    expect(new Set(world.delivered()).size).toBe(10);
    expect(world.delivered()).toHaveLength(10);
  });
});
