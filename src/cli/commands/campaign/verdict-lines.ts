import { RECIPIENT_VERDICTS } from '../../../contract/index.js';
import type { VerdictCounts } from '../../../ledger/index.js';

/** A line for each verdict that was given. */
export function verdictLines(verdicts: VerdictCounts): string[] {
  return RECIPIENT_VERDICTS.filter((verdict) => verdicts[verdict] > 0).map(
    (verdict) => `  ${verdict.padEnd(16)} ${verdicts[verdict]}`,
  );
}
