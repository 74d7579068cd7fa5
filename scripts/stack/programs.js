// The programs of Temporal's images, built from their Go modules in the versions that docker-compose.yml names, and kept
// in the cache folder of everpost.
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  copyFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { nameOf } from './process-of.js';

/**
 * A program of a module, and the files of its source that its image has too.
 * @typedef {object} Source
 * @property {string} module
 * @property {string} tags     for the compiler, as in the module's Makefile
 * @property {Readonly<Record<string, string>>} programs  their packages, by name
 * @property {Readonly<Record<string, string>>} files     their place in the source, by their place in the image's folder
 */

/** @type {Readonly<Record<string, Source>>} */
const SOURCES = {
  'temporalio/server': {
    module: 'go.temporal.io/server',
    tags: 'disable_grpc_modules',
    programs: { 'temporal-server': 'cmd/server' },
    files: { 'entrypoint.sh': 'docker/scripts/sh/entrypoint.sh' },
  },
  'temporalio/admin-tools': {
    module: 'go.temporal.io/server',
    tags: 'disable_grpc_modules',
    programs: { 'temporal-sql-tool': 'cmd/tools/sql' },
    files: { 'schema/postgresql': 'schema/postgresql' },
  },
  'temporalio/ui': {
    module: 'github.com/temporalio/ui-server/v2',
    tags: '',
    programs: { 'ui-server': 'cmd/server' },
    files: { 'start-ui-server.sh': 'docker/start-ui-server.sh', 'config/docker.yaml': 'config/docker.yaml' },
  },
};

/**
 * Gives each image of Temporal a folder with what it contains. The first build takes a quarter of an hour on two cores.
 * @param {{ images: readonly string[], folder: string, cacheDir: string, say: (line: string) => void }} options
 */
export function makeImages({ images, folder, cacheDir, say }) {
  for (const image of new Set(images)) {
    const [, version = ''] = image.split(':');
    const source = SOURCES[nameOf(image)];
    if (source === undefined) continue;
    const sourceDir = download(source.module, version);
    const target = join(folder, nameOf(image));
    mkdirSync(target, { recursive: true });
    for (const [program, path] of Object.entries(source.programs)) {
      const built = join(cacheDir, `${source.module}@v${version}`, program);
      if (!existsSync(built)) build(sourceDir, source, path, built, say);
      linkOrCopy(built, join(target, program));
    }
    for (const [file, path] of Object.entries(source.files)) copy(join(sourceDir, path), join(target, file));
  }
}

/** @param {string} module  @param {string} version  @returns {string} its source, in Go's cache */
function download(module, version) {
  const found = execFileSync('go', ['mod', 'download', '-json', `${module}@v${version}`], { encoding: 'utf8' });
  return JSON.parse(found).Dir;
}

/**
 * @param {string} sourceDir
 * @param {Source} source
 * @param {string} path   of the package
 * @param {string} built  the program
 * @param {(line: string) => void} say
 */
function build(sourceDir, { module, tags }, path, built, say) {
  say(`building ${built}`);
  mkdirSync(dirname(built), { recursive: true });
  // In the module's own folder, so that its go.mod chooses the versions of everything else.
  const args = ['build', '-mod=readonly', '-trimpath', `-tags=${tags}`, '-o', `${built}.part`, `./${path}`];
  execFileSync('go', args, {
    cwd: sourceDir,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '', GOWORK: 'off' },
  });
  renameSync(`${built}.part`, built);
  say(`built ${built} of ${module}`);
}

/** The user of a service may not be able to reach the cache. @param {string} from  @param {string} to */
export function linkOrCopy(from, to) {
  try {
    linkSync(from, to);
  } catch {
    copyFileSync(from, to);
  }
}

/** Go's cache is read-only, and /bin/sh is not everywhere the shell of Alpine. @param {string} from  @param {string} to */
function copy(from, to) {
  cpSync(from, to, { recursive: true });
  execFileSync('chmod', ['-R', 'u+w,a+rX', to]);
  if (!to.endsWith('.sh')) return;
  writeFileSync(to, readFileSync(to, 'utf8').replace(/^#!\/bin\/sh\n/, '#!/bin/bash\n'));
  execFileSync('chmod', ['a+x', to]);
}
