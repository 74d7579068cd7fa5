import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/contract/index.js';
import { API_PARSERS } from './api-parsers.js';
import { NOT_IN_THE_TABLE } from './elsewhere.js';
import { FILE_PARSERS } from './file-parsers.js';
import { GATEWAY_PARSERS } from './gateway-parsers.js';
import type { Parser } from './parser.js';
import { ADVERSARIAL_TEXTS } from './texts.js';
import { runsEverything } from '../support/runs.js';

/** Every parser of foreign text, as a function of that text. A refusal is a result like any other. */
const PARSERS: readonly Parser[] = [...API_PARSERS, ...GATEWAY_PARSERS, ...FILE_PARSERS];

/** Short ones first: a parser that is far too slow ends the test, with that reason. */
const LENGTHS = runsEverything ? [2_000, 20_000, 100_000] : [2_000, 20_000];
const TEXTS = Object.entries(ADVERSARIAL_TEXTS).map(([what, textOf]) => ({
  what,
  texts: LENGTHS.map((length) => ({ length, text: textOf(length) })),
}));
const ALLOWED_MS = 100;
/** A busy machine makes a fast parser slow sometimes, never each time; a far too slow one is tried less often. */
const TRIES = 20;
const HOPELESS_MS = 10 * ALLOWED_MS;
const HOPELESS_TRIES = 3;
const MOST_OUT_OF_PROPORTION = 2;

/** The processor time of this process, or the time that passed if that is shorter: other threads work too. */
async function timeMs({ read }: Parser, text: string): Promise<number> {
  const before = process.cpuUsage();
  const beganMs = performance.now();
  try {
    await read(text);
  } catch (error) {
    if (!(error instanceof AppError) || error.code === 'INTERNAL') throw error;
  }
  const passedMs = performance.now() - beganMs;
  const { user, system } = process.cpuUsage(before);
  return Math.min(passedMs, (user + system) / 1_000);
}

/**
 * Over the allowed time, and out of proportion to the time for the shorter text: a file of many lines takes its time
 * for each line.
 * @returns undefined when one of the tries is fast enough
 */
async function tooSlow(parser: Parser, texts: (typeof TEXTS)[number]['texts']): Promise<string | undefined> {
  let shorter = { ms: Number.POSITIVE_INFINITY, length: 1 };
  for (const { length, text } of texts) {
    const allowedMs = Math.max(ALLOWED_MS, MOST_OUT_OF_PROPORTION * shorter.ms * (length / shorter.length));
    let ms = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < TRIES && ms >= allowedMs; tries += 1) {
      ms = Math.min(ms, await timeMs(parser, text));
      if (ms >= HOPELESS_MS && tries + 1 === HOPELESS_TRIES) break;
    }
    if (ms >= Math.min(allowedMs, HOPELESS_MS)) return `${Math.round(ms)} ms for ${length} characters`;
    shorter = { ms, length };
  }
  return undefined;
}

describe(`${LENGTHS.at(-1)} characters of foreign text`, () => {
  it.each(PARSERS)(
    'are read or refused within 100 ms as $reads',
    async (parser) => {
      const slow: string[] = [];
      for (const { what, texts } of TEXTS) {
        const problem = await tooSlow(parser, texts).catch((error: unknown) => String(error).slice(0, 200));
        if (problem !== undefined) slow.push(`${what}: ${problem}`);
      }
      expect(slow).toEqual([]);
    },
    120_000,
  );
});

const SRC = new URL('../../src/', import.meta.url);
/** A literal pattern, or a call that parses or normalises, found by its form: quoted paths are removed before. */
const READS_TEXT =
  /(?<![\w)\]/*])\/(?![/*\s])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[dgimsuvy]*(?=[\s.,;:)\]}]|$)|new RegExp|JSON\.parse\(|parseDocument\(|parseJson\(|\.normalize\('NF/m;
const NO_CODE = /^\s*(?:\/?\*|\/\/|import |\} from )/;

function readsText(file: string): boolean {
  const code = readFileSync(new URL(file, SRC), 'utf8')
    .split('\n')
    .filter((line) => !NO_CODE.test(line))
    .map((line) => line.replaceAll(/'[^'\n]*\/[^'\n]*'/g, "''").replaceAll(/`[^`\n$]*\/[^`\n$]*`/g, '``'))
    .join('\n');
  return READS_TEXT.test(code);
}

describe('the table of parsers', () => {
  const known = new Set([...PARSERS.flatMap(({ files }) => files), ...Object.values(NOT_IN_THE_TABLE).flat()]);
  const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));

  it('contains every file with a pattern or a parser, unless there is a reason', () => {
    expect(sources.filter((file) => readsText(file) && !known.has(file))).toEqual([]);
  });

  it('contains no missing file', () => {
    expect([...known].filter((file) => !sources.includes(file))).toEqual([]);
  });
});
