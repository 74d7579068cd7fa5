/** What an operator does about lines of a recipients' file that were not accepted. */
import type { SuppressionVerdict } from './suppression.js';
import { RECIPIENT_VERDICTS, type RecipientVerdict, type RejectedLine, type VerdictCounts } from './campaign.js';

/** A campaign with a greater share of rejected lines starts only if the operator accepts that. */
export const MOST_REJECTED = 0.05;

/** Lines whose recipient is in the audience by another line, or is the account itself. */
const NOT_COUNTED: readonly RecipientVerdict[] = ['duplicate', 'own_account'];

/** Whether lines with this verdict are counted as rejected. */
export function isCountedAsRejected(verdict: RejectedLine['reason']): boolean {
  return !NOT_COUNTED.includes(verdict);
}

/** Of the lines that should have become recipients, how many did not. */
export function rejectedOf(verdicts: VerdictCounts): { readonly rejected: number; readonly lines: number } {
  const counted = RECIPIENT_VERDICTS.filter((verdict) => !NOT_COUNTED.includes(verdict));
  const lines = counted.reduce((sum, verdict) => sum + verdicts[verdict], 0);
  return { rejected: lines - verdicts.accepted, lines };
}

export function isMuchRejected(verdicts: VerdictCounts): boolean {
  const { rejected, lines } = rejectedOf(verdicts);
  return rejected > MOST_REJECTED * lines;
}

/** What to do about a verdict. */
export interface Remedy {
  readonly verdict: Exclude<RecipientVerdict, 'accepted'>;
  readonly lines: number;
  readonly remedy: string;
}

/** @param likelyCountry  the country of the other numbers, if most have the same */
export function remediesFor(verdicts: Partial<VerdictCounts>, likelyCountry: string | undefined): Remedy[] {
  return RECIPIENT_VERDICTS.flatMap((verdict) => {
    const lines = verdicts[verdict] ?? 0;
    return verdict === 'accepted' || lines === 0 ? [] : [{ verdict, lines, remedy: remedyFor(verdict, likelyCountry) }];
  });
}

/** For an import of suppressions, which has no campaign file. */
export function suppressionRemedies(verdicts: Readonly<Record<SuppressionVerdict, number>>): Remedy[] {
  return remediesFor(verdicts, undefined).map((found) =>
    found.verdict === 'country_missing'
      ? { ...found, remedy: 'name the country of these numbers: --country DE, or defaultCountry in the API' }
      : found,
  );
}

export function remedyFor(verdict: RejectedLine['reason'], likelyCountry: string | undefined): string {
  if (verdict !== 'country_missing') return REMEDIES[verdict];
  return likelyCountry === undefined
    ? 'set defaultCountry in the campaign file to the country of these numbers, e.g. defaultCountry: DE'
    : `set defaultCountry: ${likelyCountry} in the campaign file`;
}

const REMEDIES: Readonly<Record<Exclude<RejectedLine['reason'], 'country_missing'>, string>> = {
  duplicate: 'nothing to do: the recipient is in the audience once, with the values of the first line',
  bad_number: 'write one complete number with its country, as in +49 151 12345678',
  country_unclear: 'write + and the country code before the number, or 0 before a number of the default country',
  several_numbers: 'keep one number in the cell, and give each other number its own line',
  lost_in_spreadsheet: 'format the column as text in the spreadsheet, enter the numbers again, and export it again',
  number_missing: 'add the number, or remove the line',
  not_allowed: 'add the number to allowedRecipients of the instance, or remove the line',
  unreadable: 'give the line the columns of the header, and put values with a delimiter, quote or line end in quotes',
  bad_value: 'replace the characters that cannot be sent; if letters are damaged, save the file as UTF-8 again',
  lid_only: 'the account does not show the number: add the participant by number from another source',
  own_account: 'nothing to do: the account does not write to itself',
  timezone_unknown: 'add a column timezone, e.g. Europe/Berlin, or set defaultTimezone in the campaign file',
};

/** The reason of a rejected line in words that begin with its verdict. */
export function reasonOfLine({ reason, value, duplicateOf }: RejectedLine): string {
  if (duplicateOf !== undefined) return `${reason} of line ${duplicateOf}`;
  return reason === 'bad_value' ? `${reason} (${value})` : reason;
}
