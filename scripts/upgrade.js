// Plays a rolling upgrade from the last release to this tree, and the rollback, under load. docs/operate.md has what an
// operator does, docs/decisions/0041-upgrades.md what may change between two releases. Exits with 0 only if
//
//   - each version replays the saved histories of the other one,
//   - a version that meets a ledger for which it is too new or too old says what to do, and
//   - no message, edit, campaign or template was lost or sent twice while processes were replaced and killed.
//
//   npm run upgrade                        from the tag last-release; needs PostgreSQL's programs
//   npm run upgrade -- --from COMMIT       from another one
//   npm run upgrade -- --kills 30 --messages 300 --seed 1
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../test/support/ledger/postgres.js';
import { playLedgersOfOtherVersions } from './upgrade/other-ledgers.js';
import { replayEachOther } from './upgrade/replay.js';
import { buildNewVersion, buildOldVersion, commitOf, run } from './upgrade/versions.js';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'last-release' },
    kills: { type: 'string', default: '30' },
    messages: { type: 'string', default: '300' },
    seed: { type: 'string', default: '1' },
  },
});
const begunAtMs = Date.now();
/** @param {string} line */
const say = (line) => console.log(`${((Date.now() - begunAtMs) / 1_000).toFixed(1).padStart(6)} s  ${line}`);

const commit = await commitOf(values.from);
if (commit === undefined) {
  console.error(
    `There is no ${values.from} in this clone. Fetch the tags (git fetch --tags), or name the commit of the last release:\n` +
      '  npm run upgrade -- --from COMMIT',
  );
  process.exit(2);
}
const dir = await mkdtemp(join(tmpdir(), 'everpost-upgrade-'));
try {
  process.exitCode = (await play(commit)) ? 0 : 1;
} finally {
  await rm(dir, { recursive: true, force: true });
}

/** @param {string} from */
async function play(from) {
  say(`building ${values.from} (${from.slice(0, 8)})`);
  const before = await buildOldVersion(from, join(dir, 'old'));
  say('building this tree');
  const now = await buildNewVersion(join(dir, 'new'), before);
  const difference = now.addedMigration === undefined ? 'has migrations of its own' : `gets ${now.addedMigration}`;
  say(`the new version ${difference}, and its workflows differ`);
  const postgres = await startPostgres();
  try {
    const parts = [
      await replayEachOther(before, now, say),
      await playLedgersOfOtherVersions(before, now, postgres.url, say),
      await upgradeAndRollBack(before, now, postgres.url),
    ];
    const hasPassed = parts.every(Boolean);
    say(hasPassed ? 'The upgrade and the rollback are as they have to be.' : 'FAILED: see above.');
    return hasPassed;
  } finally {
    await postgres.close();
  }
}

/**
 * @param {import('./upgrade/versions.js').Version} before
 * @param {import('./upgrade/versions.js').Version} now
 * @param {string} databaseUrl
 */
async function upgradeAndRollBack(before, now, databaseUrl) {
  say('upgrading and rolling back under load');
  const { kills, messages, seed } = values;
  const load = ['--kills', kills, '--messages', messages, '--seed', seed, '--workers', '2'];
  const args = [now.program, 'prove', ...load, '--database-url', databaseUrl, '--other-version', before.dir];
  return (await run(process.execPath, args, { stdio: 'inherit' })).code === 0;
}
