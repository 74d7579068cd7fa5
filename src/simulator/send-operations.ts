import { optionalField } from './optional-field.js';
import { operation, type Operation, type OperationContext } from './operation.js';
import type { Contact, Content, OutgoingItem } from './outgoing-item.js';
import { RequestFields } from './request-fields.js';
import type { RuleBook, RuleId } from './rules.js';
import { canQuote } from './send-to-phone.js';
import { fillTemplate } from './templates.js';
import { WireError } from './wire-error.js';

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

/** Everything that goes into the send queue. All but forwarding and typing answer `{ idMessage }`. */
export const SEND_OPERATIONS: Readonly<Record<string, Operation>> = {
  sendMessage: send((fields, rules) => {
    const typingMs = fields.integer('typingTime', TYPING_MS) ?? 0;
    const text = fields.text('message', limit(rules, 'limits.send-message-20000', 20_000));
    return { kind: 'text', text, linkPreview: fields.flag('linkPreview', true), typingMs };
  }),

  sendFileByUrl: send((fields, rules) => {
    const urlFile = readUrl(fields, rules);
    const fileName = fields.text('fileName');
    const caption = fields.optionalText('caption', limit(rules, 'limits.caption-20000', 20_000));
    const range = rules.on('send-file.typing-time-seconds') ? { min: 1, max: 20 } : {};
    const otherwise = rules.on('send-file.typing-default-1-second') ? 1 : 0;
    const typingMs = (fields.integer('typingTime', range) ?? otherwise) * 1000;
    fields.oneOf('typingType', TYPING_TYPES, rules.on('send-file.typing-type-recording'));
    return { kind: 'file', urlFile, fileName, ...(caption === undefined ? {} : { caption }), typingMs };
  }, 'errors.send-file.validation'),

  sendPoll: send((fields, rules) => ({
    kind: 'poll',
    text: fields.text('message', limit(rules, 'limits.poll-message-255', 255)),
    options: readOptions(fields, rules).map((optionName) => ({ optionName })),
    multipleAnswers: fields.flag('multipleAnswers', false),
    typingMs: fields.integer('typingTime', rules.on('poll.typing-time-milliseconds') ? TYPING_MS : {}) ?? 0,
  })),

  sendLocation: send((fields, rules) => {
    const [most, around] = rules.on('location.ranges') ? [90, 180] : [Infinity, Infinity];
    return {
      kind: 'location',
      latitude: fields.requiredNumber('latitude', { min: -most, max: most }),
      longitude: fields.requiredNumber('longitude', { min: -around, max: around }),
      ...optionalField('nameLocation', fields.optionalText('nameLocation')),
      ...optionalField('address', fields.optionalText('address')),
    };
  }),

  sendContact: send((fields, rules) => ({ kind: 'contact', contact: readContact(fields, rules) })),

  sendLink: send((fields) => ({ kind: 'link', urlLink: fields.text('urlLink') })),

  sendTextStatus: operation<Content>({
    verb: 'POST',
    perSecond: 5,
    changes: true,
    read: ({ body }, rules) =>
      readStatus(new RequestFields(body, DETAILS, rules, rules.on('errors.status.validation')), rules),
    run: (content, context) => {
      if (!context.instance.accounts.beta && context.instance.rules.on('errors.status.forbidden')) {
        throw new WireError(403, 'Forbidden');
      }
      return { idMessage: enqueue({ chatId: '', content }, [context.newId()], context) };
    },
  }),

  sendTyping: operation<Send>({
    verb: 'POST',
    changes: true,
    read: ({ body }, rules) => readTyping(body, rules),
    run: (asked, context) => {
      enqueue(asked, [], context);
      return context.instance.rules.on('typing.empty-answer') ? undefined : { idMessage: '' };
    },
  }),

  sendTemplate: operation<{ readonly chatId: string; readonly templateId: string; readonly params: readonly string[] }>(
    {
      verb: 'POST',
      perSecond: 50,
      changes: true,
      read: ({ body }, rules) => {
        const fields = new RequestFields(body, DETAILS, rules);
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
    read: ({ body }, rules) => {
      const fields = new RequestFields(body, DETAILS, rules);
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
function send(readContent: (fields: RequestFields, rules: RuleBook) => Content, validation?: RuleId): Operation {
  return operation<Send>({
    verb: 'POST',
    perSecond: 50,
    changes: true,
    read: ({ body }, rules) => {
      const strict = validation === undefined || rules.on(validation);
      const fields = new RequestFields(body, DETAILS, rules, strict);
      const chatId = fields.chatId();
      const quotedMessageId = fields.optionalText('quotedMessageId') || undefined;
      return { chatId, content: readContent(fields, rules), ...optionalField('quotedMessageId', quotedMessageId) };
    },
    run: (asked, context) => {
      const { instance } = context;
      const respondsAnyway = instance.rules.on('quote.invalid-answers-200');
      if (!respondsAnyway && !canQuote(instance, asked.chatId, asked.quotedMessageId)) {
        throw new WireError(400, `${DETAILS}'quotedMessageId' is not known in this chat`);
      }
      return { idMessage: enqueue(asked, [context.newId()], context) };
    },
  });
}

function enqueue(asked: Send, ids: readonly string[], { instance, nowMs }: OperationContext): string {
  const item: OutgoingItem = { ...asked, ids, acceptedAtMs: nowMs };
  instance.queue.add(item);
  return ids[0] ?? '';
}

function readUrl(fields: RequestFields, rules: RuleBook): string {
  const checked = rules.on('errors.send-file.url-format');
  const urlFile = fields.text('urlFile');
  if (checked && urlFile !== '' && !/^https?:\/\/./.test(urlFile)) {
    throw fields.error('url has incorrect format, it should start with http(s)://');
  }
  return urlFile;
}

function readOptions(fields: RequestFields, rules: RuleBook): string[] {
  const options = fields.objects('options') ?? [];
  const names = options.map((option) => new RequestFields(option, DETAILS, rules).text('optionName'));
  if ((names.length < 2 || names.length > 12) && rules.on('poll.options-2-to-12')) {
    throw fields.error("'options' must contain from 2 to 12 items");
  }
  if (new Set(names).size !== names.length && rules.on('poll.options-unique')) {
    throw fields.error("'options' must be unique");
  }
  return names;
}

function readContact(fields: RequestFields, rules: RuleBook): Contact {
  const given = fields.object('contact');
  const { phoneContact } = given;
  const isPhone = typeof phoneContact === 'number' || typeof phoneContact === 'string';
  if (!isPhone || (!/^\d+$/.test(String(phoneContact)) && rules.on('contact.phone-digits'))) {
    throw fields.error("'contact.phoneContact' must be a phone number in international format, without +");
  }
  const names = new RequestFields(given, DETAILS, rules);
  return {
    phoneContact,
    ...optionalField('firstName', names.optionalText('firstName')),
    ...optionalField('middleName', names.optionalText('middleName')),
    ...optionalField('lastName', names.optionalText('lastName')),
    ...optionalField('company', names.optionalText('company')),
  };
}

function readStatus(fields: RequestFields, rules: RuleBook): Content {
  const text = fields.text('message', limit(rules, 'limits.status-text-500', 500));
  const colour = fields.optionalText('backgroundColor');
  if (colour !== undefined && !HEX_COLOUR.test(colour) && rules.on('status.background-hex')) {
    throw fields.error("'backgroundColor' must be a hex color");
  }
  if (colour !== undefined && WHITE.test(colour) && rules.on('status.background-not-white')) {
    throw fields.error("'backgroundColor' must not be white");
  }
  const backgroundColor = colour ?? (rules.on('status.background-default-black') ? '#000000' : undefined);
  const font = fields.oneOf('font', FONTS, rules.on('status.font'));
  const participants = fields.texts('participants') ?? [];
  return {
    kind: 'status',
    text,
    ...optionalField('backgroundColor', backgroundColor),
    ...optionalField('font', font),
    participants,
  };
}

function readTyping(body: Record<string, unknown>, rules: RuleBook): Send {
  const fields = new RequestFields(body, 'Validation failed, ', rules, rules.on('typing.validation'));
  const chatId = fields.chatId();
  const typingType = fields.oneOf('typingType', TYPING_TYPES, rules.on('typing.validation')) ?? 'typing';
  const typingMs = readTypingMs(fields, body, rules);
  return { chatId, content: { kind: 'typing', typingMs, typingType } };
}

function readTypingMs(fields: RequestFields, body: Record<string, unknown>, rules: RuleBook): number {
  if (typeof body['typingTime'] !== 'number' && !rules.on('errors.typing.not-a-number')) return 0;
  const min = rules.on('limits.typing-min-1000') ? 1000 : 0;
  const max = limit(rules, 'limits.typing-max-20000', 20_000);
  // Left out, its length is not documented: the typing is shown for the moment of its own turn.
  return fields.integer('typingTime', { min, max }) ?? 0;
}

function limit(rules: RuleBook, rule: RuleId, max: number): number {
  return rules.on(rule) ? max : Infinity;
}
