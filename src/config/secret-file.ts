import { readFileSync, statSync } from 'node:fs';
import { codeOf } from '../contract/index.js';

/**
 * Modes that let every user read the file, or the group write it. Group read access is allowed, because containers get
 * secrets in this way.
 */
export const TOO_OPEN = 0o027;

/**
 * Reads a file with one secret: a variable's, or a token of the instances file. Of a link, the mode of its target counts.
 * @returns the text without white space around it; or why the file cannot be used, never with a piece of its content
 */
export function readSecretFile(file: string): { readonly text: string } | { readonly problem: string } {
  let text: string;
  try {
    const mode = statSync(file).mode & 0o777;
    // On Windows, modes do not show the access rights.
    if (process.platform !== 'win32' && (mode & TOO_OPEN) !== 0) {
      return { problem: `names ${file}, which other users can read (mode ${mode.toString(8)}): chmod 600 ${file}` };
    }
    text = readFileSync(file, 'utf8').trim();
  } catch (error) {
    const code = codeOf(error) ?? 'unknown reason';
    return { problem: `names ${file}, which cannot be read (${code})` };
  }
  return text === '' ? { problem: `names ${file}, which is empty` } : { text };
}
