export { localTemporal, type TemporalPlace } from './temporal-place.js';
export { packageVersion } from './package-version.js';
export { failureOf, Teardown, type ServiceContext } from './teardown.js';

/** Loaded when a service starts: a command that is a client of the API does not wait for Temporal to load. */
export const loadTemporal = () => import('./temporal.js');
export const loadServices = () => import('./services.js');
