export { postAttempt, type AttemptResult } from './post-attempt.js';
export { checkMessage } from './post-message.js';
