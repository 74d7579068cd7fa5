/**
 * Removes a recipient from JSON of the gateway: from one notification, from the journal of a chat, from a group.
 *
 * - An object that names the recipient is about them, e.g. their message, or their entry in a list. All its values are
 *   blanked, with those of the objects inside it.
 * - A group is about all its members: only the entry of the recipient is blanked, and the fields that name them.
 * - Text of others that contains the number loses the number. A contact card is blanked with its name.
 */
import { readChatId } from '../../domain/index.js';
import type { Subject } from './erase-own-rows.js';

type Fields = Readonly<Record<string, unknown>>;

/** Values that count, order or relate rows stay, unless they contain the number. */
const KEPT = new Set([
  'typeWebhook',
  'typeMessage',
  'idMessage',
  'idInstance',
  'typeInstance',
  'type',
  'kind',
  'timestamp',
  'status',
  'state',
  'sendByApi',
  'isAdmin',
  'isSuperAdmin',
]);
/** Fields with words of the author of the object. */
const TEXTS = new Set(['text', 'textMessage', 'message', 'caption', 'description', 'body', 'title', 'subject']);
/** Fields that name another recipient than the author of the object: the owner of a group, the author of a quoted message. */
const OF_OTHERS = new Set(['owner', 'participant', 'quotedMessage']);
const CONTACT_CARD = /^\s*BEGIN:VCARD/i;

/** Numbers and chat ids of the recipient in texts; the number becomes 0, which is also a valid number in JSON. */
export function withoutNumber(text: string, { pattern }: Pick<Subject, 'pattern'>): string {
  return text.replaceAll(new RegExp(pattern, 'g'), '$10');
}

export class DataEraser {
  readonly #subject: Pick<Subject, 'pattern' | 'chatIds'>;
  readonly #mention: RegExp;

  constructor(subject: Pick<Subject, 'pattern' | 'chatIds'>) {
    this.#subject = subject;
    this.#mention = new RegExp(subject.pattern);
  }

  mentions(text: string): boolean {
    return this.#mention.test(text);
  }

  erase(value: unknown): unknown {
    if (!this.mentions(JSON.stringify(value) ?? '')) return value;
    if (Array.isArray(value)) return value.map((one) => this.erase(one));
    if (!isObject(value)) return this.#eraseLeaf(value);
    if (Array.isArray(value['participants'])) return this.#eraseFromGroup(value);
    if (this.#isAbout(value) || Object.values(value).some((inner) => this.#isCardOf(inner))) return this.#blank(value);
    return this.#eachField(value, (inner) => this.erase(inner));
  }

  #eraseFromGroup(group: Fields): Fields {
    return this.#eachField(group, (inner) => {
      if (Array.isArray(inner)) return this.erase(inner);
      return isObject(inner) ? this.#eraseFromGroup(inner) : this.#eraseLeaf(inner);
    });
  }

  /** Lists are about several recipients. */
  #isAbout(value: Fields): boolean {
    return Object.entries(value).some(([name, inner]) => {
      if (TEXTS.has(name) || OF_OTHERS.has(name) || Array.isArray(inner)) return false;
      return isObject(inner) ? this.#isAbout(inner) : this.#isNameOf(inner);
    });
  }

  #isNameOf(leaf: unknown): boolean {
    if (typeof leaf !== 'string' && typeof leaf !== 'number') return false;
    const chatId = readChatId(String(leaf).replace(/^\s*\+/, ''));
    return chatId !== undefined && this.#subject.chatIds.includes(chatId);
  }

  #isCardOf(value: unknown): boolean {
    return typeof value === 'string' && CONTACT_CARD.test(value) && this.mentions(value);
  }

  #eraseLeaf(value: unknown): unknown {
    if (this.#isNameOf(value)) return typeof value === 'number' ? 0 : '';
    return typeof value === 'string' ? withoutNumber(value, this.#subject) : value;
  }

  /** A field whose name contains the number is removed. */
  #eachField(value: Fields, change: (inner: unknown) => unknown): Fields {
    const fields = Object.entries(value).filter(([name]) => !this.mentions(name));
    return Object.fromEntries(fields.map(([name, inner]) => [name, change(inner)]));
  }

  #blank(value: unknown): unknown {
    return blank(value, (text) => this.mentions(text));
  }
}

/** Every value, except the kept ones. */
export function blank(value: unknown, mentions: (text: string) => boolean, isKept = false): unknown {
  if (Array.isArray(value)) return value.map((one) => blank(one, mentions));
  if (isObject(value)) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([name]) => !mentions(name))
        .map(([name, inner]) => [name, blank(inner, mentions, KEPT.has(name))]),
    );
  }
  if (isKept && !mentions(JSON.stringify(value) ?? '')) return value;
  if (typeof value === 'string') return '';
  return typeof value === 'number' ? 0 : value;
}

function isObject(value: unknown): value is Fields {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
