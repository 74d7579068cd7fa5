import path from 'node:path';
import { z } from 'zod';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { AppError, type CampaignId, isCampaignId } from '../contract/index.js';
import { campaignFileSchema } from '../contract/schemas.js';
import { problemsOf } from '../domain/index.js';
import { invalidFile, readStructuredFile } from './structured-file.js';
import type { ApiClient } from './client.js';

export interface DefinitionFile {
  readonly id: CampaignId;
  /** In the format of the API, except `content.path`, which is absolute: see {@link withStoredFile}. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly recipients: {
    /** Absolute. */
    readonly file?: string;
    readonly group?: string;
    readonly delimiter?: string;
  };
}

/**
 * Reads a campaign file, YAML or JSON: the definition, `id` (default: the file's name) and the source of the
 * recipients. The API validates the text against the gateway's limits.
 * @throws AppError INPUT_INVALID with all problems of its shape, or with the position of a syntax error
 */
export async function readDefinitionFile(given: string, cwd: string): Promise<DefinitionFile> {
  const file = path.resolve(cwd, given);
  const value = await readStructuredFile(given, cwd, "The campaign's file");
  const read = campaignFileSchema.safeParse(value);
  const { id = idFrom(file), recipients = {}, ...definition } = read.success ? read.data : {};
  const { content }: { readonly content?: unknown } = definition;
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...(isCampaignId(id) ? [] : [{ path: 'id', message: 'is missing, and the name of the file gives no valid id' }]),
  ];
  if (problems.length > 0 || !isCampaignId(id)) {
    throw invalidFile("The campaign's file", given)('is refused', problems);
  }
  return {
    id,
    definition: hasPath(content)
      ? { ...definition, content: { ...content, path: path.resolve(path.dirname(file), content.path) } }
      : definition,
    recipients: {
      ...recipients,
      ...(recipients.file === undefined ? {} : { file: path.resolve(path.dirname(file), recipients.file) }),
    },
  };
}

export function hasPath(content: unknown): content is { readonly path: string } {
  return typeof content === 'object' && content !== null && 'path' in content && typeof content.path === 'string';
}

/**
 * Reads the file of a scheduled message, YAML or JSON: the message, and `id` (default: the file's name).
 * @throws AppError INPUT_INVALID
 */
export async function readMessageFile(given: string, cwd: string) {
  const value = await readStructuredFile(given, cwd, "The message's file");
  const read = z.looseObject({ id: z.string().exactOptional() }).safeParse(value);
  if (!read.success) throw invalidFile("The message's file", given)('is refused', problemsOf(read.error));
  const { id = idFrom(given), ...message } = read.data;
  return { id, message };
}

/** Whether the argument is a file rather than a campaign's id. */
export function isDefinitionFile(word: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(word) || word.includes('/');
}

function idFrom(file: string): string {
  const name = path.basename(file, path.extname(file));
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|-+$/g, '')
    .slice(0, 64);
}

/** Content types for the gateway's storage; the file's name determines how a recipient sees it. */
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
 * Uploads a local file to everpost.
 * @param given  the path as the operator wrote it
 * @returns the fields of a content that names the file
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

/** Uploads `content.path` and replaces it with the id of the stored file. */
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
  throw new AppError(
    'INPUT_INVALID',
    `File ${given} does not exist. Give the path of a local file, or a link: https://…`,
  );
}
