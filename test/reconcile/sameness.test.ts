import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageContent } from '../../src/contract/index.js';
import { bodyHash } from '../../src/ledger/index.js';
import {
  copyLikeness,
  couldBe,
  isSame,
  likenessOfAttempt,
  type Sighting,
} from '../../src/activities/reconcile/index.js';
import { FORWARDED_TEXT, ID, PERSON, inJournal, inNotice, inQueue, journalEntry } from './witnesses.js';

const TEXT = { kind: 'text', text: 'Your table is ready' } as const;
const FILE = { kind: 'file', url: 'https://files.test/a b.pdf', fileName: 'menu.pdf', caption: 'Menu' } as const;
const POLL = {
  kind: 'poll',
  message: 'Tea or coffee?',
  options: [{ optionName: 'Tea' }, { optionName: 'Caf\u00e9' }],
} as const;
const PLACE = { kind: 'location', latitude: 44.9370129, longitude: -34.1, nameLocation: 'Square' } as const;
const CARD = {
  kind: 'contact',
  contact: { phoneContact: 15557654321, firstName: 'Ann', lastName: 'Lee', company: 'Books' },
} as const;
const ELSEWHERE = '15559998877@c.us';
const FORWARD = { kind: 'forward', chatIdFrom: ELSEWHERE, messages: ['BAE5ORIGINAL'] } as const;
const STATUS = { kind: 'status', text: 'Open until ten' } as const;

function shows(sighting: Sighting | undefined, content: MessageContent, chatId: string | undefined = PERSON): boolean {
  return sighting?.likeness !== undefined && isSame(likenessOfAttempt(chatId, content), sighting.likeness);
}

