/** What the API did under test that its OpenAPI document does not say; the setup file fails the test that saw it. */
const seen: string[] = [];

export function noteUndocumented(what: readonly string[]): void {
  seen.push(...what);
}

/** Each is given out once. */
export function takeUndocumented(): string[] {
  return seen.splice(0);
}
