import { z } from 'zod';

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

/** `{ idMessage }`: accepted into the queue, no more than that. */
export const idMessageResponse = z.looseObject({
  idMessage: z.string().min(1).describe('Id of the accepted item, opaque'),
});

const extendedText = z.looseObject({
  text: optionalText,
  description: optionalText,
  title: optionalText,
  previewType: optionalText,
  jpegThumbnail: optionalText,
  stanzaId: optionalText,
  participant: optionalText,
});

/** One message of a journal, or one story: fields follow its `typeMessage`, of which new ones may appear. */
export const journalEntry = withUnits(
  { timestamp: 'timestampSeconds' },
  z.looseObject({
    idMessage: z.string().min(1),
    type: z.string().nullish().describe('incoming or outgoing'),
    timestamp: optionalNumber,
    timestampSeconds: z.number().optional().describe('timestamp, Unix seconds'),
    typeMessage: optionalText,
    chatId: optionalText,
    senderId: optionalText,
    senderName: optionalText,
    textMessage: z.string().nullish().describe('An API text may come back here or as extendedTextMessage.text'),
    extendedTextMessage: extendedText.nullish(),
    downloadUrl: optionalText,
    caption: optionalText,
    fileName: optionalText,
    mimeType: optionalText,
    location: z.looseObject({}).nullish().describe('latitude, longitude, nameLocation, address'),
    contact: z.looseObject({}).nullish().describe('displayName and vcard'),
    pollMessageData: z.looseObject({}).nullish().describe('name, options, multipleAnswers'),
    isForwarded: optionalFlag,
    forwardingScore: optionalNumber.describe('How often it was forwarded'),
    quotedMessage: z.looseObject({}).nullish(),
    statusMessage: optionalText,
    sendByApi: optionalFlag,
    isEdited: optionalFlag,
    editedMessageId: optionalText,
    isDeleted: optionalFlag,
    deletedMessageId: optionalText,
  }),
);

/**
 * A journal with nothing in it may be an empty list, `null` or no body at all; its silence proves nothing either way.
 */
export const journalEntries = z.preprocess((raw) => raw ?? [], z.array(journalEntry));
