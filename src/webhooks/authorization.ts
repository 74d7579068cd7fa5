import { createHash, timingSafeEqual } from 'node:crypto';
import { MAX_CREDENTIALS_CHARACTERS, splitScheme, type Secret } from '../contract/index.js';

/**
 * True when the header proves one of the tokens. A token may be configured as the gateway is given it: `Basic …`,
 * `Bearer …`, or bare, which the gateway sends as `Bearer …`; the header is read by the same rule. All tokens are
 * compared, and in constant time, so that the response's timing tells nothing.
 */
export function isAuthorized(header: string | undefined, tokens: readonly Secret[]): boolean {
  if (header === undefined || header.length > MAX_CREDENTIALS_CHARACTERS) return false;
  const given = digest(withScheme(header));
  return tokens.map((token) => timingSafeEqual(digest(withScheme(token.reveal())), given)).some((isEqual) => isEqual);
}

/**
 * `abc`, `Bearer abc` and `bearer  abc` are one. So is `Bearer Bearer abc`, which a gateway sends that puts the scheme
 * before a token which was given to it with one: the documents contradict each other about that.
 */
function withScheme(credentials: string): string {
  let scheme = 'bearer';
  let token = credentials.trim();
  for (let split = splitScheme(token); split !== undefined; split = splitScheme(token)) {
    scheme = split.scheme;
    token = split.rest;
  }
  return `${scheme} ${token}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