describe('the attempt is recognised', () => {
  test.each<[string, Sighting | undefined, MessageContent]>([
    ['in the queue, as it was sent', inQueue(TEXT), TEXT],
    ['in the queue, with an id that is a number', inQueue(TEXT, PERSON, { messageID: 12345 }), TEXT],
    [
      'in the queue, without the link preview that is on by default',
      inQueue(TEXT, PERSON, {}, { linkPreview: null }),
      TEXT,
    ],
    ['in the queue, with the link preview as a word', inQueue(TEXT, PERSON, {}, { linkPreview: 'true' }), TEXT],
    ['in the queue, with a chat that is a bare number', inQueue(TEXT, PERSON, {}, { chatId: 15551234567 }), TEXT],
    [
      'in the queue, with fields that live gateways add',
      inQueue(TEXT, PERSON, {}, { typingTime: null, typePreview: '' }),
      TEXT,
    ],
    ['in the queue, with a quote', inQueue({ ...TEXT, quotedMessageId: 'Q' }), { ...TEXT, quotedMessageId: 'Q' }],
    ['in the queue, as a file whose link was encoded', inQueue({ ...FILE, url: 'https://files.test/a%20b.pdf' }), FILE],
    ['in the queue, as a file without its link', inQueue(FILE, PERSON, {}, { urlFile: undefined }), FILE],
    ['in a journal, as plain text', inJournal(TEXT), TEXT],
    [
      'in a journal, where a text came back as a link’s text',
      inJournal(TEXT, PERSON, {
        typeMessage: 'extendedTextMessage',
        textMessage: undefined,
        extendedTextMessage: { text: TEXT.text, stanzaId: null },
      }),
      TEXT,
    ],
    ['in a journal, with sendByApi as a word', inJournal(TEXT, PERSON, { sendByApi: 'true' }), TEXT],
    ['in a journal, as a file that has the gateway’s own link', inJournal(FILE), FILE],
    ['in a journal, as a status', inJournal(STATUS), STATUS],
    ['in a notification', inNotice(TEXT), TEXT],
    [
      'in a notification, where a text came back as a link’s text',
      inNotice(
        TEXT,
        PERSON,
        {},
        { typeMessage: 'extendedTextMessage', textMessageData: null, extendedTextMessageData: { text: TEXT.text } },
      ),
      TEXT,
    ],
    ['in a notification, as an image', inNotice(FILE, PERSON, {}, { typeMessage: 'imageMessage' }), FILE],
    ['in a notification, with a quote', inNotice({ ...TEXT, quotedMessageId: 'Q' }), { ...TEXT, quotedMessageId: 'Q' }],
    ['in a notification, as a status', inNotice(STATUS), STATUS],
    ['in the queue, as a poll', inQueue(POLL), POLL],
    ['in the queue, as a poll of several answers', inQueue(POLL), { ...POLL, multipleAnswers: true }],
    [
      'in the queue, as a poll whose options are names alone',
      inQueue(POLL, PERSON, {}, { options: ['Tea', 'Cafe\u0301'] }),
      POLL,
    ],
    ['in the queue, as a place', inQueue(PLACE), PLACE],
    [
      'in the queue, as a place whose numbers are texts and whose address is null',
      inQueue(PLACE, PERSON, {}, { latitude: '44.9370129', longitude: '-34.10', address: null }),
      PLACE,
    ],
    ['in the queue, as a contact', inQueue(CARD), CARD],
    [
      'in the queue, as a contact whose number is a text',
      inQueue(CARD, PERSON, {}, { contact: { ...CARD.contact, phoneContact: '15557654321', middleName: null } }),
      CARD,
    ],
    ['in the queue, as a forward', inQueue(FORWARD), FORWARD],
    [
      'in the queue, as a forward from a chat that is a bare number',
      inQueue(FORWARD, PERSON, {}, { chatIdFrom: 15559998877 }),
      FORWARD,
    ],
    ['in a journal, as a poll', inJournal(POLL), POLL],
    [
      'in a journal, as a poll whose flag is a word',
      inJournal(POLL, PERSON, {
        pollMessageData: { name: POLL.message, options: ['Tea', 'Caf\u00e9'], multipleAnswers: 'true' },
      }),
      { ...POLL, multipleAnswers: true },
    ],
    ['in a journal, as a place', inJournal(PLACE), PLACE],
    [
      'in a journal, as a place under the name that notifications have',
      inJournal(PLACE, PERSON, {
        location: undefined,
        locationMessageData: { latitude: '44.9370129', longitude: -34.1, nameLocation: 'Square', address: '' },
      }),
      PLACE,
    ],
    ['in a journal, as a contact, of which a card is left', inJournal(CARD), CARD],
    ['in a notification, as a poll', inNotice(POLL), POLL],
    ['in a notification, as a place', inNotice(PLACE), PLACE],
    ['in a notification, as a contact, of which a card is left', inNotice(CARD), CARD],
    [
      'in a notification, as a contact whose card has no number of the messenger and a folded line',
      inNotice(
        CARD,
        PERSON,
        {},
        { contactMessageData: { vcard: 'BEGIN:VCARD\r\nTEL;TYPE=CELL:+1 (555)\r\n 765-43-21\r\nEND:VCARD' } },
      ),
      CARD,
    ],
    ['with other line ends', inQueue({ ...TEXT, text: 'a\r\nb\rc' }), { ...TEXT, text: 'a\nb\nc' }],
    ['with composed characters', inNotice({ ...TEXT, text: 'Cafe\u0301' }), { ...TEXT, text: 'Caf\u00e9' }],
  ])('%s', (_, sighting, content) => {
    expect(shows(sighting, content)).toBe(true);
    expect(sighting?.ids).toHaveLength(1);
  });
});

