import type { ListFacts } from '../../contract/index.js';
import type { linesOf } from './text-lines.js';

const MAX_SAMPLE_CHARACTERS = 60;

/** Keeps the first value that Windows-1252, if it was detected, decides: the operator sees whether it is right. */
export async function* withSample(pieces: ReturnType<typeof linesOf>, facts: ListFacts): ReturnType<typeof linesOf> {
  for await (const piece of pieces) {
    const { encoding } = facts;
    if (encoding?.name === 'windows-1252' && encoding.detected && encoding.sample === undefined) {
      const found = piece.lines.find(({ text }) => /[^\0-\x7f]/.test(text));
      const value = found?.text.split(/[,;\t|"]/).find((part) => /[^\0-\x7f]/.test(part));
      if (found !== undefined && value !== undefined) {
        encoding.sample = { line: found.line, value: value.trim().slice(0, MAX_SAMPLE_CHARACTERS) };
      }
    }
    yield piece;
  }
}
