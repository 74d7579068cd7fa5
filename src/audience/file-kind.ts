import { WORKBOOK_TYPE } from '../contract/index.js';
import { listRefused } from './list-refused.js';

const SAVE = 'Open it in a spreadsheet program and save it as .xlsx or "CSV UTF-8".';

const KINDS = [
  {
    begins: ['PK\x03\x04', 'PK\x05\x06'],
    problem: 'the file is a zip archive or a workbook, not text',
    remedy: `Send a workbook with the extension .xlsx, or in the API as ${WORKBOOK_TYPE}. Unpack an archive.`,
  },
  {
    begins: ['\xd0\xcf\x11\xe0'],
    problem: 'the file is an old Excel workbook (.xls), or one with a password',
    remedy: SAVE,
  },
  { begins: ['\x1f\x8b'], problem: 'the file is compressed by gzip', remedy: 'Unpack it, e.g. with gunzip.' },
  { begins: ['%PDF'], problem: 'the file is a PDF', remedy: 'Export the list as .xlsx or CSV.' },
] as const;

const MARKUP = /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<(?:!doctype|\?xml|html|head|meta|style|body|table)\b/i;

/** @throws AppError INPUT_INVALID if the file begins as one of another kind than text */
export function refuseOtherKind(head: Buffer): void {
  const text = head.toString('latin1', 0, 64);
  const kind = KINDS.find(({ begins }) => begins.some((mark) => text.startsWith(mark)));
  if (kind !== undefined) throw listRefused(kind.problem, kind.remedy);
  if (MARKUP.test(text.replaceAll('\0', ''))) throw listRefused('the file is HTML or XML', SAVE);
}
