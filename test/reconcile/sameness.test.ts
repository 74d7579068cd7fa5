import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MessageContent } from '../../src/contract/index.js';
import { bodyHash } from '../../src/ledger/index.js';
import { comparableCopy, couldBe, isSame, comparableOfAttempt, type Observation } from '../../src/domain/index.js';
import { FORWARDED_TEXT, ID, RECIPIENT, inJournal, inNotice, inQueue, journalEntry } from './witnesses.js';
import { runs } from '../support/runs.js';

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

function shows(observation: Observation | undefined, content: MessageContent): boolean {
  const ours = comparableOfAttempt(RECIPIENT, content);
  return observation?.comparable !== undefined && isSame(ours, observation.comparable);
}

/** Variants of what a gateway shows; 'the comparison' below proves that each kind is found as it was sent. */
describe('the attempt', () => {
  test.each<[string, Observation | undefined, MessageContent]>([
    ['in the queue, with an id that is a number', inQueue(TEXT, {}, { messageID: 12345 }), TEXT],
    ['in the queue, without the link preview that is on by default', inQueue(TEXT, { linkPreview: null }), TEXT],
    ['in the queue, with the link preview as a word', inQueue(TEXT, { linkPreview: 'true' }), TEXT],
    ['in the queue, with a chat that is a bare number', inQueue(TEXT, { chatId: 15551234567 }), TEXT],
    ['in the queue, with fields that live gateways add', inQueue(TEXT, { typingTime: null, typePreview: '' }), TEXT],
    ['in the queue, as a file whose link was encoded', inQueue({ ...FILE, url: 'https://files.test/a%20b.pdf' }), FILE],
    ['in the queue, as a file without its link', inQueue(FILE, { urlFile: undefined }), FILE],
    [
      'in a journal, where a text came back as a link’s text',
      inJournal(TEXT, {
        typeMessage: 'extendedTextMessage',
        textMessage: undefined,
        extendedTextMessage: { text: TEXT.text, stanzaId: null },
      }),
      TEXT,
    ],
    ['in a journal, with sendByApi as a word', inJournal(TEXT, { sendByApi: 'true' }), TEXT],
    [
      'in a notification, where a text came back as a link’s text',
      inNotice(TEXT, {
        typeMessage: 'extendedTextMessage',
        textMessageData: null,
        extendedTextMessageData: { text: TEXT.text },
      }),
      TEXT,
    ],
    ['in a notification, as an image', inNotice(FILE, { typeMessage: 'imageMessage' }), FILE],
    ['in the queue, as a poll of several answers', inQueue(POLL), { ...POLL, multipleAnswers: true }],
    [
      'in the queue, as a poll whose options have blanks around them',
      inQueue({ ...POLL, options: [{ optionName: ' Tea' }, { optionName: 'Café ' }] }),
      POLL,
    ],
    ['in the queue, as a poll whose options are names alone', inQueue(POLL, { options: ['Tea', 'Cafe\u0301'] }), POLL],
    [
      'in the queue, as a place whose numbers are texts and whose address is null',
      inQueue(PLACE, { latitude: '44.9370129', longitude: '-34.10', address: null }),
      PLACE,
    ],
    [
      'in the queue, as a contact whose number is a text',
      inQueue(CARD, { contact: { ...CARD.contact, phoneContact: '15557654321', middleName: null } }),
      CARD,
    ],
    [
      'in the queue, as a forward from a chat that is a bare number',
      inQueue(FORWARD, { chatIdFrom: 15559998877 }),
      FORWARD,
    ],
    [
      'in a journal, as a poll whose flag is a word',
      inJournal(POLL, {
        pollMessageData: { name: POLL.message, options: ['Tea', 'Caf\u00e9'], multipleAnswers: 'true' },
      }),
      { ...POLL, multipleAnswers: true },
    ],
    [
      'in a journal, as a place under the name that notifications have',
      inJournal(PLACE, {
        location: undefined,
        locationMessageData: { latitude: '44.9370129', longitude: -34.1, nameLocation: 'Square', address: '' },
      }),
      PLACE,
    ],
    [
      'in a notification, as a contact whose card has no number of the messenger and a folded line',
      inNotice(CARD, {
        contactMessageData: { vcard: 'BEGIN:VCARD\r\nTEL;TYPE=CELL:+1 (555)\r\n 765-43-21\r\nEND:VCARD' },
      }),
      CARD,
    ],
    ['with other line ends', inQueue({ ...TEXT, text: 'a\r\nb\rc' }), { ...TEXT, text: 'a\nb\nc' }],
    ['with composed characters', inNotice({ ...TEXT, text: 'Cafe\u0301' }), { ...TEXT, text: 'Caf\u00e9' }],
  ])('is recognised %s', (_, observation, content) => {
    expect(shows(observation, content)).toBe(true);
    expect(observation?.ids).toHaveLength(1);
  });
});

