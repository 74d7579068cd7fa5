import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Transform, pipeline, type Readable } from 'node:stream';
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
const HEAD_BYTES = 1_024;

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
  { cwd, stdin }: Terminal,
  { mayBeList = false }: { readonly mayBeList?: boolean } = {},
): Promise<RecipientsSource> {
  const read = { bytes: 0, lines: 0 };
  const meter = new Transform({
    transform(chunk: Buffer, _, done) {
      read.bytes += chunk.byteLength;
      for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, at + 1)) read.lines += 1;
      done(null, chunk);
    },
  });
  const isFile = given !== '-';
  const file = path.resolve(cwd, given);
  try {
    const size = isFile ? { sizeBytes: (await stat(file)).size } : {};
    // No wait between the first line and the pipeline, which handles an error of the next read.
    const stream = isFile ? createReadStream(file) : stdin;
    const type = typeOf(isFile ? file : '', await firstLineOf(stream), mayBeList);
    // The meter ends with the file, and a meter that is destroyed closes the file.
    const body = pipeline(stream, meter, () => undefined);
    return { body, type, read, ...size };
  } catch (error) {
    const why = codeOf(error) ?? 'it cannot be opened';
    const message = `The recipients in ${given} cannot be read (${why}). Check the path; nothing was changed.`;
    throw new AppError('INPUT_INVALID', message, { cause: error });
  }
}

function typeOf(name: string, firstLine: string, mayBeList: boolean): string {
  if (mayBeList && NUMBER.test(firstLine)) return LIST;
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return NDJSON;
  if (/\.(?:csv|tsv|txt)$/i.test(name)) return CSV;
  return firstLine.startsWith('{') ? NDJSON : CSV;
}

/** Reads the first line that is not empty, and puts it back. */
async function firstLineOf(stream: Readable): Promise<string> {
  await once(stream, 'readable');
  const chunk = stream.read() as Buffer | string | null;
  if (chunk !== null) stream.unshift(chunk);
  const [line = ''] = Buffer.from(chunk ?? '')
    .toString('utf8', 0, HEAD_BYTES)
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  return line.trim();
}
