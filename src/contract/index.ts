export * from './clock.js';
export * from './errors.js';
export * from './fault-point.js';
export * from './instance.js';
export * from './message.js';
export * from './operations.js';
export * from './secret.js';
export * from './temporal.js';
