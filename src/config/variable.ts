import { parseUrl } from '../contract/index.js';

/** The environment in Node's format. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The base of relative paths in variables. */
export interface ParseContext {
  readonly cwd: string;
}

/**
 * One environment variable: its parser, and its description for operators. `parse` throws an Error with the reason.
 */
export interface Variable<Value> {
  readonly name: string;
  readonly parse: (text: string, context: ParseContext) => Value;
  /** As it is written in the environment. A variable without a default may have no value. */
  readonly default?: string;
  /** The effect of an unset variable that has no default. */
  readonly unset?: string;
  /** May also be in a file, which NAME_FILE names. */
  readonly isSecret?: true;
  /** The purpose of the variable, and the effect of a change. */
  readonly meaning: string;
}

export function httpUrl(text: string): string {
  const url = parseUrl(text);
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new Error('must be a URL that starts with http:// or https://');
  }
  return withoutTrailingSlashes(text);
}

/** A loop instead of a pattern, which would restart at each slash of a long run. */
export function withoutTrailingSlashes(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}

/** A parser of a word that is one of a few. */
export function oneOf<Word extends string>(words: readonly Word[]): (text: string) => Word {
  return (text) => {
    const word = words.find((known) => known === text.toLowerCase());
    if (word === undefined) throw new Error(`must be one of ${words.join(', ')}`);
    return word;
  };
}
