export { templateActivities } from './template-activities.js';
export { passTemplateGate, templateGate, type TemplateGate } from './template-gate.js';
export { isTemplateInTheWay } from './refused-send.js';
export type { FollowInput } from './follow-template.js';
