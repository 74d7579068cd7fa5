import { homedir } from 'node:os';
import { defaultCacheDir, type FindBinaryOptions } from '../../src/tools/local-temporal/index.js';

/** Where tests find Temporal's programs: in the same places as the product, with the environment of the test run. */
export function binaryOptions(pathVariable: 'TEMPORAL_CLI_PATH' | 'TEMPORAL_TEST_SERVER_PATH'): FindBinaryOptions {
  return {
    configuredPath: process.env[pathVariable],
    searchPath: process.env['PATH'] ?? '',
    cacheDir: defaultCacheDir({ xdgCacheHome: process.env['XDG_CACHE_HOME'], home: homedir() }),
    notice: (text) => process.stderr.write(`${text}\n`),
  };
}
