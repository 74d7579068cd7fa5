import { AUTHENTICATION_CONTENT, type TemplateFinding } from '../../contract/index.js';

/** A template before validation: any part may be invalid. */
export type Draft = Readonly<Record<string, unknown>>;

export function buttonsOf({ buttons }: Draft): readonly unknown[] {
  return Array.isArray(buttons) ? buttons : [];
}

export function examplesOf({ example }: Draft): readonly unknown[] {
  return Array.isArray(example) ? example : [];
}

export function isAuthentication(draft: Draft): boolean {
  return draft['category'] === 'AUTHENTICATION';
}

export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** The errors and warnings that were found so far. */
export class Findings {
  readonly errors: TemplateFinding[] = [];
  readonly warnings: TemplateFinding[] = [];

  error(path: string, message: string, values: Pick<TemplateFinding, 'limit' | 'found'> = {}): void {
    this.errors.push({ path, message, ...values });
  }

  warn(path: string, message: string, values: Pick<TemplateFinding, 'limit' | 'found'> = {}): void {
    this.warnings.push({ path, message, ...values });
  }
}

const EMOJI = /\p{Emoji_Presentation}|\uFE0F|\u20E3/u;

export function checkLength(path: string, text: unknown, limit: number, found: Findings): void {
  if (typeof text !== 'string') return;
  // Counted like at the gateway: a character beyond U+FFFF is one.
  let surrogatePairs = 0;
  for (let at = 0; at < text.length; at += 1) if ((text.codePointAt(at) ?? 0) > 0xffff) surrogatePairs += 1;
  const characters = text.length - surrogatePairs;
  const most = `'${path}' length must be less than or equal to ${limit} characters long`;
  if (characters > limit) found.error(path, most, { limit, found: characters });
  else if (text.length > limit) {
    const message = `${most}: it has ${characters}, but ${text.length} where characters beyond U+FFFF count as two`;
    found.warn(path, message, { limit, found: text.length });
  }
}

/** A longer text is rejected for its length, and its graphemes are not counted, which would take seconds. */
const MOST_COUNTED_CHARACTERS = 4_000;

/** Counts emoji by graphemes: a flag, a family or an emoji with a skin tone is one. */
export function countEmoji(words: string): number {
  const counted = words.slice(0, MOST_COUNTED_CHARACTERS);
  const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(counted);
  let emoji = 0;
  for (const { segment } of graphemes) if (EMOJI.test(segment)) emoji += 1;
  return emoji;
}

/** Checks that variables are numbered from one without gaps, since a message gives their values as a list. */
export function checkVariables(path: string, text: string, found: Findings): void {
  const names = templateVariables(text);
  const expected = names.map((_, index) => String(index + 1));
  if (names.toSorted().join() !== expected.toSorted().join()) {
    const message = `the variables of '${path}' are not numbered {{1}}, {{2}}, … without a gap`;
    found.warn(path, message, { found: written(names) });
  }
  if (/\{\{|\}\}/.test(text.replaceAll(VARIABLE, ''))) found.warn(path, `'${path}' has braces that are no variable`);
}

/** Checks that the example is the text with a sample value for each variable. */
export function checkExample(path: string, example: string, ofPath: string, text: string, found: Findings): void {
  const left = templateVariables(example);
  if (left.length > 0) {
    found.error(path, `'${path}' still has variables; give a sample value for each`, { found: written(left) });
  } else if (example !== '' && !isFilledIn(example, text)) {
    found.warn(path, `'${path}' is not '${ofPath}' with sample values in place of its variables`);
  }
}

function written(variables: readonly string[]): string {
  return variables.map((name) => `{{${name}}}`).join(' ');
}

/**
 * Whether the example contains all texts between the variables in order, with a value for each variable. Several blanks
 * count as one.
 */
function isFilledIn(example: string, text: string): boolean {
  const fixed = text.replaceAll(/\s+/g, ' ').split(/\{\{[^{}]*\}\}/);
  const filled = example.replaceAll(/\s+/g, ' ');
  const [first = '', last = ''] = [fixed[0], fixed.at(-1)];
  if (fixed.length === 1) return filled === first;
  if (!filled.startsWith(first) || !filled.endsWith(last)) return false;
  let at = first.length;
  for (const part of fixed.slice(1, -1)) {
    const found = filled.indexOf(part, at + 1);
    if (found < 0) return false;
    at = found + part.length;
  }
  return at + 1 + last.length <= filled.length;
}

const VARIABLE = /\{\{([^{}]*)\}\}/g;

/** The text between the braces of each variable, without duplicates, in the order of the first use. */
export function templateVariables(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VARIABLE), ([, name = '']) => name.trim()))];
}

/**
 * The variables for which a message gives values, in order: those of the body, or of the default body for
 * AUTHENTICATION.
 */
export function templateParameters({
  category,
  content,
}: {
  readonly category: string;
  readonly content?: string;
}): string[] {
  const body = content ?? (category === 'AUTHENTICATION' ? AUTHENTICATION_CONTENT : '');
  return templateVariables(body);
}

/**
 * Why the network refuses a value of a template's variable, if it does (its error 132018): a message with such a value
 * fails after the gateway accepted it. @source https://github.com/netflie/whatsapp-cloud-api/issues/201
 */
export function parameterFault(value: string): string | undefined {
  if (value.trim() === '') return 'is empty';
  if (/[\r\n\u2028\u2029]/.test(value)) return 'has a line break';
  if (value.includes('\t')) return 'has a tab';
  return value.includes('     ') ? 'has more than four blanks in a row' : undefined;
}