describe('a different message', () => {
  test.each<[string, Observation | undefined, MessageContent]>([
    ['another text', inQueue({ ...TEXT, text: 'Your table is ready.' }), TEXT],
    ['a text with another space at its end', inQueue({ ...TEXT, text: `${TEXT.text} ` }), TEXT],
    ['another chat', inQueue(TEXT, { chatId: '15550000000@c.us' }), TEXT],
    ['a link preview that we switched off', inQueue(TEXT), { ...TEXT, linkPreview: false }],
    ['a quote that we did not add', inJournal({ ...TEXT, quotedMessageId: 'Q' }), TEXT],
    ['a missing quote', inJournal(TEXT), { ...TEXT, quotedMessageId: 'Q' }],
    ['a file with another name', inJournal({ ...FILE, fileName: 'menu2.pdf' }), FILE],
    ['a file with another caption', inNotice({ ...FILE, caption: '' }), FILE],
    ['a file from another link', inQueue({ ...FILE, url: 'https://files.test/c.pdf' }), FILE],
    ['a message from the phone', inJournal(TEXT, { sendByApi: false }), TEXT],
    ['a message without its sender', inJournal(TEXT, { sendByApi: undefined }), TEXT],
    ['an incoming message', inJournal(TEXT, { type: 'incoming' }), TEXT],
    ['a message that was edited since', inJournal(TEXT, { isEdited: true }), TEXT],
    ['an edit', inNotice(TEXT, { typeMessage: 'editedMessage' }), TEXT],
    [
      'a notification of a message from the phone',
      inNotice(TEXT, {}, { typeWebhook: 'outgoingMessageReceived' }),
      TEXT,
    ],
    ['a text instead of a status', inJournal({ kind: 'text', text: STATUS.text }), STATUS],
    ['a status instead of a text', inJournal({ kind: 'status', text: TEXT.text }), TEXT],
    ['a poll with the same words', inQueue(TEXT, {}, { type: 'sendPoll' }), TEXT],
    ['a poll with another question', inQueue({ ...POLL, message: 'Tea?' }), POLL],
    ['a poll with other options', inNotice({ ...POLL, options: [...POLL.options, { optionName: 'Milk' }] }), POLL],
    ['a poll with its options in another order', inQueue({ ...POLL, options: POLL.options.toReversed() }), POLL],
    ['a poll that allows several choices', inJournal({ ...POLL, multipleAnswers: true }), POLL],
    ['a poll whose options cannot be read', inQueue(POLL, { options: [{ name: 'Tea' }] }), POLL],
    ['another place', inQueue({ ...PLACE, latitude: 44.937013 }), PLACE],
    ['a place under another name', inNotice({ ...PLACE, nameLocation: 'Market' }), PLACE],
    ['a place without numbers', inQueue(PLACE, { latitude: '' }), PLACE],
    ['a contact with another number', inNotice({ ...CARD, contact: { phoneContact: 15557654322 } }), CARD],
    ['a contact under another name in the queue', inQueue({ ...CARD, contact: { phoneContact: 15557654321 } }), CARD],
    [
      'a contact with two numbers',
      inNotice(CARD, { contactMessageData: { vcard: 'TEL:+15557654321\nTEL:+15557654322' } }),
      CARD,
    ],
    ['a contact without its card', inNotice(CARD, { contactMessageData: null }), CARD],
    ['a forward of another message', inQueue({ ...FORWARD, messages: ['BAE5OTHER'] }), FORWARD],
    ['a forward from another chat', inQueue({ ...FORWARD, chatIdFrom: RECIPIENT }), FORWARD],
    ['a forward of that message and another', inQueue({ ...FORWARD, messages: ['BAE5ORIGINAL', 'B'] }), FORWARD],
    ['a copy whose original is unknown', inNotice(FORWARD), FORWARD],
    ['a forwarded copy of the same words', inNotice(FORWARD), { kind: 'text', text: FORWARDED_TEXT }],
  ])('is not adopted: %s', (_, observation, content) => {
    expect(shows(observation, content)).toBe(false);
  });
});

