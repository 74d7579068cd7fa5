import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import path from 'node:path';
import { Readable, Transform } from 'node:stream';
import { AppError, codeOf } from '../../../contract/index.js';
import { delimiterSchema } from '../../../contract/schemas.js';
import { choice } from '../../options.js';
import type { Terminal } from '../../terminal.js';

/** A stream of recipients for the API. */
export interface RecipientsSource {
  readonly body: Readable;
  /** Content type. */
  readonly type: string;
  /** Undefined for standard input. */
  readonly sizeBytes?: number;
  /** The number of bytes and lines read so far. */
  readonly read: { bytes: number; lines: number };
}

const CSV = 'text/csv';
const NDJSON = 'application/x-ndjson';
const LIST = 'text/plain';
/** A number or a chat id alone, which no header of CSV is. */
const NUMBER = /^\+?\d[\d\s().\-/]*(?:@(?:c\.us|g\.us|lid))?$/;
const LINE_END = 10;

export const DELIMITER = {
  '--delimiter <character>': choice(
    delimiterSchema.options,
    'delimiter between columns of CSV (default: the delimiter of the header)',
  ),
} as const;

/**
 * Opens a file, or standard input for `-`. The extension of the name determines the format; without one the first line
 * does: NDJSON begins with a brace, and a list, if it is allowed, with a number.
 * @throws AppError INPUT_INVALID when it cannot be opened
 */
export async function openRecipients(
  given: string,
  terminal: Terminal,
  { mayBeList = false }: { readonly mayBeList?: boolean } = {},
): Promise<RecipientsSource> {
  const typeOf = (name: string, head: string): string => (mayBeList && isList(head) ? LIST : fileTypeOf(name, head));
  const read = { bytes: 0, lines: 0 };
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      read.bytes += chunk.byteLength;
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) read.lines += 1;
      done(null, chunk);
    },
  });
  if (given === '-') {
    const { head, body } = await withHead(terminal.stdin);
    return { body: pass(body, meter), type: typeOf('', head), read };
  }
  const file = path.resolve(terminal.cwd, given);
  const { head, sizeBytes } = await headOf(file, given);
  return { body: pass(createReadStream(file), meter), type: typeOf(file, head), sizeBytes, read };
}

/** Pipes the stream through the meter; an error of the stream ends the meter too. */
function pass(body: Readable, meter: Transform): Readable {
  body.once('error', (error) => meter.destroy(error));
  return body.pipe(meter);
}

function isList(head: string): boolean {
  const [first = ''] = head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  return NUMBER.test(first.trim());
}

function fileTypeOf(name: string, head: string): string {
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return NDJSON;
  if (/\.(?:csv|tsv|txt)$/i.test(name)) return CSV;
  return head
    .replace(/^\uFEFF/, '')
    .trimStart()
    .startsWith('{')
    ? NDJSON
    : CSV;
}

async function headOf(file: string, given: string): Promise<{ head: string; sizeBytes: number }> {
  try {
    const handle = await open(file);
    try {
      const { size } = await handle.stat();
      const { buffer, bytesRead } = await handle.read({ length: 1_024 });
      return { head: buffer.subarray(0, bytesRead).toString(), sizeBytes: size };
    } finally {
      await handle.close();
    }
  } catch (error) {
    const why = codeOf(error) ?? 'it cannot be opened';
    throw new AppError(
      'INPUT_INVALID',
      `The recipients in ${given} cannot be read (${why}). Check the path; nothing was changed.`,
      {
        cause: error,
      },
    );
  }
}

/** Reads the beginning of a stream that can be read only once. */
async function withHead(stream: Readable): Promise<{ head: string; body: Readable }> {
  const chunks = stream[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
  const first = await chunks.next();
  const head = first.done === true ? Buffer.alloc(0) : Buffer.from(first.value);
  return { head: head.subarray(0, 1_024).toString(), body: Readable.from(joined(head, chunks), { objectMode: false }) };
}

async function* joined(head: Buffer, rest: AsyncIterator<Buffer | string>): AsyncGenerator<Buffer> {
  yield head;
  for (let next = await rest.next(); next.done !== true; next = await rest.next()) yield Buffer.from(next.value);
}
