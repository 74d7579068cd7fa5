export { startSimulator, type Simulator, type SimulatorOptions } from './start-simulator.js';
export type { DeliveredMessage } from './phones.js';
export type { RecordedRequest } from './request-log.js';
export type { Settings } from './settings.js';
export type { Fault } from './fault-script.js';
export type { TemplateStatus } from './templates.js';
