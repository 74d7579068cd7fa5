// The programs of the images that docker-compose.yml names, built from their Go modules in the same versions.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** @type {Readonly<Record<string, { readonly module: string, readonly packages: Readonly<Record<string, string>> }>>} */
const MODULES = {
  'temporalio/server': { module: 'go.temporal.io/server', packages: { 'temporal-server': 'cmd/server' } },
  'temporalio/admin-tools': { module: 'go.temporal.io/server', packages: { 'temporal-sql-tool': 'cmd/tools/sql' } },
  'temporalio/ui': { module: 'github.com/temporalio/ui-server/v2', packages: { 'ui-server': 'cmd/server' } },
};

/**
 * Builds what is missing, which takes a quarter of an hour on two cores, and three minutes after that.
 * @param {readonly string[]} images  of all services
 * @param {(line: string) => void} say
 * @returns {{ readonly folders: readonly string[], readonly schemaDir: string }} of the programs, and of Temporal's schema
 */
export function buildPrograms(images, say) {
  /** @type {Set<string>} */
  const folders = new Set();
  let schemaDir = '';
  for (const image of new Set(images)) {
    const [name = '', version = ''] = image.split(':');
    const found = MODULES[name];
    if (found === undefined) continue;
    const { module, packages } = found;
    const folder = join(homedir(), '.cache/everpost/stack', `${name.replace('/', '-')}-${version}`);
    for (const [program, path] of Object.entries(packages)) {
      if (!existsSync(join(folder, program))) build({ module, path, version, folder, program }, say);
    }
    folders.add(folder);
    if (module === 'go.temporal.io/server') schemaDir = join(folderOf(module, version), 'schema');
  }
  return { folders: [...folders], schemaDir };
}

/**
 * @param {{ module: string, path: string, version: string, folder: string, program: string }} what
 * @param {(line: string) => void} say
 */
function build({ module, path, version, folder, program }, say) {
  say(`building ${program} from ${module}@v${version}`);
  mkdirSync(folder, { recursive: true });
  const source = folderOf(module, version);
  // In the module's own folder, so that its go.mod chooses the versions. It is read-only.
  execFileSync('go', ['build', '-mod=readonly', '-trimpath', '-o', join(folder, program), `./${path}`], {
    cwd: source,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, CGO_ENABLED: '0', GOFLAGS: '' },
  });
}

/**
 * @param {string} module
 * @param {string} version
 * @returns {string} its sources, downloaded if they are not here
 */
function folderOf(module, version) {
  const found = execFileSync('go', ['mod', 'download', '-json', `${module}@v${version}`], { encoding: 'utf8' });
  return JSON.parse(found).Dir;
}
