/** What is stored about one contact, and the chats in which contacts write to accounts. */
import { z } from 'zod';
import { present } from '../../contract/index.js';
import {
  countryField,
  pageFields,
  possibleOptOutSchema,
  recipientSchema,
  suppressionSchema,
  time,
  timeSchema,
} from '../../contract/schemas.js';
import { RECEIVED_KINDS } from '../../domain/index.js';
import { chatIdOf } from '../read-request.js';
import { instanceFilter, onePage, reply, route } from '../route.js';
import { editFields } from './edits.js';
import { messageListItemSchema } from './messages.js';

const receivedFields = {
  what: z
    .enum(RECEIVED_KINDS)
    .describe('`edit`, `deletion` and `reaction` refer to an earlier message, `call` is a call or its end'),
  idMessage: z.string().optional().describe("The gateway's id"),
  type: z.string().optional().describe("The gateway's `typeMessage`; of a call its `status`"),
  text: z.string().optional().describe('What was typed or chosen; of a reaction, the emoji'),
  name: z.string().optional().describe('How the sender calls themselves. Not verified'),
  fileName: z.string().optional().describe('Name of the file'),
  fileUrl: z.string().optional().describe("The gateway's link to the file"),
  refersTo: z.string().optional().describe("The gateway's id of the message that it refers to or quotes"),
};

const chatSchema = z
  .object({
    instance: z.string().describe('The account to which the contact wrote'),
    chatId: z.string().describe('The chat in which the last message arrived'),
    arrivedAt: time.describe('When the last message arrived, by our clock'),
    unread: z.boolean().describe('Whether an operator has not read it. The phone has a mark of its own'),
    last: z.object(receivedFields).optional().describe('The last message. Absent once its notification was deleted'),
    possibleOptOut: possibleOptOutSchema.optional().describe('An open possible opt-out of the contact'),
  })
  .meta({ id: 'Chat' });

const at = time.describe(
  'The time by which the list is sorted: of a message its request, of what was received its arrival',
);

/** By the contact, or on the phone of the account. */
const chatEntry = (kind: 'received' | 'phone') =>
  z.object({
    kind: z.literal(kind),
    at,
    instance: z.string().describe('The account'),
    chatId: z.string().describe('The chat'),
    ...receivedFields,
  });

const timelineItemSchema = z
  .discriminatedUnion('kind', [
    z
      .object({
        kind: z.literal('message'),
        at,
        message: messageListItemSchema.extend({ edits: z.array(z.object(editFields)) }),
      })
      .meta({ id: 'TimelineMessage', description: 'A message that everpost sends to the contact' }),
    chatEntry('received').meta({ id: 'TimelineReceived', description: 'The contact wrote, reacted or called' }),
    chatEntry('phone').meta({ id: 'TimelinePhone', description: 'Written to the contact on the phone of the account' }),
    z
      .object({ kind: z.literal('possible_opt_out'), at, possibleOptOut: possibleOptOutSchema })
      .meta({ id: 'TimelinePossibleOptOut', description: 'A message of the contact that may mean STOP' }),
    z
      .object({ kind: z.literal('suppressed'), at, suppression: suppressionSchema })
      .meta({ id: 'TimelineSuppressed', description: 'An entry of the suppression list was added' }),
    z
      .object({ kind: z.literal('released'), at, suppression: suppressionSchema })
      .meta({ id: 'TimelineReleased', description: 'An entry of the suppression list was removed' }),
  ])
  .meta({ id: 'TimelineItem' });

const timelineSchema = z
  .object({
    chatId: z.string().describe('The contact, as `to` was read'),
    items: z.array(timelineItemSchema),
    cursor: z.string().optional(),
  })
  .meta({ id: 'Timeline' });

const readSchema = z
  .strictObject({
    instance: z.string().describe('The account'),
    to: recipientSchema.describe('The phone number or chat id of the contact, or the id of the group'),
    defaultCountry: countryField,
    until: timeSchema.describe('`arrivedAt` of the last message that was read'),
  })
  .meta({ id: 'ReadChat' });

export const CONTACT_ROUTES = {
  listChats: route('GET /v1/chats', {
    access: ['read', 'named'],
    summary: 'List the chats in which contacts write, newest first',
    description:
      'Direct chats and groups of the configured accounts, with the last message of each. Texts are those of the stored notifications, and are deleted with them (EVERPOST_NOTIFICATION_RETENTION).',
    query: z.strictObject({
      instance: instanceFilter,
      to: recipientSchema
        .exactOptional()
        .describe('Only chats with this phone number or chat id, in any of its spellings. Default: all'),
      defaultCountry: countryField,
      unread: z
        .enum(['true', ''])
        .transform(() => true)
        .exactOptional()
        .describe('True shows only unread chats. Default: all'),
      ...pageFields,
    }),
    responses: onePage(chatSchema, 'ChatList'),
    async handle({ query: { instance, to, defaultCountry, unread, ...page } }, { ledger, instances }) {
      const chatId = to === undefined ? undefined : chatIdOf('The query', { to, defaultCountry });
      const names = instances.names().filter((name) => instance === undefined || name === instance);
      return reply(200, await ledger.conversations.list({ instances: names, ...present({ chatId, unread }), ...page }));
    },
  }),
  markChatRead: route('POST /v1/chats/read', {
    access: ['send', 'named'],
    alsoNeeds: 'read',
    summary: 'Mark a chat as read',
    description:
      "Up to the message that arrived at `until`; what arrived later stays unread. It is everpost's own mark, one for all operators: the phone and the contact do not learn of it. To mark the chat on the phone, use the operation readChat. A repeated request changes nothing.",
    body: readSchema,
    bodyName: 'The mark',
    responses: {
      200: {
        description: 'Whether the chat is unread now',
        schema: z.object({ instance: z.string(), chatId: z.string(), unread: z.boolean() }).meta({ id: 'ChatMark' }),
      },
    },
    problems: ['INSTANCE_NOT_FOUND'],
    async handle({ body: { until, instance: name, ...number } }, { ledger, instances }) {
      const { name: instance } = instances.get(name);
      const chatId = chatIdOf('The mark', number);
      const unread = await ledger.conversations.markRead({ instance, chatId, untilMs: Date.parse(until) });
      return reply(200, { instance, chatId, unread });
    },
  }),
  listTimeline: route('GET /v1/contacts/{to}/timeline', {
    access: ['read', 'named'],
    summary: 'List what happened with a contact, newest first',
    description:
      'Messages to the contact with their edits, what the contact wrote, what was written on the phone, possible opt-outs, and changes of the suppression list. `to` is a phone number or chat id in any spelling, or the id of a group. What was received is deleted with the stored notifications (EVERPOST_NOTIFICATION_RETENTION).',
    query: z.strictObject({
      instance: instanceFilter,
      defaultCountry: countryField,
      ...pageFields,
    }),
    responses: { 200: { description: 'One page; `cursor` leads to the next', schema: timelineSchema } },
    async handle({ params: { to }, query: { defaultCountry, ...filter }, caller: { instances } }, { ledger }) {
      const chatId = chatIdOf('The query', { to, defaultCountry });
      const timeline = await ledger.views.timeline({ chatId, ...filter, ...present({ instances }) });
      return reply(200, { chatId, ...timeline });
    },
  }),
} as const;
