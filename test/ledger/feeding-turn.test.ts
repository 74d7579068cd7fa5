import { describe, expect, it } from 'vitest';
import type { CampaignId, Priority } from '../../src/contract/index.js';
import { decideTurn, type Feeder } from '../../src/ledger/campaigns/feeding-turn.js';

const NOW = 1_000_000;

function feeder(id: string, over: Partial<Feeder> & { priority?: Priority } = {}): Feeder {
  return { id: id as CampaignId, priority: 'normal', highWater: 12, lowWater: 5, hungryUntilMs: NOW + 1, ...over };
}

describe('whose turn it is', () => {
  it('is the only one’s, up to its high water, once the queue is down to its low water', () => {
    expect(decideTurn(feeder('a'), [], {}, NOW)).toEqual({
      granted: true,
      ceiling: 12,
      floor: 5,
      most: 12,
      isKeptItem: false,
    });
  });

  it('is not anyone’s while another holds it, and again when that one’s time has run out', () => {
    const held = { campaignId: 'b' as CampaignId, heldUntilMs: NOW + 200 };
    expect(decideTurn(feeder('a'), [], held, NOW)).toEqual({ granted: false, retryAfterMs: 200 });
    expect(decideTurn(feeder('a'), [], { ...held, heldUntilMs: NOW }, NOW)).toMatchObject({ granted: true });
  });

  it('is taken again by the one who holds it', () => {
    const held = { campaignId: 'a' as CampaignId, heldUntilMs: NOW + 200 };
    expect(decideTurn(feeder('a'), [], held, NOW)).toMatchObject({ granted: true });
  });

  it.each([
    ['the other was fed longer ago', { fedAtMs: 2 }, { fedAtMs: 1 }, false],
    ['the other was fed later', { fedAtMs: 1 }, { fedAtMs: 2 }, true],
    ['the other was never fed', { fedAtMs: 1 }, {}, false],
    ['neither was ever fed, and the other comes first by name', {}, {}, false],
    ['the other is not hungry', { fedAtMs: 2 }, { fedAtMs: 1, hungryUntilMs: NOW }, true],
  ])('among equals, where %s', (_, mine, theirs, granted) => {
    expect(decideTurn(feeder('m', mine), [feeder('b', theirs)], {}, NOW).granted).toBe(granted);
  });

  it('is the higher priority’s, no matter who was fed longest ago, and leaves one item to those below', () => {
    const high = feeder('h', { priority: 'high', highWater: 20, lowWater: 10, fedAtMs: 2 });
    expect(decideTurn(high, [feeder('l', { priority: 'low', fedAtMs: 1 })], {}, NOW)).toMatchObject({
      granted: true,
      ceiling: 19,
      floor: 10,
    });
  });

  it('leaves no second item to those below while the first is in the queue', () => {
    const low = feeder('l', { priority: 'low' });
    const response = decideTurn(feeder('h', { priority: 'high' }), [low], { keptUntilMs: NOW + 1 }, NOW);
    expect(response).toMatchObject({ granted: true, ceiling: 12 });
  });

  it('gives those below one item in a queue that the higher keeps full', () => {
    const high = feeder('h', { priority: 'high', highWater: 20 });
    expect(decideTurn(feeder('l', { priority: 'low', highWater: 6 }), [high], {}, NOW)).toEqual({
      granted: true,
      ceiling: 20,
      floor: 19,
      most: 1,
      isKeptItem: true,
    });
  });

  it('gives those below no second one until the first has left', () => {
    const high = feeder('h', { priority: 'high' });
    expect(decideTurn(feeder('l', { priority: 'low' }), [high], { keptUntilMs: NOW + 700 }, NOW)).toEqual({
      granted: false,
      retryAfterMs: 700,
    });
  });

  it('gives the kept item to each below in turn, whatever their priorities', () => {
    const high = feeder('h', { priority: 'high' });
    const normal = feeder('n', { fedAtMs: 2 });
    const low = feeder('l', { priority: 'low', fedAtMs: 1 });
    expect(decideTurn(normal, [high, low], {}, NOW).granted).toBe(false);
    expect(decideTurn(low, [high, normal], {}, NOW).granted).toBe(true);
  });

  it('leaves a higher one with a queue of one item that item', () => {
    const high = feeder('h', { priority: 'high', highWater: 1, lowWater: 0 });
    expect(decideTurn(high, [feeder('l', { priority: 'low' })], {}, NOW)).toMatchObject({ ceiling: 1, floor: 0 });
  });
});
