import { MAX_RECORD_CHARACTERS } from './csv-records.js';

export interface TextLine {
  readonly line: number;
  /** Without its end; of one over the limit only the beginning. */
  readonly text: string;
  readonly isCut: boolean;
}

/** The lines of a text that have anything on them, piece by piece, none longer than {@link MAX_RECORD_CHARACTERS}. */
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
