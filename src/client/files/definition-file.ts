import path from 'node:path';
import { z } from 'zod';
import { AppError, isCampaignId, type CampaignId, type Problem } from '../../contract/index.js';
import { campaignFileSchema } from '../../contract/schemas.js';
import { problemsOf } from '../../domain/index.js';
import { readStructuredFile } from './structured-file.js';

export interface DefinitionFile {
  readonly id: CampaignId;
  /** As the API takes it. */
  readonly definition: Readonly<Record<string, unknown>>;
  readonly recipients: {
    /** Absolute. */
    readonly file?: string;
    readonly group?: string;
    readonly delimiter?: string;
  };
}

const WHAT = "The campaign's file";

/**
 * Reads a campaign's file, YAML or JSON: its definition, and beside it `id` (else the file's name) and where the
 * recipients are. What the gateway's limits say about its text the API tells.
 * @throws AppError INPUT_INVALID with all problems of its shape, or with the place where it is no YAML
 */
export async function readDefinitionFile(given: string, cwd: string): Promise<DefinitionFile> {
  const file = path.resolve(cwd, given);
  const value = await readStructuredFile(given, cwd, WHAT);
  const read = campaignFileSchema.safeParse(value);
  const { id = idFrom(file), recipients = {}, ...definition } = read.success ? read.data : {};
  const problems = [
    ...(read.success ? [] : problemsOf(read.error)),
    ...(isCampaignId(id) ? [] : [{ path: 'id', message: 'is missing, and the name of the file makes none' }]),
  ];
  if (problems.length > 0 || !isCampaignId(id)) throw fileInvalid(given, 'is refused', problems);
  return {
    id,
    definition,
    recipients: {
      ...recipients,
      ...(recipients.file === undefined ? {} : { file: path.resolve(path.dirname(file), recipients.file) }),
    },
  };
}

/**
 * Reads the file of a scheduled message, YAML or JSON: the message, and beside it `id` (else the file's name). The API checks the rest.
 * @throws AppError INPUT_INVALID
 */
export async function readMessageFile(given: string, cwd: string) {
  const value = await readStructuredFile(given, cwd, "The message's file");
  const read = z.looseObject({ id: z.string().exactOptional() }).safeParse(value);
  if (!read.success) throw fileInvalid(given, 'is refused', problemsOf(read.error));
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

function fileInvalid(given: string, what: string, problems: readonly Problem[]): AppError {
  return new AppError('INPUT_INVALID', `${WHAT} ${given} ${what}. Correct it; nothing was begun.`, { problems });
}
