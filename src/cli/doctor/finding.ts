import type { Secret } from '../../contract/index.js';
import type { SettingsChange } from './needed-settings.js';

/** What the doctor found out about one thing, and what to do about it. */
export interface Finding {
  /**
   * `ok`: it was asked and answered. `advice`: it works, but less well than it could. `unknown`: it could not be asked.
   */
  readonly verdict: 'ok' | 'advice' | 'broken' | 'unknown';
  /** What was looked at, e.g. `temporal` or `instance main`. */
  readonly subject: string;
  readonly found: string;
  /** What to do, where there is something to do. */
  readonly remedy?: string;
  /** True where the settings that `--fix` sets put it right. */
  readonly isFixable?: true;
}

/** What has to be set for one account. May hold a token: never shown. */
export interface NeededChange {
  readonly instance: string;
  /** At the gateway. Empty: nothing. */
  readonly change: SettingsChange;
  /** Its first webhook token, for the instances file. */
  readonly webhookToken?: Secret;
}

export interface Examination {
  readonly findings: readonly Finding[];
  readonly changes: readonly NeededChange[];
}

/** One thing that was not asked, or did not answer: it is not known to be well. */
export function unknownFinding(subject: string, why: string, remedy?: string): Finding {
  return { subject, verdict: 'unknown', found: `Not asked. ${why}`, ...(remedy === undefined ? {} : { remedy }) };
}

export function noResponseFinding(subject: string, question: string, error: unknown): Finding {
  const words = error instanceof Error ? error.message : String(error);
  return { subject, verdict: 'unknown', found: `${question}: no response (${words})` };
}
