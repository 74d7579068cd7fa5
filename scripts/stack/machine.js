// The folder in which a stack runs: what deploy/prepare.sh creates, the folders of images and volumes, and an address of
// loopback for each service.
import { execFile } from 'node:child_process';
import { appendFile, chmod, chown, cp, mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { defaultCacheDir, findTemporalCli } from '../../dist/tools/local-temporal/index.js';
import { findBinDir, unprivilegedAccount } from '../../test/support/ledger/postgres.js';
import { readCompose } from './compose.js';
import { buildImage, startOf } from './dockerfile.js';
import { publishPorts } from './ports.js';
import { processOf, variables, withAddresses } from './process-of.js';
import { linkOrCopy, makeImages } from './programs.js';

const run = promisify(execFile);
const CACHE_HOME = { home: homedir(), xdgCacheHome: process.env['XDG_CACHE_HOME'] };

/**
 * @param {string} root  of the repository
 * @param {string} dir   an empty folder
 * @param {(line: string) => void} say
 * @returns {Promise<{ compose: import('./compose.js').Compose, machine: import('./process-of.js').Machine, unpublish: () => void }>}
 */
export async function prepareMachine(root, dir, say) {
  // Services run as other users.
  await chmod(dir, 0o755);
  await cp(join(root, 'deploy'), join(dir, 'deploy'), { recursive: true });
  await run('sh', ['deploy/prepare.sh'], { cwd: dir });
  const dotEnv = variables(await readFile(join(dir, '.env'), 'utf8'));
  const compose = await readCompose(join(root, 'docker-compose.yml'), dotEnv);
  const addresses = addressesOf(Object.keys(compose.services));
  const { published, close } = await publishPorts(compose, addresses);
  await replaceHosts(dir, addresses);
  const binDir = await findBinDir();
  const databaseUser = await unprivilegedAccount();
  const machine = {
    everpost: {
      cwd: await buildImage(root, join(dir, 'images/build'), say),
      ...startOf(await readFile(join(root, 'Dockerfile'), 'utf8')),
    },
    dir,
    dotEnv,
    path: `${join(dir, 'images/tools')}:${binDir}:${process.env['PATH']}`,
    addresses,
    published,
    ...(databaseUser && { databaseUser }),
  };
  await makeFolders(compose, machine);
  await makeTools(join(dir, 'images/tools'), say);
  const images = Object.values(compose.services).map(({ image }) => image);
  makeImages({ images, folder: join(dir, 'images'), cacheDir: join(defaultCacheDir(CACHE_HOME), 'stack'), say });
  // The image listens everywhere.
  await appendFile(join(dir, 'images/temporalio/ui/config/docker.yaml'), `\nhost: ${addresses['temporal-ui']}\n`);
  await createCluster(compose, machine);
  return { compose, machine, unpublish: close };
}

/** @param {readonly string[]} names @returns {Record<string, string>} in a network that no other stack has */
function addressesOf(names) {
  const aByte = () => 2 + Math.floor(Math.random() * 250);
  const network = `127.${aByte()}.${aByte()}`;
  return Object.fromEntries(names.map((name, at) => [name, `${network}.${at + 10}`]));
}

/** The configuration and the secrets name hosts too. @param {string} dir  @param {Readonly<Record<string, string>>} addresses */
async function replaceHosts(dir, addresses) {
  for (const folder of ['deploy/secrets', 'deploy/config']) {
    for (const name of await readdir(join(dir, folder))) {
      const file = join(dir, folder, name);
      await writeFile(file, withAddresses(await readFile(file, 'utf8'), addresses));
    }
  }
}

/** @param {import('./compose.js').Compose} compose  @param {import('./process-of.js').Machine} machine */
async function makeFolders(compose, { dir, databaseUser }) {
  for (const folder of ['logs', 'images/tools', 'images/everpost', 'images/postgres', 'volumes/postgres']) {
    await mkdir(join(dir, folder), { recursive: true });
  }
  for (const volume of Object.keys(compose.volumes)) await mkdir(join(dir, 'volumes', volume), { recursive: true });
  // As the image makes its folder: for any user.
  for (const folder of ['images/everpost', 'volumes/simulator']) await chmod(join(dir, folder), 0o777);
  if (databaseUser !== undefined) await chown(join(dir, 'volumes/postgres'), databaseUser.uid, databaseUser.gid);
}

/** Programs of the images that this machine may not have. @param {string} folder  @param {(line: string) => void} say */
async function makeTools(folder, say) {
  const cliPath = process.env['TEMPORAL_CLI_PATH'];
  const searchPath = process.env['PATH'] ?? '';
  const { path } = await findTemporalCli({
    ...(cliPath && { cliPath }),
    searchPath,
    cacheHome: CACHE_HOME,
    notice: say,
  });
  linkOrCopy(path, join(folder, 'temporal'));
  await writeFile(join(folder, 'nc'), '#!/bin/bash\n# nc -z HOST PORT\n: <"/dev/tcp/$2/$3"\n', { mode: 0o755 });
}

/** As the entrypoint of PostgreSQL's image does. @param {import('./compose.js').Compose} compose  @param {import('./process-of.js').Machine} machine */
async function createCluster(compose, machine) {
  const { env, user } = processOf(compose, 'postgres', machine);
  const password = join(machine.dir, 'volumes/postgres-password');
  await writeFile(password, await readFile(env['POSTGRES_PASSWORD_FILE'] ?? ''), { mode: 0o600 });
  if (user !== undefined) await chown(password, user.uid, user.gid);
  const options = [
    '--username=postgres',
    '--auth=scram-sha-256',
    `--pwfile=${password}`,
    '--encoding=UTF8',
    '--no-locale',
  ];
  await run('initdb', options, { env, cwd: machine.dir, ...user });
}
