/** Exchanges under test that the OpenAPI document lacks; the setup file fails the test that saw them. */
const seen: string[] = [];

export function recordUndocumented(what: readonly string[]): void {
  seen.push(...what);
}

/** Each is returned once. */
export function takeUndocumented(): string[] {
  return seen.splice(0);
}
