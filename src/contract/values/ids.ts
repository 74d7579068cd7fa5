/**
 * `msg_` and a hash of instance and key, see docs/contract.md. It is a pure function, so the same key gives the same
 * message.
 */
export type MessageId = string & { readonly __brand: 'MessageId' };
/** `edt_` and a hash of message id and key. */
export type EditId = string & { readonly __brand: 'EditId' };
/**
 * A campaign's permanent name: lower case letters, digits, `-` and `_`, at most 64 characters. An operator chooses it,
 * or it is derived from a key.
 */
export type CampaignId = string & { readonly __brand: 'CampaignId' };

/** Crockford's base32 in lower case: without i, l, o and u, so that an id can be read out and typed. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const BITS_PER_CHARACTER = 5;

/** Length of an id after its prefix: 80 bits. */
export const SHORT_ID_CHARACTERS = 16;
/** Half of the id's bits fit into a JavaScript number. */
const HALF_BYTES = (SHORT_ID_CHARACTERS * BITS_PER_CHARACTER) / 2 / 8;

/** The characters of every id that everpost makes, after its prefix (`msg_`), for regular expressions. */
export const SHORT_ID_PATTERN = `[${ALPHABET}]{${SHORT_ID_CHARACTERS}}`;

/** The part of an id after its prefix: the first 80 bits of a hash, or of random bytes. */
export function shortId(bytes: Uint8Array): string {
  const half = (from: number) => bytes.subarray(from, from + HALF_BYTES).reduce((sum, byte) => sum * 256 + byte, 0);
  return toBase32(half(0), SHORT_ID_CHARACTERS / 2) + toBase32(half(HALF_BYTES), SHORT_ID_CHARACTERS / 2);
}

/** Encodes a non-negative integer in this many characters, at most ten. */
export function toBase32(value: number, characters: number): string {
  let rest = value;
  let text = '';
  for (let at = 0; at < characters; at += 1) {
    text = ALPHABET.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** The inverse of {@link toBase32}, for up to ten characters. Undefined when a character is not in the alphabet. */
export function fromBase32(text: string): number | undefined {
  let value = 0;
  for (const character of text) {
    const digit = ALPHABET.indexOf(character);
    if (digit === -1) return undefined;
    value = value * 32 + digit;
  }
  return value;
}

/** Normalizes an id that an operator typed: capitals, and letters that look like digits. */
export function asTyped(text: string): string {
  return text.toLowerCase().replaceAll('o', '0').replaceAll(/[il]/g, '1');
}

const MESSAGE_ID = /^msg_([0-9a-z]{6})([0-9a-z]{10})$/;

export function campaignWorkflowId(id: CampaignId): string {
  return `campaign:${id}`;
}

export function isCampaignId(word: string): word is CampaignId {
  return /^[a-z0-9][a-z0-9_-]{0,63}$/.test(word);
}

/** The line number takes 30 bits of a message id: six characters. The rest of the id is the campaign's key. */
const LINE_CHARACTERS = 6;
export const CAMPAIGN_KEY_CHARACTERS = SHORT_ID_CHARACTERS - LINE_CHARACTERS;
/** The most lines of a recipients' file, limited by the line number in message ids. */
export const LARGEST_LINE = 2 ** 30 - 1;

/**
 * The id of the message to one recipient of a campaign. It combines the line number, XORed with a number of the
 * campaign, and the campaign's key. Ids of one campaign differ in their first characters, and adjacent lines stay
 * adjacent in an index. The id shows no phone number, and is known before the row is written.
 */
export function recipientMessageId(campaignKey: string, line: number): MessageId {
  return `msg_${toBase32(line ^ recipientMask(campaignKey), LINE_CHARACTERS)}${campaignKey}` as MessageId;
}

/** Lines of a block of {@link recipientMessageIds}: a power of two. */
export const LINES_PER_BLOCK = 2 ** 10;

/**
 * The range of message ids of a block of lines, from `block * LINES_PER_BLOCK`: adjacent in an index, with few ids of
 * other messages among them.
 */
export function recipientMessageIds(
  campaignKey: string,
  block: number,
): { readonly first: string; readonly last: string } {
  const masked = (block * LINES_PER_BLOCK) ^ recipientMask(campaignKey);
  const first = masked & ~(LINES_PER_BLOCK - 1);
  const [from, to] = [first, first + LINES_PER_BLOCK - 1].map((line) => toBase32(line, LINE_CHARACTERS));
  // A tilde comes after every character of an id.
  return { first: `msg_${from}`, last: `msg_${to}~` };
}

/** The inverse of {@link recipientMessageId}. The caller has to check that the campaign exists. */
export function recipientOfMessageId(
  id: MessageId,
): { readonly campaignKey: string; readonly line: number } | undefined {
  const [, front = '', campaignKey = ''] = MESSAGE_ID.exec(id) ?? [];
  const masked = fromBase32(front);
  if (campaignKey === '' || masked === undefined) return undefined;
  return { campaignKey, line: masked ^ recipientMask(campaignKey) };
}

/**
 * Derived from the last characters of the key. The key's first characters follow the line number in the id, so the id's
 * beginning contains both.
 */
export function recipientMask(campaignKey: string): number {
  return fromBase32(campaignKey.slice(-LINE_CHARACTERS)) ?? 0;
}