describe('something else is not adopted', () => {
  test.each<[string, Sighting | undefined, MessageContent]>([
    ['another text', inQueue({ ...TEXT, text: 'Your table is ready.' }), TEXT],
    ['a text that differs in a space at its end', inQueue({ ...TEXT, text: `${TEXT.text} ` }), TEXT],
    ['another chat', inQueue(TEXT, '15550000000@c.us'), TEXT],
    ['a link preview that we switched off', inQueue(TEXT), { ...TEXT, linkPreview: false }],
    ['a quote that we did not make', inJournal({ ...TEXT, quotedMessageId: 'Q' }), TEXT],
    ['a missing quote', inJournal(TEXT), { ...TEXT, quotedMessageId: 'Q' }],
    ['a file of another name', inJournal({ ...FILE, fileName: 'menu2.pdf' }), FILE],
    ['a file with another caption', inNotice({ ...FILE, caption: '' }), FILE],
    ['a file from another link', inQueue({ ...FILE, url: 'https://files.test/c.pdf' }), FILE],
    ['what was sent from the phone', inJournal(TEXT, PERSON, { sendByApi: false }), TEXT],
    ['what does not say who sent it', inJournal(TEXT, PERSON, { sendByApi: undefined }), TEXT],
    ['what came in', inJournal(TEXT, PERSON, { type: 'incoming' }), TEXT],
    ['what was edited since', inJournal(TEXT, PERSON, { isEdited: true }), TEXT],
    ['an edit', inNotice(TEXT, PERSON, {}, { typeMessage: 'editedMessage' }), TEXT],
    [
      'a message sent from the phone, notified',
      inNotice(TEXT, PERSON, { typeWebhook: 'outgoingMessageReceived' }),
      TEXT,
    ],
    ['a text in place of a status', inJournal({ kind: 'text', text: STATUS.text }), STATUS],
    ['a status in place of a text', inJournal({ kind: 'status', text: TEXT.text }), TEXT],
    ['a poll with the same words', inQueue(TEXT, PERSON, { type: 'sendPoll' }), TEXT],
    ['a poll with another question', inQueue({ ...POLL, message: 'Tea?' }), POLL],
    ['a poll with other options', inNotice({ ...POLL, options: [...POLL.options, { optionName: 'Milk' }] }), POLL],
    ['a poll with its options in another order', inQueue({ ...POLL, options: POLL.options.toReversed() }), POLL],
    ['a poll that takes several answers', inJournal({ ...POLL, multipleAnswers: true }), POLL],
    ['a poll whose options cannot be read', inQueue(POLL, PERSON, {}, { options: [{ name: 'Tea' }] }), POLL],
    ['another place', inQueue({ ...PLACE, latitude: 44.937013 }), PLACE],
    ['a place under another name', inNotice({ ...PLACE, nameLocation: 'Market' }), PLACE],
    ['a place without numbers', inQueue(PLACE, PERSON, {}, { latitude: '' }), PLACE],
    ['a contact of another number', inNotice({ ...CARD, contact: { phoneContact: 15557654322 } }), CARD],
    ['a contact under another name in the queue', inQueue({ ...CARD, contact: { phoneContact: 15557654321 } }), CARD],
    [
      'a contact with two numbers',
      inNotice(CARD, PERSON, {}, { contactMessageData: { vcard: 'TEL:+15557654321\nTEL:+15557654322' } }),
      CARD,
    ],
    ['a contact without its card', inNotice(CARD, PERSON, {}, { contactMessageData: null }), CARD],
    ['a forward of another message', inQueue({ ...FORWARD, messages: ['BAE5OTHER'] }), FORWARD],
    ['a forward from another chat', inQueue({ ...FORWARD, chatIdFrom: PERSON }), FORWARD],
    ['a forward of that message and another', inQueue({ ...FORWARD, messages: ['BAE5ORIGINAL', 'B'] }), FORWARD],
    ['a copy of which nobody knows the original', inNotice(FORWARD), FORWARD],
    ['a forwarded copy of the same words', inNotice(FORWARD), { kind: 'text', text: FORWARDED_TEXT }],
  ])('%s', (_, sighting, content) => {
    expect(shows(sighting, content)).toBe(false);
  });
});

