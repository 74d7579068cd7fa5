/**
 * Finds the text that a recipient typed or chose in an incoming message.
 *
 * SAID-1 Typed: a text, and the caption of a file, in the fields that the gateway documents.
 * SAID-2 Chosen: a field `selected…Text` of any object, e.g. of a pressed button, and the title of a chosen list row. Ids
 *    of buttons and rows do not count: they are the program's words.
 * SAID-3 Types whose text the recipient did not write, e.g. a reaction, a poll or a contact, have only SAID-2.
 * SAID-4 An unknown type: its first field that is named like a text, {@link NAMED_LIKE_TEXT}. The limits are
 *    {@link DEPTH} and {@link MOST_FIELDS}.
 * SAID-5 The text of a quoted message is never read: the account may have written it.
 */

/** The known types. `other`: their text is not the recipient's (SAID-3). */
const TYPES: ReadonlyMap<string, 'own' | 'other'> = new Map([
  ...(
    [
      'textMessage',
      'extendedTextMessage',
      'quotedMessage',
      'imageMessage',
      'videoMessage',
      'documentMessage',
      'audioMessage',
      'buttonsResponseMessage',
      'templateButtonsReplyMessage',
      // As one page of the vendor prints it.
      'templateButtonReplyMessage',
      'interactiveButtonsResponse',
      'listResponseMessage',
    ] as const
  ).map((type) => [type, 'own'] as const),
  ...(
    [
      'stickerMessage',
      'locationMessage',
      'contactMessage',
      'contactsArrayMessage',
      'pollMessage',
      'pollUpdateMessage',
      'reactionMessage',
      'buttonsMessage',
      'listMessage',
      'templateMessage',
      'interactiveButtons',
      'interactiveButtonsReply',
      'groupInviteMessage',
      'editedMessage',
      'deletedMessage',
    ] as const
  ).map((type) => [type, 'other'] as const),
]);

/** A gateway's own object is two levels deep; a generic one of the network has one level more. */
const DEPTH = 3;
const MOST_FIELDS = 200;

const TYPED: readonly (readonly [object: string, field: string])[] = [
  ['textMessageData', 'textMessage'],
  ['extendedTextMessageData', 'text'],
  ['fileMessageData', 'caption'],
];
const CHOSEN = /^selected\w{0,30}text$/i;
/** Not `type`, whose values are words such as REVOKE, and not ids. */
const NAMED_LIKE_TEXT = /^(?:\w{0,30}text|title|caption|body|message|conversation)$/i;
const NOT_OWN = /quoted|context|edited|deleted/i;

export interface MessageText {
  readonly text?: string;
  /** Its type has no known meaning. */
  readonly isUnknownType: boolean;
}

/** @param messageData  of a notification; only own fields of JSON objects are read */
export function messageText(typeMessage: string, messageData: Readonly<Record<string, unknown>>): MessageText {
  const known = TYPES.get(typeMessage);
  const chosen = firstText(messageData, CHOSEN);
  const rowTitle = known === 'other' ? undefined : textAt(messageData, 'listResponseMessage', 'title');
  const typed =
    known === 'other'
      ? undefined
      : TYPED.map(([object, field]) => textAt(messageData, object, field)).find((text) => text !== undefined);
  const found =
    typed ?? chosen ?? rowTitle ?? (known === undefined ? firstText(messageData, NAMED_LIKE_TEXT) : undefined);
  return { isUnknownType: known === undefined, ...(found === undefined ? {} : { text: found }) };
}

function textAt(data: Readonly<Record<string, unknown>>, object: string, field: string): string | undefined {
  const inner = data[object];
  if (!isObject(inner)) return undefined;
  const text = inner[field];
  return typeof text === 'string' && text !== '' ? text : undefined;
}

/** The first text in a field whose name matches, the outer objects first. */
function firstText(data: Readonly<Record<string, unknown>>, name: RegExp): string | undefined {
  let level = [data];
  let fields = 0;
  for (let depth = 0; depth < DEPTH && level.length > 0; depth += 1) {
    const inner: Readonly<Record<string, unknown>>[] = [];
    for (const [field, value] of level.flatMap((object) => Object.entries(object).slice(0, MOST_FIELDS))) {
      fields += 1;
      if (fields > MOST_FIELDS) return undefined;
      if (NOT_OWN.test(field)) continue;
      if (typeof value === 'string' && value !== '' && field !== 'typeMessage' && name.test(field)) return value;
      if (isObject(value)) inner.push(value);
    }
    level = inner;
  }
  return undefined;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
