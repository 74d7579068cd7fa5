export { askJournal } from './ask-journal.js';
export { createActivities, type Activities } from './create-activities.js';
export type { ActivityDependencies, Times } from './dependencies.js';
export type { UnrecordedEdit } from './edit-message.js';
export type { EditStep } from './message-activities.js';
export { applyLateEvidence, reconcileActivity, recordReading } from './reconcile/index.js';
export { explainRejection } from './templates/index.js';
