export { envExample } from './env-example.js';
export { SIMULATOR_INSTANCE, SIMULATOR_PORT, fixedInstances, simulatorInstance } from './instance-directory.js';
export { loadConfig, type Config, type TemporalConfig } from './load-config.js';
export { openInstancesFile } from './open-file.js';
export { VARIABLES, type Environment, type LogLevel, type Variable } from './variables.js';
export { writeWebhookToken } from './write-webhook-token.js';
