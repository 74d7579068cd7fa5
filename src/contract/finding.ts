/** One result of a check of the doctor, with its remedy. */
export interface Finding {
  /**
   * `advice`: it works, but can be improved. `unknown`: it could not be checked.
   */
  readonly verdict: 'ok' | 'advice' | 'broken' | 'unknown';
  /** The checked part, e.g. `temporal` or `instance main`. */
  readonly subject: string;
  /** Whose finding it is. Absent: of the whole installation. */
  readonly instance?: string;
  readonly found: string;
  readonly remedy?: string;
  /** True if `--fix` corrects it. */
  readonly isFixable?: true;
}
