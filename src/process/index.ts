export { processStart } from './process-start.js';
