import { createHash } from 'node:crypto';
import { ColumnTally, type RecipientBatch } from '../../audience/index.js';
import { RECIPIENT_VERDICTS, zeroOfEach } from '../../contract/index.js';
import { countryOfChat } from '../../domain/index.js';
import type { BegunAddition, ImportedSource, Ledger } from '../../ledger/index.js';

/** So many recipients show in which country most numbers are. */
export const SAMPLED_CHATS = 500;
/** The share of numbers in one country from which on it is suggested for the others. */
const LIKELY_SHARE = 0.8;

/**
 * Writes every line of a source.
 * @param begun  the import, and the audience that it adds to, if it is an addition
 * @param hasColumns  false for a group
 * @returns the whole audience, and the verdicts of this source alone
 */
export async function writeLines(
  audiences: Ledger['audiences'],
  begun: { readonly no: string } | BegunAddition,
  batches: AsyncIterable<RecipientBatch>,
  hasColumns: boolean,
): Promise<{ readonly source: ImportedSource; readonly added: Pick<ImportedSource, 'lines' | 'verdicts'> }> {
  const earlier = 'afterLine' in begun ? begun : undefined;
  const { afterLine = 0 } = earlier ?? {};
  const verdicts = { ...(earlier?.verdicts ?? zeroOfEach(RECIPIENT_VERDICTS)) };
  const added = zeroOfEach(RECIPIENT_VERDICTS);
  const tally = new ColumnTally({
    columns: earlier?.columns ?? {},
    recipients: verdicts.accepted,
    firstLine: earlier?.firstLine,
  });
  const rejectColumns = new Set(earlier?.rejectColumns);
  const chats: string[] = [];
  // Hash of the result, not of the bytes, since a newer release may parse the same file differently. Hashed line by
  // line, so that batches do not matter.
  const recipientsHash = createHash('sha256');
  const rejectsHash = createHash('sha256');
  for await (const batch of batches) {
    const { recipients, rejects, columns, variables, corrected } = batch;
    if (earlier !== undefined) {
      for (const reason of await audiences.removeCorrected(begun.no, corrected)) verdicts[reason] -= 1;
    }
    const duplicates = await audiences.addLines(begun.no, numberedFrom(afterLine, batch));
    const isDuplicate = new Set(duplicates.map(({ line }) => line - afterLine));
    for (const name of variables) tally.declare(name);
    for (const recipient of recipients) {
      if (isDuplicate.has(recipient.line)) continue;
      tally.add(afterLine === 0 ? recipient : { ...recipient, line: recipient.line + afterLine });
      if (chats.length < SAMPLED_CHATS) chats.push(recipient.chatId);
    }
    for (const { reason } of rejects) added[reason] += 1;
    added.duplicate += duplicates.length;
    added.accepted += recipients.length - duplicates.length;
    // The columns of the source first, in its order; then those that only single lines have.
    const rejected = [...rejects, ...duplicates];
    const ofLines = rejected.flatMap((reject) => Object.keys(reject.columns));
    for (const name of rejected.length === 0 ? [] : [...columns, ...ofLines]) rejectColumns.add(name);
    recipientsHash.update(recipients.map((recipient) => `${JSON.stringify(recipient)}\n`).join(''));
    rejectsHash.update(rejects.map((reject) => `${JSON.stringify(reject)}\n`).join(''));
  }
  for (const verdict of RECIPIENT_VERDICTS) verdicts[verdict] += added[verdict];
  return {
    source: {
      hash: createHash('sha256').update(recipientsHash.digest()).update(rejectsHash.digest()).digest('hex'),
      lines: sumOf(verdicts),
      verdicts,
      columns: hasColumns || earlier?.columns !== undefined ? tally.columns : undefined,
      rejectColumns: [...rejectColumns],
      likelyCountry: (verdicts.country_missing === 0 ? undefined : likelyCountry(chats)) ?? earlier?.likelyCountry,
    },
    added: { lines: sumOf(added), verdicts: added },
  };
}

export function sumOf(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, count) => sum + count, 0);
}

function numberedFrom(
  afterLine: number,
  batch: RecipientBatch,
): Pick<RecipientBatch, 'recipients' | 'rejects' | 'columnsOf'> {
  if (afterLine === 0) return batch;
  return {
    recipients: batch.recipients.map((recipient) => ({ ...recipient, line: recipient.line + afterLine })),
    rejects: batch.rejects.map((reject) => ({ ...reject, line: reject.line + afterLine })),
    columnsOf: (line) => batch.columnsOf(line - afterLine),
  };
}

export function likelyCountry(chats: readonly string[]): string | undefined {
  const counts = new Map<string, number>();
  for (const chat of chats) {
    const country = countryOfChat(chat);
    if (country !== undefined) counts.set(country, (counts.get(country) ?? 0) + 1);
  }
  const [most] = [...counts].toSorted(([, one], [, other]) => other - one);
  return most !== undefined && most[1] >= LIKELY_SHARE * chats.length ? most[0] : undefined;
}
