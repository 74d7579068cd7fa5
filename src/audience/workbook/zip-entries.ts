import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';
import { listRefused } from '../list-refused.js';

/**
 * Reads the entries of a zip archive that is in memory.
 *
 * ZIP-1 The sizes in its directory are added before anything is inflated, and inflating ends at the size of the entry.
 *    A small archive can claim, or be, gigabytes.
 * ZIP-2 Inflating runs outside of the event loop.
 */

const inflate = promisify<Buffer, { readonly maxOutputLength: number }, Buffer>(inflateRaw);

const DIRECTORY_END = Buffer.from('PK\x05\x06', 'latin1');
const DIRECTORY_END_BYTES = 22;
const DIRECTORY_ENTRY = 0x02014b50;
const DIRECTORY_ENTRY_BYTES = 46;
const ENTRY = 0x04034b50;
const ENTRY_BYTES = 30;
const STORED = 0;
const DEFLATED = 8;
const IS_ENCRYPTED = 1;

interface Entry {
  readonly name: string;
  readonly method: number;
  readonly compressedBytes: number;
  readonly sizeBytes: number;
  readonly offset: number;
}

/** @throws AppError INPUT_INVALID if it is not a whole archive */
export function entriesOf(archive: Buffer): Entry[] {
  const end = archive.lastIndexOf(DIRECTORY_END);
  if (end === -1 || end + DIRECTORY_END_BYTES > archive.byteLength) throw damaged();
  const count = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  return Array.from({ length: count }, () => {
    if (at + DIRECTORY_ENTRY_BYTES > archive.byteLength || archive.readUInt32LE(at) !== DIRECTORY_ENTRY)
      throw damaged();
    const nameBytes = archive.readUInt16LE(at + 28);
    const from = at + DIRECTORY_ENTRY_BYTES;
    if ((archive.readUInt16LE(at + 8) & IS_ENCRYPTED) !== 0)
      throw listRefused('the workbook is encrypted', 'Save it without a password.');
    const entry = {
      name: archive.toString('utf8', from, from + nameBytes),
      method: archive.readUInt16LE(at + 10),
      compressedBytes: archive.readUInt32LE(at + 20),
      sizeBytes: archive.readUInt32LE(at + 24),
      offset: archive.readUInt32LE(at + 42),
    };
    at = from + nameBytes + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
    return entry;
  });
}

/**
 * The contents of these entries by their names.
 * @throws AppError INPUT_INVALID if they have more than `maxBytes` together
 */
export async function inflateEntries(
  archive: Buffer,
  entries: readonly Entry[],
  maxBytes: number,
): Promise<Map<string, Uint8Array>> {
  const sizeBytes = entries.reduce((sum, entry) => sum + entry.sizeBytes, 0);
  if (sizeBytes > maxBytes) {
    const megabytes = (bytes: number) => Math.ceil(bytes / 1024 ** 2);
    throw listRefused(
      `the workbook has ${megabytes(sizeBytes)} MB when it is unpacked, more than ${megabytes(maxBytes)} MB`,
      'Save it as "CSV UTF-8".',
    );
  }
  const contents = new Map<string, Uint8Array>();
  for (const entry of entries) contents.set(entry.name, await contentOf(archive, entry));
  return contents;
}

async function contentOf(archive: Buffer, { method, compressedBytes, sizeBytes, offset }: Entry): Promise<Uint8Array> {
  if (offset + ENTRY_BYTES > archive.byteLength || archive.readUInt32LE(offset) !== ENTRY) throw damaged();
  const from = offset + ENTRY_BYTES + archive.readUInt16LE(offset + 26) + archive.readUInt16LE(offset + 28);
  const bytes = archive.subarray(from, from + compressedBytes);
  if (method === STORED) return Uint8Array.from(bytes);
  if (sizeBytes === 0) return new Uint8Array();
  if (method !== DEFLATED) throw damaged();
  try {
    return Uint8Array.from(await inflate(bytes, { maxOutputLength: sizeBytes }));
  } catch (error) {
    throw damaged(error);
  }
}

function damaged(cause?: unknown) {
  const remedy = 'Save it again, or save it as "CSV UTF-8".';
  return listRefused('the workbook is damaged or was not sent whole', remedy, undefined, cause);
}
