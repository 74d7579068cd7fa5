export { message } from './message.js';
