import { AppError } from '../../contract/index.js';
import type { ApiClient } from '../api-client.js';
import { noAnswerFinding, type Finding } from './finding.js';

/** What holds accounts, as the API's ledger has it: an account may be authorized, and nothing is sent by it all the same. */
export async function checkBrakes(api: Pick<ApiClient, 'instances'>): Promise<Finding[]> {
  try {
    return (await api.instances()).flatMap(({ name, brakes }) =>
      brakes.map(({ state, since, releasedBy }) => ({
        subject: `instance ${name}`,
        verdict: 'broken',
        found: `held: ${state} since ${since}; nothing is sent`,
        remedy:
          releasedBy === 'person'
            ? `Look at the account. Once it is authorized: everpost instance release ${name}`
            : 'It goes on by itself once it is authorized.',
      })),
    );
  } catch (error) {
    if (error instanceof AppError) return [noAnswerFinding('instances', 'what holds the accounts', error)];
    throw error;
  }
}
