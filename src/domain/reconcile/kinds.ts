/**
 * How each kind of message is shown: by everpost, by the gateway's queue, and by journals and notifications. Whatever
 * compares messages, or shows one to a reader, reads this table.
 */
import { canonicalJson, linkToCheck, present, type MessageContent, type MessageKind } from '../../contract/index.js';
import {
  chatKey,
  comparableText,
  comparableUrl,
  type Fields,
  fields,
  flag,
  list,
  numeral,
  type ShownFields,
  word,
} from '../comparable.js';

type Shown = ShownFields | undefined;

/** The parts of a message that a journal or a notification shows. */
export interface ShownFieldsByKind {
  /** The fields of a plain text, or the name and caption of a file. */
  readonly plain: Fields;
  /** The fields of a text with a link. */
  readonly extended: Fields;
  readonly location: Fields;
  readonly contact: Fields;
  readonly poll: Fields;
}

/** The parts of a message, under the names of journals and of notifications. */
export function shownParts(it: Fields): ShownFieldsByKind {
  return {
    plain: { ...it, ...fields(it['textMessageData']), ...fields(it['fileMessageData']) },
    extended: { ...fields(it['extendedTextMessageData']), ...fields(it['extendedTextMessage']) },
    location: { ...fields(it['locationMessageData']), ...fields(it['location']) },
    contact: { ...fields(it['contactMessageData']), ...fields(it['contact']) },
    poll: fields(it['pollMessageData']),
  };
}

interface ShownKind<Content> {
  /** Our own message. */
  readonly compared: (content: Content) => ShownFields;
  /** The gateway's names of it in the queue, and how the body of an item is read. Empty: the queue does not list it. */
  readonly queued: Readonly<Record<string, (body: Fields) => Shown>>;
  /** Its names in journals and notifications, and how it is read there. Without a reader it is never adopted. */
  readonly types: readonly string[];
  readonly seen?: (parts: ShownFieldsByKind) => Shown;
  /** What a reader is told of it. The first fact identifies it in a list. */
  readonly facts: (content: Content) => Readonly<Record<string, string | undefined>>;
}

const SHOWN_KINDS: { readonly [Kind in MessageKind]: ShownKind<Extract<MessageContent, { kind: Kind }>> } = {
  text: {
    compared: ({ text, linkPreview }) => ({ body: comparableText(text), linkPreview: linkPreview ?? true }),
    // The queue may list a text with a link as the deprecated sendLink.
    queued: {
      sendMessage: ({ message, linkPreview }) =>
        typeof message === 'string'
          ? { body: comparableText(message), linkPreview: flag(linkPreview) ?? true }
          : undefined,
      sendLink: () => undefined,
    },
    types: ['textMessage', 'extendedTextMessage', 'quotedMessage'],
    seen: shownText,
    facts: ({ text }) => ({ text }),
  },
  file: {
    compared: (content) => ({
      body: comparableText(content.fileName),
      caption: comparableText(content.caption ?? ''),
      url: comparableUrl(linkToCheck(content)),
    }),
    queued: {
      sendFileByUrl(body) {
        const url = word(body['urlFile']);
        const shown = shownFile(body);
        return shown && (url === '' ? shown : { ...shown, url: comparableUrl(url) });
      },
    },
    types: ['imageMessage', 'videoMessage', 'audioMessage', 'documentMessage'],
    seen: ({ plain }) => shownFile(plain),
    facts: ({ fileName, url, fileId, caption }) => ({ file: fileName, link: url, 'stored as': fileId, caption }),
  },
  status: {
    compared: ({ text }) => ({ body: comparableText(text) }),
    queued: {},
    // Witnesses show a status as a text in the chat of statuses.
    types: [],
    seen: shownText,
    facts: ({ text }) => ({ text }),
  },
  poll: {
    compared({ message, options, multipleAnswers = false }) {
      const names = options.map(({ optionName }) => optionName);
      return { body: pollBody(message, names), multipleAnswers };
    },
    queued: { sendPoll: ({ message, options, multipleAnswers }) => shownPoll(message, options, multipleAnswers) },
    types: ['pollMessage'],
    seen: ({ poll: { name, options, multipleAnswers } }) => shownPoll(name, options, multipleAnswers),
    facts: ({ message, options, multipleAnswers }) => ({
      question: message,
      options: options.map(({ optionName }) => optionName).join(' · '),
      'multiple answers': multipleAnswers === true ? 'yes' : undefined,
    }),
  },
  location: {
    compared: (content) => ({ body: locationBody(content) }),
    queued: { sendLocation: shownLocation },
    types: ['locationMessage'],
    seen: ({ location }) => shownLocation(location),
    facts: ({ latitude, longitude, nameLocation, address }) => ({
      place: `${latitude}, ${longitude}`,
      name: nameLocation,
      address,
    }),
  },
  contact: {
    compared: ({ contact }) => ({ body: contactBody(contact.phoneContact), names: contactNames(contact) }),
    queued: { sendContact: ({ contact }) => shownContact(fields(contact)) },
    types: ['contactMessage'],
    seen: ({ contact }) => shownContact(contact),
    facts({ contact: { firstName, middleName, lastName, phoneContact, company } }) {
      const named = [firstName, middleName, lastName, phoneContact].filter((name) => name !== undefined);
      return { contact: named.join(' '), company };
    },
  },
  forward: {
    compared: ({ chatIdFrom, messages }) => ({ body: forwardBody(chatIdFrom, messages) }),
    queued: {
      ForwardMessages(body) {
        const [chatIdFrom, messages] = [word(body['chatIdFrom']), list(body['messages']).map(word)];
        return chatIdFrom === '' || messages.length === 0 ? undefined : { body: forwardBody(chatIdFrom, messages) };
      },
    },
    // everpost cannot compose these types. Only a forward can have one.
    types: ['contactsArrayMessage', 'stickerMessage', 'groupInviteMessage'],
    facts: ({ messages, chatIdFrom }) => ({ forwards: `${messages.join(' ')} from ${chatIdFrom}` }),
  },
  template: {
    // Witnesses show only the rendered text of a template, not its name or id, so no observation matches a template.
    compared: ({ elementName, templateId, params = [] }) => ({
      body: canonicalJson({ template: elementName ?? templateId, params: params.map(comparableText) }),
    }),
    queued: {},
    types: ['templateMessage'],
    facts: ({ elementName, templateId, params }) => ({
      template: elementName ?? templateId,
      parameters: params?.join(' · '),
    }),
  },
};

