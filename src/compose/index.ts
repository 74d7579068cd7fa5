export { localTemporal, prepareTemporal, temporalClient, type TemporalPlace } from './connect-temporal.js';
export { packageVersion } from './package-version.js';
export { setupCommands } from './server-setup.js';
export { Teardown, type ServiceContext } from './teardown.js';

/** Loaded when a service starts: a command that is a client of the API does not wait for Temporal's worker to load. */
export const loadServices = () => import('./services.js');
