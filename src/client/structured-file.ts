import path from 'node:path';
import { open } from 'node:fs/promises';
import { Lexer, Parser, parseDocument } from 'yaml';
import { AppError, MAX_JSON_LEVELS, type Problem, parseJson, present } from '../contract/index.js';

/** The API accepts bodies of 100 kb; a file may also have comments. */
const MAX_FILE_BYTES = 256 * 1024;

/**
 * Reads a YAML file, or, by its extension, a JSON file.
 * @param kind  for the message, e.g. `The template's file`
 * @throws AppError INPUT_INVALID, with the position of a syntax error
 */
export async function readStructuredFile(given: string, cwd: string, kind: string): Promise<unknown> {
  const file = path.resolve(cwd, given);
  const invalid = invalidFile(kind, given);
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
      throw invalid('is not valid JSON', [{ path: '', message: firstLine(error) }], error);
    }
  }
  const read = parseYaml(text);
  if ('refused' in read) throw invalid(read.refused, []);
  if ('value' in read) return read.value;
  throw invalid(
    'is not valid YAML',
    read.problems.map((message) => ({ path: '', message })),
  );
}

/** @returns a function that creates an error about the file */
export function invalidFile(kind: string, given: string) {
  return (why: string, problems: readonly Problem[], cause?: unknown): AppError => {
    const message = `${kind} ${given} ${why}. Correct it; nothing was changed.`;
    return new AppError('INPUT_INVALID', message, { problems, ...present({ cause }) });
  };
}

/** @returns undefined if it is too large. Counts while it reads, because a pipe or a device has no size. */
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

/** The first line of the parser's message names the position; the rest quotes the text. */
function firstLine(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n')[0]?.replace(/:$/, '') ?? '';
}

export type ReadYaml =
  { readonly value: unknown } | { readonly refused: string } | { readonly problems: readonly string[] };

/** The limit of tokens: a usual file has some hundreds. */
const MAX_PARTS = 10_000;
/** Aliases are limited: nested aliases in a few lines would exhaust the memory. */
const MAX_ALIASES = 100;
const MAX_PROBLEMS = 10;

/** Parses one YAML document. The lexer checks depth and size first, before any recursive function runs. */
export function parseYaml(text: string): ReadYaml {
  const refused = refusalOf(text);
  if (refused !== undefined) return { refused };
  // Pretty errors quote the text, and take quadratic time if there are many.
  const document = parseDocument(text, { prettyErrors: false });
  if (document.errors.length > 0) {
    const first = document.errors.slice(0, MAX_PROBLEMS);
    return { problems: first.map(({ message, pos }) => `${message} at line ${lineAt(text, pos[0])}`) };
  }
  try {
    return { value: document.toJS({ maxAliasCount: MAX_ALIASES }) };
  } catch (error) {
    // The library throws this for too many aliases and for an undefined alias.
    if (error instanceof ReferenceError) return { problems: [error.message] };
    throw error;
  }
}

function refusalOf(text: string): string | undefined {
  const parser = new Parser();
  let parts = 0;
  for (const lexeme of new Lexer().lex(text)) {
    // Only the depth of the parser is needed here, not its tokens.
    for (const _ of parser.next(lexeme));
    parts += 1;
    if (parser.stack.length > MAX_JSON_LEVELS) return `is nested more than ${MAX_JSON_LEVELS} levels deep`;
    if (parts > MAX_PARTS) return `has more than ${MAX_PARTS} parts (words, signs and line ends)`;
  }
  return undefined;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}
