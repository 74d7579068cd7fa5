import type { ApiClient } from '../../client/index.js';
import { AppError, type PauseReason } from '../../contract/index.js';
import { isPauseState } from '../../domain/index.js';
import { noResponseFinding, type Finding } from './finding.js';

/** Which accounts are paused, by the API's ledger: an account may be authorized, and nothing is posted from it. */
export async function checkPauses(api: Pick<ApiClient, 'listInstances'>): Promise<Finding[]> {
  try {
    return (await api.listInstances()).items.flatMap(({ name, pauses }) =>
      pauses.map(({ reason, since, resumedBy }) => ({
        subject: `instance ${name}`,
        verdict: 'broken',
        found: `paused: ${reason} since ${since}; nothing is posted`,
        remedy: remedyOf(name, reason, resumedBy),
      })),
    );
  } catch (error) {
    if (error instanceof AppError) return [noResponseFinding('instances', 'which accounts are paused', error)];
    throw error;
  }
}

function remedyOf(name: string, reason: PauseReason, resumedBy: 'operator' | 'authorized'): string {
  const resume = `everpost instance resume ${name}`;
  if (!isPauseState(reason)) return `An operator paused it. Resume it: ${resume}`;
  if (resumedBy === 'operator') return `Check the account. Once it is authorized: ${resume}`;
  return 'It is resumed automatically once it is authorized.';
}
