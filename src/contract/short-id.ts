/** Crockford's base32 in lower case: without i, l, o and u, so that an id can be read out and typed. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHARACTER = 5;

/** What follows the prefix of an id: 80 bits. */
export const SHORT_ID_CHARACTERS = 16;
/** Half of its bits fit into a number. */
const HALF_BYTES = (SHORT_ID_CHARACTERS * BITS_PER_CHARACTER) / 2 / 8;

/** The characters of every id that everpost makes, after its prefix (`msg_`), for regular expressions. */
export const SHORT_ID_PATTERN = `[${ALPHABET}]{${SHORT_ID_CHARACTERS}}`;

/** The part of an id after its prefix: the first 80 bits of a hash, or of random bytes. */
export function shortId(bytes: Uint8Array): string {
  const half = (from: number) => bytes.subarray(from, from + HALF_BYTES).reduce((sum, byte) => sum * 256 + byte, 0);
  return toBase32(half(0), SHORT_ID_CHARACTERS / 2) + toBase32(half(HALF_BYTES), SHORT_ID_CHARACTERS / 2);
}

/** A whole number that is not negative, in that many characters: ten at most. */
export function toBase32(value: number, characters: number): string {
  let rest = value;
  let text = '';
  for (let at = 0; at < characters; at += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The inverse of {@link toBase32}, of up to ten characters. Undefined when one is not of the alphabet. */
export function fromBase32(text: string): number | undefined {
  let value = 0;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 32 + digit;
  }
  return value;
}

/** As an operator may have typed it: in capitals, or with a letter that stands for the digit that it looks like. */
export function asTyped(text: string): string {
  return text.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
}
