export { startDevServer, type DevServer, type DevServerOptions } from './dev-server.js';
export { defaultCacheDir, findBinary, findTemporalCli, type FindBinaryOptions } from './find-binary.js';
export { choosePorts, preferPorts } from './free-port.js';
