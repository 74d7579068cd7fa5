import { describe, expect, it } from 'vitest';
import { parseDurationMs } from '../../src/contract/index.js';

describe('a duration', () => {
  it.each([
    ['500ms', 500],
    ['15s', 15_000],
    ['1.5m', 90_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    [' 20s ', 20_000],
  ])('%s is %d milliseconds', (text, ms) => {
    expect(parseDurationMs(text)).toBe(ms);
  });

  it.each(['15', '15 s', '-1s', 's', '1y', '1s2m', ''])('%j is refused with the accepted form', (text) => {
    expect(() => parseDurationMs(text)).toThrow('must be a number with its unit, e.g. 500ms, 15s, 1m, 24h');
  });
});
