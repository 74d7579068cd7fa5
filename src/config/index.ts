export { SIMULATOR_INSTANCE, SIMULATOR_PORT, fixedInstances, simulatorInstance } from './instance-directory.js';
export { openInstancesFile, writeWebhookToken } from './instances-file.js';
export { loadConfig, type Config, type TemporalConfig } from './load-config.js';
export { unknownVariableRemedy } from './unknown-variables.js';
export { VARIABLES, envExample, type Environment, type LogFormat, type LogLevel, type Variable } from './variables.js';
