/** Temporal's client, and what a server needs to be set up with. */
export { prepareTemporal, temporalClient } from './connect-temporal.js';
export { setupCommands } from './server-setup.js';
