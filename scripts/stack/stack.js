// Starts the processes of docker-compose.yml in its order, keeps each alive by its restart policy, and ends all of them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, closeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jobsOf, startOrder } from './compose.js';
import { processOf } from './process-of.js';

const run = promisify(execFile);
const UNTIL_HEALTHY_MS = 180_000;
const CHECK_EVERY_MS = 500;
const RESTART_AFTER_MS = 500;

/**
 * @typedef {import('./process-of.js').Process} Process
 * @typedef {import('node:child_process').ChildProcess} ChildProcess
 */

export class Stack {
  #compose;
  #machine;
  #say;
  /** Those that run, and that start again when they end. @type {Map<string, ChildProcess>} */
  #running = new Map();

  /**
   * @param {{ compose: import('./compose.js').Compose, machine: import('./process-of.js').Machine }} prepared
   * @param {(line: string) => void} say
   */
  constructor({ compose, machine }, say) {
    this.#compose = compose;
    this.#machine = machine;
    this.#say = say;
  }

  /** @param {string} published  an address of `ports` @returns {string} where it is now */
  at(published) {
    return this.#machine.published[published] ?? published;
  }

  /** Starts everything in the order of `depends_on`, and waits as it says. */
  async start() {
    const jobs = jobsOf(this.#compose);
    for (const name of startOrder(this.#compose)) {
      this.#say(`${jobs.has(name) ? 'running' : 'starting'} ${name}`);
      await (jobs.has(name) ? this.#runJob(name) : this.startService(name));
    }
  }

  /** Returns once it is healthy. @param {string} name */
  async startService(name) {
    this.#launch(processOf(this.#compose, name, this.#machine));
    await this.untilHealthy(name);
  }

  /** As `docker compose stop`: it stays away. @param {string} name */
  async stopService(name) {
    const child = this.#running.get(name);
    this.#running.delete(name);
    if (child === undefined || hasEnded(child)) return;
    const { stopSignal, graceMs } = processOf(this.#compose, name, this.#machine);
    const ended = once(child, 'exit');
    child.kill(stopSignal);
    const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
    await ended;
    clearTimeout(kill);
  }

  /** By `kill -9`. Its restart policy starts it again. @param {string} name */
  async kill(name) {
    const child = this.#running.get(name);
    if (child === undefined || hasEnded(child)) throw new Error(`${name} does not run`);
    this.#say(`kill -9 ${name}`);
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  /** @param {string} name */
  async untilHealthy(name) {
    const end = Date.now() + UNTIL_HEALTHY_MS;
    const { check, env } = processOf(this.#compose, name, this.#machine);
    const [program = '', ...args] = check;
    for (;;) {
      const isHealthy = await run(program, args, { env, timeout: 5_000 }).then(
        () => true,
        () => false,
      );
      if (isHealthy) return;
      if (!this.#running.has(name)) throw new Error(`${name} was stopped before it was healthy`);
      if (Date.now() > end) throw new Error(`${name} is not healthy. Read ${this.#logOf(name)}`);
      await delay(CHECK_EVERY_MS);
    }
  }

  /**
   * As `docker compose exec`: in the environment of a service.
   * @param {string} name
   * @param {readonly string[]} command
   * @returns {Promise<{ code: number, output: string }>}
   */
  async exec(name, command) {
    const child = this.#spawn({ ...processOf(this.#compose, name, this.#machine), command }, 'pipe');
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text) => (output += text));
    const [code] = await once(child, 'close');
    return { code: code ?? 1, output };
  }

  async stop() {
    for (const name of startOrder(this.#compose).toReversed()) await this.stopService(name);
  }

  /** @param {string} name */
  async #runJob(name) {
    const job = processOf(this.#compose, name, this.#machine);
    for (let tries = 0; tries <= job.restarts; tries += 1) {
      const [code] = await once(this.#spawn(job), 'exit');
      if (code === 0) return;
    }
    throw new Error(`The job ${name} failed. Read ${this.#logOf(name)}`);
  }

  /** @param {Process} process */
  #launch(process) {
    const { name } = process;
    const child = this.#spawn(process);
    this.#running.set(name, child);
    child.once('exit', (code, signal) => {
      if (this.#running.get(name) !== child) return;
      this.#say(`${name} ended (${signal ?? code}) and starts again`);
      setTimeout(() => this.#running.get(name) === child && this.#launch(process), RESTART_AFTER_MS);
    });
  }

  /**
   * In a process group of its own, so that Ctrl-C reaches only this script, and with an end when this script ends.
   * @param {Process} process
   * @param {'pipe'} [output]  in place of its log
   */
  #spawn({ name, command, env, cwd, user, isUnprivileged }, output) {
    const log = openSync(this.#logOf(name), 'a');
    const isRoot = process.getuid?.() === 0;
    const switched =
      isRoot && user !== undefined ? [`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
    const limited = isUnprivileged
      ? ['--no-new-privs', ...(isRoot ? ['--bounding-set=-all', '--inh-caps=-all'] : [])]
      : [];
    const args = ['--pdeathsig', 'KILL', ...switched, ...limited, '--', ...command];
    const stdio = /** @type {const} */ (['ignore', output ?? log, output ?? log]);
    const child = spawn('setpriv', args, { env, cwd, stdio: [...stdio], detached: true });
    closeSync(log);
    return child;
  }

  /** @param {string} name */
  #logOf(name) {
    return join(this.#machine.dir, 'logs', `${name}.log`);
  }
}

/** @param {ChildProcess} child */
const hasEnded = ({ exitCode, signalCode }) => exitCode !== null || signalCode !== null;
