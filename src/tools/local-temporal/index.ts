export { startDevServer, temporalServerIn } from './dev-server.js';
export type { DevServer, DevServerOptions } from './dev-server.js';
export { defaultCacheDir, findBinary, findTemporalCli } from './find-binary.js';
export type { FindBinaryOptions } from './find-binary.js';
export { choosePorts, preferPorts } from './free-port.js';
