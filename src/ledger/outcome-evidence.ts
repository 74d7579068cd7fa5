import type { AttemptOutcome } from '../contract/index.js';
import type { NewEvidence } from './evidence.js';

/** What an outcome of an attempt is written down as: once for each outcome, and for each id. */
export function outcomeEvidence(
  token: string,
  outcome: AttemptOutcome,
): Pick<NewEvidence, 'fact' | 'witness' | 'what'> & { readonly detail: Readonly<Record<string, unknown>> } {
  const { kind, ...facts } = outcome;
  const fact = [kind, token, ...(outcome.kind === 'accepted' ? [outcome.idMessage] : [])].join(':');
  return { fact, witness: 'response', what: kind, detail: { attempt: token, ...facts } };
}