describe('what could be ours is not denied', () => {
  test.each<[string, unknown, boolean]>([
    ['a text in other words', inQueue({ ...TEXT, text: 'shortened…' }), true],
    ['a text to a chat under another name', inQueue(TEXT, '999@lid'), true],
    ['a text listed as a link', inQueue(TEXT, PERSON, { type: 'sendLink' }), true],
    ['an item of a kind that nobody knows', inQueue(TEXT, PERSON, { type: 'sendInteractive' }), true],
    ['an item without a type', inQueue(TEXT, PERSON, { type: undefined }), true],
    ['an item without a body', inQueue(TEXT, PERSON, { body: null }), true],
    ['a file', inQueue(FILE), false],
    ['a poll', inQueue(TEXT, PERSON, { type: 'sendPoll' }), false],
    [
      'a forward',
      inQueue(TEXT, PERSON, { type: 'ForwardMessages', messageID: undefined, messagesIDs: ['A', 'B'] }),
      false,
    ],
  ])('%s', (_, sighting, expected) => {
    expect(couldBe('text', sighting as Sighting)).toBe(expected);
  });

  test.each<[string, unknown, boolean]>([
    ['an item of the queue that is a forward', inQueue(FORWARD), true],
    ['a text in the queue', inQueue(TEXT), false],
    ['a copy that bears the mark', inNotice(FORWARD), true],
    ['a copy that does not bear it', inJournal(TEXT), true],
    ['what only a forward of ours can be', inNotice(TEXT, PERSON, {}, { typeMessage: 'stickerMessage' }), true],
    ['a message sent from the phone', inJournal(TEXT, PERSON, { sendByApi: false }), false],
    ['an edit', inNotice(TEXT, PERSON, {}, { typeMessage: 'editedMessage' }), false],
    ['a vote', inNotice(POLL, PERSON, {}, { typeMessage: 'pollUpdateMessage' }), false],
  ])('where ours is a forward: %s', (_, sighting, expected) => {
    expect(couldBe('forward', sighting as Sighting)).toBe(expected);
  });

  test.each([POLL, PLACE, CARD])('where ours is a $kind: every other of its kind', ({ kind }) => {
    const unread = [
      inQueue(POLL, PERSON, { body: null }),
      inNotice(PLACE, PERSON, {}, { locationMessageData: null }),
      inJournal(CARD, PERSON, { contact: 'a card' }),
    ];
    expect(unread.map((one) => couldBe(kind, one as Sighting))).toEqual(
      ['poll', 'location', 'contact'].map((other) => other === kind),
    );
  });

  test('and every id of a forward is read', () => {
    const forward = inQueue(TEXT, PERSON, { type: 'ForwardMessages', messageID: undefined, messagesIDs: ['A', 'B'] });
    expect(forward.ids).toEqual(['A', 'B']);
    expect(inQueue(TEXT).ids).toEqual([ID]);
  });

  test('and nothing that a gateway may answer makes reading fail', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (anything) => {
        expect(couldBe('text', inQueue(TEXT, PERSON, { type: anything, body: anything }))).toBeTypeOf('boolean');
        expect(shows(inJournal(TEXT, PERSON, { typeMessage: anything, chatId: anything }), TEXT)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the copy that a forward leaves', () => {
  function isCopyOf(sighting: Sighting | undefined, original: object): boolean {
    const copy = copyLikeness(PERSON, original);
    return copy !== undefined && sighting?.likeness !== undefined && isSame(copy, sighting.likeness);
  }
  const original = journalEntry({ kind: 'text', text: FORWARDED_TEXT }, ELSEWHERE);
  const incoming = { type: 'incoming', sendByApi: undefined };

  test.each<[string, Sighting | undefined, object]>([
    ['of a text', inNotice(FORWARD), original],
    ['of a text, in a journal', inJournal(FORWARD), original],
    ['of a text that came in', inNotice(FORWARD), { ...original, ...incoming }],
    ['of a text that quoted another', inNotice(FORWARD), { ...original, quotedMessage: { stanzaId: 'Q' } }],
    ['of a text that was a copy itself', inNotice(FORWARD), { ...original, isForwarded: true }],
    [
      'of a file',
      inNotice(FILE, PERSON, {}, { fileMessageData: { ...FILE, isForwarded: true } }),
      journalEntry(FILE, ELSEWHERE),
    ],
    ['of a poll', inJournal(POLL, PERSON, { isForwarded: true }), journalEntry(POLL, ELSEWHERE)],
    ['of a place', inJournal(PLACE, PERSON, { forwardingScore: 5 }), journalEntry(PLACE, ELSEWHERE)],
    ['of a contact', inJournal(CARD, PERSON, { isForwarded: 'true' }), journalEntry(CARD, ELSEWHERE)],
  ])('is recognised %s', (_, sighting, from) => {
    expect(isCopyOf(sighting, from)).toBe(true);
  });

  test.each<[string, Sighting | undefined, object]>([
    ['without the mark of a forward', inNotice({ kind: 'text', text: FORWARDED_TEXT }), original],
    ['of other words', inNotice(FORWARD), journalEntry(TEXT, ELSEWHERE)],
    ['of another kind', inNotice(FORWARD), journalEntry(POLL, ELSEWHERE)],
    ['in another chat', inNotice(FORWARD, ELSEWHERE), original],
    ['of something that a journal does not show', inNotice(FORWARD), { typeMessage: 'stickerMessage' }],
    ['that was sent from the phone', inJournal(FORWARD, PERSON, { sendByApi: false }), original],
  ])('is not recognised %s', (_, sighting, from) => {
    expect(isCopyOf(sighting, from)).toBe(false);
  });
});

describe('the comparison', () => {
  const words = fc.constantFrom('a', 'b', 'a\r\nb', 'a\nb', 'e\u0301', '\u00e9', '');
  const quote = fc.constantFrom({}, { quotedMessageId: 'Q' });
  const content: fc.Arbitrary<MessageContent> = fc.oneof(
    fc
      .tuple(words, quote, fc.constantFrom({}, { linkPreview: false }, { linkPreview: true }))
      .map(([text, ...more]) => Object.assign({ kind: 'text' as const, text }, ...more)),
    fc
      .tuple(fc.constantFrom('a.pdf', 'b.mp3'), words, fc.constantFrom('http://x/1', 'http://x/2'))
      .map(([fileName, caption, url]) => ({
        kind: 'file' as const,
        fileName,
        caption,
        url,
      })),
    words.map((text) => ({ kind: 'status' as const, text })),
    fc
      .tuple(
        words,
        fc.array(words, { minLength: 1, maxLength: 2 }),
        fc.constantFrom({}, { multipleAnswers: true }),
        quote,
      )
      .map(([message, names, ...more]) =>
        Object.assign(
          { kind: 'poll' as const, message, options: names.map((optionName) => ({ optionName })) },
          ...more,
        ),
      ),
    fc.tuple(fc.constantFrom(0, -0, 44.9370129), words, words).map(([latitude, nameLocation, address]) => ({
      kind: 'location' as const,
      latitude,
      longitude: 34.1,
      nameLocation,
      address,
    })),
    fc
      .tuple(fc.constantFrom(15557654321, 15557654322), words, quote)
      .map(([phoneContact, firstName, more]) =>
        Object.assign({ kind: 'contact' as const, contact: { phoneContact, firstName } }, more),
      ),
    fc.constantFrom('A', 'B').map((id) => ({ kind: 'forward' as const, chatIdFrom: ELSEWHERE, messages: [id] })),
  );
  const isFound = (sighting: Sighting | undefined, one: MessageContent): boolean =>
    one.kind === 'forward' && sighting?.witness !== 'showMessagesQueue'
      ? sighting?.kind === 'forward' && !shows(sighting, one)
      : shows(sighting, one);

  test('is the same from both sides', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        for (const witness of [inQueue, inJournal, inNotice]) {
          const [a, b] = [witness(one)?.likeness, witness(other)?.likeness];
          if (a !== undefined && b !== undefined) expect(isSame(a, b)).toBe(isSame(b, a));
        }
      }),
    );
  });

  test('takes two attempts for one only where the ledger holds them to be twins', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        for (const witness of [inQueue, inJournal, inNotice]) {
          if (one.kind === other.kind && shows(witness(one), other)) expect(bodyHash(one)).toBe(bodyHash(other));
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('finds every attempt again that a witness shows as it was sent', () => {
    fc.assert(
      fc.property(content, (one) => {
        // A copy alone does not tell what it is a copy of: see above.
        expect(isFound(inJournal(one), one)).toBe(true);
        expect(isFound(inNotice(one), one)).toBe(true);
        if (one.kind !== 'status') expect(shows(inQueue(one), one)).toBe(true);
      }),
    );
  });
});
