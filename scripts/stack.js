// Runs what docker-compose.yml describes as processes of this machine, on Temporal's real server and PostgreSQL: sends,
// edits and cancels messages, submits a template, runs a campaign and a schedule, kills worker, server and database
// meanwhile, and then accounts for every message. Exits 0 only if each arrived once. Needs Go, PostgreSQL and a build.
//
//   npm run stack              builds Temporal's programs first: a quarter of an hour on two cores, once
//   npm run stack -- --keep    leaves everything running until Ctrl-C
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findTemporalCli } from '../dist/tools/local-temporal/index.js';
import { readCompose } from './stack/compose.js';
import { play } from './stack/play.js';
import { Stack } from './stack/processes.js';
import { buildPrograms } from './stack/programs.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const begunAtMs = Date.now();
/** @param {string} line */
const say = (line) => console.log(`${((Date.now() - begunAtMs) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

const dir = await mkdtemp(join(tmpdir(), 'everpost-stack-'));
// PostgreSQL runs as another user.
await chmod(dir, 0o755);
const env = { RUN_AS: `${process.getuid?.() ?? 0}:${process.getgid?.() ?? 0}` };
const compose = await readCompose(join(ROOT, 'docker-compose.yml'), env);
const images = Object.values(compose.services).map(({ image }) => image);
const { folders, schemaDir } = buildPrograms(images, say);
await mkdir(join(dir, 'bin'));
const { TEMPORAL_CLI_PATH: cliPath } = process.env;
const { path: temporalCli } = await findTemporalCli({
  ...(cliPath === undefined ? {} : { cliPath }),
  searchPath: process.env['PATH'] ?? '',
  cacheHome: { home: homedir(), xdgCacheHome: process.env['XDG_CACHE_HOME'] },
  notice: say,
});
await symlink(temporalCli, join(dir, 'bin/temporal'));

const stack = new Stack({ root: ROOT, dir, compose, folders: [join(dir, 'bin'), ...folders], schemaDir, env, say });
let failures = ['the run'];
try {
  await stack.start();
  failures = await play(stack, say);
  if (process.argv.includes('--keep')) {
    say(
      `API http://${stack.addressOf('api')}:8080, Web UI http://${stack.addressOf('temporal-ui')}:8080. Ctrl-C stops it.`,
    );
    await once(process, 'SIGINT');
  }
} finally {
  await stack.stop();
  if (failures.length === 0) await rm(dir, { recursive: true, force: true });
  else say(`its logs are in ${join(dir, 'logs')}`);
}
say(failures.length === 0 ? 'Everything arrived once.' : `FAILED: ${failures.join(', ')}`);
process.exitCode = failures.length === 0 ? 0 : 1;
