/** For processes of tests: modules of src without a build, as the tests run them. */
import { createViteServer } from 'vitest/node';

const server = await createViteServer({
  configFile: false,
  logLevel: 'silent',
  appType: 'custom',
  server: { middlewareMode: true, ws: false, watch: null },
  optimizeDeps: { noDiscovery: true },
});

/** @param {string} path  e.g. `/src/ledger/index.ts` */
export function sourceModule(path) {
  return server.ssrLoadModule(path);
}
