export { settleLost, type ClearDependencies } from './clear-queue.js';
export { pollJournal } from './message-activities.js';
export { createActivities, type Activities } from './create-activities.js';
export type { ActivityDependencies, Times } from './dependencies.js';
export type { EditStep } from './message-activities.js';
export { applyLateEvidence } from './reconcile/late-evidence.js';
export { decideByEvidence, reconcileActivity, reconcileRound } from './reconcile/reconcile-message.js';
export { explainRejection } from './template-lookup.js';
export { readQueue, recordReading } from './witness-polls.js';
