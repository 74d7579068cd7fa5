/**
 * Decodes the bytes of a file piece by piece, with one encoding for the whole file.
 *
 * ENCODING-1 A byte order mark decides the encoding. Without one, the given encoding does.
 * ENCODING-2 Otherwise the bytes decide: NULs in every other place mean UTF-16. Else the bytes from the first one that is
 *    not ASCII are UTF-8 unless more of their sequences are invalid in UTF-8 than valid; then they are Windows-1252.
 * ENCODING-3 Only fixed ranges of bytes decide, so the sizes of pieces do not matter.
 * ENCODING-4 Later bytes that contradict a detected encoding become U+FFFD, so that their line is rejected. No text is
 *    changed silently.
 */
import { isAscii } from 'node:buffer';
import { ENCODINGS, encodingNamed, type Encoding, type ListFacts } from '../../contract/index.js';
import { refuseOtherKind } from '../file-kind.js';
import { listRefused, shownText } from '../list-refused.js';

/**
 * @param label  the encoding that the caller names
 * @param facts  gets the encoding once it is known
 * @throws AppError INPUT_INVALID if the named encoding is not known, or none can be detected
 */
export async function* decodeText(
  source: AsyncIterable<Uint8Array>,
  label: string | undefined,
  facts: ListFacts,
): AsyncGenerator<string> {
  const given = label === undefined ? undefined : encodingNamed(label);
  if (label !== undefined && given === undefined) {
    const known = `one of ${ENCODINGS.join(', ')}`;
    const problems = [{ path: 'encoding', message: `is not ${known}` }];
    throw listRefused(`the encoding "${shownText(label)}" is not known`, `Name ${known}, or leave it out.`, problems);
  }
  let decode: Decode | undefined;
  for await (const piece of inLargePieces(source)) {
    decode ??= decoderFor(piece, given, facts);
    yield decode(piece, false);
  }
  if (decode !== undefined) yield decode(Buffer.alloc(0), true);
}

type Decode = (bytes: Buffer, isEnd: boolean) => string;

/** The first piece has as many bytes at least, if the file has them. */
const PIECE_BYTES = 16 * 1024;

/** The readers of lines and records start again with each piece, so pieces of one byte would take quadratic time. */
async function* inLargePieces(source: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
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

function decoderFor(head: Buffer, given: Encoding | undefined, facts: ListFacts): Decode {
  refuseOtherKind(head);
  const marked = markOf(head);
  const known = marked ?? given ?? utf16Of(head);
  if (known === undefined) return detectingDecoder(facts);
  facts.encoding = { name: known, detected: marked === undefined && given === undefined };
  if (known !== 'windows-1252') return standardDecoder(known);
  return (bytes) => charactersOf(bytes.toString('latin1'));
}

/** The encoding whose byte order mark the file begins with. */
function markOf([first, second, third]: Buffer): Encoding | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return undefined;
}

const HEAD_BYTES = 4 * 1024;

/** In UTF-16, one byte of each ASCII character is a NUL, and a list has many of them: delimiters and digits. */
function utf16Of(head: Buffer): Encoding | undefined {
  const nuls = [0, 0] as [number, number];
  const bytes = head.subarray(0, HEAD_BYTES);
  for (const [at, byte] of bytes.entries()) if (byte === 0) nuls[at % 2 === 0 ? 0 : 1] += 1;
  const [even, odd] = nuls;
  const most = Math.max(even, odd);
  if (most === 0 || most < bytes.byteLength / 6 || Math.min(even, odd) > most / 10) return undefined;
  return even > odd ? 'utf-16be' : 'utf-16le';
}

function standardDecoder(name: Encoding): Decode {
  const decoder = new TextDecoder(name);
  return (bytes, isEnd) => decoder.decode(bytes, { stream: !isEnd });
}

/** The range of bytes that decides between UTF-8 and Windows-1252. */
const WINDOW_BYTES = 64 * 1024;

/** Passes ASCII on, and holds back the bytes from the first other one until they decide the encoding. */
function detectingDecoder(facts: ListFacts): Decode {
  let decode: Decode | undefined;
  let held = Buffer.alloc(0);
  return (bytes, isEnd) => {
    if (decode !== undefined) return decode(bytes, isEnd);
    const open = Buffer.concat([held, bytes]);
    const firstOther = isAscii(open) ? open.byteLength : open.findIndex((byte) => byte >= 0x80);
    const asciiBytes = held.byteLength > 0 ? 0 : firstOther;
    const window = open.subarray(asciiBytes, asciiBytes + WINDOW_BYTES);
    if (window.byteLength < WINDOW_BYTES && !isEnd) {
      held = open.subarray(asciiBytes);
      return open.toString('latin1', 0, asciiBytes);
    }
    const name = isUtf8(window) ? 'utf-8' : 'windows-1252';
    if (name === 'windows-1252') refuseOtherScript(window);
    facts.encoding = { name, detected: true };
    decode = name === 'utf-8' ? standardDecoder(name) : strictWindows1252();
    return decode(open, isEnd);
  };
}

function isUtf8(window: Buffer): boolean {
  // A sequence that the end of the window cuts off is not decoded.
  const text = new TextDecoder('utf-8').decode(window, { stream: true });
  let valid = 0;
  let invalid = 0;
  for (const character of text) {
    if (character === '\uFFFD') invalid += 1;
    else if (character > '\x7f') valid += 1;
  }
  return window.byteLength === 0 || (valid > 0 && valid >= invalid);
}

/**
 * In Western European text, few letters outside of ASCII stand side by side. Words of Cyrillic, Greek, Chinese, … text
 * have nothing else; in Windows-1252 each of them would become other letters.
 */
function refuseOtherScript(window: Buffer): void {
  const runs = window.toString('latin1').match(/[\x80-\xff]+/g) ?? [];
  const bytesIn = (some: readonly string[]) => some.reduce((sum, run) => sum + run.length, 0);
  if (2 * bytesIn(runs.filter((run) => run.length > 2)) <= bytesIn(runs)) return;
  throw listRefused(
    'their encoding is neither UTF-8 nor Windows-1252, and cannot be detected',
    'Name it, e.g. windows-1251, gbk, shift_jis (encoding, --encoding), or save the file as UTF-8 (Excel: "CSV UTF-8").',
  );
}

/**
 * The characters for 80 to 9F; the other bytes are code points. Node's own decoder reads these 32 bytes as control
 * characters: https://github.com/nodejs/node/issues/56542
 */
const FROM_80 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

function charactersOf(latin1: string): string {
  return latin1.replaceAll(/[\x80-\x9f]/g, (byte) => FROM_80[byte.charCodeAt(0) - 0x80] ?? byte);
}

/** What UTF-8 has for the letters of Western European languages and for typographic marks. */
const UTF8_SEQUENCE = /\xc3[\x80-\xbf]|\xc2[\xa0-\xbf]|\xe2\x80[\x90-\xbf]/g;
const UTF8_BEGINNING = /(?:[\xc2\xc3]|\xe2\x80?)$/;

/** Windows-1252 with replacement characters for what is UTF-8: the file was put together from several ones. */
function strictWindows1252(): Decode {
  let held = '';
  return (bytes, isEnd) => {
    const latin1 = held + bytes.toString('latin1');
    held = isEnd ? '' : (UTF8_BEGINNING.exec(latin1)?.[0] ?? '');
    const whole = latin1.slice(0, latin1.length - held.length);
    return charactersOf(whole.replaceAll(UTF8_SEQUENCE, '\uFFFD'));
  };
}
