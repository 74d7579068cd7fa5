import { WORKBOOK_TYPE } from '../../contract/index.js';
import { EverpostError } from '../../http-client/index.js';

/** A file in a form is read whole. The command line and the API take files of any size. */
export const MOST_FILE_BYTES = 32 * 1024 * 1024;

const TYPES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    csv: 'text/csv',
    txt: 'text/csv',
    tsv: 'text/csv',
    ndjson: 'application/x-ndjson',
    xlsx: WORKBOOK_TYPE,
  }),
);

/**
 * The file of a form.
 * @param what  the list has, e.g. `recipients`
 * @throws EverpostError INPUT_INVALID
 */
export function uploaded(file: unknown, what: string) {
  const name = file instanceof File ? file.name : '';
  const [, ending = ''] = /\.(\w+)$/.exec(name.toLowerCase()) ?? [];
  const type = TYPES.get(ending);
  if (file instanceof File && type !== undefined) return { type, body: file.stream(), sizeBytes: file.size };
  throw new EverpostError(`The form names no list of ${what}. Choose a file: .csv, .xlsx or .ndjson.`, {
    code: 'INPUT_INVALID',
    status: 422,
  });
}
