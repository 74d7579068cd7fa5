import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseDocument } from 'yaml';
import { AppError, type Problem } from '../contract/index.js';

/**
 * Reads a file that people write, YAML or, by its ending, JSON.
 * @param what  for the message, e.g. `The template's file`
 * @throws AppError INPUT_INVALID, with the place where it is neither
 */
export async function readStructuredFile(given: string, cwd: string, what: string): Promise<unknown> {
  const file = path.resolve(cwd, given);
  const invalid = (why: string, problems: readonly Problem[], cause?: unknown) =>
    new AppError('INPUT_INVALID', `${what} ${given} ${why}. Correct it; nothing was begun.`, {
      problems,
      ...(cause === undefined ? {} : { cause }),
    });
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened';
    throw invalid(`cannot be read (${code})`, [], error);
  }
  if (/\.json$/i.test(file)) {
    try {
      return JSON.parse(text);
    } catch (error) {
      throw invalid('is no valid JSON', [{ path: '', message: firstLine(error) }], error);
    }
  }
  const document = parseDocument(text);
  const problems = document.errors.map((error) => ({ path: '', message: firstLine(error) }));
  if (problems.length > 0) throw invalid('is no valid YAML', problems);
  return document.toJS();
}

/** The parser's words name the line; what follows quotes it. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/:$/, '') ?? '';
}
