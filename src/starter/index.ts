export { createChangeBell, type ChangeBell } from './change-bell.js';
export { createEverpost, type Everpost, type EverpostOptions, type MessageHandle } from './everpost.js';
export { editId, messageId } from './ids.js';
export type { CheckOperation } from './message-request.js';
export { MILESTONES, type Milestone } from './milestones.js';
export type { SendRequest } from '../contract/schemas.js';
