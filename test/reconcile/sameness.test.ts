import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageContent } from '../../src/contract/index.js';
import { bodyHash } from '../../src/ledger/index.js';
import { couldBe, isSame, likenessOfAttempt, type Sighting } from '../../src/activities/reconcile/index.js';
import { ID, PERSON, inJournal, inNotice, inQueue } from './witnesses.js';

const TEXT = { kind: 'text', text: 'Your table is ready' } as const;
const FILE = { kind: 'file', url: 'https://files.test/a b.pdf', fileName: 'menu.pdf', caption: 'Menu' } as const;
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
  );

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
        expect(shows(inJournal(one), one)).toBe(true);
        expect(shows(inNotice(one), one)).toBe(true);
        if (one.kind !== 'status') expect(shows(inQueue(one), one)).toBe(true);
      }),
    );
  });
});
