// Compares everpost with its peers: npm run bench [-- peers] [--messages N] [--rounds N] [--only NAME,NAME] [--smoke]
//
//   the same texts, each posted once to a gateway stub that accepts immediately, at most 16 POSTs at a time; each run
//   has new servers and an empty database. Rounds are interleaved: every system once, then every system again. then,
//   for each system, one SIGKILL of the worker after half of the messages were posted, and a restart
//
// A complete measurement (all systems, at least 10,000 messages) is also written to docs/benchmarks.md.
import { readFile, writeFile } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { format } from 'prettier';
import { GROUPS, measureKill, measureSpeed } from './measure-system.js';
import { MissingServer, serverVersions } from './servers.js';
import { SYSTEMS } from './systems.js';
import { quantile, table } from './table.js';

const DOCUMENT = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const PEERS = new URL('./peers/package.json', import.meta.url);
const COMPLETE = { messages: 10_000, rounds: 3 };
const SMOKE = { messages: 40, rounds: 1 };
/** A system that a short first run shows to need longer gets the number of messages that it sends in this time. */
const SLOW_SECONDS = 180;
const SLOW_RUN_SECONDS = 60;
const PILOT_MESSAGES = 300;
/** A run ends after this time; the messages sent until then are measured. */
const LIMIT_SECONDS = 300;
/** The most; a system that sends 10 messages a second must reach the middle, and hand over the rest while watched. */
const KILL_MESSAGES = 1_000;
/** Longer than the slowest default recovery that takes less than minutes. */
const WATCH_SECONDS = 75;

/**
 * @typedef {import('./measure-system.js').Speed} Speed
 * @typedef {import('./measure-system.js').Killed} Killed
 * @typedef {{ system: import('./systems.js').System, messages?: number, speeds: Speed[], killed?: Killed, skipped?: string }} Measured
 */

/** @param {readonly string[]} args */
export async function comparePeers(args) {
  const { messages, rounds, systems, isComplete, watchSeconds } = readOptions(args);
  /** @type {Measured[]} */
  const all = systems.map((system) => ({ system, speeds: [] }));
  for (const measured of all) {
    await attempt(measured, 'pilot', async (which) => {
      which.messages = await fittingMessages(which.system, messages);
      return `${which.messages} messages a run`;
    });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const measured of all) {
      await attempt(measured, `round ${round}`, async ({ system, speeds, messages: fitting = messages }) => {
        const speed = await measureSpeed(system, { messages: fitting, limitSeconds: LIMIT_SECONDS });
        speeds.push(speed);
        return `${speed.rate.toFixed(0)} messages a second`;
      });
    }
  }
  for (const measured of all) {
    await attempt(measured, 'kill', async (which) => {
      const options = { messages: Math.min(which.messages ?? messages, KILL_MESSAGES), limitSeconds: LIMIT_SECONDS };
      which.killed = await measureKill(which.system, { ...options, watchSeconds });
      return `${which.killed.twice} twice, ${which.killed.unresolved} unresolved`;
    });
  }
  const report = await reportOf(all, { messages, rounds, watchSeconds });
  console.log(report);
  if (isComplete) await writeDocument(report);
  else
    console.log('\ndocs/benchmarks.md is updated only by a measurement of all systems with at least 10,000 messages.');
}

/**
 * @param {import('./systems.js').System} system
 * @param {number} messages  the requested number
 */
async function fittingMessages(system, messages) {
  const pilot = Math.min(PILOT_MESSAGES, messages);
  const { sendRate } = await measureSpeed(system, { messages: pilot, limitSeconds: LIMIT_SECONDS });
  if (sendRate * SLOW_SECONDS >= messages) return messages;
  return Math.max(pilot, Math.floor((sendRate * SLOW_RUN_SECONDS) / 100) * 100);
}

/** @param {readonly string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      messages: { type: 'string' },
      rounds: { type: 'string' },
      only: { type: 'string' },
      smoke: { type: 'boolean', default: false },
    },
  });
  const defaults = values.smoke ? SMOKE : COMPLETE;
  const messages = Number(values.messages ?? defaults.messages);
  const rounds = Number(values.rounds ?? defaults.rounds);
  if (!(messages >= 2 && rounds >= 1)) throw new Error('--messages must be at least 2, --rounds at least 1.');
  const names = values.only?.split(',');
  const unknown = names?.filter((name) => !SYSTEMS.some((system) => system.name === name)) ?? [];
  if (unknown.length > 0) {
    throw new Error(
      `Unknown system: ${unknown.join(', ')}. Choose from: ${SYSTEMS.map(({ name }) => name).join(', ')}.`,
    );
  }
  return {
    messages,
    rounds,
    systems: SYSTEMS.filter(({ name }) => names?.includes(name) ?? true),
    isComplete: names === undefined && messages >= COMPLETE.messages,
    watchSeconds: values.smoke ? 5 : WATCH_SECONDS,
  };
}

/**
 * A failed run loses only its own figures.
 * @param {Measured} measured
 * @param {string} what
 * @param {(measured: Measured) => Promise<string>} measure
 */
