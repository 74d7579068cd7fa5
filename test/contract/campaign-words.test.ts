import { describe, expect, it } from 'vitest';
import { etaWords, localTime, progressBar, rateWords } from '../../src/contract/index.js';
import { aProgress, NO_RECIPIENTS } from '../support/progress.js';

const since = '2026-03-01T10:00:00.000Z';
const etaAt = '2026-03-01T10:30:00.000Z';

describe('the words for the end of a campaign', () => {
  it('are the time, or the reason why it is unknown', () => {
    expect(etaWords(aProgress({ etaAt }))).toBe('2026-03-01 10:30:00 UTC');
    expect(etaWords(aProgress({ etaUnknown: 'PAUSED' }))).toBe('unknown (PAUSED)');
    expect(etaWords(aProgress({ state: 'completed' }))).toBeUndefined();
  });

  it('name the time before which it cannot be, if that is known', () => {
    const waiting = { code: 'QUEUE_CLEARING', since, until: '2026-03-02T08:00:00.000Z' };
    expect(etaWords(aProgress({ waiting, etaUnknown: waiting.code }))).toBe(
      'after 2026-03-02 08:00:00 UTC (QUEUE_CLEARING)',
    );
  });

  it('say how many recipients the deadline leaves out', () => {
    expect(etaWords(aProgress({ etaAt, willExpire: 40 }))).toBe(
      '2026-03-01 10:30:00 UTC; 40 recipients expire at the deadline',
    );
  });
});

it('a time is that of a timezone, with its name, also in the night on which the clock changes', () => {
  expect(localTime('2026-03-29T00:59:59.999Z', 'Europe/Lisbon')).toBe('2026-03-29 00:59:59 Europe/Lisbon');
  expect(localTime('2026-03-29T01:00:00.000Z', 'Europe/Lisbon')).toBe('2026-03-29 02:00:00 Europe/Lisbon');
  expect(localTime('2026-03-01T18:30:00.000Z', 'Asia/Kolkata')).toBe('2026-03-02 00:00:00 Asia/Kolkata');
});

it('the words for progress and rate are the same everywhere', () => {
  const progress = aProgress({ counts: { ...NO_RECIPIENTS, pending: 1, delivered: 199 }, releaseIntervalMs: 700 });
  expect(progressBar(progress)).toBe('[███████████████████░] 99 %');
  expect(rateWords({ ...progress, perMinute: 86 })).toBe('one every 0.7 s, 86 a minute');
  expect(progressBar(aProgress({ audience: 0, counts: NO_RECIPIENTS, state: 'draft' }))).toBe(
    '[░░░░░░░░░░░░░░░░░░░░] 0 %',
  );
});
