import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { AppError, type ListFacts } from '../../contract/index.js';
import { refuseOtherKind } from '../file-kind.js';
import { listRefused, shownNames, shownText } from '../list-refused.js';
import type { TableRow } from '../table-row.js';
import { entriesOf, inflateEntries } from './zip-entries.js';

/** The size of a file with several times the most rows. */
const MAX_FILE_BYTES = 64 * 1024 ** 2;
/** A hundred thousand rows of twenty columns have about 100 MB. */
const MAX_INFLATED_BYTES = 256 * 1024 ** 2;
const MAX_ROWS = 100_000;
const MAX_HEAP_MB = 1_536;
const WITHIN_MS = 5 * 60_000;
const AS_CSV = 'Save it as "CSV UTF-8".';

/** Parts of a workbook that have no cells, and may be large. */
const OTHER_PARTS =
  /\/(?:media|drawings|charts|theme|embeddings|printerSettings|pivotCache|pivotTables|threadedComments)\/|\.(?:bin|vml)$/i;

/**
 * The rows of one sheet of a workbook (.xlsx), its cells as Excel shows them; the first row is the header. A thread
 * reads them, so that the process goes on with its other work.
 * @param sheet  the name of the sheet. @default the first one that is visible
 * @throws AppError INPUT_INVALID
 */
export async function* workbookRows(
  source: AsyncIterable<Uint8Array>,
  sheet: string | undefined,
  facts: ListFacts,
): AsyncGenerator<TableRow[]> {
  const archive = await wholeFile(source);
  if (archive.toString('latin1', 0, 2) !== 'PK') {
    refuseOtherKind(archive);
    const remedy = 'Send a CSV file as text/csv, with the extension .csv.';
    throw listRefused('the file is not an Excel workbook (.xlsx)', remedy);
  }
  const entries = entriesOf(archive);
  refuseOtherArchive(entries.map(({ name }) => name));
  const withCells = entries.filter(({ name }) => !OTHER_PARTS.test(name));
  const parts = await inflateEntries(archive, withCells, MAX_INFLATED_BYTES);
  const thread = new Worker(new URL('workbook-thread.js', import.meta.url), {
    workerData: { entries: parts, sheet },
    transferList: Array.from(parts.values(), ({ buffer }) => buffer as ArrayBuffer),
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  const signal = AbortSignal.timeout(WITHIN_MS);
  try {
    const [{ sheets, name }] = (await once(thread, 'message', { signal })) as [{ sheets: string[]; name?: string }];
    if (name === undefined) throw sheetUnknown(sheet, sheets);
    facts.sheet = name;
    if (sheet === undefined && sheets.length > 1) facts.sheets = sheets;
    for (let count = 0; ;) {
      thread.postMessage('next', []);
      const [rows] = (await once(thread, 'message', { signal })) as [TableRow[]];
      if (rows.length === 0) break;
      count += rows.length;
      if (count > MAX_ROWS + 1) throw listRefused(`the sheet has more than ${MAX_ROWS} rows`, AS_CSV);
      yield rows;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    const why = signal.aborted ? 'it takes too long' : 'it is damaged, or needs too much memory';
    throw listRefused(`the workbook cannot be read: ${why}`, AS_CSV, undefined, error);
  } finally {
    await thread.terminate();
  }
}

async function wholeFile(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const piece of source) {
    sizeBytes += piece.byteLength;
    if (sizeBytes > MAX_FILE_BYTES) {
      throw listRefused(`the workbook is larger than ${MAX_FILE_BYTES / 1024 ** 2} MB`, AS_CSV);
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/** Other programs and formats store their files as zip archives too. */
function refuseOtherArchive(names: readonly string[]): void {
  const has = (part: RegExp) => names.some((name) => part.test(name));
  if (has(/^xl\/workbook\.xml$/i)) return;
  const what = has(/^xl\/workbook\.bin$/)
    ? 'a binary workbook (.xlsb)'
    : has(/^Index\/|^index\.xml/)
      ? 'a Numbers document'
      : has(/^content\.xml$/)
        ? 'an OpenDocument file (.ods)'
        : 'a zip archive without a workbook';
  throw listRefused(`the file is ${what}`, 'Save or export the list as .xlsx or "CSV UTF-8".');
}

function sheetUnknown(sheet: string | undefined, sheets: readonly string[]): AppError {
  const problem = sheet === undefined ? 'every sheet is hidden' : `the workbook has no sheet "${shownText(sheet)}"`;
  const remedy = `Name one of its sheets: ${shownNames(sheets)} (sheet, --sheet).`;
  return listRefused(problem, remedy, [{ path: 'sheet', message: `is not one of ${shownNames(sheets)}` }]);
}
