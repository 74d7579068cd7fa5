import { isRecord, type Secret } from '../contract/index.js';
import { redact } from './redact.js';

const MAX_CHARACTERS = 500;
/** How much of an error page is searched for its title. */
const MAX_SCANNED = 64 * 1024;

/** If a request has more private texts than this, the gateway's text is left out. */
const MAX_PRIVATE_TEXTS = 100;

/** Request fields with private values, which a rejection may repeat. */
const PRIVATE_FIELDS = [
  'message',
  'caption',
  'fileName',
  'urlFile',
  'content',
  'header',
  'footer',
  'webhookUrl',
  'webhookUrlToken',
  'options',
  'nameLocation',
  'address',
  'contact',
  'params',
  'example',
  'exampleHeader',
  'vertical',
  'buttons',
];

/**
 * The gateway's text for an error and the log, at most 500 characters, without tokens, phone numbers and texts of the
 * request.
 * @param raw  the response body: parsed JSON, or the text of a body that is not JSON
 * @returns undefined if there is no text
 */
export function gatewayTextOf(raw: unknown, token: Secret, request: unknown): string | undefined {
  const said = textOf(raw).slice(0, MAX_SCANNED);
  const known = withoutPrivate(redact(said, [token]), request);
  // Removes chat ids, of at most 70 characters. Without this limit every digit of a long run would start a scan.
  const words = known
    .replace(/\d[\d-]{0,70}@(?:c\.us|g\.us|lid)\b/g, '[chat]')
    .replace(/\+?\b\d{10,15}\b/g, '[number]')
    .replace(/\s+/g, ' ')
    .trim();
  if (words === '') return undefined;
  return words.length > MAX_CHARACTERS ? `${words.slice(0, MAX_CHARACTERS - 1)}…` : words;
}

/** The text of an error, which comes as text, as a JSON string, as `{message}` or `{error}`, or one level deeper. */
export function textOf(raw: unknown): string {
  if (typeof raw === 'string') {
    if (!/^\s*<(?:!doctype|html)/i.test(raw)) return raw;
    return /<title>([^<]*)<\/title>/i.exec(raw.slice(0, MAX_SCANNED))?.[1] ?? 'a web page';
  }
  if (!isRecord(raw)) return raw === undefined || raw === null ? '' : JSON.stringify(raw);
  for (const name of ['message', 'error', 'reason', 'description', 'invokeStatus']) {
    const value = raw[name];
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0) return value.map((one) => textOf(one)).join('; ');
    if (isRecord(value)) return textOf(value);
  }
  return JSON.stringify(raw);
}

function withoutPrivate(text: string, request: unknown): string {
  if (!isRecord(request)) return text;
  const texts = PRIVATE_FIELDS.flatMap((field) =>
    textsIn(request[field])
      // Shorter texts are words that any error may contain.
      .filter((value) => value.length > 3)
      .map((value) => ({ field, value })),
  );
  if (texts.length > MAX_PRIVATE_TEXTS) return "[the gateway's text is left out: the request has too many texts]";
  const whole = texts.reduce((rest, { field, value }) => rest.replaceAll(value, () => `[${field}]`), text);
  // Reads only the beginning, since the rest is cut off.
  const said = whole.slice(0, 2 * MAX_CHARACTERS);
  const parts = new Set(partsOf(said));
  const repeated = new Set(texts.flatMap(({ value }) => partsOf(value).filter((part) => parts.has(part))));
  let left = '';
  let at = 0;
  while (at < said.length) {
    let end = at;
    while (repeated.has(said.slice(end, end + PART_CHARACTERS))) end += 1;
    left += end === at ? said.charAt(at) : '[…]';
    at = end === at ? at + 1 : end - 1 + PART_CHARACTERS;
  }
  return left;
}

/** A rejection may repeat a part of the request. This many equal characters count as a repeated part. */
const PART_CHARACTERS = 10;

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function partsOf(text: string): string[] {
  const count = Math.max(0, text.length - PART_CHARACTERS + 1);
  return Array.from({ length: count }, (_, at) => text.slice(at, at + PART_CHARACTERS));
}
