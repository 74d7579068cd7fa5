export {
  groupRecipients,
  RecipientBatch,
  VERDICT_COLUMNS,
  type Participant,
  type SourceRow,
  type VerdictRules,
} from './classify-line.js';
export { ColumnTally } from './column-tally.js';
export { neutralCell } from './table/neutral-cell.js';
export { recipientTimezones, timezonesOfNumbers } from './timezones.js';
export { readRecipients } from './table/read-recipients.js';
export type { ListFile, RecipientFormat, RecipientSource } from './recipient-source.js';
