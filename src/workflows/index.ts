export { campaign } from './campaign.js';
export { message } from './message.js';
export { template } from './template.js';
