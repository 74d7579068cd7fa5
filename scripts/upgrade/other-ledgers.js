/** What each process says on a ledger that it is too new or too old for. */
import { Client } from 'pg';
import { run } from './versions.js';

const PARTS = ['api', 'worker', 'migrate'];
/** A migration that is not named `add`. */
const BREAKING = "insert into kysely_migration (name, timestamp) values ('9999-rename', '2030')";

/**
 * @typedef {import('./versions.js').Version} Version
 * @param {Version} before
 * @param {Version} now
 * @param {string} serverUrl
 * @param {(line: string) => void} say
 */
export async function playLedgersOfOtherVersions(before, now, serverUrl, say) {
  const databaseUrl = await aDatabase(serverUrl, 'other_ledgers');
  /** @param {Version} version @param {string[]} args */
  const everpost = ({ program, dir }, ...args) =>
    run(process.execPath, [program, ...args], {
      cwd: dir,
      env: { PATH: process.env['PATH'], DATABASE_URL: databaseUrl, EVERPOST_LOG_FORMAT: 'text' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
  /** @param {Version} version @param {string} what @param {string} part @param {string} code */
  const refuses = async (version, what, part, code) => {
    const { code: exitCode, err } = await everpost(version, part);
    say(`${what} everpost ${part} exits with ${exitCode}: ${err.split('\n')[0]}`);
    return exitCode === 1 && err.includes(`[${code}]`);
  };
  const isCreated = (await everpost(before, 'migrate')).code === 0;
  const results = [isCreated];
  for (const part of ['api', 'worker'])
    results.push(await refuses(now, 'before the migration, new', part, 'LEDGER_OLDER'));
  results.push((await everpost(now, 'migrate')).code === 0);
  results.push((await everpost(before, 'migrate', '--dry-run')).code === 0);
  await query(databaseUrl, BREAKING);
  for (const part of PARTS)
    results.push(await refuses(before, 'after a migration that does not only add, old', part, 'LEDGER_NEWER'));
  await query(serverUrl, 'drop database other_ledgers with (force)');
  return results.every(Boolean);
}

/**
 * @param {string} serverUrl
 * @param {string} name
 */
async function aDatabase(serverUrl, name) {
  await query(serverUrl, `create database ${name}`);
  return Object.assign(new URL(serverUrl), { pathname: `/${name}` }).href;
}

/**
 * @param {string} url
 * @param {string} statement
 */
async function query(url, statement) {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement);
  await client.end();
}
