import { MAX_RECORD_CHARACTERS } from './csv-records.js';

export interface TextLine {
  readonly line: number;
  /** Without its line end; a line over the limit is cut. */
  readonly text: string;
  readonly isCut: boolean;
}

/** The non-blank lines of a text, piece by piece, each cut to {@link MAX_RECORD_CHARACTERS}. */
export async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<TextLine[]> {
  let line = 0;
  let rest = '';
  let isCut = false;
  const take = (whole: string): TextLine => {
    line += 1;
    const text = whole.slice(0, MAX_RECORD_CHARACTERS);
    return { line, text, isCut: isCut || whole.length > MAX_RECORD_CHARACTERS };
  };
  for await (const piece of pieces) {
    const whole = (rest + piece).split('\n');
    rest = whole.pop() ?? '';
    const lines = whole.map((text) => {
      const taken = take(text);
      isCut = false;
      return taken;
    });
    if (rest.length > MAX_RECORD_CHARACTERS) {
      isCut = true;
      rest = rest.slice(0, MAX_RECORD_CHARACTERS);
    }
    yield lines.filter(hasText);
  }
  yield [take(rest)].filter(hasText);
}

function hasText({ text }: TextLine): boolean {
  return text.trim() !== '';
}
