// docker-compose.yml as compose reads it. What these scripts do not know is an error, so that the file cannot change
// without them.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/**
 * @typedef {object} Service
 * @property {string} image
 * @property {string} [build]
 * @property {string} [restart]
 * @property {string} [user]
 * @property {readonly string[]} [profiles]
 * @property {boolean} [init]
 * @property {boolean} [read_only]
 * @property {readonly string[]} [tmpfs]
 * @property {readonly string[]} [cap_drop]
 * @property {readonly string[]} [security_opt]
 * @property {string} [mem_limit]
 * @property {string} [shm_size]
 * @property {{ readonly driver: string, readonly options: Readonly<Record<string, string>> }} [logging]
 * @property {{ readonly test: readonly string[], readonly interval: string }} [healthcheck]
 * @property {string} [stop_grace_period]
 * @property {readonly { readonly path: string, readonly required: boolean }[]} [env_file]
 * @property {Readonly<Record<string, string>>} [environment]
 * @property {readonly string[]} [secrets]
 * @property {readonly string[]} [volumes]
 * @property {readonly string[]} [ports]
 * @property {readonly string[]} [entrypoint]
 * @property {readonly string[]} [command]
 * @property {Readonly<Record<string, { readonly condition: string }>>} [depends_on]
 *
 * @typedef {object} Compose
 * @property {Readonly<Record<string, Service>>} services
 * @property {Readonly<Record<string, { readonly file: string }>>} secrets
 * @property {Readonly<Record<string, unknown>>} volumes
 */

const ANY = /^/;
/** What a service may say, as JSON: a process of this machine does the same. @type {Readonly<Record<string, RegExp>>} */
const HONOURED = {
  image: ANY,
  build: /^"\."$/,
  command: /^\[/,
  entrypoint: /^\[/,
  environment: /^\{/,
  env_file: /^\[\{"path":"\.env","required":false\}\]$/,
  secrets: /^\[("\w+",?)+\]$/,
  volumes: /^\[("[^":]+:[^":]+(:ro)?",?)+\]$/,
  user: /^"\d+:\d+"$/,
  cap_drop: /^\["ALL"\]$/,
  security_opt: /^\["no-new-privileges:true"\]$/,
  depends_on: /^\{("[\w-]+":\{"condition":"service_(healthy|completed_successfully)"\},?)+\}$/,
  healthcheck: /"test":\["CMD",/,
  restart: /^"(unless-stopped|on-failure:\d+)"$/,
  stop_grace_period: /^"\d+s"$/,
  ports: /^\[("127\.0\.0\.1:\d+:\d+",?)+\]$/,
  profiles: /^\["try-out"\]$/,
};
/** What only a container has. Without it, a process can do more, and nothing else. */
const OF_CONTAINERS = ['init', 'read_only', 'tmpfs', 'mem_limit', 'shm_size', 'logging'];

/**
 * Reads the file with its variables inserted.
 * @param {string} file
 * @param {Readonly<Record<string, string>>} env  of the file .env
 * @returns {Promise<Compose>}
 * @throws Error for a variable that compose requires, and for what a process cannot honour
 */
export async function readCompose(file, env) {
  const text = await readFile(file, 'utf8');
  const filled = text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    /** @param {string} _  @param {string} name  @param {string} kind  @param {string} rest */
    (_, name, kind, rest = '') => {
      const value = env[name] ?? '';
      if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
      return value === '' ? rest : value;
    },
  );
  const compose = parse(filled, { merge: true });
  const problems = problemsOf(compose);
  if (problems.length > 0) throw new Error(`docker-compose.yml: scripts/stack cannot honour ${problems.join('; ')}`);
  return compose;
}

/**
 * @param {Compose} compose
 * @returns {string[]}
 */
function problemsOf({ services, secrets, volumes, ...rest }) {
  const more = Object.keys(rest).filter((key) => !key.startsWith('x-'));
  const inServices = Object.entries(services).flatMap(([name, service]) =>
    Object.entries(service).flatMap(([key, value]) =>
      OF_CONTAINERS.includes(key) || HONOURED[key]?.test(JSON.stringify(value)) === true ? [] : [`${key} of ${name}`],
    ),
  );
  const inSecrets = Object.entries(secrets).flatMap(([name, secret]) =>
    Object.keys(secret).join() === 'file' ? [] : [`secret ${name}`],
  );
  const inVolumes = Object.entries(volumes).flatMap(([name, options]) => (options === null ? [] : [`volume ${name}`]));
  return [...more, ...inServices, ...inSecrets, ...inVolumes];
}

/**
 * The names of all services in an order in which each comes after those that it waits for.
 * @param {Compose} compose
 * @returns {string[]}
 */
export function startOrder({ services }) {
  /** @type {string[]} */
  const order = [];
  /** @param {string} name */
  const add = (name) => {
    if (order.includes(name)) return;
    for (const needed of Object.keys(services[name]?.depends_on ?? {})) add(needed);
    order.push(name);
  };
  for (const name of Object.keys(services)) add(name);
  return order;
}

/**
 * The services for which another waits until they have ended.
 * @param {Compose} compose
 * @returns {Set<string>}
 */
export function jobsOf({ services }) {
  const needs = Object.values(services).flatMap(({ depends_on: needed = {} }) => Object.entries(needed));
  return new Set(
    needs.flatMap(([name, { condition }]) => (condition === 'service_completed_successfully' ? [name] : [])),
  );
}
