/** The text of a command: typed with `--text`, or from a file. */
import { createReadStream } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { AppError, INPUT_LIMITS, codeOf } from '../contract/index.js';
import type { Terminal } from './terminal.js';

interface TextOptions {
  readonly text?: string;
  readonly textFile?: string;
}

/** @param what  the text, e.g. `the new text` */
export function textOptions(what: string) {
  return {
    '--text <text>': `${what}, sent as typed: \\n is a backslash and an n, not a line break`,
    '--text-file <file>': 'file with the text in UTF-8, or - for standard input; for texts with line breaks',
  } as const;
}

export function checkTextOptions({ text, textFile }: TextOptions, command: Command): void {
  if ((text === undefined) === (textFile === undefined)) command.error('error: give one of --text and --text-file');
}

/**
 * The text as it is sent. Warns of an escape in `--text`, which a shell passes on unchanged.
 * @returns undefined if neither option is given
 * @throws AppError INPUT_INVALID if the file cannot be read
 */
export async function readText({ text, textFile }: TextOptions, terminal: Terminal): Promise<string | undefined> {
  if (textFile !== undefined) return readTextFile(textFile, terminal);
  const [escape] = /\\[nrt]/.exec(text ?? '') ?? [];
  if (escape !== undefined) {
    terminal.err(
      `warning  --text contains ${escape} as two characters, which are sent as typed. For line breaks use --text-file: printf 'one\\ntwo' | everpost … --text-file -`,
    );
  }
  return text;
}

/** A character has at most four bytes. */
const MAX_BYTES = INPUT_LIMITS.textCharacters * 4;

async function readTextFile(given: string, { stdin, cwd }: Terminal): Promise<string> {
  const source = given === '-' ? stdin : createReadStream(path.resolve(cwd, given));
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  try {
    for await (const chunk of source as AsyncIterable<Buffer | string>) {
      chunks.push(Buffer.from(chunk));
      sizeBytes += Buffer.byteLength(chunk);
      if (sizeBytes > MAX_BYTES) break;
    }
  } catch (error) {
    throw unreadable(`cannot be read (${codeOf(error) ?? 'it cannot be opened'})`, error);
  }
  if (sizeBytes > MAX_BYTES) throw unreadable(`is longer than ${INPUT_LIMITS.textCharacters} characters`);
  try {
    // An editor ends the last line too; the phone would show an empty line.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks)).replace(/\r?\n$/, '');
  } catch (error) {
    throw unreadable('is not valid UTF-8: save it as UTF-8', error);
  }
}

function unreadable(why: string, cause?: unknown): AppError {
  const problems = [{ path: '--text-file', message: why }];
  return new AppError('INPUT_INVALID', `The file of the text ${why}. Nothing was sent.`, { problems, cause });
}
