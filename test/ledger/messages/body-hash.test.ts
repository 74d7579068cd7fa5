import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, type MessageContent } from '../../../src/contract/index.js';
import { comparableText } from '../../../src/domain/index.js';
import { bodyHash, jsonHash } from '../../../src/ledger/index.js';

const text = (words: string): MessageContent => ({ kind: 'text', text: words });
const place = (change: object): MessageContent => ({ kind: 'location', latitude: 44.94, longitude: 0, ...change });
const forward = (message: string): MessageContent => ({
  kind: 'forward',
  chatIdFrom: `${message}@g.us`,
  messages: [message],
});

function aFile(change: object): MessageContent {
  return { kind: 'file', url: 'https://example.com/a', fileName: 'a', ...change };
}

function aCard(change: object): MessageContent {
  return { kind: 'contact', contact: { phoneContact: 15557654321, ...change } };
}

function aPoll(change: object): MessageContent {
  return { kind: 'poll', message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }], ...change };
}

it.each<[string, MessageContent, MessageContent]>([
  ['line ends', text('a\r\nb\rc'), text('a\nb\nc')],
  ['composed characters', text('e\u0301'), text('\u00e9')],
  ['fields that no witness shows', { kind: 'text', text: 'a', typingTime: 2_000, linkPreview: false }, text('a')],
  ['an empty caption', aFile({ caption: '' }), aFile({})],
  ['the link of a file, which only the queue shows', aFile({}), aFile({ url: 'https://example.com/b' })],
  ['whether a poll allows several choices, which the queue does not show', aPoll({ multipleAnswers: true }), aPoll({})],
  [
    'the names on a contact card, which only the queue shows one by one',
    aCard({ firstName: 'Ann' }),
    aCard({ company: 'Books' }),
  ],
  ['the sources of a forward, which no witness shows after it left the queue', forward('A'), forward('B')],
  ['the sign of zero', place({ longitude: 0 }), place({ longitude: -0, nameLocation: '' })],
])('two bodies that differ only in %s are identical messages', (_, one, other) => {
  expect(bodyHash(one)).toBe(bodyHash(other));
});

it.each<[string, MessageContent, MessageContent]>([
  ['text', text('a'), text('a ')],
  ['kind', text('a'), { kind: 'status', text: 'a' }],
  ['caption', aFile({ caption: 'x' }), aFile({ caption: 'y' })],
  ['question', aPoll({}), aPoll({ message: 'Tea!' })],
  ['the order of options', aPoll({}), aPoll({ options: [{ optionName: 'no' }, { optionName: 'yes' }] })],
  ['place', place({}), place({ latitude: 44.95 })],
  ['the field that holds the words for a place', place({ nameLocation: 'Square' }), place({ address: 'Square' })],
  ['number', aCard({}), aCard({ phoneContact: 15557654322 })],
])('two bodies that differ in %s are not identical', (_, one, other) => {
  expect(bodyHash(one)).not.toBe(bodyHash(other));
});

it('a comparable text is its own comparable text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (words) => {
      expect(comparableText(comparableText(words))).toBe(comparableText(words));
    }),
  );
});

it('a value has the same hash with its keys in another order', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed);
    if (value === null || typeof value !== 'object') return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, field]) => [key, reversed(field)]),
    );
  };
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
      expect(jsonHash(reversed(value))).toBe(jsonHash(value));
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
