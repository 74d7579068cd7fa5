export { SIMULATOR_INSTANCE, SIMULATOR_PORT, fixedInstances, simulatorInstance } from './instance-directory.js';
export { openInstancesFile, writeWebhookToken } from './instances-file.js';
export { loadConfig, type Config, type TemporalConfig } from './load-config.js';
export { unknownVariableRemedy } from './unknown-variables.js';
export type { Environment, Variable } from './variable.js';
export { VARIABLES, envExample, type LogFormat, type LogLevel } from './variables.js';
