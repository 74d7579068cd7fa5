import type { ContentTemplate, RecipientValues } from '../contract/index.js';
import { foldedName } from './folded-name.js';

/**
 * A variable `{{name}}` or `{{name|fallback}}`. The name is a column of the recipients' file, compared by
 * {@link foldedName}.
 */
interface Variable {
  readonly name: string;
  readonly fallback: string | undefined;
}

/** Takes linear time: the text between the braces contains no brace, so each part is read once. */
const VARIABLE = /\{\{([^{}]*)\}\}/g;
const ONLY_A_VARIABLE = /^\{\{[^{}]*\}\}$/;

/**
 * More than any content that the gateway accepts (100 kb). Longer content is rejected, so rendering stops at this
 * length.
 */
const MAX_RENDERED_CHARACTERS = 128 * 1024;

/** The content fields that the gateway requires as a number. */
const NUMBERS: ReadonlySet<string> = new Set(['latitude', 'longitude', 'phoneContact', 'typingTime']);
/** The content fields that the gateway requires as a boolean. */
const FLAGS: ReadonlySet<string> = new Set(['multipleAnswers', 'linkPreview']);

/** A value is missing if it is absent or contains only blanks. */
export function isMissing(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}

/** Names of columns repeat for every recipient. */
const folded = new Map<string, string>();
const MOST_FOLDED = 10_000;

function foldedOnce(name: string): string {
  let fold = folded.get(name);
  if (fold === undefined) {
    if (folded.size === MOST_FOLDED) folded.clear();
    fold = foldedName(name);
    folded.set(name, fold);
  }
  return fold;
}

/** A recipient's value for a variable: that of the column with its name, however it is written. */
export function valueFor(values: RecipientValues, name: string): string | undefined {
  const own = Object.hasOwn(values, name) ? values[name] : undefined;
  if (!isMissing(own)) return own;
  const fold = foldedOnce(name);
  for (const [column, value] of Object.entries(values)) {
    if (!isMissing(value) && foldedOnce(column) === fold) return value;
  }
  return undefined;
}

/** The variables without a fallback, each one once, in the order of their first use. */
export function requiredVariables(template: unknown): string[] {
  return namesIn(template, ({ fallback }) => fallback === undefined);
}

export function variablesOf(template: unknown): string[] {
  return namesIn(template, () => true);
}

/**
 * Whether braces remain after all variables are parsed, since a variable is not closed, has no name or contains another
 * one.
 */
export function hasBrokenVariable(text: string): boolean {
  const rest = withVariables(text, () => '');
  return rest.includes('{{') || rest.includes('}}');
}

/**
 * Renders a template with the values of one recipient. A missing value without a fallback becomes an empty text, which
 * the start of a campaign excludes by {@link requiredVariables}.
 */
export function renderContent(template: ContentTemplate, values: RecipientValues): Record<string, unknown> {
  let left = MAX_RENDERED_CHARACTERS;
  return renderFields(template, ({ name, fallback = '' }) => {
    const given = valueFor(values, name) ?? fallback;
    left -= given.length;
    return left < 0 ? '' : given;
  });
}

type ValueOf = (variable: Variable) => string;

function renderFields(fields: Readonly<Record<string, unknown>>, valueOf: ValueOf): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, render(value, valueOf, name)]));
}

function render(value: unknown, valueOf: ValueOf, field: string): unknown {
  if (typeof value === 'string') return typed(field, value, withVariables(value, valueOf));
  if (Array.isArray(value)) return value.map((one: unknown) => render(one, valueOf, field));
  if (value === null || typeof value !== 'object') return value;
  return renderFields(value as Record<string, unknown>, valueOf);
}

/**
 * An empty value takes one blank with it where two would remain, and where a line would begin or end with a blank or a
 * comma or full stop would follow one: `Hi {{name|}}, welcome` becomes `Hi, welcome`.
 */
function withVariables(text: string, valueOf: ValueOf): string {
  const parts: string[] = [];
  let at = 0;
  for (const { 0: written, 1: inner = '', index } of text.matchAll(VARIABLE)) {
    const variable = readVariable(inner);
    if (variable === undefined) continue;
    if (index > at) parts.push(text.slice(at, index));
    at = index + written.length;
    const value = valueOf(variable);
    if (value !== '') parts.push(value);
    else if (isBlank(text[at]) && BLANK_OR_START.has(lastOf(parts))) at += 1;
    else if (isBlank(lastOf(parts)) && AFTER_NO_BLANK.has(text[at])) parts.push((parts.pop() ?? '').slice(0, -1));
  }
  return parts.join('') + text.slice(at);
}

const BLANK_OR_START: ReadonlySet<string | undefined> = new Set([' ', '\t', '\n', undefined]);
const AFTER_NO_BLANK: ReadonlySet<string | undefined> = new Set([',', '.', '\n', undefined]);

function isBlank(character: string | undefined): boolean {
  return character === ' ' || character === '\t';
}

function lastOf(parts: readonly string[]): string | undefined {
  return parts.findLast((part) => part !== '')?.at(-1);
}

/** @returns undefined if the variable has no name */
function readVariable(inner: string): Variable | undefined {
  const bar = inner.indexOf('|');
  const name = (bar === -1 ? inner : inner.slice(0, bar)).trim();
  return name === '' ? undefined : { name, fallback: bar === -1 ? undefined : inner.slice(bar + 1) };
}

function typed(field: string, template: string, text: string): unknown {
  if (!NUMBERS.has(field) && !FLAGS.has(field)) return text;
  if (!ONLY_A_VARIABLE.test(template.trim())) return text;
  if (NUMBERS.has(field) && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (FLAGS.has(field) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function namesIn(value: unknown, isWanted: (variable: Variable) => boolean): string[] {
  const names = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === 'string') {
      for (const [, inner = ''] of part.matchAll(VARIABLE)) {
        const variable = readVariable(inner);
        if (variable !== undefined && isWanted(variable)) names.add(variable.name);
      }
    } else if (part !== null && typeof part === 'object') {
      for (const inner of Object.values(part)) visit(inner);
    }
  };
  visit(value);
  return [...names];
}
