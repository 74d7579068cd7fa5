import { classifyLine, reject, type RecipientBatch, type VerdictRules } from './classify-line.js';

/** A participant as getGroupData shows it. */
export interface Participant {
  /** The chat id, if the gateway shows the number. */
  readonly id?: string | null | undefined;
  /** The id of a participant whose number is not shown. */
  readonly lid?: string | null | undefined;
}

/**
 * The participants of a group, in its order; their place in it, from 1, is their line.
 * @param own the account's own chat id, where it is known
 */
export function groupRecipients(
  participants: readonly Participant[],
  own: string | undefined,
  rules: VerdictRules,
): RecipientBatch {
  const batch: RecipientBatch = { recipients: [], rejects: [] };
  for (const [at, { id, lid }] of participants.entries()) {
    const line = at + 1;
    const isNumber = typeof id === 'string' && id !== '' && !id.endsWith('@lid');
    if (!isNumber) reject(batch, line, 'lid_only', lid ?? id ?? '');
    else if (id === own) reject(batch, line, 'own_account', id);
    else classifyLine(batch, line, id, {}, rules);
  }
  return batch;
}
