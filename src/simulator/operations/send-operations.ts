import { optionalField, WireError } from '../wire/wire.js';
import { operation, type Operation, type OperationContext } from './operation.js';
import type { Content, OutgoingItem } from '../account/outgoing-item.js';
import { RequestFields } from '../wire/request-fields.js';
import { fillTemplate } from '../account/templates.js';

const FONTS = ['SERIF', 'SANS_SERIF', 'NORICAN_REGULAR', 'BRYNDAN_WRITE', 'OSWALD_HEAVY'] as const;
const TYPING_TYPES = ['recording'] as const;
const TYPING_MS = { min: 1000, max: 20_000 };
const WHITE = /^#(fff|ffff|ffffff|ffffffff)$/i;
const HEX_COLOUR = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

const DETAILS = 'Validation failed, details: ';

interface Send {
  readonly chatId: string;
  readonly content: Content;
  readonly quotedMessageId?: string;
}

/** The operations that use the send queue. All except forwarding and typing respond with `{ idMessage }`. */
export const SEND_OPERATIONS: Readonly<Record<string, Operation>> = {
  sendMessage: send((fields) => {
    const typingMs = fields.integer('typingTime', TYPING_MS) ?? 0;
    const text = fields.text('message', 20_000);
    return { kind: 'text', text, linkPreview: fields.flag('linkPreview', true), typingMs };
  }),

  sendFileByUrl: send((fields) => {
    const urlFile = fields.text('urlFile');
    if (!/^https?:\/\/./.test(urlFile)) {
      throw fields.error('url has incorrect format, it should start with http(s)://');
    }
    const fileName = fields.text('fileName');
    const caption = fields.optionalText('caption', 20_000);
    const typingMs = (fields.integer('typingTime', { min: 1, max: 20 }) ?? 1) * 1000;
    fields.oneOf('typingType', TYPING_TYPES);
    return { kind: 'file', urlFile, fileName, ...(caption === undefined ? {} : { caption }), typingMs };
  }),

  sendPoll: send((fields) => {
    const text = fields.text('message', 255);
    const given = fields.objects('options') ?? [];
    const options = given.map((option) => ({ optionName: new RequestFields(option, DETAILS).text('optionName') }));
    if (options.length < 2 || options.length > 12) {
      throw fields.error("'options' must contain from 2 to 12 items");
    }
    if (new Set(options.map(({ optionName }) => optionName)).size !== options.length) {
      throw fields.error("'options' must be unique");
    }
    const multipleAnswers = fields.flag('multipleAnswers', false);
    return { kind: 'poll', text, options, multipleAnswers, typingMs: fields.integer('typingTime', TYPING_MS) ?? 0 };
  }),

  sendLocation: send((fields) => ({
    kind: 'location',
    latitude: fields.requiredNumber('latitude', { min: -90, max: 90 }),
    longitude: fields.requiredNumber('longitude', { min: -180, max: 180 }),
    ...optionalField('nameLocation', fields.optionalText('nameLocation')),
    ...optionalField('address', fields.optionalText('address')),
  })),

  sendContact: send((fields) => {
    const given = fields.object('contact');
    const { phoneContact } = given;
    const isPhone = typeof phoneContact === 'number' || typeof phoneContact === 'string';
    if (!isPhone || !/^\d+$/.test(String(phoneContact))) {
      throw fields.error("'contact.phoneContact' must be a phone number in international format, without +");
    }
    const names = new RequestFields(given, DETAILS);
    const contact = {
      phoneContact,
      ...optionalField('firstName', names.optionalText('firstName')),
      ...optionalField('middleName', names.optionalText('middleName')),
      ...optionalField('lastName', names.optionalText('lastName')),
      ...optionalField('company', names.optionalText('company')),
    };
    return { kind: 'contact', contact };
  }),

  sendLink: send((fields) => ({ kind: 'link', urlLink: fields.text('urlLink') })),

  sendTextStatus: operation<Content>({
    verb: 'POST',
    perSecond: 5,
    changes: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, DETAILS);
      const text = fields.text('message', 500);
      const backgroundColor = fields.optionalText('backgroundColor') ?? '#000000';
      if (!HEX_COLOUR.test(backgroundColor)) throw fields.error("'backgroundColor' must be a hex color");
      if (WHITE.test(backgroundColor)) throw fields.error("'backgroundColor' must not be white");
      const font = fields.oneOf('font', FONTS);
      const participants = fields.texts('participants') ?? [];
      return { kind: 'status', text, backgroundColor, ...optionalField('font', font), participants };
    },
    run: (content, context) => {
      if (!context.instance.accounts.beta) throw new WireError(403, 'Forbidden');
      return { idMessage: enqueue({ chatId: '', content }, [context.newId()], context) };
    },
  }),

  sendTyping: operation<Send>({
    verb: 'POST',
    changes: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, 'Validation failed, ');
      const chatId = fields.chatId();
      const typingType = fields.oneOf('typingType', TYPING_TYPES) ?? 'typing';
      // The document names no default. The simulator shows typing only when its item is released.
      const typingMs = fields.integer('typingTime', TYPING_MS) ?? 0;
      return { chatId, content: { kind: 'typing', typingMs, typingType } };
    },
    run: (asked, context) => {
      enqueue(asked, [], context);
      return undefined;
    },
  }),

  sendTemplate: operation<{ readonly chatId: string; readonly templateId: string; readonly params: readonly string[] }>(
    {
      verb: 'POST',
      perSecond: 50,
      changes: true,
      read: ({ body }) => {
        const fields = new RequestFields(body, DETAILS);
        return { chatId: fields.chatId(), templateId: fields.text('templateId'), params: fields.texts('params') ?? [] };
      },
      run: ({ chatId, templateId, params }, context) => {
        const text = fillTemplate(context.instance, templateId, params);
        const content: Content = { kind: 'template', templateId, text };
        return { idMessage: enqueue({ chatId, content }, [context.newId()], context) };
      },
    },
  ),

  forwardMessages: operation<Send & { readonly count: number }>({
    verb: 'POST',
    perSecond: 50,
    changes: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, DETAILS);
      const chatId = fields.chatId();
      const chatIdFrom = fields.chatId('chatIdFrom');
      const messages = fields.texts('messages') ?? [];
      if (messages.length === 0) throw fields.error("'messages' is required");
      const typingMs = fields.integer('typingTime', TYPING_MS) ?? 0;
      return { chatId, content: { kind: 'forward', chatIdFrom, messages, typingMs }, count: messages.length };
    },
    run: ({ count, ...asked }, context) => {
      const ids = Array.from({ length: count }, () => context.newId());
      enqueue(asked, ids, context);
      return { messages: ids };
    },
  }),
};

/** An operation that queues one message of a chat, with an optional quote. */
function send(readContent: (fields: RequestFields) => Content): Operation {
  return operation<Send>({
    verb: 'POST',
    perSecond: 50,
    changes: true,
    read: ({ body }) => {
      const fields = new RequestFields(body, DETAILS);
      const chatId = fields.chatId();
      const quotedMessageId = fields.optionalText('quotedMessageId') || undefined;
      return { chatId, content: readContent(fields), ...optionalField('quotedMessageId', quotedMessageId) };
    },
    run: (asked, context) => ({ idMessage: enqueue(asked, [context.newId()], context) }),
  });
}

function enqueue(asked: Send, ids: readonly string[], { instance, nowMs }: OperationContext): string {
  const item: OutgoingItem = { ...asked, ids, acceptedAtMs: nowMs };
  instance.queue.add(item);
  return ids[0] ?? '';
}
