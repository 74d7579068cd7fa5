import { createReadStream } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../contract/index.js';

/** Opens a file below the directory of sources. A link that leads out of it is followed to where it leads, and refused. */
export async function openFile(directory: string, file: string): Promise<AsyncIterable<Uint8Array>> {
  return createReadStream(await pathInside(directory, file));
}

/** @throws AppError SCHEDULE_RUN_FAILED */
export async function pathInside(directory: string, file: string): Promise<string> {
  const found = await real(path.resolve(directory, file), file);
  const inside = path.relative(await real(directory, directory), found);
  if (inside !== '' && !inside.startsWith('..') && !path.isAbsolute(inside)) return found;
  throw new AppError(
    'SCHEDULE_RUN_FAILED',
    `The file ${file} is not in the directory of sources. Move it there, or change EVERPOST_SOURCES_DIR.`,
  );
}

async function real(file: string, given: string): Promise<string> {
  try {
    return await realpath(file);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened';
    throw new AppError('SCHEDULE_RUN_FAILED', `The file ${given} cannot be read (${why}).`, { cause: error });
  }
}
