import { sql, type RawBuilder } from 'kysely';
import { recipientMask, toBase32 } from '../../contract/index.js';

const ALPHABET = Array.from({ length: 32 }, (_, digit) => toBase32(digit, 1)).join('');
const SHIFTS = [25, 20, 15, 10, 5, 0] as const;

/** `recipientMessageId` in SQL, for a column with the number of a line. */
export function recipientMessageIdOf(campaignKey: string, line: RawBuilder<unknown>): RawBuilder<string> {
  const masked = sql`(${line} # ${sql.lit(recipientMask(campaignKey))})`;
  const characters = SHIFTS.map(
    (shift) => sql`substr(${sql.lit(ALPHABET)}, ((${masked} >> ${sql.lit(shift)}) & 31) + 1, 1)`,
  );
  return sql<string>`('msg_' || ${sql.join(characters, sql` || `)} || ${campaignKey}::text)`;
}
