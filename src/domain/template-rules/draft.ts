/** A template as it was written: anything in it may be wrong. */
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

export function isRecord(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
