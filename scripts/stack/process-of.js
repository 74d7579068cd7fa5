// What a service of docker-compose.yml is as a process of this machine: same programs, variables, files and user. Each
// service has an address of loopback of its own, so that the ports inside the containers stay as the file has them.
import { join } from 'node:path';

/**
 * @typedef {import('./compose.js').Compose} Compose
 * @typedef {import('./compose.js').Service} Service
 * @typedef {{ readonly uid: number, readonly gid: number }} User
 *
 * @typedef {object} Machine   what stands for the network and the files of the containers
 * @property {{ readonly cwd: string } & ReturnType<typeof import('./dockerfile.js').startOf>} everpost  its image, built
 * @property {string} dir      has deploy, .env, and folders for volumes and images
 * @property {Readonly<Record<string, string>>} dotEnv  of the file .env
 * @property {string} path     of programs
 * @property {Readonly<Record<string, string>>} addresses  by service
 * @property {Readonly<Record<string, string>>} published  of each address of this machine in `ports`, the one that was free
 * @property {User} [databaseUser]  PostgreSQL does not run as root
 *
 * @typedef {object} Process
 * @property {string} name
 * @property {readonly string[]} command
 * @property {Readonly<Record<string, string>>} env
 * @property {string} cwd
 * @property {User} [user]
 * @property {boolean} isUnprivileged  without capabilities, and unable to gain any
 * @property {readonly string[]} check  exits with 0 if it is healthy; empty for a job
 * @property {number} restarts
 * @property {number} graceMs
 * @property {NodeJS.Signals} stopSignal
 */

/** Docker's own. */
const GRACE_MS = 10_000;

/**
 * What an image adds to what the file says. A folder of the image is under `images` of the machine.
 * @type {Readonly<Record<string, (machine: Machine, service: Service) => {
 *   readonly entrypoint?: readonly string[], readonly env?: Readonly<Record<string, string>>,
 *   readonly cwd?: string, readonly folders?: Readonly<Record<string, string>>, readonly stopSignal?: NodeJS.Signals,
 * }>>}
 */
const IMAGES = {
  everpost: ({ everpost, dir }) => ({
    ...everpost,
    // Commands would use the loopback of their container.
    env: { ...everpost.env, EVERPOST_API_URL: 'http://api:8080' },
    folders: { '/var/lib/everpost': join(dir, 'images/everpost') },
  }),
  postgres: ({ dir }) => ({
    env: { PGDATA: '/var/lib/postgresql/data' },
    cwd: dir,
    folders: { '/var/lib/postgresql/data': join(dir, 'volumes/postgres') },
    stopSignal: 'SIGINT',
  }),
  'temporalio/admin-tools': ({ dir }) => ({
    env: { TEMPORAL_SCHEMA_DIR: join(dir, 'images/temporalio/admin-tools/schema') },
  }),
  'temporalio/server': ({ dir }) => ({ folders: { '/etc/temporal': join(dir, 'images/temporalio/server') } }),
  'temporalio/ui': () => ({ entrypoint: ['./start-ui-server.sh'] }),
};

/**
 * @param {Compose} compose
 * @param {string} name
 * @param {Machine} machine
 * @returns {Process}
 * @throws Error for an image that has no entry here
 */
