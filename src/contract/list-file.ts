/** Files with lists of recipients: how they are read, and what was found in them. */

/**
 * The encodings of text files that are read. The bytes 80 to 9F are unused in ISO-8859-1, so windows-1252 includes it.
 */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'windows-1252',
  'windows-1250',
  'windows-1251',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-15',
  'koi8-r',
  'koi8-u',
  'macintosh',
  'gbk',
  'gb18030',
  'big5',
  'shift_jis',
  'euc-jp',
  'euc-kr',
] as const;

export type Encoding = (typeof ENCODINGS)[number];

/** Reads the name of an encoding in any spelling of the WHATWG standard: `latin1`, `UTF8`, `cp1252`. */
export function encodingNamed(label: string): Encoding | undefined {
  try {
    const { encoding } = new TextDecoder(label);
    return ENCODINGS.find((name) => name === encoding);
  } catch {
    // The constructor throws for a name that it does not know.
    return undefined;
  }
}

/** How a file is read, where that is not left to its contents. */
export interface ListOptions {
  /** In any spelling of {@link encodingNamed}. */
  readonly encoding?: string | undefined;
  /** The character between columns of CSV, or `tab`. */
  readonly delimiter?: string | undefined;
  /** The sheet of a workbook. @default the first one that is visible */
  readonly sheet?: string | undefined;
  /** The name of the column with the number. */
  readonly phoneColumn?: string | undefined;
  /** The names of columns by the variables that they become. */
  readonly map?: Readonly<Record<string, string>> | undefined;
}

/** What was found in a file. */
export interface ListFacts {
  encoding?: {
    readonly name: Encoding;
    /** Whether the bytes decided it, and no byte order mark or option. */
    readonly detected: boolean;
    /** The first value that another encoding would change. */
    sample?: { readonly line: number; readonly value: string };
  };
  delimiter?: string;
  sheet?: string;
  /** The names of all sheets, if the workbook has several and none was named. */
  sheets?: readonly string[];
  /** The column with the number; `by` tells what it was recognised by. */
  phoneColumn?: { readonly name: string; readonly by: 'option' | 'name' | 'content' };
}

export type ListFormat = 'csv' | 'ndjson' | 'xlsx';

export const WORKBOOK_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

const FORMATS_BY_TYPE: ReadonlyMap<string, ListFormat> = new Map([
  ['text/csv', 'csv'],
  ['application/x-ndjson', 'ndjson'],
  ['application/ndjson', 'ndjson'],
  ['application/jsonl', 'ndjson'],
  [WORKBOOK_TYPE, 'xlsx'],
]);

/** @param contentType  with or without parameters */
export function listFormatOfType(contentType: string): ListFormat | undefined {
  return FORMATS_BY_TYPE.get((contentType.split(';')[0] ?? '').trim().toLowerCase());
}

/** The parameter `charset` of a content type. */
export function charsetOf(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(contentType)?.[1];
}

/** By the extension of a file's name. */
export function listFormatOfName(name: string): ListFormat | undefined {
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson';
  if (/\.xlsx$/i.test(name)) return 'xlsx';
  return /\.(?:csv|tsv|txt)$/i.test(name) ? 'csv' : undefined;
}
