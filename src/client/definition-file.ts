import path from 'node:path';
import { createReadStream } from 'node:fs';
import { stat, open } from 'node:fs/promises';
import { z } from 'zod';
import { Lexer, Parser, parseDocument } from 'yaml';
import {
  AppError,
  type CampaignId,
  type ListOptions,
  type Problem,
  isCampaignId,
  isRecord,
  MAX_JSON_LEVELS,
  parseJson,
  present,
  codeOf,
} from '../contract/index.js';
import { campaignFileSchema } from '../contract/schemas.js';
import { problemsOf, readText } from '../domain/index.js';
import type { ApiClient } from './client.js';

export interface DefinitionFile {
  readonly id: CampaignId;
  /** In the format of the API, except the `path` of a content, which is absolute: see {@link withStoredFile}. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly recipients: {
    /** Absolute. */
    readonly file?: string;
    readonly group?: string;
  } & ListOptions;
}

const CAMPAIGN_FILE = "The campaign's file";
const MESSAGE_FILE = "The message's file";

/**
 * Reads a campaign file, YAML or JSON: the definition, `id` (default: the file's name) and the source of the
 * recipients. The API validates the text against the gateway's limits.
 * @throws AppError INPUT_INVALID with all problems of its shape, or with the position of a syntax error
 */
export async function readDefinitionFile(given: string, cwd: string): Promise<DefinitionFile> {
  const file = path.resolve(cwd, given);
  const value = await readStructuredFile(given, cwd, CAMPAIGN_FILE);
  const read = campaignFileSchema.safeParse(value);
  const { id = idFrom(file), recipients = {}, ...definition } = read.success ? read.data : {};
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...(isCampaignId(id) ? [] : [{ path: 'id', message: 'is missing, and the name of the file gives no valid id' }]),
  ];
  if (problems.length > 0 || !isCampaignId(id)) throw fileInvalid(`${CAMPAIGN_FILE} ${given}`, 'is refused', problems);
  const absolute = (name: string) => path.resolve(path.dirname(file), name);
  return {
    id,
    definition: await withPaths(definition, (content) => ({ ...content, path: absolute(content.path) })),
    recipients: { ...recipients, ...(recipients.file === undefined ? {} : { file: absolute(recipients.file) }) },
  };
}

type WithPath = Readonly<Record<'path', string>>;

function hasPath(content: unknown): content is WithPath {
  return isRecord(content) && typeof content['path'] === 'string';
}

/**
 * Reads the file of a scheduled message, YAML or JSON: the message, and `id` (default: the file's name).
 * @throws AppError INPUT_INVALID
 */
