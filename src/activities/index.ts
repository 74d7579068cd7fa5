export { pollJournal } from './message-activities.js';
export { createActivities, type Activities } from './create-activities.js';
export type { ActivityDependencies, Times } from './dependencies.js';
export type { UnrecordedEdit } from './edit-message.js';
export type { EditStep } from './message-activities.js';
export { applyLateEvidence } from './reconcile/late-evidence.js';
export { reconcileActivity, reconcileRound } from './reconcile/reconcile-message.js';
export { explainRejection } from './templates/template-lookup.js';
export { recordReading } from './reconcile/witness-polls.js';
