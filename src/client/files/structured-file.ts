import { open } from 'node:fs/promises';
import path from 'node:path';
import { AppError, parseJson, type Problem, present } from '../../contract/index.js';
import { parseYaml } from './parse-yaml.js';

/** The API takes bodies of 100 kb; a file may have comments besides. */
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Reads a file that operators write, YAML or, by its ending, JSON.
 * @param what  for the message, e.g. `The template's file`
 * @throws AppError INPUT_INVALID, with the place where it is neither
 */
export async function readStructuredFile(given: string, cwd: string, what: string): Promise<unknown> {
  const file = path.resolve(cwd, given);
  const invalid = (why: string, problems: readonly Problem[], cause?: unknown) =>
    new AppError('INPUT_INVALID', `${what} ${given} ${why}. Correct it; nothing was begun.`, {
      problems,
      ...present({ cause }),
    });
  let text: string | undefined;
  try {
    text = await textOf(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'it cannot be opened';
    throw invalid(`cannot be read (${code})`, [], error);
  }
  if (text === undefined) throw invalid(`is larger than ${MAX_FILE_BYTES / 1024} kb`, []);
  if (file.toLowerCase().endsWith('.json')) {
    try {
      return parseJson(text);
    } catch (error) {
      throw invalid('is no valid JSON', [{ path: '', message: firstLine(error) }], error);
    }
  }
  const read = parseYaml(text);
  if ('refused' in read) throw invalid(read.refused, []);
  if ('value' in read) return read.value;
  throw invalid(
    'is no valid YAML',
    read.problems.map((message) => ({ path: '', message })),
  );
}

/** @returns undefined when it is too large; also a pipe or a device, which tells no size, is read no further */
async function textOf(file: string): Promise<string | undefined> {
  const handle = await open(file);
  try {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    for await (const chunk of handle.createReadStream({ autoClose: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.byteLength;
      if (sizeBytes > MAX_FILE_BYTES) return undefined;
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString();
  } finally {
    await handle.close();
  }
}

/** The parser's words name the line; what follows quotes it. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/:$/, '') ?? '';
}
