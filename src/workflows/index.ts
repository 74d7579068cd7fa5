export { campaign } from './campaign.js';
export type { FaultPointSinks } from './activity-proxies.js';
export { instance } from './instance.js';
export { message } from './message.js';
export { scheduleRun } from './schedule-run.js';
export { template } from './template.js';
