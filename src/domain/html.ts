/**
 * Markup whose values are escaped. Only {@link markup} makes it, so that a page cannot contain an unescaped value by
 * mistake.
 */
export class Markup {
  readonly text: string;

  /** @param text  is written as it is */
  constructor(text: string) {
    this.text = text;
  }
}

type Value = string | number | Markup | readonly Markup[];

/** A tag for HTML and SVG: texts between the markup are escaped, also inside quoted attributes. */
export function markup(strings: TemplateStringsArray, ...values: readonly Value[]): Markup {
  return new Markup(strings.map((part, at) => part + shown(values[at] ?? '')).join(''));
}

function shown(value: Value): string {
  if (value instanceof Markup) return value.text;
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value));
  return value.map(({ text }) => text).join('\n');
}

/** Escapes a text for HTML, also inside a quoted attribute. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
