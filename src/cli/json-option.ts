import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { text as readAll } from 'node:stream/consumers';
import { AppError, JsonTooDeepError, parseJson } from '../contract/index.js';
import type { Terminal } from './terminal.js';

/**
 * Reads JSON that was given as an option: the JSON itself, `@file`, or `-` for standard input.
 * @param option  its name, e.g. `--body`
 * @throws AppError INPUT_INVALID
 */
export async function readJsonOption(option: string, given: string, terminal: Terminal): Promise<unknown> {
  try {
    if (given === '-') return parseJson(await readAll(terminal.stdin));
    if (given.startsWith('@')) return parseJson(await readFile(path.resolve(terminal.cwd, given.slice(1)), 'utf8'));
    return parseJson(given);
  } catch (error) {
    const why =
      error instanceof SyntaxError
        ? 'is not valid JSON'
        : error instanceof JsonTooDeepError
          ? error.message
          : 'cannot be read';
    const what = option.replace(/^--/, '');
    throw new AppError('INPUT_INVALID', `The ${what} ${why}. Give JSON, @file, or - for standard input.`, {
      problems: [{ path: option, message: error instanceof Error ? error.message : String(error) }],
      cause: error,
    });
  }
}
