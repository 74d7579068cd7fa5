/** What the doctor found out about one thing, and what to do about it. */
export interface Finding {
  /** `advice`: it works, but less well than it could. */
  readonly verdict: 'ok' | 'advice' | 'broken';
  /** What was looked at, e.g. `temporal` or `instance main`. */
  readonly subject: string;
  readonly found: string;
  /** What to do, where there is something to do. */
  readonly remedy?: string;
}
