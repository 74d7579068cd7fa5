/** The two versions of an upgrade, each built in a folder of its own. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const exec = promisify(execFile);

/**
 * @typedef {object} Version
 * @property {string} dir
 * @property {string} program  the script of its command
 * @property {readonly string[]} migrations
 */

/** @param {string} ref */
export async function commitOf(ref) {
  try {
    const { stdout } = await exec('git', ['rev-parse', '--verify', '--quiet', `${ref}^{commit}`], { cwd: ROOT });
    return stdout.trim();
  } catch {
    return undefined;
  }
}

/**
 * @param {string} commit
 * @param {string} dir  a new folder
 * @returns {Promise<Version>}
 */
export async function buildOldVersion(commit, dir) {
  await mkdir(dir);
  const archive = `${dir}.tar`;
  await exec('git', ['archive', '--output', archive, commit], { cwd: ROOT });
  await exec('tar', ['-xf', archive, '-C', dir]);
  return build(dir);
}

/**
 * Builds a copy of this tree. If it has the same tables as the old version, the copy gets a migration that adds. A text
 * of its workflows is changed, as a release may change it.
 * @param {string} dir  a new folder
 * @param {Version} before
 * @returns {Promise<Version & { addedMigration?: string }>}
 */
export async function buildNewVersion(dir, before) {
  const { stdout } = await exec('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 2 ** 26,
  });
  for (const file of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(dir, file)), { recursive: true });
    await copyFile(join(ROOT, file), join(dir, file));
  }
  await change(join(dir, 'src/workflows/activity-proxies.ts'), REVIEW_TEXT, `${REVIEW_TEXT} by the gateway`);
  const migrations = await migrationsIn(dir);
  if (migrations.length > before.migrations.length) return build(dir);
  const addedMigration = await addMigration(dir, migrations.length + 1);
  return { ...(await build(dir)), addedMigration };
}

const REVIEW_TEXT = 'until its review is decided';

/** Tables that every part of everpost uses, in the order in which their rows are locked. */
const CHANGED_TABLES = ['dispatchers', 'campaigns', 'messages', 'edits', 'attempts', 'templates', 'event_endpoints'];

/**
 * @param {string} dir
 * @param {number} number
 */
async function addMigration(dir, number) {
  const name = `${String(number).padStart(4, '0')}-add-upgrade`;
  const statements = [
    ...CHANGED_TABLES.map((table) => `alter table ${table} add added_by_upgrade text`),
    'create table added_by_upgrade (id text primary key)',
  ];
  const code = `import { sql, type Kysely } from 'kysely';
export async function up(db: Kysely<never>): Promise<void> {
  for (const statement of ${JSON.stringify(statements)}) await sql.raw(statement).execute(db);
}
`;
  await writeFile(join(dir, `src/ledger/migrations/${name}.ts`), code);
  const list = join(dir, 'src/ledger/storage/migrate.ts');
  await change(list, LIST_END, `, '${name}': upgrade };\nconst THIS_DATABASE`);
  await change(
    list,
    'import type { Schema }',
    `import * as upgrade from '../migrations/${name}.js';\nimport type { Schema }`,
  );
  return name;
}

/** The end of the list of migrations, and the line after it. */
const LIST_END = / \};\n+const THIS_DATABASE/;

/**
 * @param {string} file
 * @param {string | RegExp} from
 * @param {string} to
 */
async function change(file, from, to) {
  const code = await readFile(file, 'utf8');
  const changed = code.replace(from, () => to);
  if (changed === code) throw new Error(`${file} has no ${from}: scripts/upgrade/versions.js is out of date`);
  await writeFile(file, changed);
}

/**
 * @param {string} dir
 * @returns {Promise<Version>}
 */
async function build(dir) {
  if (await hasSamePackages(dir)) await symlink(join(ROOT, 'node_modules'), join(dir, 'node_modules'));
  else await exec('npm', ['ci', '--ignore-scripts'], { cwd: dir, maxBuffer: 2 ** 26 });
  await exec('npm', ['run', '--silent', 'build'], { cwd: dir, maxBuffer: 2 ** 26 });
  return { dir, program: join(dir, 'bin/everpost.js'), migrations: await migrationsIn(dir) };
}

/** @param {string} dir */
async function hasSamePackages(dir) {
  const [own, its] = await Promise.all([ROOT, dir].map((at) => readFile(join(at, 'package-lock.json'), 'utf8')));
  return own === its;
}

/**
 * @param {string} dir
 * @returns {Promise<readonly string[]>}
 */
async function migrationsIn(dir) {
  const code = await readFile(join(dir, 'src/ledger/storage/migrate.ts'), 'utf8');
  return [...code.matchAll(/'(\d{4}-[\w-]+)': /g)].map(([, name = '']) => name);
}

/**
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import('node:child_process').SpawnOptions} options
 */
export async function run(program, args, options) {
  const child = spawn(program, args, options);
  const [out, [code]] = await Promise.all([
    child.stderr === null ? '' : text(child.stderr),
    /** @type {Promise<[number | null]>} */ (once(child, 'exit')),
  ]);
  return { code, err: out.trim() };
}
