/** A longer line is cut. */
export const MAX_LINE_CHARACTERS = 64 * 1024;

export interface TextLine {
  readonly line: number;
  /** Without its line end. */
  readonly text: string;
  readonly isCut: boolean;
}

/** The lines of a text, piece by piece. They end with LF, CRLF or CR, also mixed. */
export async function* linesOf(
  pieces: AsyncIterable<string>,
): AsyncGenerator<{ readonly lines: TextLine[]; readonly isEnd: boolean }> {
  let line = 0;
  let rest = '';
  const take = (whole: string): TextLine => {
    line += 1;
    return { line, text: whole.slice(0, MAX_LINE_CHARACTERS), isCut: whole.length > MAX_LINE_CHARACTERS };
  };
  for await (const piece of pieces) {
    // A CR at the end of the piece may be the first half of a CRLF.
    const text = rest + piece;
    const open = text.endsWith('\r') ? '\r' : '';
    const whole = withOneLineEnd(text.slice(0, text.length - open.length)).split('\n');
    const last = whole.pop() ?? '';
    // One character more shows that the line is longer.
    rest = last.slice(0, MAX_LINE_CHARACTERS + 1) + open;
    yield { lines: whole.map(take), isEnd: false };
  }
  yield { lines: withOneLineEnd(rest).split('\n').map(take), isEnd: true };
}

function withOneLineEnd(text: string): string {
  return text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
}
