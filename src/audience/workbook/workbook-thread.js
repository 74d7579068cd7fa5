// Reads a sheet of a workbook in its own thread, and posts its rows. The library works without a pause, for seconds.
// JavaScript, because a thread of a test has no compiler.
import { parentPort, workerData } from 'node:worker_threads';
import XLSX from '@e965/xlsx';

/** How dates are shown whose format follows the settings of the computer: 3/4/24 would have two meanings. */
const DATE_FORMAT = 'yyyy-mm-dd';
const ROWS_AT_ONCE = 1_000;

/** @type {{ entries: Map<string, Uint8Array>, sheet: string | undefined }} */
const { entries, sheet } = workerData;

/** @param {(name: string) => boolean} isWanted */
function archiveOf(isWanted) {
  const archive = XLSX.CFB.utils.cfb_new();
  for (const [name, bytes] of entries)
    if (isWanted(name)) XLSX.CFB.utils.cfb_add(archive, name, bytes, { unsafe: true });
  return XLSX.CFB.write(archive, { fileType: 'zip', type: 'buffer' });
}

/**
 * The library cannot use a format like dd.mm.yyyy, in which a point is not escaped. A value that it cannot show becomes
 * a replacement character, so that its row is rejected.
 * @param {import('@e965/xlsx').CellObject} cell
 * @returns {string}
 */
function formatted({ z, v }) {
  if (typeof v !== 'number') return String(v ?? '');
  try {
    return XLSX.SSF.format(String(z).replaceAll(/\.(?!0)/g, '\\.'), v);
  } catch {
    return '\uFFFD';
  }
}

/**
 * An integer is shown as Excel does in a wide column, without an exponent.
 * @param {import('@e965/xlsx').CellObject | undefined} cell
 * @returns {{ text: string, number?: string }}
 */
function shown(cell) {
  if (cell === undefined || cell.t === 'z') return { text: '' };
  const text = (cell.w ?? formatted(cell)).replaceAll(/\r\n?/g, '\n');
  if (cell.t !== 'n' || !Number.isSafeInteger(cell.v)) return { text };
  const number = String(cell.v);
  if (/^-?\d+(?:\.\d+)?E\+\d+$/.test(text)) return { text: number };
  return text !== number && text.replaceAll(/[,\s]|\.0+$/g, '') === number ? { text, number } : { text };
}

function readSheet() {
  const outline = XLSX.read(
    archiveOf((name) => !/sharedStrings|worksheets/.test(name)),
    { sheets: [] },
  );
  const visible = outline.SheetNames.filter((_, at) => !outline.Workbook?.Sheets?.[at]?.Hidden);
  const folded = sheet?.trim().toLowerCase();
  const name = sheet === undefined ? visible[0] : outline.SheetNames.find((one) => one.trim().toLowerCase() === folded);
  if (name === undefined) return { sheets: outline.SheetNames };
  const { Sheets } = XLSX.read(
    archiveOf(() => true),
    {
      sheets: outline.SheetNames.indexOf(name),
      dense: true,
      cellHTML: false,
      cellFormula: false,
      cellNF: true,
      dateNF: DATE_FORMAT,
    },
  );
  /** @type {(import('@e965/xlsx').CellObject | undefined)[][]} */
  const rows = Sheets[name]?.['!data'] ?? [];
  return { sheets: outline.SheetNames, name, rows };
}

const { sheets, name, rows = [] } = readSheet();
parentPort?.postMessage({ sheets, name }, []);
let at = 0;
parentPort?.on('message', () => {
  const batch = [];
  for (; at < rows.length && batch.length < ROWS_AT_ONCE; at += 1) {
    const cells = Array.from(rows[at] ?? [], shown);
    if (cells.every(({ text }) => text === '')) continue;
    const numbers = cells.flatMap(({ number }, place) =>
      number === undefined ? [] : [/** @type {const} */ ([place, number])],
    );
    batch.push({
      line: at + 1,
      cells: cells.map(({ text }) => text),
      ...(numbers.length > 0 && { numbers: new Map(numbers) }),
    });
  }
  parentPort?.postMessage(batch, []);
});
