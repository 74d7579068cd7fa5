import { z } from 'zod';
import { isRecord } from '../../contract/index.js';

const BYTE_ORDER_MARK = '\uFEFF';

/**
 * A text for the gateway, in UTF-8 without a byte order mark, which phones would show. Its length is counted in UTF-16
 * code units, like in JavaScript and its JSON validators.
 */
export function text(maxCharacters?: number) {
  const unmarked = z.string().refine((value) => !value.startsWith(BYTE_ORDER_MARK), {
    error: 'Validation failed, details: the text begins with a byte order mark; send UTF-8 without BOM',
    when: ({ value }) => typeof value === 'string',
  });
  return maxCharacters === undefined ? unmarked : unmarked.max(maxCharacters);
}

/** A text that must not be empty. */
export function requiredText(maxCharacters?: number) {
  return text(maxCharacters).min(1);
}

/** An opaque id of the gateway, which is passed on unchanged. */
export const messageId = requiredText().describe('Message id, opaque');

/** A link, which is sent unchanged since the gateway encodes it. */
export const httpLink = text().regex(/^https?:\/\/.+/s, {
  error: 'Validation failed, details: url has incorrect format, it should start with http(s)://',
});

const PERSONAL = String.raw`\d+@c\.us`;
// The id of an older group has its founder's number and a time, joined by a hyphen.
const GROUP = String.raw`\d+(?:-\d+)?@g\.us`;
const LID = String.raw`\d+@lid`;

const CHAT = new RegExp(`^(?:${PERSONAL}|${GROUP}|${LID})$`);
const CHAT_OR_DIGITS = new RegExp(`^(?:${PERSONAL}|${GROUP}|${LID}|\\d+)$`);
const CONTACT = new RegExp(`^(?:${PERSONAL}|${LID})$`);
const GROUP_ONLY = new RegExp(`^${GROUP}$`);

const chatIdFormats = "'phone_number@c.us', 'group_id@g.us', 'digits@lid'";

/** A chat to which messages can be sent: a recipient, a group or an alternate id. */
export const chatId = z
  .string()
  .regex(CHAT, { error: `Validation failed, details: 'chatId' must be one of the next formats: ${chatIdFormats}` })
  .describe('Chat id: <number>@c.us, <group_id>@g.us (a hyphen is allowed) or <digits>@lid');

/** A chat id or digits alone, since the gateway's examples for readChat have both. */
export const chatIdOrDigits = z
  .string()
  .regex(CHAT_OR_DIGITS, {
    error: `Validation failed, details: 'chatId' must be one of the next formats: ${chatIdFormats}, 'digits'`,
  })
  .describe('Chat id: <number>@c.us, <group_id>@g.us, <digits>@lid, or the digits alone');

/** A recipient, but not a group. */
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
    // The gateway's message lacks the closing quote.
    error: "Validation failed, details: 'groupId' must be the next formats: 'group_id@g.us",
  })
  .describe('Group chat id: <group_id>@g.us');

/** Optional in every response: some accounts omit it, and live ones return null. */
export const optionalText = z.string().nullish();
export const optionalNumber = z.number().nullish();
export const optionalFlag = z.boolean().nullish();

/**
 * Adds each documented time under a name with its unit, beside the gateway's field.
 * @param names  the gateway's field and our name, e.g. `{ creation: 'creationSeconds' }`
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
