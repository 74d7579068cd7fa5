import type { ContentTemplate, RecipientValues } from './campaign.js';

/** `{{name}}` or `{{name|instead}}`; blanks around the name do not count. A name is a column of the recipients' file. */
const VARIABLE = /\{\{\s*([^{}|]+?)\s*(?:\|([^{}]*))?\}\}/gu;
const ONLY_A_VARIABLE = /^\s*\{\{[^{}]+\}\}\s*$/u;

/** Fields that the gateway wants as a number or a flag, by their names in a message's content. */
const NUMBERS: ReadonlySet<string> = new Set(['latitude', 'longitude', 'phoneContact', 'typingTime']);
const FLAGS: ReadonlySet<string> = new Set(['multipleAnswers', 'linkPreview']);

/** A value counts as missing when it is absent or only blanks. */
export function isMissing(value: string | undefined): boolean {
  return value === undefined || value.trim() === '';
}

/** The variables of a template that have no fallback, each once, in the order of their first use. */
export function requiredVariables(template: unknown): string[] {
  return namesIn(template, ({ fallback }) => fallback === undefined);
}

/** All variables of a template. */
export function variablesOf(template: unknown): string[] {
  return namesIn(template, () => true);
}

/** Whether braces are left over once all variables are read: a variable that was not closed, has no name, or holds another. */
export function hasBrokenVariable(text: string): boolean {
  return /\{\{|\}\}/.test(text.replace(VARIABLE, ''));
}

/**
 * A template with one person's values in it. A missing value without a fallback becomes the empty text: whoever starts a
 * campaign makes sure with {@link requiredVariables} that there is none. The result still has to pass the content's checks.
 */
export function renderContent(template: ContentTemplate, values: RecipientValues): Record<string, unknown> {
  return renderFields(template, values);
}

function renderFields(fields: Readonly<Record<string, unknown>>, values: RecipientValues): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, render(value, values, name)]));
}

function render(value: unknown, values: RecipientValues, field: string): unknown {
  if (typeof value === 'string') return typed(field, value, renderText(value, values));
  if (Array.isArray(value)) return value.map((one: unknown) => render(one, values, field));
  if (value === null || typeof value !== 'object') return value;
  return renderFields(value as Record<string, unknown>, values);
}

function renderText(text: string, values: RecipientValues): string {
  return text.replace(VARIABLE, (_, name: string, fallback: string | undefined) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    return isMissing(value) ? (fallback ?? '') : (value as string);
  });
}

function typed(field: string, template: string, text: string): unknown {
  if (!ONLY_A_VARIABLE.test(template)) return text;
  if (NUMBERS.has(field) && text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  if (FLAGS.has(field) && (text === 'true' || text === 'false')) return text === 'true';
  return text;
}

function namesIn(value: unknown, isWanted: (variable: { fallback: string | undefined }) => boolean): string[] {
  const names = new Set<string>();
  const look = (part: unknown): void => {
    if (typeof part === 'string') {
      for (const [, name, fallback] of part.matchAll(VARIABLE)) {
        if (name !== undefined && isWanted({ fallback })) names.add(name);
      }
    } else if (part !== null && typeof part === 'object') {
      for (const inner of Object.values(part)) look(inner);
    }
  };
  look(value);
  return [...names];
}
