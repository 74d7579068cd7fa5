import type { ContentTemplate, RecipientValues } from '../contract/index.js';

/**
 * A variable `{{name}}` or `{{name|fallback}}`. The name is a column of the recipients' file; blanks around it are
 * ignored.
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
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    const given = value === undefined || isMissing(value) ? fallback : value;
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

function withVariables(text: string, valueOf: ValueOf): string {
  return text.replaceAll(VARIABLE, (written, inner: string) => {
    const variable = readVariable(inner);
    return variable === undefined ? written : valueOf(variable);
  });
}

function variablesIn(text: string): Variable[] {
  return Array.from(text.matchAll(VARIABLE), ([, inner = '']) => readVariable(inner)).filter(
    (variable) => variable !== undefined,
  );
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
      for (const variable of variablesIn(part)) if (isWanted(variable)) names.add(variable.name);
    } else if (part !== null && typeof part === 'object') {
      for (const inner of Object.values(part)) visit(inner);
    }
  };
  visit(value);
  return [...names];
}
