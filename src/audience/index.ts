export { ColumnTally } from './column-tally.js';
export { NUMBER_COLUMNS } from './csv-head.js';
export { groupRecipients, type Participant } from './group-recipients.js';
export type { RecipientBatch, VerdictRules } from './classify-line.js';
export { neutralCell } from './neutral-cell.js';
export { isKnownCountry, readNumber, timezonesOfNumbers } from './phone-number.js';
export { recipientTimezones } from './recipient-timezones.js';
export { readRecipients, type RecipientFormat, type RecipientSource } from './read-recipients.js';
