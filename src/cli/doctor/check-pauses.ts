import { AppError } from '../../contract/index.js';
import type { ApiClient } from '../api-client.js';
import { noResponseFinding, type Finding } from './finding.js';

/** Which accounts are paused, by the API's ledger: an account may be authorized, and nothing is sent by it all the same. */
export async function checkPauses(api: Pick<ApiClient, 'instances'>): Promise<Finding[]> {
  try {
    return (await api.instances()).flatMap(({ name, pauses }) =>
      pauses.map(({ reason, since, resumedBy }) => ({
        subject: `instance ${name}`,
        verdict: 'broken',
        found: `paused: ${reason} since ${since}; nothing is sent`,
        remedy:
          resumedBy === 'operator'
            ? `Look at the account. Once it is authorized: everpost instance resume ${name}`
            : 'It goes on by itself once it is authorized.',
      })),
    );
  } catch (error) {
    if (error instanceof AppError) return [noResponseFinding('instances', 'which accounts are paused', error)];
    throw error;
  }
}
