export type { DispatcherDependencies } from './dependencies.js';
export { postAttempt, type AttemptResult } from './post/poster.js';
export { createDispatcher, type Dispatcher, type ShiftResult } from './shift/shift.js';
export { droppedOutcome } from './shift/ticker.js';
export { withLinks } from './post/upload-file.js';
export { systemTimers, type Timers } from './timers.js';
