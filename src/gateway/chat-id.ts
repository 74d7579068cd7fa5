import { z } from 'zod';

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