async function attempt(measured, what, measure) {
  if (measured.skipped !== undefined) return;
  const { name } = measured.system;
  try {
    console.error(`${name}, ${what}: ${await measure(measured)}`);
  } catch (error) {
    if (error instanceof MissingServer) measured.skipped = error.message;
    console.error(`${name}, ${what}: ${error instanceof MissingServer ? 'skipped' : 'failed'}: ${String(error)}`);
    if (!(error instanceof MissingServer)) process.exitCode = 1;
  }
}

/**
 * @param {readonly Measured[]} all
 * @param {{ messages: number, rounds: number, watchSeconds: number }} run
 */
async function reportOf(all, { messages, rounds, watchSeconds }) {
  const count = messages.toLocaleString('en-US');
  const skipped = all.filter((measured) => measured.skipped !== undefined);
  return [
    await machine(),
    `**Speed and cost.** ${count} texts, ${rounds === 1 ? 'one round' : `${rounds} interleaved rounds`}: median (lowest–highest).`,
    table(all.map(speedRow)),
    `**One SIGKILL of the worker** after half of the messages, and an immediate restart; watched until all is finished or no POST arrived for ${watchSeconds} s.`,
    table(all.map(killRow)),
    '**What each row promises.**',
    table(all.map(({ system }) => promiseRow(system))),
    ...skipped.map(({ system, skipped: why }) => `${system.title} – skipped: ${why}`),
  ].join('\n\n');
}

async function machine() {
  const { redis, temporal } = await serverVersions();
  const { dependencies } = JSON.parse(await readFile(PEERS, 'utf8'));
  const peers = ['bullmq', 'pg-boss', 'graphile-worker'].map((name) => `${name} ${dependencies[name]}`);
  const servers = [redis && `Redis ${redis}`, temporal && `Temporal CLI ${temporal}`].filter(Boolean);
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return (
    `Measured on ${new Date().toISOString().slice(0, 10)}: ${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), ` +
    `${memory} GB, Node ${process.versions.node}, ${[...peers, ...servers].join(', ')}.`
  );
}

/** @param {Measured} measured */
function speedRow({ system, speeds, skipped }) {
  const sent = Math.min(...speeds.map((speed) => speed.sent));
  return {
    system: system.title,
    messages: skipped === undefined ? (Number.isFinite(sent) ? sent.toLocaleString('en-US') : 'failed') : 'skipped',
    'messages/s': range(speeds.map(({ rate }) => rate)),
    'sending/s': range(speeds.map(({ sendRate }) => sendRate)),
    ...Object.fromEntries(
      GROUPS.map((group) => [
        `CPU ms: ${group}`,
        median(
          speeds.map(({ cpuMs }) => cpuMs[group]),
          2,
        ),
      ]),
    ),
    'peak MB': median(
      speeds.map(({ peakMb }) => peakMb),
      0,
    ),
    'heap MB': median(
      speeds.map(({ heapMb }) => heapMb),
      0,
    ),
  };
}

/** @param {Measured} measured */
function killRow({ system, killed, skipped }) {
  /** @param {number | undefined} seconds */
  const inSeconds = (seconds) => (seconds === undefined ? 'not yet' : seconds.toFixed(1));
  return {
    system: system.title,
    messages: killed?.messages.toLocaleString('en-US') ?? (skipped === undefined ? 'failed' : 'skipped'),
    lost: killed?.lost.toString() ?? '',
    twice: killed?.twice.toString() ?? '',
    unresolved: killed?.unresolved.toString() ?? '',
    'still waiting': killed?.waiting.toString() ?? '',
    'sends again after s': killed === undefined ? '' : inSeconds(killed.resumedSeconds),
    'all finished after s': killed === undefined ? '' : inSeconds(killed.finishedSeconds),
  };
}

/** @param {import('./systems.js').System} system */
function promiseRow({ title, durable, afterKill }) {
  return { system: title, 'durable before the POST': durable, 'a message whose POST a kill interrupts': afterKill };
}

/** @param {readonly number[]} samples */
function range(samples) {
  if (samples.length === 0) return '';
  const whole = (/** @type {number} */ value) => Math.round(value).toLocaleString('en-US');
  const middle = whole(quantile(samples, 0.5));
  return samples.length === 1 ? middle : `${middle} (${whole(Math.min(...samples))}–${whole(Math.max(...samples))})`;
}

/**
 * @param {readonly (number | undefined)[]} samples
 * @param {number} digits
 */
function median(samples, digits) {
  const known = samples.filter((sample) => sample !== undefined);
  return known.length === 0 ? '' : quantile(known, 0.5).toFixed(digits);
}

const BEGIN = '<!-- written by: npm run bench -->';
const END = '<!-- end of what npm run bench writes -->';

/** @param {string} report */
async function writeDocument(report) {
  const before = await readFile(DOCUMENT, 'utf8');
  const [head, rest = ''] = before.split(BEGIN);
  const tail = rest.split(END)[1];
  if (tail === undefined) throw new Error('docs/benchmarks.md lacks the two comments around the table.');
  const after = `${head}${BEGIN}\n\n${report}\n\n${END}${tail}`;
  await writeFile(DOCUMENT, await format(after, { parser: 'markdown', printWidth: 120 }));
  console.log('\nWritten to docs/benchmarks.md.');
}
