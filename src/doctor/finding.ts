import { AppError, present, type Finding, type Secret } from '../contract/index.js';
import type { OperationRequest } from '../gateway/index.js';

export type SettingsChange = OperationRequest<'setSettings'>;

/** Changes that one account needs. They may contain a token, so they are never printed. */
export interface NeededChange {
  readonly instance: string;
  /** Changes at the gateway; may be empty. */
  readonly change: SettingsChange;
  /** Its first webhook token, for the instances file. */
  readonly webhookToken?: Secret;
}

export interface Examination {
  readonly findings: readonly Finding[];
  readonly changes: readonly NeededChange[];
}

/** A check that was not run. */
export function unknownFinding(
  subject: string,
  { why, remedy }: { readonly why: string; readonly remedy?: string },
): Finding {
  return { subject, verdict: 'unknown', found: `Not checked. ${why}`, ...present({ remedy }) };
}

/** Returns the findings about the items of a list of the API, or a finding that it did not respond. */
export async function foundWith<Item>(
  subject: string,
  question: string,
  list: () => Promise<{ readonly items: readonly Item[] }>,
  findingsOf: (item: Item) => readonly Finding[],
): Promise<readonly Finding[]> {
  try {
    return (await list()).items.flatMap(findingsOf);
  } catch (error) {
    if (error instanceof AppError) return [noResponseFinding(subject, question, error)];
    throw error;
  }
}

export function noResponseFinding(subject: string, question: string, error: unknown): Finding {
  const words = error instanceof Error ? error.message : String(error);
  return { subject, verdict: 'unknown', found: `${question}: no response (${words})` };
}
