import { z } from 'zod';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text for the gateway: UTF-8, and never with a byte order mark in front, which would be shown to the reader. Lengths
 * of it are counted in UTF-16 code units, as JavaScript and the JSON validators of its world count.
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

const PERSONAL = String.raw`\d+@c\.us`;
// Older groups carry their founder's number and a time, joined by a hyphen.
const GROUP = String.raw`\d+(?:-\d+)?@g\.us`;
const LID = String.raw`\d+@lid`;

const CHAT = new RegExp(`^(?:${PERSONAL}|${GROUP}|${LID})$`);
const CHAT_OR_DIGITS = new RegExp(`^(?:${PERSONAL}|${GROUP}|${LID}|\\d+)$`);
const CONTACT = new RegExp(`^(?:${PERSONAL}|${LID})$`);
const GROUP_ONLY = new RegExp(`^${GROUP}$`);

const chatIdFormats = "'phone_number@c.us', 'group_id@g.us', 'digits@lid'";

/** A recipient, a group or an alternate id: where something can be sent. */
export const chatId = z
  .string()
  .regex(CHAT, { error: `Validation failed, details: 'chatId' must be one of the next formats: ${chatIdFormats}` })
  .describe('Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid');

/** The gateway's examples for readChat give the number alone, so here both are taken. */
export const chatIdOrDigits = z
  .string()
  .regex(CHAT_OR_DIGITS, {
    error: `Validation failed, details: 'chatId' must be one of the next formats: ${chatIdFormats}, 'digits'`,
  })
  .describe('Chat id: <number>@c.us, <group_id>@g.us, <digits>@lid, or the digits alone');

/** A recipient, never a group. */
export const contactId = z
  .string()
  .regex(CONTACT, {
    error:
      "Validation failed, details: a participant must be one of the next formats: 'phone_number@c.us', 'digits@lid'",
  })
  .describe('Contact id: <number>@c.us or <digits>@lid');

export const groupId = z
  .string()
  .regex(GROUP_ONLY, {
    // The missing closing quote is the gateway's own.
    error: "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
  })
  .describe('Group chat id: <group_id>@g.us');

/** Optional in every response: left out by some accounts, null in live ones. */
export const optionalText = z.string().nullish();
export const optionalNumber = z.number().nullish();
export const optionalFlag = z.boolean().nullish();

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Adds each documented time under a name that says its unit, beside the gateway's own field.
 * @param names  gateway's field → our name, e.g. `{ creation: 'creationSeconds' }`
 */
export function withUnits<Shape extends z.ZodType>(names: Readonly<Record<string, string>>, shape: Shape) {
  return z.preprocess((raw) => {
    if (!isRecord(raw)) return raw;
    const named = Object.entries(names)
      .filter(([theirs]) => typeof raw[theirs] === 'number')
      .map(([theirs, ours]) => [ours, raw[theirs]] as const);
    return { ...raw, ...Object.fromEntries(named) };
  }, shape);
}
