/** Values that no caller sends on purpose. */

/** JSON of a value that JSON.stringify cannot write, e.g. a number beyond those of JavaScript. */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const DEEP = 120;
/** Fits into the largest body, and is longer than any text that a route takes. */
const HUGE = 60_000;

export const ODD_TEXTS: readonly string[] = [
  '',
  ' ',
  'x'.repeat(HUGE),
  '😀'.repeat(5_000),
  'a\u0000b',
  '\ud800',
  'a\udc00b',
  '\u001b[31mred\u0007',
  '\u202eabc\u2066',
  'line\r\nX-Header: 1',
  '\ufeff\u200b',
  '👩‍👩‍👧‍👦🇪🇺',
  "'; drop table messages; --",
  '%00%zz',
  '../../etc/passwd',
  '.',
  '..',
  '__proto__',
  'constructor',
  'NaN',
  '-0',
  'null',
  '{{name}}{{',
  'undefined',
  '-infinity',
];

export const ODD_TIMES: readonly string[] = [
  '0000-01-01T00:00:00Z',
  '0000-01-01T00:00:00+23:59',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59-23:59',
  '2026-02-30T00:00:00Z',
  '2028-02-29T00:00:00Z',
  '2016-12-31T23:59:60Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T10:00:00',
  '2026-03-01',
  '2026-03-01T10:00:00.123456789123456789Z',
  '-271821-04-20T00:00:00.000Z',
  '+275760-09-13T00:00:00.000Z',
  'infinity',
  '0000-01-01',
  '9999-12-31',
];

const base64url = (text: string): string => Buffer.from(text).toString('base64url');

export const ODD_CURSORS: readonly string[] = [
  'OTk5OTk5OTk5OTk5OTk5IHg',
  '9999999999',
  '2147483648',
  '999999999999999',
  base64url('1 a\u0000b'),
  base64url('1 \ufffd'),
  base64url('8640000000000001 x'),
  base64url('999999999999999999 9999999999999999999'),
  base64url('0 0'),
  base64url('template:main:x'),
  base64url('{"a":1}'),
  'not a cursor',
  '====',
];

/** Ids of other kinds, and such as no row can have. */
export const ODD_IDS: readonly string[] = [
  'msg_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  'msg_',
  'evt_0',
  'evt_999999999999999999',
  'evt_9223372036854775808',
  'cmp_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  'op_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  'edt_aaaaaaaaaaaaaaaaaaaaaaaaaa',
  'callbacks-main',
  'callbacks-none',
  'template:main:welcome',
  '15550000001@c.us',
  '0@c.us',
  '120363043968066561@g.us',
  '99999999999999999999999999999999@lid',
  '%',
  'a/b',
];

export const ODD_NUMBERS: readonly unknown[] = [
  -1,
  0,
  0.1,
  1.5,
  1e308,
  -1e308,
  5e-324,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  new RawJson('1e400'),
  new RawJson('-1e400'),
  new RawJson('-0'),
  new RawJson('123456789012345678901234567890'),
];

export const ODD_NUMERALS: readonly string[] = [
  '-1',
  '0',
  '1.5',
  '1e308',
  '1e400',
  'Infinity',
  '2147483648',
  '9007199254740993',
  '0x10',
  '１２',
  ' 5 ',
];

const ODD_SHAPES: readonly unknown[] = [
  null,
  true,
  [],
  {},
  [null],
  [[]],
  Array.from({ length: 2_000 }, () => 0),
  { '': '', 'a\u0000b': 1 },
  new RawJson(`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`),
  new RawJson('{"a":'.repeat(90) + '1' + '}'.repeat(90)),
  new RawJson('"\\ud800"'),
];

/** For a place of any kind. */
export const ODD_QUERY_VALUES: readonly string[] = [
  ...ODD_TEXTS.filter((text) => text.length < 5_000),
  ...ODD_IDS,
  ...ODD_NUMERALS,
];
export const ODD_BODY_VALUES: readonly unknown[] = [...ODD_TEXTS, ...ODD_IDS, ...ODD_NUMBERS, ...ODD_SHAPES];

/** JSON text of a body with odd values in it. */
export function jsonOf(value: unknown): string {
  if (value instanceof RawJson) return value.text;
  if (Array.isArray(value)) return `[${value.map(jsonOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([name, one]) => `${JSON.stringify(name)}:${jsonOf(one)}`)
      .join(',')}}`;
  }
  return JSON.stringify(value);
}

/** Bodies that are no JSON object of any route. */
export const ODD_BODIES: readonly string[] = [
  '',
  ' ',
  '{',
  'null',
  'true',
  '0',
  '""',
  '[]',
  '{}',
  '{"a":1,"a":2}',
  '{"__proto__":null}',
  '\ufeff{}',
  '{}{}',
  '[1e400]',
  '['.repeat(30_000),
  `{"${'k'.repeat(HUGE)}":1}`,
];

/** Bodies in place of a file's lines. */
export const ODD_FILES: readonly string[] = [
  '',
  '\n\n\n',
  '\ufeff',
  'phone',
  'phone\n"',
  `phone\n"${'x\n'.repeat(20_000)}`,
  'phone;phone\n1;2\n',
  'phone,__proto__,constructor\n15550000009,1,2\n',
  'a\u0000b\n\u0000',
  'phone\r15550000009\r',
  'x'.repeat(90_000),
  ','.repeat(50_000),
  '{"phone":1e400}\n',
  '{"phone":"15550000009","x":"\\ud800"}\n',
  '[]\nnull\n"x"\n',
  `${'['.repeat(30_000)}\n`,
];

/** Values that a Request takes; the socket's own parser refuses the rest before the API sees them. */
export const ODD_HEADERS: Readonly<Record<string, readonly string[]>> = {
  'Idempotency-Key': ['', 'x'.repeat(5_000), '\u00ff\u00fe', 'a, b', '../..', '%00', '"quoted"', "';--", 'a\tb'],
  'Content-Type': [
    '',
    'text/plain',
    'text/csv',
    'application/x-ndjson',
    'application/json; charset=utf-16',
    '/',
    '*/*',
  ],
  'Content-Length': ['-1', '1e9', '999999999999', 'x', '0'],
  Authorization: ['', 'Bearer', 'Bearer \u00ff', 'Basic Og==', 'Basic %%%', 'x'.repeat(7_000), 'Bearer ep_'],
  Host: ['', '[', 'a b', '%', 'evil.example', '[::1', '127.0.0.1:99999'],
  Origin: ['null', 'x', 'http://', 'https://evil.example'],
  Accept: ['', 'text/html', '\u00ff'],
  'X-Request-Id': ['', 'x'.repeat(1_000), '\u00ff', '"'],
  'X-Namespace': ['', '\u00ff'],
};

/** Parts of a path as a client could write them without encoding. */
export const ODD_PATHS: readonly string[] = [
  '%',
  '%zz',
  '%ED%A0%80',
  '%C0%AF',
  '%00',
  '..',
  '.',
  '%2e%2e',
  '%2F',
  '%5c',
  ';a=b',
  '%0d%0a',
  '+',
  '//',
];

export const ODD_QUERIES: readonly string[] = [
  'limit=1&limit=2',
  'cursor=a&cursor=a',
  'timeoutMs=0&timeoutMs=0',
  'instance[]=main',
  'instance=main&colour=red',
  '%',
  '%ED%A0%80=1',
  '=',
  '&&&',
  '__proto__=1',
  'a'.repeat(7_000),
];
