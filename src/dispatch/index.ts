export type { DispatcherDependencies } from './dependencies.js';
export { postAttempt, type AttemptResult } from './post-attempt.js';
export { createDispatcher, type Dispatcher, type ShiftResult } from './shift.js';
export { withLinks } from './upload-file.js';
export { systemTimers, type Timers } from './timers.js';
