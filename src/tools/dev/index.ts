export { readDevRecord, type DevRecord, type DevStackFacts } from './dev-record.js';
export type { DevStackOptions } from './dev-stack.js';

/** Imported only at their start, so that commands that call the API start without them. */
export const loadDevStack = () => import('./dev-stack.js');
export const loadLocalSimulator = () => import('./local-simulator.js');
