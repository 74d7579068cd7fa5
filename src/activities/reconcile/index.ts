export { applyLateEvidence } from './late-evidence.js';
export { reconcileActivity } from './reconcile-message.js';
export { recordReading, type Listing } from './record-reading.js';
