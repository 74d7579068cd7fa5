export type { DispatcherDependencies } from './shift/dependencies.js';
export { postAttempt, type AttemptResult } from './post/poster.js';
export { createDispatcher, type Dispatcher, type ShiftResult } from './shift.js';
export { droppedOutcome } from './ticker.js';
export { withLinks } from './post/upload-file.js';
export { systemTimers, type Timers } from './shift/timers.js';
