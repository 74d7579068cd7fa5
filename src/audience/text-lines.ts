import { AppError } from '../contract/index.js';
import { MAX_RECORD_CHARACTERS } from './csv.js';

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
