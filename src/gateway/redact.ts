import type { Secret } from '../contract/index.js';

const MASK = '[secret]';

/** A slash in a path, a percent-encoded path or JSON. */
const SLASH = String.raw`(?:\\?/|%(?:25)*2f)`;
/** The token in a request path, in any encoding. */
const TOKEN_SEGMENT = new RegExp(`(waInstance[^/\\\\\\s"'<>]{1,40}?${SLASH}\\w{1,40}${SLASH})[^\\s"'<>?#]+`, 'gi');

/**
 * Removes tokens from a text in all forms in which a response may repeat them: unchanged, percent-encoded wholly,
 * partly or several times, JSON-escaped, as HTML entities, or as UTF-8 bytes read as Latin-1, in any mixture and case.
 */
export function redact(text: string, tokens: readonly Secret[]): string {
  const bare = tokens.reduce((rest, token) => {
    const pattern = patternOf(token);
    return pattern === undefined ? rest : rest.replace(pattern, MASK);
  }, text);
  return bare.replace(TOKEN_SEGMENT, `$1${MASK}`);
}

const patterns = new WeakMap<Secret, RegExp>();

function patternOf(token: Secret): RegExp | undefined {
  const known = patterns.get(token);
  if (known !== undefined) return known;
  const value = token.reveal();
  if (value === '') return undefined;
  const pattern = new RegExp(Array.from(value, formsOf).join(''), 'gi');
  patterns.set(token, pattern);
  return pattern;
}

function formsOf(character: string): string {
  const bytes = [...Buffer.from(character, 'utf8')];
  // The character itself comes last, since a percent sign also begins its own encoding.
  const forms = [
    bytes.map((byte) => `%(?:25)*${hex(byte, 2)}`).join(''),
    Array.from({ length: character.length }, (_, at) => String.raw`\\u${hex(character.charCodeAt(at), 4)}`).join(''),
    `&#x0*${character.codePointAt(0)?.toString(16) ?? ''};`,
    `&#0*${character.codePointAt(0) ?? ''};`,
    ...(NAMED_FORMS[character] ?? []),
    escaped(Buffer.from(bytes).toString('latin1')),
    escaped(character),
  ];
  return `(?:${forms.join('|')})`;
}

const NAMED_FORMS: Readonly<Record<string, readonly string[]>> = {
  ' ': [String.raw`\+`],
  '/': [String.raw`\\/`],
  '"': [String.raw`\\"`, '&quot;'],
  '\\': [String.raw`\\\\`],
  '&': ['&amp;'],
  '<': ['&lt;'],
  '>': ['&gt;'],
  "'": ['&apos;'],
};

function escaped(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
