import { createHash } from 'node:crypto';
import { ColumnTally, type RecipientBatch } from '../../audience/index.js';
import { RECIPIENT_VERDICTS, type CampaignId, type Clock, type RecipientVerdict } from '../../contract/index.js';
import type { AudienceImport, FinishedImport, Ledger } from '../../ledger/index.js';

/** A statement of this many lines takes a few dozen milliseconds, also in an embedded database on one slow core. */
export const IMPORT_BATCH_LINES = 1_000;

/**
 * Imports what a reader gives, and makes it the campaign's audience once the last line is written. When reading or
 * writing fails nothing is left of it, and the audience is what it was.
 * @throws AppError CAMPAIGN_NOT_FOUND | CAMPAIGN_FROZEN | IMPORT_SUPERSEDED, and whatever the reader throws
 */
export async function importRecipients(
  { ledger: { audiences }, clock }: { readonly ledger: Ledger; readonly clock: Clock },
  id: CampaignId,
  batches: AsyncIterable<RecipientBatch>,
): Promise<FinishedImport> {
  const audience = await audiences.beginImport(id, clock.nowMs());
  try {
    const source = await writeAll(audiences, audience, batches);
    return await audiences.finishImport(id, audience, source, clock.nowMs());
  } catch (error) {
    // If this fails too, the first error is the one to report, and the next import removes the rows that are left.
    await audiences.abandonImport(audience).catch(() => undefined);
    throw error;
  }
}

async function writeAll(
  audiences: Ledger['audiences'],
  audience: AudienceImport,
  batches: AsyncIterable<RecipientBatch>,
) {
  const verdicts = Object.fromEntries(RECIPIENT_VERDICTS.map((verdict) => [verdict, 0])) as Record<
    RecipientVerdict,
    number
  >;
  const tally = new ColumnTally();
  // Of what came out, not of the bytes: a newer release may read the same file in another way. Apart, so that they do
  // not depend on how the lines came in batches.
  const recipientsHash = createHash('sha256');
  const rejectsHash = createHash('sha256');
  for await (const { recipients, rejects } of batches) {
    const duplicates = new Set((await audiences.addLines(audience, recipients, rejects)).duplicates);
    for (const recipient of recipients) if (!duplicates.has(recipient.line)) tally.add(recipient);
    for (const { reason } of rejects) verdicts[reason] += 1;
    verdicts.duplicate += duplicates.size;
    verdicts.accepted += recipients.length - duplicates.size;
    recipientsHash.update(recipients.map((recipient) => `${JSON.stringify(recipient)}\n`).join(''));
    rejectsHash.update(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''));
  }
  return {
    hash: createHash('sha256').update(recipientsHash.digest()).update(rejectsHash.digest()).digest('hex'),
    lines: Object.values(verdicts).reduce((sum, lines) => sum + lines, 0),
    verdicts,
    columns: tally.columns,
  };
}
