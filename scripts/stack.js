// Runs what docker-compose.yml describes as processes of this machine, on Temporal's real server and PostgreSQL. It plays
// the first day of docs/operate.md, kills worker, server and database meanwhile, and accounts for every message. Exits
// with 0 only if each arrived once and every check is as it has to be.
//
//   npm run stack              needs Go and PostgreSQL; the first time it builds Temporal for a quarter of an hour
//   npm run stack -- --keep    plays nothing, prints the addresses, and runs until Ctrl-C
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepareMachine } from './stack/machine.js';
import { play } from './stack/play.js';
import { Stack } from './stack/stack.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const begunAtMs = Date.now();
/** @param {string} line */
const say = (line) => console.log(`${((Date.now() - begunAtMs) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

/** A second signal ends everything at once. */
const signalled = Promise.race(['SIGINT', 'SIGTERM', 'SIGHUP'].map((signal) => once(process, signal)));

const dir = await mkdtemp(join(tmpdir(), 'everpost-stack-'));
let hasPassed = false;
try {
  const { unpublish, ...prepared } = await prepareMachine(ROOT, dir, say);
  const stack = new Stack(prepared, say);
  try {
    hasPassed = await Promise.race([run(stack), signalled.then(() => process.argv.includes('--keep'))]);
  } finally {
    say('stopping');
    unpublish();
    await stack.stop();
  }
} finally {
  if (hasPassed) await rm(dir, { recursive: true, force: true });
  else say(`the logs are in ${dir}/logs`);
}
process.exit(hasPassed ? 0 : 1);

/** @param {Stack} stack */
async function run(stack) {
  await stack.start();
  if (process.argv.includes('--keep')) {
    say(`API http://${stack.at('127.0.0.1:8080')}, its key in ${dir}/deploy/config/api-keys`);
    say(`Temporal's Web UI http://${stack.at('127.0.0.1:8233')}, Temporal ${stack.at('127.0.0.1:7233')}`);
    say(`simulator http://${stack.at('127.0.0.1:8090')}, logs ${dir}/logs. Ctrl-C ends it.`);
    await signalled;
    return true;
  }
  const failures = await play(stack, say);
  say(failures.length === 0 ? 'Everything is as it has to be.' : `FAILED: ${failures.join(', ')}`);
  return failures.length === 0;
}
