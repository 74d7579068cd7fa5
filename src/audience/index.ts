export {
  groupRecipients,
  RecipientBatch,
  type Participant,
  type SourceRow,
  type VerdictRules,
} from './classify-line.js';
export { ColumnTally } from './column-tally.js';
export { NUMBER_COLUMNS, neutralCell } from './csv.js';
export { recipientTimezones, timezonesOfNumbers } from './timezones.js';
export { readRecipients, type RecipientFormat, type RecipientSource } from './read-recipients.js';
