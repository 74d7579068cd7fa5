import { AppError } from '../contract/index.js';

/**
 * Decodes the bytes of a file, piece by piece. Removes a UTF-8 byte order mark. Bytes that are not UTF-8 become U+FFFD,
 * so that their line is rejected later.
 * @throws AppError INPUT_INVALID when it is UTF-16
 */
export async function* decodeText(source: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8');
  let head: Uint8Array | undefined = new Uint8Array();
  for await (const bytes of inLargePieces(source)) {
    if (head === undefined) {
      yield decoder.decode(bytes, { stream: true });
      continue;
    }
    head = Buffer.concat([head, bytes]);
    if (head.byteLength < 2) continue;
    refuseUtf16(head);
    yield decoder.decode(head, { stream: true });
    head = undefined;
  }
  yield decoder.decode(head);
}

/**
 * The reader restarts its current record with each piece, so pieces of one byte would take quadratic time.
 */
const PIECE_BYTES = 16 * 1024;

async function* inLargePieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of source) {
    pieces.push(piece);
    sizeBytes += piece.byteLength;
    if (sizeBytes < PIECE_BYTES) continue;
    yield Buffer.concat(pieces);
    pieces = [];
    sizeBytes = 0;
  }
  if (sizeBytes > 0) yield Buffer.concat(pieces);
}

/** UTF-16 begins with a byte order mark, or has a NUL as one half of its first character. */
function refuseUtf16([first, second]: Uint8Array): void {
  const isMarked = (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
  if (!isMarked && first !== 0 && second !== 0) return;
  throw new AppError(
    'INPUT_INVALID',
    'The recipients are refused: the file is in UTF-16. Save it as UTF-8 (Excel: "CSV UTF-8") and import it again; nothing was changed.',
    { problems: [{ path: 'recipients', message: 'is in UTF-16, not in UTF-8' }] },
  );
}

/** A longer line is cut. */
export const MAX_LINE_CHARACTERS = 64 * 1024;

export interface TextLine {
  readonly line: number;
  /** Without its line end. */
  readonly text: string;
  readonly isCut: boolean;
}

/** The lines of a text, piece by piece. */
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
    const whole = (rest + piece).split('\n');
    // One character more shows that the line is longer.
    rest = (whole.pop() ?? '').slice(0, MAX_LINE_CHARACTERS + 1);
    yield { lines: whole.map(take), isEnd: false };
  }
  yield { lines: [take(rest)], isEnd: true };
}
