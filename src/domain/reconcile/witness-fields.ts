/**
 * Reading what a witness shows, whatever it shows: a field that is not there or not as expected makes it say less,
 * never fail.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Ids and numbers come as either; anything else is no word. */
export function word(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? String(value) : '';
}

/** A flag may come as a word. */
export function flag(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  if (value === 'true' || value === 'yes') return true;
  if (value === 'false' || value === 'no') return false;
  return undefined;
}

/** A number may come as its digits. */
export function numeral(value: unknown): number | undefined {
  const read = word(value).trim() === '' ? Number.NaN : Number(value);
  return Number.isFinite(read) ? read : undefined;
}
