import { describe, expect, it } from 'vitest';
import { AppError, SEND_OPERATION, type MessageKind, type Problem } from '../../../src/contract/index.js';
import { createGateway } from '../../../src/gateway/index.js';
import { asContent, asOperation, pathInMessage, pathInOperation } from '../../../src/domain/index.js';
import { requestHash } from '../../../src/starter/ids.js';
import { readMessageRequest } from '../../../src/starter/messages/message-request.js';
import { ALICE, SYSTEM_CLOCK, aDirectory, anInstance } from '../../api/api-parts.js';

const instances = aDirectory(anInstance());
const gateway = createGateway({ instances, clock: SYSTEM_CLOCK });
const checks = { instances, checkOperation: gateway.check.bind(gateway) };
const TEXT = { instance: 'main', to: '15550000001', content: { kind: 'text', text: 'Hello' } };

function aPoll(change: object): object {
  return { kind: 'poll', message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }], ...change };
}

function refusal(value: unknown): AppError {
  try {
    readMessageRequest(value, checks);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The request was not refused.');
}

function problems(value: unknown): readonly Problem[] {
  return refusal(value).problems ?? [];
}

it('a message is refused that would expire before it is sent', () => {
  const times = { sendAt: '2030-01-01T10:00:00+02:00', expiresAt: '2030-01-01T08:00:00Z' };
  expect(problems({ ...TEXT, ...times })).toEqual([
    { path: 'expiresAt', message: expect.stringMatching(/after sendAt/) },
  ]);
  expect(problems({ ...TEXT, sendAt: 'tomorrow' })).toMatchObject([{ path: 'sendAt' }]);
});

/** Proves NUMBER-1 to NUMBER-7 for messages; the cases are in test/domain/recipients.test.ts. */
describe('a recipient', () => {
  const chatOf = (fields: object) => readMessageRequest({ ...TEXT, ...fields }, checks).request.chatId;

  it.each([
    [{ to: '+1 555 000-0001' }, ALICE],
    [{ to: '0151 12345678', defaultCountry: 'DE' }, '4915112345678@c.us'],
    [{ to: '5215512345678' }, '5215512345678@c.us'],
    [{ to: '15550000001:3@s.whatsapp.net' }, ALICE],
    [{ to: '120363043968066561@g.us' }, '120363043968066561@g.us'],
  ])('%j is sent to %s', (fields, chatId) => {
    expect(chatOf(fields)).toBe(chatId);
  });

  it.each([
    [{ to: '' }, 'to', /is empty: give/],
    [{ to: '0151 12345678' }, 'to', /without its country: .* defaultCountry \(--country\)/],
    [{ to: '+49 151 1234567 / 89' }, 'to', /several numbers.*: give one/],
    [{ to: '1.5550001111e10' }, 'to', /spreadsheet .*: format the column as text/],
    [{ to: '1234567890123456' }, 'to', /at most 15 digits.*: write the number with its country code/],
    [{ to: '9'.repeat(201) }, 'to', /longer than any phone number/],
    [{ to: '0151 12345678', defaultCountry: 'XX' }, 'defaultCountry', /not a country/],
    [{ to: '0151 12345678', defaultCountry: 'de' }, 'defaultCountry', /not an ISO 3166 country/],
  ])('%j is refused with the reason and the remedy', (fields, path, message) => {
    expect(problems({ ...TEXT, ...fields })).toContainEqual({ path, message: expect.stringMatching(message) });
  });

  it('is one request in all notations of one chat id, and another one with another chat id', () => {
    const hashOf = (fields: object) => requestHash(readMessageRequest({ ...TEXT, ...fields }, checks).request);
    const mexican = hashOf({ to: '5215512345678@c.us' });
    expect(hashOf({ to: '+52 1 55 1234 5678' })).toBe(mexican);
    expect(hashOf({ to: '5215512345678', defaultCountry: 'MX' })).toBe(mexican);
    expect(hashOf({ to: '+52 55 1234 5678' })).not.toBe(mexican);
  });

  it('is read in the same way in a content', () => {
    const forward = { kind: 'forward', chatIdFrom: '0151 12345678', messages: ['3EB0'] };
    const read = readMessageRequest({ ...TEXT, defaultCountry: 'DE', content: forward }, checks);
    expect(read.request.content).toEqual({ ...forward, chatIdFrom: '4915112345678@c.us' });
    expect(problems({ ...TEXT, content: forward })).toMatchObject([{ path: 'content.chatIdFrom' }]);

    const status = { kind: 'status', text: 'Open', participants: ['+1 555 000-0001', 'bob'] };
    expect(problems({ instance: 'main', content: status })).toMatchObject([{ path: 'content.participants[1]' }]);
    const shown = readMessageRequest(
      { instance: 'main', content: { ...status, participants: ['15550000001'] } },
      checks,
    );
    expect(shown.request.content).toMatchObject({ participants: [ALICE] });
  });
});

describe('a request for a message', () => {
  it('is parsed into the content of a message', () => {
    const { request, warnings } = readMessageRequest(
      { ...TEXT, to: '+1 555 000 0001', expiresAt: '2030-01-01T12:00:00+02:00', priority: 'high' },
      checks,
    );

    expect(request).toEqual({
      instance: 'main',
      chatId: ALICE,
      content: { kind: 'text', text: 'Hello' },
      expiresAt: '2030-01-01T10:00:00.000Z',
      priority: 'high',
    });
    expect(warnings).toEqual([]);
  });

  it('is refused with all its problems at once, each by its path', () => {
    const found = problems({
      instance: 'nowhere',
      to: 'bob',
      defaultCountry: 'DE',
      content: { kind: 'text', text: 'x'.repeat(20_001), typingTime: 5 },
      expiresAt: 'tomorrow',
      colour: 'red',
    });

    expect(found.map(({ path }) => path).toSorted()).toEqual([
      'colour',
      'content.text',
      'content.typingTime',
      'expiresAt',
      'instance',
      'to',
    ]);
  });

  it('is refused with its country, and what does not depend on it', () => {
    const found = problems({ ...TEXT, defaultCountry: 'XX', content: { kind: 'text', text: 'x'.repeat(20_001) } });
    expect(found.map(({ path }) => path)).toEqual(['defaultCountry', 'content.text']);
  });

  it("is refused with the gateway's own limit", () => {
    expect(problems({ ...TEXT, content: { kind: 'text', text: 'x'.repeat(20_001) } })).toEqual([
      {
        path: 'content.text',
        message: "Validation failed, details: 'message' length must be less than or equal to 20000 characters long",
      },
    ]);
  });

  it.each([
    ['no known kind', { ...TEXT, content: { kind: 'fax', text: 'x' } }, 'content.kind'],
    ['no content', { instance: 'main', to: ALICE }, 'content'],
    ['no recipient', { instance: 'main', content: TEXT.content }, 'to'],
    ['a recipient for a status', { ...TEXT, content: { kind: 'status', text: 'x' } }, 'to'],
    ['a byte order mark', { ...TEXT, content: { kind: 'text', text: '\uFEFFHello' } }, 'content.text'],
    ['half of a surrogate pair', { ...TEXT, content: { kind: 'text', text: 'a\uD800b' } }, 'content.text'],
    ['a NUL', { ...TEXT, reference: 'a\0b' }, 'reference'],
    [
      'a status over 500 characters',
      { instance: 'main', content: { kind: 'status', text: 'x'.repeat(501) } },
      'content.text',
    ],
    ['an invalid link', { ...TEXT, content: { kind: 'file', url: 'ftp://x', fileName: 'a.png' } }, 'content.url'],
    ['a poll of one option', { ...TEXT, content: aPoll({ options: [{ optionName: 'tea' }] }) }, 'content.options'],
    ['a poll without a question', { ...TEXT, content: aPoll({ message: undefined }) }, 'content.message'],
    ['a place off the map', { ...TEXT, content: { kind: 'location', latitude: 91, longitude: 0 } }, 'content.latitude'],
    [
      'a contact whose number is a text',
      { ...TEXT, content: { kind: 'contact', contact: { phoneContact: '15557654321' } } },
      'content.contact.phoneContact',
    ],
    [
      'a forward of two messages',
      { ...TEXT, content: { kind: 'forward', chatIdFrom: ALICE, messages: ['A', 'B'] } },
      'content.messages',
    ],
    [
      'a forward from nowhere',
      { ...TEXT, content: { kind: 'forward', chatIdFrom: 'Ann', messages: ['A'] } },
      'content.chatIdFrom',
    ],
    ['a callback with an invalid URL', { ...TEXT, statusCallback: 'mailto:a@b.c' }, 'statusCallback'],
    ['a field of another kind', { ...TEXT, content: { kind: 'text', text: 'x', caption: 'y' } }, 'content.caption'],
    ['a value that is no object', 'Hello', ''],
  ])('is refused at that path with %s', (_, value, path) => {
    expect(problems(value).map((problem) => problem.path)).toContain(path);
  });

  it('is refused with all problems of a poll at once', () => {
    const content = aPoll({ message: 'x'.repeat(256), options: [{ optionName: 'tea' }], typingTime: 5 });
    expect(
      problems({ ...TEXT, content })
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(['content.message', 'content.options', 'content.typingTime']);
  });

  it.each([
    ['a kind whose operation documents none', { kind: 'location', latitude: 1, longitude: 1 }],
    ['a content with its own', { kind: 'text', text: 'x', typingTime: 2_000 }],
  ])('is refused with typing before %s (TYPING-1, TYPING-2)', (_, content) => {
    expect(problems({ ...TEXT, content, typing: '3s' }).map(({ path }) => path)).toEqual(['typing']);
  });

  it('may name the source chat of a forward by its phone number', () => {
    const content = { kind: 'forward', chatIdFrom: '+1 (555) 765-4321', messages: ['A'] };
    expect(readMessageRequest({ ...TEXT, content }, checks).request.content).toEqual({
      ...content,
      chatIdFrom: '15557654321@c.us',
    });
  });

  it('is refused for an unknown instance with the names of the configured ones', () => {
    expect(refusal({ ...TEXT, instance: 'nowhere' })).toMatchObject({
      code: 'INSTANCE_NOT_FOUND',
      problems: [{ path: 'instance', message: 'There is no instance nowhere. Known: main' }],
    });
  });

  it('has errors without phone number and text', () => {
    const { message, problems: found } = refusal({
      ...TEXT,
      to: '+1 555 000 000 123456789',
      content: { kind: 'text', text: '\uFEFFMy secret', typingTime: 1 },
    });

    expect(JSON.stringify([message, found])).not.toMatch(/555|secret/);
  });

  it('gets advice about content that the gateway advises against', () => {
    const file = { kind: 'file', url: 'https://example.com/a b.png', fileName: 'a.png' };

    expect(readMessageRequest({ ...TEXT, content: file }, checks).warnings).not.toEqual([]);
  });
});

describe("a content and the gateway's operation for it", () => {
  it.each([
    ['text', 'sendMessage', { text: 'message', quotedMessageId: 'quotedMessageId' }],
    ['file', 'sendFileByUrl', { url: 'urlFile', fileName: 'fileName' }],
    ['status', 'sendTextStatus', { text: 'message', font: 'font' }],
    ['poll', 'sendPoll', { message: 'message', options: 'options' }],
    ['location', 'sendLocation', { latitude: 'latitude', nameLocation: 'nameLocation' }],
    ['contact', 'sendContact', { contact: 'contact' }],
    ['forward', 'forwardMessages', { chatIdFrom: 'chatIdFrom', messages: 'messages' }],
  ] as const)('convert into each other: %s and %s', (kind, operation, names) => {
    const content = Object.fromEntries(Object.keys(names).map((ours) => [ours, ours]));
    const request = Object.fromEntries(Object.entries(names).map(([ours, theirs]) => [theirs, ours]));

    const sent = asOperation(ALICE, { kind, ...content } as never);
    expect(sent).toEqual({ operation, request: { chatId: ALICE, ...request } });
    expect(asContent(operation, sent.request)).toEqual({ to: ALICE, content: { kind, ...content } });
  });

  it.each(Object.keys(SEND_OPERATION) as MessageKind[])(
    'report a problem of a %s by the field that the caller wrote',
    (kind) => {
      for (const theirs of ['message', 'urlFile', 'chatId', 'participants[1]']) {
        expect(pathInOperation(kind, pathInMessage(kind, theirs))).toBe(`request.${theirs}`);
      }
    },
  );
});
