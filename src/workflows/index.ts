export { campaign } from './campaign.js';
export type { FaultPointSinks } from './fault-points.js';
export { instance } from './instance.js';
export { message } from './message.js';
export { scheduleRun } from './schedule-run.js';
export { template } from './template.js';
