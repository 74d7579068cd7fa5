import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { AppError, isCampaignId, type CampaignId, type Problem } from '../../../contract/index.js';
import { campaignFileSchema } from '../../../contract/schemas.js';
import { problemsOf } from '../../../starter/index.js';

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

/**
 * Reads a campaign's file, YAML or JSON: its definition, and beside it `id` (else the file's name) and where the recipients
 * are. What the gateway's limits say about its text the API tells.
 * @throws AppError INPUT_INVALID with all problems of its shape, or with the place where it is no YAML
 */
export async function readDefinitionFile(given: string, cwd: string): Promise<DefinitionFile> {
  const file = path.resolve(cwd, given);
  const value = parse(file, await textOf(file, given), given);
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

/** Whether somebody named a file rather than a campaign's id. */
export function isDefinitionFile(word: string): boolean {
  return /\.(?:ya?ml|json)$/i.test(word) || word.includes('/');
}

async function textOf(file: string, given: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened';
    throw fileInvalid(given, `cannot be read (${why})`, [], error);
  }
}

function parse(file: string, text: string, given: string): unknown {
  if (/\.json$/i.test(file)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw fileInvalid(given, 'is no valid JSON', [{ path: '', message: firstLine(error) }], error);
    }
  }
  const document = parseDocument(text);
  const problems = document.errors.map((error) => ({ path: '', message: firstLine(error) }));
  if (problems.length > 0) throw fileInvalid(given, 'is no valid YAML', problems);
  return document.toJS();
}

/** The parser's words name the line; what follows quotes it. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/:$/, '') ?? '';
}

function idFrom(file: string): string {
  const name = path.basename(file, path.extname(file));
  return name
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^[-_]+|-+$/g, '')
    .slice(0, 64);
}

function fileInvalid(given: string, what: string, problems: readonly Problem[], cause?: unknown): AppError {
  return new AppError('INPUT_INVALID', `The campaign's file ${given} ${what}. Correct it; nothing was begun.`, {
    problems,
    ...(cause === undefined ? {} : { cause }),
  });
}
