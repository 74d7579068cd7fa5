export { templateActivities } from './template-activities.js';
export { explainRejection } from './refused-send.js';
export type { FollowInput } from './follow-template.js';
