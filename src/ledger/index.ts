export { bodyHash, comparableText, jsonHash } from './body-hash.js';
export type * from './campaigns/campaign-ledger.js';
export type * from './campaigns/feeding-ledger.js';
export { ASSUMED_INTERVAL_MS, estimatedDepth, type QueueEstimate } from './campaigns/queue-estimate.js';
export { lockDataDir, type DataDirLock } from './data-dir-lock.js';
export type * from './ledger.js';
export { makeDataDir } from './make-data-dir.js';
export type * from './templates/template-ledger.js';
export { openLedger, type LedgerLocation, type LedgerOptions } from './open-ledger.js';
