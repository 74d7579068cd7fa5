import { AppError, present, type Secret } from '../../contract/index.js';
import type { SettingsChange } from './needed-settings.js';

/** One result of a check, and what to do about it. */
export interface Finding {
  /**
   * `advice`: it works, but can be improved. `unknown`: it could not be checked.
   */
  readonly verdict: 'ok' | 'advice' | 'broken' | 'unknown';
  /** What was checked, e.g. `temporal` or `instance main`. */
  readonly subject: string;
  readonly found: string;
  readonly remedy?: string;
  /** True if `--fix` corrects it. */
  readonly isFixable?: true;
}

/** What has to be set for one account. May hold a token, so it is never shown. */
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

/** A check that could not be made, or got no response. */
export function unknownFinding(subject: string, why: string, remedy?: string): Finding {
  return { subject, verdict: 'unknown', found: `Not checked. ${why}`, ...present({ remedy }) };
}

/** What was found with a response of the API, or that there was none. */
export async function foundWith(
  subject: string,
  question: string,
  ask: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof AppError) return [noResponseFinding(subject, question, error)];
    throw error;
  }
}

export function noResponseFinding(subject: string, question: string, error: unknown): Finding {
  const words = error instanceof Error ? error.message : String(error);
  return { subject, verdict: 'unknown', found: `${question}: no response (${words})` };
}
