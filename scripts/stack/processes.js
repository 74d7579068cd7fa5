// Starts the services of docker-compose.yml as processes of this machine: same environment, scripts and order. Each has
// an address of loopback of its own, so that their ports stay as they are.
import { execFile, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { chown, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findBinDir, unprivilegedAccount } from '../../test/support/ledger/postgres.js';
import { jobsOf, startOrder } from './compose.js';

const run = promisify(execFile);
const UNTIL_HEALTHY_MS = 180_000;
const CHECK_EVERY_MS = 500;
const RESTART_AFTER_MS = 500;
const JOB_TRIES = 6;

/**
 * @typedef {import('./compose.js').Compose} Compose
 * @typedef {import('./compose.js').Service} Service
 * @typedef {{ readonly name: string, readonly service: Service, readonly address: string }} Placed
 *
 * @typedef {object} StackOptions
 * @property {string} root        of the repository
 * @property {string} dir         where this stack has its files
 * @property {Compose} compose
 * @property {readonly string[]} folders   of programs, before those of PATH
 * @property {string} schemaDir   of Temporal
 * @property {Readonly<Record<string, string>>} env   of the file .env
 * @property {(line: string) => void} say
 */

export class Stack {
  /** @type {StackOptions} */
  #options;
  /** @type {Map<string, Placed>} */
  #places = new Map();
  /** @type {Map<string, import('node:child_process').ChildProcess>} */
  #running = new Map();
  #isStopping = false;
  /** @type {string} */
  #path;

  /** @param {StackOptions} options */
  constructor(options) {
    this.#options = options;
    this.#path = [...options.folders, process.env['PATH'] ?? ''].join(':');
    for (const [at, [name, service]] of Object.entries(options.compose.services).entries()) {
      this.#places.set(name, { name, service, address: `127.77.0.${at + 10}` });
    }
  }

  /** @param {string} name */
  addressOf(name) {
    return this.#place(name).address;
  }

  /** Starts everything in the order of `depends_on`, and waits as it says. */
  async start() {
    await this.#writeFiles();
    const jobs = jobsOf(this.#options.compose);
    for (const name of startOrder(this.#options.compose)) {
      this.#options.say(`${jobs.has(name) ? 'running' : 'starting'} ${name}`);
      if (jobs.has(name)) await this.#runJob(this.#place(name));
      else {
        await this.#launch(this.#place(name));
        await this.untilHealthy(name);
      }
    }
  }

  /**
   * Kills a service; as under compose, it starts again.
   * @param {string} name
   */
  async kill(name) {
    const child = this.#running.get(name);
    if (child?.pid === undefined) throw new Error(`${name} does not run`);
    this.#options.say(`kill -9 ${name}`);
    process.kill(child.pid, 'SIGKILL');
    await this.untilHealthy(name);
  }

  /** @param {string} name */
  async untilHealthy(name) {
    const end = Date.now() + UNTIL_HEALTHY_MS;
    while (!(await this.#isHealthy(this.#place(name)))) {
      if (Date.now() > end) throw new Error(`${name} is not healthy; see ${this.#logOf(name)}`);
      await delay(CHECK_EVERY_MS);
    }
  }

  /**
   * Runs a command in the environment of a service, as `docker compose exec` does.
   * @param {string} name
   * @param {readonly string[]} args
   * @param {Readonly<Record<string, string>>} [more]
   */
  async exec(name, args, more = {}) {
    const [program = '', ...rest] = args;
    const env = { ...this.#environmentOf(this.#place(name)), ...more };
    return run(program, rest, { cwd: this.#options.root, env, maxBuffer: 64 * 1024 * 1024 });
  }

  async stop() {
    this.#isStopping = true;
    for (const name of [...this.#running.keys()].toReversed()) {
      const child = this.#running.get(name);
      child?.kill(name === 'postgres' ? 'SIGINT' : 'SIGTERM');
      await new Promise((resolve) => {
        if (child === undefined || child.exitCode !== null || child.signalCode !== null) resolve(undefined);
        else child.once('exit', resolve);
      });
    }
  }

  /** @param {string} name */
  #place(name) {
    const place = this.#places.get(name);
    if (place === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
    return place;
  }

  /** The secrets and the configuration, with addresses in place of names. */
  async #writeFiles() {
    const { root, dir } = this.#options;
    await cp(join(root, 'deploy'), join(dir, 'deploy'), { recursive: true });
    await mkdir(join(dir, 'logs'), { recursive: true });
    await run('sh', ['deploy/prepare.sh'], { cwd: dir });
    for (const folder of ['secrets', 'config']) {
      for (const file of await readdir(join(dir, 'deploy', folder))) {
        const path = join(dir, 'deploy', folder, file);
        await writeFile(path, this.#withAddresses(await readFile(path, 'utf8')));
      }
    }
  }

  /** @param {string} text */
  #withAddresses(text) {
    return text.replaceAll(/(?<=[/@]|^)([a-z-]+)(?=:\d)/g, (name) => this.#places.get(name)?.address ?? name);
  }

  /**
   * A value of the file for this machine: addresses in place of names, folders in place of mounts.
   * @param {Placed} place
   * @param {string} value
   * @param {string} [variable]
   */
  #here({ address, service }, value, variable = '') {
    const { dir, compose } = this.#options;
    if (/HOST$|SEEDS$/.test(variable) && this.#places.has(value)) return this.addressOf(value);
    let text = this.#withAddresses(value).replaceAll('0.0.0.0', address).replaceAll('127.0.0.1', address);
    const mounts = (service.volumes ?? []).map((volume) => volume.split(':'));
    for (const [source = '', target = ''] of mounts) {
      const folder = source in compose.volumes ? join(dir, 'volumes', source) : join(dir, source);
      if (text === target || text.startsWith(`${target}/`)) text = folder + text.slice(target.length);
    }
    const [, secret = ''] = /^\/run\/secrets\/(\w+)$/.exec(text) ?? [];
    return secret === '' ? text : join(dir, compose.secrets[secret]?.file ?? '');
  }

  /** @param {Placed} place @returns {Record<string, string>} */
  #environmentOf(place) {
    const { schemaDir, env } = this.#options;
    const own = Object.entries(place.service.environment ?? {});
    return {
      PATH: this.#path,
      HOME: this.#options.dir,
      TEMPORAL_SCHEMA_DIR: schemaDir,
      ...(place.service.env_file === undefined ? {} : env),
      ...Object.fromEntries(own.map(([name, value]) => [name, this.#here(place, value, name)])),
    };
  }

  /** @param {Placed} place @returns {Promise<{ args: string[], account?: { uid: number, gid: number } }>} */
  async #commandOf(place) {
    const { service, name } = place;
    const here = (/** @type {readonly string[]} */ words) => words.map((word) => this.#here(place, word));
    const command = here(service.command ?? []);
    if (service.image === 'everpost:local') return { args: [process.execPath, 'bin/everpost.js', ...command] };
    if (name === 'postgres') return this.#postgres(place, command);
    if (name === 'temporal-ui') return { args: await this.#userInterface(place) };
    // The image's own entrypoint only finds out its address.
    const server = command.map((word) => (word === '/etc/temporal/entrypoint.sh' ? 'temporal-server start' : word));
    return { args: [...here(service.entrypoint ?? []), ...server.flatMap((word) => word.split(' '))] };
  }

  /** @param {Placed} place @param {readonly string[]} command */
  async #postgres(place, [, ...settings]) {
    const dir = join(this.#options.dir, 'volumes/postgres');
    const binDir = await findBinDir();
    const account = await unprivilegedAccount();
    const environment = this.#environmentOf(place);
    if ((await readdir(dir).catch(() => [])).length === 0) {
      await mkdir(dir, { recursive: true });
      const password = join(this.#options.dir, 'volumes/superuser');
      await writeFile(password, await readFile(environment['POSTGRES_PASSWORD_FILE'] ?? ''), { mode: 0o600 });
      if (account !== undefined) for (const path of [dir, password]) await chown(path, account.uid, account.gid);
      const options = ['-D', dir, '-U', 'postgres', '-A', 'scram-sha-256', `--pwfile=${password}`];
      await run(join(binDir, 'initdb'), options, { ...account, cwd: '/' });
    }
    const where = ['-D', dir, '-c', `listen_addresses=${place.address}`, '-c', `unix_socket_directories=${dir}`];
    return { args: [join(binDir, 'postgres'), ...where, ...settings], ...(account && { account }) };
  }

  /** Its image makes this file from the environment. @param {Placed} place */
  async #userInterface(place) {
    const { dir } = this.#options;
    const environment = this.#environmentOf(place);
    await mkdir(join(dir, 'ui'), { recursive: true });
    const config = {
      temporalGrpcAddress: environment['TEMPORAL_ADDRESS'],
      host: place.address,
      port: 8080,
      enableUi: true,
      defaultNamespace: environment['TEMPORAL_DEFAULT_NAMESPACE'],
      cors: { allowOrigins: [environment['TEMPORAL_CORS_ORIGINS']] },
    };
    await writeFile(join(dir, 'ui/docker.yaml'), JSON.stringify(config));
    return ['ui-server', '--root', dir, '--config', 'ui', '--env', 'docker', 'start'];
  }

  /** @param {Placed} place */
  async #spawn(place) {
    const { args, account } = await this.#commandOf(place);
    const [program = '', ...rest] = args;
    const cwd = place.service.image === 'everpost:local' ? this.#options.root : '/';
    const child = spawn(program, rest, {
      cwd,
      env: this.#environmentOf(place),
      stdio: ['ignore', 'pipe', 'pipe'],
      ...account,
    });
    const log = createWriteStream(this.#logOf(place.name), { flags: 'a' });
    child.stdout.pipe(log, { end: false });
    child.stderr.pipe(log, { end: false });
    return child;
  }

  /** @param {Placed} place */
  async #launch(place) {
    const child = await this.#spawn(place);
    this.#running.set(place.name, child);
    child.once('exit', (code, signal) => {
      if (this.#isStopping) return;
      this.#options.say(`${place.name} ended (${signal ?? code}), and starts again`);
      void delay(RESTART_AFTER_MS).then(() => (this.#isStopping ? undefined : this.#launch(place)));
    });
  }

  /** @param {Placed} place */
  async #runJob(place) {
    for (let tries = 1; tries <= JOB_TRIES; tries++) {
      const child = await this.#spawn(place);
      const code = await new Promise((resolve) => child.once('exit', resolve));
      if (code === 0) return;
    }
    throw new Error(`The job ${place.name} failed; see ${this.#logOf(place.name)}`);
  }

  /** @param {Placed} place */
  async #isHealthy(place) {
    const [, ...words] = place.service.healthcheck?.test ?? [];
    const [program = '', ...args] = words.map((word) => this.#here(place, word));
    if (program === 'nc') return canConnect(args[1] ?? '', Number(args[2]));
    return run(program, args, { env: this.#environmentOf(place), timeout: 5_000 }).then(
      () => true,
      () => false,
    );
  }

  /** @param {string} name */
  #logOf(name) {
    return join(this.#options.dir, 'logs', `${name}.log`);
  }
}

/** @param {string} host @param {number} port @returns {Promise<boolean>} */
function canConnect(host, port) {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
