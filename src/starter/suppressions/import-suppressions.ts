import { readRecipients, type RecipientSource } from '../../audience/index.js';
import {
  SUPPRESSION_VERDICTS,
  type Clock,
  type SuppressionImport,
  type SuppressionScope,
  type SuppressionVerdict,
} from '../../contract/index.js';
import type { Ledger } from '../../ledger/index.js';

/** As for recipients: a statement of a few dozen milliseconds. */
const BATCH_LINES = 1_000;
/** What a response holds of them; the verdicts count all. */
const MOST_REJECTS = 10_000;

/**
 * Adds every number of a source to the list, a batch at a time. What was added before a source breaks off holds: no
 * recipient is written to who is on it, and importing it again adds the rest.
 */
export async function importSuppressions(
  { suppressions, clock }: { readonly suppressions: Ledger['suppressions']; readonly clock: Clock },
  source: RecipientSource,
  to: { readonly instance?: string; readonly scope: SuppressionScope },
): Promise<SuppressionImport> {
  const verdicts = Object.fromEntries(SUPPRESSION_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    SuppressionVerdict,
    number
  >;
  const firstRejects: SuppressionImport['rejects'][number][] = [];
  for await (const { recipients, rejects } of readRecipients(source, BATCH_LINES)) {
    const added = await suppressions.import({
      chatIds: recipients.map(({ chatId }) => chatId),
      ...to,
      nowMs: clock.nowMs(),
    });
    verdicts.added += added.size;
    verdicts.already += recipients.length - added.size;
    for (const { reason } of rejects) verdicts[reason as SuppressionVerdict] += 1;
    firstRejects.push(...rejects.slice(0, MOST_REJECTS - firstRejects.length));
  }
  const lines = Object.values(verdicts).reduce((sum, count) => sum + count, 0);
  return { lines, verdicts, rejects: firstRejects };
}
