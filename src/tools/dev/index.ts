export { readDevRecord, type DevRecord, type DevStackFacts } from './dev-record.js';
export type { DevStack } from './dev-stack.js';

/** Loaded when they start: a command that is a client of the API does not wait for all of it to load. */
export const loadDevStack = () => import('./dev-stack.js');
export const loadLocalSimulator = () => import('./local-simulator.js');
