import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import { AppError } from '../../contract/index.js';
import type { ApiClient } from '../client.js';
import { hasPath, type DefinitionFile } from './definition-file.js';

/** How a recipient sees a file is decided by its name; these are for the gateway's storage. */
const TYPES: Readonly<Record<string, string>> = {
  '.gif': 'image/gif',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.mp3': 'audio/mpeg',
  '.mp4': 'video/mp4',
  '.ogg': 'audio/ogg',
  '.pdf': 'application/pdf',
  '.png': 'image/png',
  '.txt': 'text/plain',
  '.webp': 'image/webp',
};

/**
 * Stores a file of this machine in everpost, as content that names it.
 * @param given  as the operator wrote it
 * @throws AppError INPUT_INVALID when it cannot be read
 */
export async function storeFile(
  api: ApiClient,
  given: string,
  cwd: string,
): Promise<{ readonly fileId: string; readonly fileName: string }> {
  const file = path.resolve(cwd, given);
  const sizeBytes = await sizeOf(file, given);
  const type = TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  const { fileId } = await api.storeFile({ file: { type, body: createReadStream(file), sizeBytes } });
  return { fileId, fileName: path.basename(file) };
}

/** The definition with `content.path` stored, and its id in place of it. */
export async function withStoredFile(
  api: ApiClient,
  { definition }: Pick<DefinitionFile, 'definition'>,
): Promise<DefinitionFile['definition']> {
  const { content } = definition;
  if (!hasPath(content)) return definition;
  const { path: file, ...rest } = content;
  return { ...definition, content: { ...(await storeFile(api, file, '.')), ...rest } };
}

async function sizeOf(file: string, given: string): Promise<number> {
  try {
    const stats = await stat(file);
    if (stats.isFile()) return stats.size;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  throw new AppError('INPUT_INVALID', `There is no file ${given}. Give a file of this machine, or a link: https://…`);
}