export function processOf(compose, name, machine) {
  const { [name]: service } = compose.services;
  if (service === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  const imageName = nameOf(service.image);
  const image = IMAGES[imageName]?.(machine, service);
  if (image === undefined) throw new Error(`scripts/stack does not know the image ${service.image} of ${name}`);
  const here = translator(compose, name, machine, image.folders ?? {});
  const folder = join(machine.dir, 'images', imageName);
  const isDatabase = imageName === 'postgres' && service.entrypoint === undefined;
  const user = isDatabase ? machine.databaseUser : userOf(service.user ?? machine.dotEnv['RUN_AS']);
  const [kind, times = '0'] = (service.restart ?? 'no').split(':');
  return {
    name,
    command: [
      ...[...(service.entrypoint ?? image.entrypoint ?? []), ...(service.command ?? [])].map((word) => here(word)),
      ...(isDatabase ? onlyAt(machine.addresses[name] ?? '', machine.dir) : []),
    ],
    env: {
      PATH: `${folder}:${machine.path}`,
      HOME: machine.dir,
      ...(service.env_file === undefined ? {} : machine.dotEnv),
      ...mapValues({ ...image.env, ...service.environment }, here),
    },
    cwd: image.cwd ?? folder,
    ...(user === undefined ? {} : { user }),
    isUnprivileged: service.cap_drop !== undefined && service.security_opt !== undefined,
    check: (service.healthcheck?.test ?? []).slice(1).map((word) => here(word.replaceAll('127.0.0.1', '0.0.0.0'))),
    restarts: kind === 'unless-stopped' ? Infinity : Number(times),
    graceMs: service.stop_grace_period === undefined ? GRACE_MS : parseInt(service.stop_grace_period, 10) * 1_000,
    stopSignal: image.stopSignal ?? 'SIGTERM',
  };
}

/** @param {string} image  @returns {string} without its tag */
export const nameOf = (image) => image.split(':')[0] ?? '';

/**
 * The lines `NAME=value` of a file.
 * @param {string} text
 * @returns {Record<string, string>}
 */
export function variables(text) {
  return Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

/**
 * Names of services at the place of a host become addresses.
 * @param {string} text
 * @param {Readonly<Record<string, string>>} addresses
 */
export function withAddresses(text, addresses) {
  return text.replaceAll(/(?<=^|\/\/|@)([a-z-]+)(?=:\d)/gm, (name) => addresses[name] ?? name);
}

/**
 * @param {Compose} compose
 * @param {string} name
 * @param {Machine} machine
 * @param {Readonly<Record<string, string>>} folders  of the image
 * @returns {(value: string, variable?: string) => string}  a value of the file for this machine
 */
function translator({ services, secrets, volumes }, name, { dir, addresses, published }, folders) {
  const mounts = (services[name]?.volumes ?? []).map((mount) => {
    const [source = '', target = ''] = mount.split(':');
    return [target, source in volumes ? join(dir, 'volumes', source) : join(dir, source)];
  });
  const files = Object.entries(secrets).map(([secret, { file }]) => [`/run/secrets/${secret}`, join(dir, file)]);
  const paths = [...mounts, ...files, ...Object.entries(folders)];
  return (value, variable = '') => {
    // A whole value may be the name of a host, of a user or of a database.
    if (/(HOST|SEEDS)$/.test(variable) && addresses[value] !== undefined) return addresses[value];
    for (const [target = '', source = ''] of paths) {
      if (value === target || value.startsWith(`${target}/`)) return source + value.slice(target.length);
    }
    const text = withAddresses(value, addresses).replaceAll('0.0.0.0', addresses[name] ?? '');
    return Object.entries(published).reduce((done, [asked, free]) => done.replaceAll(asked, free), text);
  };
}

/** @param {string} address  @param {string} dir  @returns {string[]}  PostgreSQL's image listens everywhere */
function onlyAt(address, dir) {
  const settings = { listen_addresses: address, unix_socket_directories: join(dir, 'volumes/postgres') };
  return Object.entries(settings).flatMap(([setting, value]) => ['-c', `${setting}=${value}`]);
}

/** @param {string} [text]  `1000:1000`  @returns {User | undefined} */
function userOf(text) {
  const [uid, gid] = (text ?? '').split(':').map(Number);
  return uid === undefined || gid === undefined ? undefined : { uid, gid };
}

/**
 * @param {Readonly<Record<string, string>>} values
 * @param {(value: string, name: string) => string} change
 */
function mapValues(values, change) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value, name)]));
}
