export { checkInstance } from './check-instance.js';
export { checkLedger, type LedgerReads } from './check-ledger.js';
export { checkTemporal } from './check-temporal.js';
export { createDoctor, type Doctor, type Examined } from './create-doctor.js';
export { unknownFinding, type Examination, type NeededChange } from './finding.js';
