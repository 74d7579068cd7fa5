import { z } from 'zod';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text for the gateway: UTF-8, and never with a byte order mark in front, which would be shown to the reader.
 * Lengths of it are counted in UTF-16 code units, as JavaScript and the JSON validators of its world count.
 */
export function text(maxCharacters?: number) {
  const unmarked = z.string().refine((value) => !value.startsWith(BYTE_ORDER_MARK), {
    error: 'Validation failed, details: the text begins with a byte order mark; send UTF-8 without BOM',
    when: ({ value }) => typeof value === 'string',
  });
  return maxCharacters === undefined ? unmarked : unmarked.max(maxCharacters);
}

/** A text that has to say something. */
export function requiredText(maxCharacters?: number) {
  return text(maxCharacters).min(1);
}

/** An opaque id of the gateway: handed on as it came. */
export const messageId = requiredText().describe('Message id, opaque');

/** The link is sent as given: the gateway encodes it. */
export const httpLink = text().regex(/^https?:\/\/.+/s, {
  error: 'Validation failed, details: url has incorrect format, it should start with http(s)://',
});

/** How long typing is shown before the message; sendFileByUrl alone counts it in seconds. */
export const typingTimeMs = z.int().min(1_000).max(20_000).describe('Typing notification, milliseconds, 1000 to 20000');
