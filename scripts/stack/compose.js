// docker-compose.yml as compose reads it.
import { readFile } from 'node:fs/promises';
import { parse } from 'yaml';

/**
 * @typedef {object} Service
 * @property {string} image
 * @property {string} [build]
 * @property {string} [restart]
 * @property {string} [user]
 * @property {readonly string[]} [profiles]
 * @property {boolean} [read_only]
 * @property {readonly string[]} [cap_drop]
 * @property {readonly string[]} [security_opt]
 * @property {string} [mem_limit]
 * @property {{ readonly driver: string, readonly options: Readonly<Record<string, string>> }} [logging]
 * @property {{ readonly test: readonly string[], readonly interval: string }} [healthcheck]
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

/**
 * Reads the file with its variables inserted.
 * @param {string} file
 * @param {Readonly<Record<string, string>>} env
 * @returns {Promise<Compose>}
 * @throws Error for a variable that compose requires
 */
export async function readCompose(file, env) {
  const text = await readFile(file, 'utf8');
  const filled = text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    /** @param {string} _  @param {string} name  @param {string} kind  @param {string} rest */
    (_, name, kind, rest) => {
      const value = env[name] ?? '';
      if (value === '' && kind === '?') throw new Error(`${name}: ${rest}`);
      return value === '' ? rest : value;
    },
  );
  return parse(filled, { merge: true });
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
