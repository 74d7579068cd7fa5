/** What an entry of the suppression list keeps from being sent: advertising, or everything. */
export const SuppressionScope = { marketing: 'marketing', all: 'all' } as const;
export type SuppressionScope = (typeof SuppressionScope)[keyof typeof SuppressionScope];

/** Who put it there: the addressee by a word, an operator by a command or request, or a file. */
export const SuppressionSource = { stop_word: 'stop_word', operator: 'operator', import: 'import' } as const;
export type SuppressionSource = (typeof SuppressionSource)[keyof typeof SuppressionSource];

/** One entry of the suppression list with its evidence; kept after it was removed. Times are ISO UTC. */
export interface Suppression {
  /** `sup_…` */
  readonly id: string;
  readonly chatId: string;
  /** The one account that it is about. Absent: every account. */
  readonly instance?: string;
  readonly scope: SuppressionScope;
  readonly source: SuppressionSource;
  /** From when on it was wished for: of a word, when the gateway received it. */
  readonly since: string;
  readonly recordedAt: string;
  /** As the addressee wrote it. */
  readonly word?: string;
  /** The gateway's id of the message with the word. */
  readonly idMessage?: string;
  /** The words of the operator who added it. */
  readonly note?: string;
  /** Present once it holds no longer. */
  readonly removedAt?: string;
  readonly removedBy?: 'start_word' | 'operator';
  /** Of the message with the START word that removed it. */
  readonly removedWord?: string;
  readonly removedIdMessage?: string;
  /** The addressee has said START since, which does not remove what an operator or a file put there. */
  readonly startWordAt?: string;
}

/** Why a line of an imported file is an entry of the list, or is none. */
export const SuppressionVerdict = {
  added: 'added',
  /** An entry of an import with the same scope was there, for the same accounts. */
  already: 'already',
  bad_number: 'bad_number',
  country_missing: 'country_missing',
  number_missing: 'number_missing',
  unreadable: 'unreadable',
  bad_value: 'bad_value',
} as const;
export type SuppressionVerdict = (typeof SuppressionVerdict)[keyof typeof SuppressionVerdict];
export const SUPPRESSION_VERDICTS = Object.values(SuppressionVerdict);

/** What became of an imported file. */
export interface SuppressionImport {
  /** With anything on them, a head not counted; the verdicts add up to them. */
  readonly lines: number;
  readonly verdicts: Readonly<Record<SuppressionVerdict, number>>;
  /** Lines that are no entry, the first of them. */
  readonly rejects: readonly { readonly line: number; readonly reason: string; readonly value: string }[];
}

/** Stable word for why a message ended `suppressed`. */
export function suppressionReason(source: SuppressionSource): string {
  return `suppressed_${source}`;
}
