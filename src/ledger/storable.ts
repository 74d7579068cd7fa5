/**
 * PostgreSQL keeps every character in a text but one: U+0000. A gateway or a person may write it all the same, and a
 * notification must not stay unapplied for ever because of it.
 */
export function storable(parameter: unknown): unknown {
  return typeof parameter === 'string' ? parameter.replaceAll('\u0000', '\uFFFD') : parameter;
}