export function shownKind(kind: MessageKind): ShownKind<MessageContent> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the caller gives it only contents of this kind
  return SHOWN_KINDS[kind] as ShownKind<MessageContent>;
}

/** What a reader is told of a content. The first fact identifies it in a list. */
export function contentFacts(content: MessageContent): Readonly<Record<string, string | undefined>> {
  return shownKind(content.kind).facts(content);
}

/** The question and the options of a poll, in their order. Options are sent without the blanks around them. */
function pollBody(message: string, options: readonly string[]): string {
  return canonicalJson([comparableText(message), options.map((option) => comparableText(option.trim()))]);
}

/** The place and the names of a location. Coordinates are compared as numbers. */
function locationBody(place: {
  readonly latitude: number;
  readonly longitude: number;
  readonly nameLocation?: string;
  readonly address?: string;
}): string {
  const { latitude, longitude, nameLocation = '', address = '' } = place;
  return canonicalJson([latitude, longitude, comparableText(nameLocation), comparableText(address)]);
}

/** The digits of a contact's number. */
function contactBody(phone: string | number): string {
  return String(phone).replaceAll(/\D/g, '');
}

function contactNames({
  firstName,
  middleName,
  lastName,
  company,
}: Omit<Extract<MessageContent, { kind: 'contact' }>['contact'], 'phoneContact'>): string {
  return canonicalJson([firstName, middleName, lastName, company].map((name) => comparableText(name ?? '')));
}

/** A forward as the queue shows it: the forwarded message and its chat. */
function forwardBody(chatIdFrom: string | number, messages: readonly string[]): string {
  return canonicalJson({ chatIdFrom: chatKey(chatIdFrom), messages });
}

function shownText({ plain, extended }: ShownFieldsByKind): Shown {
  const text = typeof plain['textMessage'] === 'string' ? plain['textMessage'] : extended['text'];
  return typeof text === 'string' ? { body: comparableText(text) } : undefined;
}

// The queue, journals and notifications show files, polls, locations and contacts in the same form.

function shownFile({ fileName, caption }: Fields): Shown {
  if (word(fileName) === '') return undefined;
  return { body: comparableText(word(fileName)), caption: comparableText(word(caption)) };
}

/** @param options  a list of `{ optionName }` or of names */
function shownPoll(question: unknown, options: unknown, multipleAnswers: unknown): Shown {
  const names = list(options).map((option) => (typeof option === 'string' ? option : fields(option)['optionName']));
  if (typeof question !== 'string' || !names.every((name) => typeof name === 'string')) return undefined;
  return { body: pollBody(question, names), ...present({ multipleAnswers: flag(multipleAnswers) }) };
}

function shownLocation(it: Fields): Shown {
  const [latitude, longitude] = [numeral(it['latitude']), numeral(it['longitude'])];
  if (latitude === undefined || longitude === undefined) return undefined;
  const words = { nameLocation: word(it['nameLocation']), address: word(it['address']) };
  return { body: locationBody({ latitude, longitude, ...words }) };
}

/** Parses a contact, which has separate fields as it was sent, or a vCard as a phone gets it. */
function shownContact({ phoneContact, vcard, firstName, middleName, lastName, company }: Fields): Shown {
  const phone = word(phoneContact);
  if (phone !== '') {
    const names = { firstName: word(firstName), middleName: word(middleName), lastName: word(lastName) };
    return { body: contactBody(phone), names: contactNames({ ...names, company: word(company) }) };
  }
  const [only, ...more] = phonesOfCard(word(vcard));
  return only === undefined || more.length > 0 ? undefined : { body: only };
}

/** The distinct numbers of a vCard as digits: the messenger's number (`waid`) if present, else the written number. */
function phonesOfCard(card: string): string[] {
  // A line that begins with a blank continues the previous line.
  const lines = card.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const phones = lines.flatMap((line) => {
    const [, parameters = '', value = ''] = /^(?:[\w-]+\.)?TEL((?:;[^:]*)?):(.*)$/i.exec(line) ?? [];
    return contactBody(/;waid=(\d+)/i.exec(parameters)?.[1] ?? value);
  });
  return [...new Set(phones.filter((phone) => phone !== ''))];
}
