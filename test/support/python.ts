import { execFile, type ExecFileException } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDir } from '../../src/tools/local-temporal/index.js';
import { findOnPath, isExecutable, runProgram } from '../../src/tools/local-temporal/download-binary.js';

/** Temporal's SDK for Python, and the example's encryption library. They come as wheels: nothing is compiled. */
const PACKAGES = ['temporalio==1.35.0', 'cryptography==50.0.2'];
const RESPONSE_TIMEOUT_MS = 30_000;
const INSTALL_TIMEOUT_MS = 240_000;
/** For a script that hangs; below `testTimeout`, so that a failure shows its output. */
const SCRIPT_TIMEOUT_MS = 240_000;

const execute = promisify(execFile);

export type Python = PythonWithTemporal | { readonly missing: string };

export interface PythonWithTemporal {
  /** Runs a script to its end. @throws ScriptFailure when it fails */
  run(script: string, args: readonly string[], env?: Record<string, string>): Promise<{ readonly stdout: string }>;
}

/**
 * A Python with Temporal's SDK, which pip installs once into the cache of Temporal's programs.
 * @returns `missing` with the reason when there is none
 * @throws Error instead when TEST_PYTHON is `required`, as in CI
 */
export async function pythonWithTemporal(): Promise<Python> {
  try {
    const python = await findPython();
    // A folder of packages, not a virtual environment, which on Debian needs one more package than pip.
    const env = { ...process.env, PYTHONPATH: await installedPackages(python) };
    return { run: (script, args, more) => runScript(python, [script, ...args], { ...env, ...more }) };
  } catch (error) {
    if (process.env['TEST_PYTHON'] === 'required') throw error;
    return { missing: error instanceof Error ? error.message : String(error) };
  }
}

/** @throws ScriptFailure */
async function runScript(python: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<{ stdout: string }> {
  try {
    return await execute(python, args, { env, timeout: SCRIPT_TIMEOUT_MS });
  } catch (error) {
    throw new ScriptFailure(error as ExecFileException & { stdout: string; stderr: string });
  }
}

/** Its message has everything: Node's own omits the script's output, and whether it was killed. */
export class ScriptFailure extends Error {
  readonly code: ExecFileException['code'];
  readonly stdout: string;

  constructor(cause: ExecFileException & { readonly stdout: string; readonly stderr: string }) {
    const { code, killed, signal, cmd, stdout, stderr } = cause;
    const how = killed === true ? `was killed after ${SCRIPT_TIMEOUT_MS} ms` : `ended with ${signal ?? `code ${code}`}`;
    super(`${cmd} ${how}\nstdout: ${stdout}\nstderr: ${stderr}`, { cause });
    this.code = code;
    this.stdout = stdout;
  }
}

async function findPython(): Promise<string> {
  const check = 'import sys, pip; sys.exit(sys.version_info < (3, 10))';
  for (const python of await findOnPath('python3', process.env['PATH'] ?? '')) {
    if ((await runProgram(python, ['-c', check], RESPONSE_TIMEOUT_MS)).succeeded) return python;
  }
  throw new Error('no python3 with pip, 3.10 or newer, is on PATH');
}

async function installedPackages(python: string): Promise<string> {
  const platform = 'import sys, sysconfig; print(sysconfig.get_platform(), *sys.version_info[:2], sep="-")';
  const { stdout } = await execute(python, ['-c', platform], { timeout: RESPONSE_TIMEOUT_MS });
  const cacheDir = defaultCacheDir({ xdgCacheHome: process.env['XDG_CACHE_HOME'], home: homedir() });
  const packages = join(cacheDir, `python-${PACKAGES.join('-').replaceAll('==', '-')}-${stdout.trim()}`);
  if (await isExecutable(packages)) return packages;

  await mkdir(cacheDir, { recursive: true });
  const scratchDir = await mkdtemp(join(cacheDir, 'fetch-'));
  try {
    const options = ['--quiet', '--only-binary=:all:', '--no-input', '--disable-pip-version-check', '--retries=1'];
    const install = ['-m', 'pip', 'install', ...options, `--target=${scratchDir}`, ...PACKAGES];
    // pip's output may contain the address of an index with a password.
    if (!(await runProgram(python, install, INSTALL_TIMEOUT_MS)).succeeded) {
      throw new Error(`pip could not install ${PACKAGES.join(' ')}`);
    }
    // A rename is atomic; another process may have been first.
    await rename(scratchDir, packages).catch(async (error: unknown) => {
      if (!(await isExecutable(packages))) throw error;
    });
    return packages;
  } finally {
    await rm(scratchDir, { recursive: true, force: true });
  }
}
