/** What an Authorization header begins with, in small letters, and what stands behind it. */
export interface Credentials {
  readonly scheme: 'basic' | 'bearer';
  readonly rest: string;
}

/**
 * Longer headers prove nothing: no token that everpost accepts is near this length. The HTTP server takes no more
 * either.
 */
export const MAX_CREDENTIALS_CHARACTERS = 8 * 1024;

/**
 * Reads the scheme by hand, in one pass: a pattern that allows blanks on both sides of a token takes quadratic time.
 * @returns undefined when there is no scheme, or nothing behind it
 */
export function splitScheme(credentials: string): Credentials | undefined {
  const end = credentials.search(/\s/);
  if (end === -1) return undefined;
  const scheme = credentials.slice(0, end).toLowerCase();
  if (scheme !== 'basic' && scheme !== 'bearer') return undefined;
  return { scheme, rest: credentials.slice(end).trimStart() };
}
