import fc from 'fast-check';
import { expect, it } from 'vitest';
import { canonicalJson, type MessageContent, type PollContent } from '../../../src/contract/index.js';
import { comparableText } from '../../../src/domain/index.js';
import { bodyHash, jsonHash } from '../../../src/ledger/index.js';

function aPoll(change: Partial<PollContent>): PollContent {
  return { kind: 'poll', message: 'Tea?', options: [{ optionName: 'yes' }, { optionName: 'no' }], ...change };
}

it.each<[string, MessageContent, MessageContent]>([
  ['line ends', { kind: 'text', text: 'a\r\nb\rc' }, { kind: 'text', text: 'a\nb\nc' }],
  ['composed characters', { kind: 'text', text: 'e\u0301' }, { kind: 'text', text: '\u00e9' }],
  [
    'fields that no witness shows',
    { kind: 'text', text: 'a', typingTime: 2_000, linkPreview: false },
    { kind: 'text', text: 'a' },
  ],
  [
    'an empty caption',
    { kind: 'file', url: 'https://example.com/a', fileName: 'a', caption: '' },
    { kind: 'file', url: 'https://example.com/a', fileName: 'a' },
  ],
  [
    'the link of a file, which only the queue shows',
    { kind: 'file', url: 'https://example.com/a', fileName: 'a' },
    { kind: 'file', url: 'https://example.com/b', fileName: 'a' },
  ],
  ['whether a poll allows several choices, which the queue does not show', aPoll({ multipleAnswers: true }), aPoll({})],
  [
    'the names on a contact card, which only the queue shows one by one',
    { kind: 'contact', contact: { phoneContact: 15557654321, firstName: 'Ann' } },
    { kind: 'contact', contact: { phoneContact: 15557654321, company: 'Books' } },
  ],
  [
    'the sources of a forward, which no witness shows after it left the queue',
    { kind: 'forward', chatIdFrom: '15557654321@c.us', messages: ['A'] },
    { kind: 'forward', chatIdFrom: '15557654322@c.us', messages: ['B'] },
  ],
  [
    'the sign of zero',
    { kind: 'location', latitude: 0, longitude: 0 },
    { kind: 'location', latitude: -0, longitude: 0, nameLocation: '' },
  ],
])('two bodies that differ only in %s are identical messages', (_, one, other) => {
  expect(bodyHash(one)).toBe(bodyHash(other));
});

it.each<[string, MessageContent, MessageContent]>([
  ['text', { kind: 'text', text: 'a' }, { kind: 'text', text: 'a ' }],
  ['kind', { kind: 'text', text: 'a' }, { kind: 'status', text: 'a' }],
  [
    'caption',
    { kind: 'file', url: 'https://example.com/a', fileName: 'a', caption: 'x' },
    { kind: 'file', url: 'https://example.com/a', fileName: 'a', caption: 'y' },
  ],
  ['question', aPoll({ message: 'Tea?' }), aPoll({ message: 'Tea!' })],
  ['the order of options', aPoll({}), aPoll({ options: [{ optionName: 'no' }, { optionName: 'yes' }] })],
  [
    'place',
    { kind: 'location', latitude: 44.94, longitude: 34.1 },
    { kind: 'location', latitude: 44.95, longitude: 34.1 },
  ],
  [
    'the field that holds the words for a place',
    { kind: 'location', latitude: 44.94, longitude: 34.1, nameLocation: 'Square' },
    { kind: 'location', latitude: 44.94, longitude: 34.1, address: 'Square' },
  ],
  [
    'number',
    { kind: 'contact', contact: { phoneContact: 15557654321 } },
    { kind: 'contact', contact: { phoneContact: 15557654322 } },
  ],
])('two bodies that differ in %s are not identical', (_, one, other) => {
  expect(bodyHash(one)).not.toBe(bodyHash(other));
});

it('a comparable text is its own comparable text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(comparableText(comparableText(text))).toBe(comparableText(text));
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
