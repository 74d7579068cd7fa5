import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CAMPAIGN_STATES,
  MESSAGE_STATES,
  zeroOfEach,
  etaWords,
  progressBar,
  rateWords,
  withPace,
  type CampaignId,
  type CampaignProgress,
} from '../../src/contract/index.js';

const NOW = Date.parse('2026-03-01T10:00:00.000Z');
const NONE = zeroOfEach(MESSAGE_STATES);
const at = (ms: number): string => new Date(ms).toISOString();

function aCampaign(change: Partial<CampaignProgress> = {}): CampaignProgress {
  return {
    id: 'sale' as CampaignId,
    version: 1,
    commandSequence: 0,
    instance: 'main',
    state: 'running',
    priority: 'normal',
    audience: 200,
    counts: { ...NONE, pending: 110, delivered: 90 },
    highWater: 12,
    depth: 10,
    queueReadAt: at(NOW),
    releaseIntervalMs: 15_000,
    ...change,
  };
}

const since = at(NOW);
const all = { ...NONE, accepted: 2, delivered: 198 };

describe('the expected end of a campaign', () => {
  it('is when every pending recipient and all queued items have left', () => {
    expect(withPace(aCampaign(), NOW)).toMatchObject({ etaAt: at(NOW + 120 * 15_000) });
  });

  it('is computed from now on when the queue was read long ago', () => {
    expect(withPace(aCampaign(), NOW + 3_600_000)).toMatchObject({ etaAt: at(NOW + 3_600_000 + 110 * 15_000) });
  });

  it.each<[string, Partial<CampaignProgress>, string]>([
    ['the rate is unknown', { releaseIntervalMs: undefined as never }, 'RATE_UNKNOWN'],
    ['it is paused', { state: 'paused' }, 'PAUSED'],
    ['it paused itself', { state: 'paused', waiting: { code: 'TOO_MANY_FAILURES', since } }, 'TOO_MANY_FAILURES'],
    ['its instance is paused', { waiting: { code: 'INSTANCE_PAUSED', since } }, 'INSTANCE_PAUSED'],
    ['outcomes are unknown', { waiting: { code: 'OUTCOMES_UNKNOWN', since } }, 'OUTCOMES_UNKNOWN'],
    ['only receipts are missing', { counts: all, depth: 0, waiting: { code: 'RECEIPTS', since } }, 'RECEIPTS'],
  ])('is unknown, with the reason, while %s', (_, change, reason) => {
    const paced = withPace(aCampaign(change), NOW);
    expect(paced).toMatchObject({ etaUnknown: reason });
    expect(paced).not.toHaveProperty('etaAt');
    expect(etaWords(paced)).toBe(`unknown (${reason})`);
  });

  it('is after the end of what only time ends', () => {
    const waiting = { code: 'SENDING_WINDOW_CLOSED', since, until: '2026-03-02T08:00:00.000Z' };
    expect(etaWords(withPace(aCampaign({ waiting }), NOW))).toBe('after 2026-03-02T08:00:00Z (SENDING_WINDOW_CLOSED)');
  });

  it('is computed while other senders fill the queue', () => {
    expect(withPace(aCampaign({ waiting: { code: 'QUEUE_FULL', since } }), NOW)).toHaveProperty('etaAt');
  });

  it('is absent for a campaign that does not run', () => {
    for (const state of CAMPAIGN_STATES.filter((one) => one !== 'running' && one !== 'paused')) {
      const paced = withPace(aCampaign({ state }), NOW);
      expect(paced).not.toHaveProperty('etaAt');
      expect(paced).not.toHaveProperty('etaUnknown');
    }
  });

  it('is never in the past, and there is either a time or a reason', () => {
    const facts = fc.record({
      pending: fc.nat(1_000),
      accepted: fc.nat(50),
      depth: fc.option(fc.nat(500), { nil: undefined }),
      intervalMs: fc.option(fc.integer({ min: 1, max: 600_000 }), { nil: undefined }),
      readAgoMs: fc.nat(10 ** 9),
      code: fc.option(fc.constantFrom('RECEIPTS', 'QUEUE_FULL', 'INSTANCE_PAUSED', 'GATEWAY_BUSY'), { nil: undefined }),
    });
    fc.assert(
      fc.property(facts, ({ pending, accepted, depth, intervalMs, readAgoMs, code }) => {
        const { depth: _, releaseIntervalMs: __, ...known } = aCampaign();
        const campaign = {
          ...known,
          counts: { ...NONE, pending, accepted },
          queueReadAt: at(NOW - readAgoMs),
          ...(depth === undefined ? {} : { depth }),
          ...(intervalMs === undefined ? {} : { releaseIntervalMs: intervalMs }),
          ...(code === undefined ? {} : { waiting: { code, since } }),
        };
        const { etaAt, etaUnknown } = withPace(campaign, NOW);
        expect(etaAt === undefined).toBe(etaUnknown !== undefined);
        if (etaAt !== undefined) expect(Date.parse(etaAt)).toBeGreaterThan(NOW);
      }),
    );
  });

  it('replaces an earlier estimate', () => {
    const before = withPace(aCampaign(), NOW);
    expect(withPace({ ...before, state: 'paused' }, NOW)).not.toHaveProperty('etaAt');
  });
});

describe('progress and rate', () => {
  it('are rounded in the same way everywhere', () => {
    const counts = { ...NONE, pending: 1, delivered: 199 };
    const paced = withPace(aCampaign({ counts, releaseIntervalMs: 700 }), NOW);
    expect(paced).toMatchObject({ done: 199, donePercent: 99, perMinute: 86 });
    expect(progressBar(paced)).toBe('[███████████████████░] 99 %');
    expect(rateWords(paced)).toBe('one every 0.7 s, 86 a minute');
    expect(withPace(aCampaign({ releaseIntervalMs: 25_000 }), NOW)).toMatchObject({ perMinute: 2.4 });
  });

  it('are zero for an empty campaign', () => {
    const paced = withPace(aCampaign({ audience: 0, counts: NONE, state: 'draft' }), NOW);
    expect(paced).toMatchObject({ done: 0, donePercent: 0 });
    expect(progressBar(paced)).toBe('[░░░░░░░░░░░░░░░░░░░░] 0 %');
  });
});
