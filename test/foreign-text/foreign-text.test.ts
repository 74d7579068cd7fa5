import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/index.js';
import { PARSERS, type Parser } from './table.js';
import { ADVERSARIAL_TEXTS } from './texts.js';

/** Small ones first: of a parser that is far too slow the test ends, and says so. */
const LENGTHS = [2_000, 100_000];
const ALLOWED_MS = 100;
/** A busy machine makes a fast parser slow now and then, never each time; what is far too slow is not tried again. */
const TRIES = 5;
const HOPELESS_MS = 10 * ALLOWED_MS;

/** What this process needed, at its best: not the time that other processes took from it. */
async function leastMs({ read }: Parser, text: string): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let at = 0; at < TRIES && least >= ALLOWED_MS && (at === 0 || least < HOPELESS_MS); at += 1) {
    const before = process.cpuUsage();
    const beganMs = performance.now();
    try {
      await read(text);
    } catch (error) {
      if (!(error instanceof AppError) || error.code === 'INTERNAL') throw error;
    }
    const wallMs = performance.now() - beganMs;
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, wallMs, (user + system) / 1_000);
  }
  return least;
}

describe('a hundred kilobytes that somebody else wrote', () => {
  it.each(PARSERS)(
    'are read or refused within 100 ms as $reads',
    async (parser) => {
      const slow: string[] = [];
      for (const [what, textOf] of Object.entries(ADVERSARIAL_TEXTS)) {
        for (const length of LENGTHS) {
          try {
            const ms = await leastMs(parser, textOf(length));
            if (ms < ALLOWED_MS) continue;
            slow.push(`${what}: ${Math.round(ms)} ms for ${length} characters`);
          } catch (error) {
            slow.push(`${what}: ${String(error).slice(0, 200)}`);
          }
          break;
        }
      }
      expect(slow).toEqual([]);
    },
    120_000,
  );
});
