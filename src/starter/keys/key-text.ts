import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { SHORT_ID_PATTERN, shortId } from '../../contract/index.js';

/**
 * A key as its holder has it: `ep_<id>_<secret><check>`. The id finds its row, the secret is 256 random bits, and the
 * check tells a key that was cut or mistyped from one that is unknown.
 */
const SECRET_BYTES = 32;
const SECRET_CHARACTERS = 43;
const CHECK_CHARACTERS = 6;
const BASE64URL = '[A-Za-z0-9_-]';
const KEY = new RegExp(
  `^(ep_(${SHORT_ID_PATTERN})_${BASE64URL}{${SECRET_CHARACTERS}})(${BASE64URL}{${CHECK_CHARACTERS}})$`,
);

export function newKeyId(): string {
  return shortId(randomBytes(SECRET_BYTES));
}

/** Shown once; of it only {@link hashOf} is kept. */
export function newKeyText(id: string): string {
  const text = `ep_${id}_${randomBytes(SECRET_BYTES).toString('base64url')}`;
  return text + checkOf(text);
}

/** @returns the id of what is surely a whole key; undefined for anything else */
export function keyIdOf(given: string): string | undefined {
  const [, text = '', id, check] = KEY.exec(given) ?? [];
  return check === checkOf(text) ? id : undefined;
}

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

/** In constant time. Both are hashes of one length. */
export function isSameHash(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function checkOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, CHECK_CHARACTERS);
}
