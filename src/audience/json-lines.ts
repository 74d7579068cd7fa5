import { MAX_RECORD_CHARACTERS } from './csv-records.js';

export interface TextLine {
  readonly line: number;
  /** Without its end; of one over the limit only the beginning. */
  readonly text: string;
  readonly isCut: boolean;
}

/** The lines of a text that have anything on them, piece by piece, none longer than {@link MAX_RECORD_CHARACTERS}. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let line = 1;
  let rest = '';
  let isCut = false;
  const take = (end: number): TextLine => {
    const text = rest.slice(0, Math.min(end, MAX_RECORD_CHARACTERS));
    return { line, text, isCut: isCut || end > MAX_RECORD_CHARACTERS };
  };
  for await (const piece of pieces) {
    const lines: TextLine[] = [];
    rest += piece;
    let at = 0;
    for (let end = rest.indexOf('\n', at); end !== -1; end = rest.indexOf('\n', at)) {
      const text = rest.slice(at, end);
      lines.push({
        line,
        text: text.slice(0, MAX_RECORD_CHARACTERS),
        isCut: isCut || text.length > MAX_RECORD_CHARACTERS,
      });
      line += 1;
      isCut = false;
      at = end + 1;
    }
    rest = rest.slice(at);
    if (rest.length > MAX_RECORD_CHARACTERS) {
      isCut = true;
      rest = rest.slice(0, MAX_RECORD_CHARACTERS);
    }
    yield lines.filter(hasText);
  }
  yield [take(rest.length)].filter(hasText);
}

function hasText({ text }: TextLine): boolean {
  return text.trim() !== '';
}