describe('a message that could be ours', () => {
  test.each<[string, unknown, boolean]>([
    ['a text in other words', inQueue({ ...TEXT, text: 'shortened…' }), true],
    ['a text to a chat under another name', inQueue(TEXT, { chatId: '999@lid' }), true],
    ['a text listed as a link', inQueue(TEXT, {}, { type: 'sendLink' }), true],
    ['an item of an unknown kind', inQueue(TEXT, {}, { type: 'sendInteractive' }), true],
    ['an item without a type', inQueue(TEXT, {}, { type: undefined }), true],
    ['an item without a body', inQueue(TEXT, {}, { body: null }), true],
    ['a file', inQueue(FILE), false],
    ['a poll', inQueue(TEXT, {}, { type: 'sendPoll' }), false],
    ['a forward', inQueue(TEXT, {}, { type: 'ForwardMessages', messageID: undefined, messagesIDs: ['A', 'B'] }), false],
  ])('prevents a proof of absence: %s', (_, observation, expected) => {
    expect(couldBe('text', observation as Observation)).toBe(expected);
  });

  test.each<[string, unknown, boolean]>([
    ['an item of the queue that is a forward', inQueue(FORWARD), true],
    ['a text in the queue', inQueue(TEXT), false],
    ['a copy with the mark of a forward', inNotice(FORWARD), true],
    ['a copy without the mark', inJournal(TEXT), true],
    ['an item that only a forward of ours can be', inNotice(TEXT, { typeMessage: 'stickerMessage' }), true],
    ['a message sent from the phone', inJournal(TEXT, { sendByApi: false }), false],
    ['an edit', inNotice(TEXT, { typeMessage: 'editedMessage' }), false],
    ['a vote', inNotice(POLL, { typeMessage: 'pollUpdateMessage' }), false],
  ])('prevents a proof of absence of a forward: %s', (_, observation, expected) => {
    expect(couldBe('forward', observation as Observation)).toBe(expected);
  });

  test.each([POLL, PLACE, CARD])('prevents a proof of absence of a $kind: every other one of its kind', ({ kind }) => {
    const unread = [
      inQueue(POLL, {}, { body: null }),
      inNotice(PLACE, { locationMessageData: null }),
      inJournal(CARD, { contact: 'a card' }),
    ];
    expect(unread.map((one) => couldBe(kind, one as Observation))).toEqual(
      ['poll', 'location', 'contact'].map((other) => other === kind),
    );
  });

  test('has every id of a forward', () => {
    const forward = inQueue(
      TEXT,
      {},
      {
        type: 'ForwardMessages',
        messageID: undefined,
        messagesIDs: ['A', 'B'],
      },
    );
    expect(forward.ids).toEqual(['A', 'B']);
    expect(inQueue(TEXT).ids).toEqual([ID]);
  });

  test('is read without an error from any response of a gateway', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (anything) => {
        expect(couldBe('text', inQueue(TEXT, {}, { type: anything, body: anything }))).toBeTypeOf('boolean');
        expect(shows(inJournal(TEXT, { typeMessage: anything, chatId: anything }), TEXT)).toBe(false);
      }),
      { numRuns: 50 },
    );
  });
});

describe('the copy that a forward leaves', () => {
  function isCopyOf(observation: Observation | undefined, original: object): boolean {
    const copy = comparableCopy(RECIPIENT, original);
    return copy !== undefined && observation?.comparable !== undefined && isSame(copy, observation.comparable);
  }
  const elsewhere = (content: MessageContent) => journalEntry(content, { chatId: ELSEWHERE });
  const original = elsewhere({ kind: 'text', text: FORWARDED_TEXT });
  const incoming = { type: 'incoming', sendByApi: undefined };

  test.each<[string, Observation | undefined, object]>([
    ['of a text', inNotice(FORWARD), original],
    ['of a text, in a journal', inJournal(FORWARD), original],
    ['of an incoming text', inNotice(FORWARD), { ...original, ...incoming }],
    ['of a text that quoted another', inNotice(FORWARD), { ...original, quotedMessage: { stanzaId: 'Q' } }],
    ['of a text that was a copy itself', inNotice(FORWARD), { ...original, isForwarded: true }],
    ['of a file', inNotice(FILE, { fileMessageData: { ...FILE, isForwarded: true } }), elsewhere(FILE)],
    ['of a poll', inJournal(POLL, { isForwarded: true }), elsewhere(POLL)],
    ['of a place', inJournal(PLACE, { forwardingScore: 5 }), elsewhere(PLACE)],
    ['of a contact', inJournal(CARD, { isForwarded: 'true' }), elsewhere(CARD)],
  ])('is recognised %s', (_, observation, from) => {
    expect(isCopyOf(observation, from)).toBe(true);
  });

  test.each<[string, Observation | undefined, object]>([
    ['without the mark of a forward', inNotice({ kind: 'text', text: FORWARDED_TEXT }), original],
    ['with other words', inNotice(FORWARD), elsewhere(TEXT)],
    ['with another kind', inNotice(FORWARD), elsewhere(POLL)],
    ['in another chat', inNotice(FORWARD, {}, { senderData: { chatId: ELSEWHERE } }), original],
    ['of a message that no journal shows', inNotice(FORWARD), { typeMessage: 'stickerMessage' }],
    ['when sent from the phone', inJournal(FORWARD, { sendByApi: false }), original],
  ])('is not recognised %s', (_, observation, from) => {
    expect(isCopyOf(observation, from)).toBe(false);
  });
});

