export { startSimulator, type Simulator, type SimulatorOptions } from './http/start-simulator.js';
export type { DeliveredMessage } from './account/phones.js';
export type { RecordedRequest } from './http/request-log.js';
export type { Settings } from './account/settings.js';
export type { Fault } from './http/fault-script.js';
export type { TemplateStatus } from './account/templates.js';
