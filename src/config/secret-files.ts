/**
 * Reads secrets of the environment from files: NAME_FILE names a file with the value of NAME. This works for every
 * variable that is marked as a secret, and for Temporal's API key.
 */
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { type Problem, codeOf } from '../contract/index.js';
import { VARIABLES, type Environment, type ParseContext, type Variable } from './variables.js';

const SECRETS = Object.values<Variable<unknown>>(VARIABLES)
  .filter(({ isSecret }) => isSecret === true)
  .map(({ name }) => name);

/**
 * Modes that let every user read the file, or the group write it. Group read access is allowed, because containers get
 * secrets in this way.
 */
const TOO_OPEN = 0o027;

/**
 * Returns the environment with the contents of the named files.
 * @param problems  gets one for each variable that is set twice, or whose file cannot be used; never a secret
 */
export function withSecretFiles(env: Environment, { cwd }: ParseContext, problems: Problem[]): Environment {
  const contents: Record<string, string> = {};
  for (const name of [...SECRETS, 'TEMPORAL_API_KEY']) {
    const file = fileOf(env, name, cwd);
    if (file === undefined) continue;
    const found = isSet(env[name]) ? { problem: `is set together with ${name}: unset one of them` } : readSecret(file);
    if ('problem' in found) problems.push({ path: `${name}_FILE`, message: found.problem });
    else contents[name] = found.text;
  }
  return { ...env, ...contents };
}

/** The file that contains a secret; undefined if the environment names none. */
export function fileOf(env: Environment, name: string, cwd: string): string | undefined {
  const given = env[`${name}_FILE`];
  return isSet(given) ? path.resolve(cwd, given.trim()) : undefined;
}

export function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function readSecret(file: string): { readonly text: string } | { readonly problem: string } {
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