describe('the comparison', () => {
  const words = fc.constantFrom('a', 'b', 'a\r\nb', 'a\nb', 'e\u0301', '\u00e9', '');
  const names = fc.array(words, { minLength: 1, maxLength: 2 });
  const quotedMessageId = fc.constant('Q');
  const content: fc.Arbitrary<MessageContent> = fc.oneof(
    fc.record(
      { kind: fc.constant('text'), text: words, quotedMessageId, linkPreview: fc.boolean() },
      { requiredKeys: ['kind', 'text'] },
    ),
    fc.record({
      kind: fc.constant('file'),
      fileName: fc.constantFrom('a.pdf', 'b.mp3'),
      caption: words,
      url: fc.constantFrom('http://x/1', 'http://x/2'),
    }),
    fc.record({ kind: fc.constant('status'), text: words }),
    fc.record(
      {
        kind: fc.constant('poll'),
        message: words,
        options: names.map((all) => all.map((optionName) => ({ optionName }))),
        multipleAnswers: fc.constant(true),
        quotedMessageId,
      },
      { requiredKeys: ['kind', 'message', 'options'] },
    ),
    fc.record({
      kind: fc.constant('location'),
      latitude: fc.constantFrom(0, -0, 44.9370129),
      longitude: fc.constant(34.1),
      nameLocation: words,
      address: words,
    }),
    fc.record(
      {
        kind: fc.constant('contact'),
        contact: fc.record({ phoneContact: fc.constantFrom(15557654321, 15557654322), firstName: words }),
        quotedMessageId,
      },
      { requiredKeys: ['kind', 'contact'] },
    ),
    fc.constantFrom('A', 'B').map((id) => ({ kind: 'forward' as const, chatIdFrom: ELSEWHERE, messages: [id] })),
  );
  const isFound = (observation: Observation | undefined, one: MessageContent): boolean =>
    one.kind === 'forward' && observation?.witness !== 'showMessagesQueue'
      ? observation?.kind === 'forward' && !shows(observation, one)
      : shows(observation, one);

  test('is symmetric', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        for (const witness of [inQueue, inJournal, inNotice]) {
          const [a, b] = [witness(one)?.comparable, witness(other)?.comparable];
          if (a !== undefined && b !== undefined) expect(isSame(a, b)).toBe(isSame(b, a));
        }
      }),
    );
  });

  test('equates two attempts only if the ledger treats them as identical messages', () => {
    fc.assert(
      fc.property(content, content, (one, other) => {
        for (const witness of [inQueue, inJournal, inNotice]) {
          if (one.kind === other.kind && shows(witness(one), other)) expect(bodyHash(one)).toBe(bodyHash(other));
        }
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('finds every attempt again that a witness shows as it was sent', () => {
    fc.assert(
      fc.property(content, (one) => {
        // A copy alone does not show its original: see above.
        expect(isFound(inJournal(one), one)).toBe(true);
        expect(isFound(inNotice(one), one)).toBe(true);
        if (one.kind !== 'status') expect(shows(inQueue(one), one)).toBe(true);
      }),
    );
  });

  test('gives observations a time that the ledger can store, whatever the witness shows', () => {
    fc.assert(
      fc.property(fc.oneof(fc.double({ noNaN: true }), fc.bigInt().map(String)), (timestamp) => {
        for (const shown of [inJournal(TEXT, { timestamp }), inNotice(TEXT, {}, { timestamp })]) {
          const { atMs = 0 } = shown ?? {};
          expect(new Date(atMs).getUTCFullYear()).toBeGreaterThanOrEqual(-4000);
          expect(new Date(atMs).getUTCFullYear()).toBeLessThanOrEqual(9999);
        }
      }),
    );
  });
});
