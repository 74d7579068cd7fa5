export { bodyHash, comparableText, jsonHash } from './body-hash.js';
export type * from './callbacks/callback-ledger.js';
export type * from './campaigns/campaign-ledger.js';
export type * from './campaigns/feeding-ledger.js';
export {
  ASSUMED_INTERVAL_MS,
  estimatedDepth,
  learnPace,
  UNLISTED_KINDS,
  type Pace,
  type QueueEstimate,
} from './campaigns/queue-estimate.js';
export { commonOffset, widenedOffset } from './gateway-clocks.js';
export type { AskedCommand, CommandKind } from './commands.js';
export type * from './dispatch/dispatch-ledger.js';
export { lockDataDir, type DataDirLock } from './data-dir-lock.js';
export { pauseText } from './instances/pauses.js';
export type * from './instances/instance-ledger.js';
export type * from './ledger.js';
export { closeDataDir, makeDataDir } from './make-data-dir.js';
export type * from './signals/signal-ledger.js';
export type * from './suppressions/suppression-ledger.js';
export type * from './notifications/notification-ledger.js';
export type * from './templates/template-ledger.js';
export type * from './wakes/wake-ledger.js';
export { openLedger, type LedgerLocation, type LedgerOptions } from './open-ledger.js';
export { processStart } from './process-start.js';
