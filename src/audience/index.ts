export { ColumnTally } from './column-tally.js';
export { NUMBER_COLUMNS } from './csv-head.js';
export { groupRecipients, type Participant, type RecipientBatch, type VerdictRules } from './classify-line.js';
export { neutralCell } from './neutral-cell.js';
export { isKnownCountry, readNumber } from './phone-number.js';
export { recipientTimezones, timezonesOfNumbers } from './recipient-timezones.js';
export { readRecipients, type RecipientFormat, type RecipientSource } from './read-recipients.js';