export async function readMessageFile(given: string, cwd: string) {
  const value = await readStructuredFile(given, cwd, MESSAGE_FILE);
  const read = z.looseObject({ id: z.string().exactOptional() }).safeParse(value);
  if (!read.success) throw fileInvalid(`${MESSAGE_FILE} ${given}`, 'is refused', problemsOf(read.error));
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

/** @param file  what the file is, and its path as the operator wrote it */
function fileInvalid(file: string, why: string, problems: readonly Problem[], cause?: unknown): AppError {
  return new AppError('INPUT_INVALID', `${file} ${why}. Correct it; nothing was changed.`, {
    problems,
    ...present({ cause }),
  });
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
  const stats = await stat(file).catch((error: unknown) => {
    if (codeOf(error) !== 'ENOENT') throw error;
    return undefined;
  });
  if (stats?.isFile() !== true) {
    const message = `File ${given} does not exist. Give the path of a local file, or a link: https://…`;
    throw new AppError('INPUT_INVALID', message);
  }
  const type = TYPES[path.extname(file).toLowerCase()] ?? 'application/octet-stream';
  const { fileId } = await api.storeFile({ file: { type, body: createReadStream(file), sizeBytes: stats.size } });
  return { fileId, fileName: path.basename(file) };
}

/** Uploads the `path` of each content and replaces it with the id of the stored file. */
export function withStoredFile(
  api: ApiClient,
  { definition }: Pick<DefinitionFile, 'definition'>,
): Promise<DefinitionFile['definition']> {
  return withPaths(definition, async ({ path: file, ...rest }) => ({ ...(await storeFile(api, file, '.')), ...rest }));
}

/** Changes the contents of a definition, and of its variants, that name a local file. */
async function withPaths(
  definition: DefinitionFile['definition'],
  change: (content: WithPath) => unknown,
): Promise<DefinitionFile['definition']> {
  const { content, variants } = definition;
  const changed = async (one: unknown): Promise<unknown> => (hasPath(one) ? change(one) : one);
  const ofVariant = async (variant: unknown): Promise<unknown> =>
    isRecord(variant) ? { ...variant, content: await changed(variant['content']) } : variant;
  return {
    ...definition,
    ...present({
      content: await changed(content),
      variants: Array.isArray(variants) ? await Promise.all(variants.map(ofVariant)) : variants,
    }),
  };
}

/** The API accepts bodies of 100 kb; a file may also have comments. */
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Reads a YAML file, or, by its extension, a JSON file.
 * @param what  for the message, e.g. `The template's file`
 * @throws AppError INPUT_INVALID, with the position of a syntax error
 */
export async function readStructuredFile(given: string, cwd: string, what: string): Promise<unknown> {
  const file = path.resolve(cwd, given);
  const invalid = (why: string, problems: readonly Problem[], cause?: unknown) =>
    fileInvalid(`${what} ${given}`, why, problems, cause);
  let bytes: Buffer | undefined;
  try {
    bytes = await bytesOf(file);
  } catch (error) {
    const code = codeOf(error) ?? 'it cannot be opened';
    throw invalid(`cannot be read (${code})`, [], error);
  }
  if (bytes === undefined) throw invalid(`is larger than ${MAX_FILE_BYTES / 1024} kb`, []);
  const decoded = readText(bytes);
  if ('badLine' in decoded) {
    const message = `line ${decoded.badLine} has bytes of another encoding. Save the file as UTF-8`;
    throw invalid('is not in UTF-8', [{ path: '', message }]);
  }
  const { text } = decoded;
  if (file.toLowerCase().endsWith('.json')) {
    try {
      return parseJson(text);
    } catch (error) {
      // The first line of the parser's message names the position; the rest quotes the text.
      const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      throw invalid('is not valid JSON', [{ path: '', message: line.replace(/:$/, '') }], error);
    }
  }
  const read = parseYaml(text);
  if ('refused' in read) throw invalid(read.refused, []);
  if ('value' in read) return read.value;
  const problems = read.problems.map((message) => ({ path: '', message }));
  throw invalid('is not valid YAML', problems);
}

/** @returns undefined if it is too large. Counts while it reads, because a pipe or a device has no size. */
async function bytesOf(file: string): Promise<Buffer | undefined> {
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_FILE_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  } finally {
    await handle.close();
  }
}

/** The limit of tokens: a usual file has some hundreds. */
const MAX_PARTS = 10_000;
/** Aliases are limited: nested aliases in a few lines would exhaust the memory. */
const MAX_ALIASES = 100;
const MAX_PROBLEMS = 10;

/** Parses one YAML document. The lexer checks depth and size first, before any recursive function runs. */
function parseYaml(
  text: string,
): { readonly value: unknown } | { readonly refused: string } | { readonly problems: readonly string[] } {
  const parser = new Parser();
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // Only the depth of the parser is needed here, not its tokens.
    for (const _ of parser.next(lexeme));
    parts += 1;
    if (parser.stack.length > MAX_JSON_LEVELS) return { refused: `is nested more than ${MAX_JSON_LEVELS} levels deep` };
    if (parts > MAX_PARTS) return { refused: `has more than ${MAX_PARTS} parts (words, signs and line ends)` };
  }
  // Pretty errors quote the text, and take quadratic time if there are many.
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) {
    const first = document.errors.slice(0, MAX_PROBLEMS);
    const lineAt = (offset: number) => text.slice(0, offset).split('\n').length;
    return { problems: first.map(({ message, pos }) => `${message} at line ${lineAt(pos[0])}`) };
  }
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    // The library throws this for too many aliases and for an undefined alias.
    if (error instanceof ReferenceError) return { problems: [error.message] };
    throw error;
  }
}
