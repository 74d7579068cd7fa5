import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { Transform, pipeline, type Readable } from 'node:stream';
import { InvalidArgumentError } from 'commander';
import {
  AppError,
  WORKBOOK_TYPE,
  codeOf,
  listFormatOfName,
  type ListFacts,
  type ListOptions,
} from '../../../contract/index.js';
import { DELIMITERS } from '../../../contract/schemas.js';
import { choice, parsed } from '../../options.js';
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

/** How a file of recipients is read. */
export const LIST_OPTIONS = {
  '--delimiter <character>': choice(
    DELIMITERS,
    'delimiter between columns of CSV (default: the delimiter of the header)',
  ),
  '--encoding <name>': 'encoding of a text file, e.g. windows-1252 (default: detected)',
  '--sheet <name>': 'sheet of a workbook (default: the first visible one)',
  '--phone-column <name>': 'column with the number (default: recognised by its name, else by its values)',
  '--map <variable=column>': parsed<Readonly<Record<string, string>>>((text, before = {}) => {
    const [, variable = '', column = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
    if (variable.trim() === '' || column.trim() === '') {
      throw new InvalidArgumentError('must be a variable and a column, e.g. name="First Name"');
    }
    return { ...before, [variable.trim()]: column.trim() };
  }, 'use a column as this variable; may be repeated'),
} as const;

/** The query parameters of an import. */
export function listQuery({ delimiter, encoding, sheet, phoneColumn, map }: ListOptions) {
  return { delimiter, encoding, sheet, phoneColumn, map: map === undefined ? undefined : JSON.stringify(map) };
}

/** Lines about what an operator should check. */
export function factLines({ encoding, phoneColumn, sheet, sheets }: ListFacts): string[] {
  const { name, detected, sample } = encoding ?? {};
  return [
    ...(detected === true && sample !== undefined
      ? [`Encoding: read as ${name}; line ${sample.line} has ${sample.value}. If that is wrong: --encoding NAME`]
      : []),
    ...(sheets === undefined
      ? []
      : [
          `Sheet: read "${sheet}", the first one. The workbook has ${sheets.map((one) => `"${one}"`).join(', ')}. If that is wrong: --sheet NAME`,
        ]),
    ...(phoneColumn?.by === 'content'
      ? [
          `Numbers: read from the column "${phoneColumn.name}" because of its values. If that is wrong: --phone-column NAME`,
        ]
      : []),
  ];
}

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
    const type = await typeOf(isFile ? file : '', stream, mayBeList);
    // The meter ends with the file, and a meter that is destroyed closes the file.
    const body = pipeline(stream, meter, () => undefined);
    return { body, type, read, ...size };
  } catch (error) {
    const why = codeOf(error) ?? 'it cannot be opened';
    const message = `The recipients in ${given} cannot be read (${why}). Check the path; nothing was changed.`;
    throw new AppError('INPUT_INVALID', message, { cause: error });
  }
}

/** Reads the first line that is not empty, and puts it back. */
async function typeOf(name: string, stream: Readable, mayBeList: boolean): Promise<string> {
  await once(stream, 'readable');
  const chunk = stream.read() as Buffer | string | null;
  if (chunk !== null) stream.unshift(chunk);
  const [line = ''] = Buffer.from(chunk ?? '')
    .toString('latin1', 0, HEAD_BYTES)
    // A byte order mark, and the other halves of ASCII in UTF-16.
    .replace(/^(?:\xEF\xBB\xBF|\xFF\xFE|\xFE\xFF)/, '')
    .replaceAll('\0', '')
    .trimStart()
    .split(/\r\n?|\n/, 1);
  const firstLine = line.trim();
  if (firstLine.startsWith('PK\x03\x04')) return WORKBOOK_TYPE;
  if (mayBeList && NUMBER.test(firstLine)) return LIST;
  switch (listFormatOfName(name)) {
    case 'ndjson':
      return NDJSON;
    case 'xlsx':
      return WORKBOOK_TYPE;
    case 'csv':
      return CSV;
    case undefined:
      return firstLine.startsWith('{') ? NDJSON : CSV;
  }
}
