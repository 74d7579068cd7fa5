/** `everpost migrate`: on an empty database, twice, at once, with a role of its own, and on ledgers of other versions. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { Kysely, PostgresDialect, sql, type Migration } from 'kysely';
import { openLedger } from '../../src/ledger/index.js';
import type { Schema } from '../../src/ledger/storage/schema.js';
import { MIGRATIONS, migrate as migrateTables } from '../../src/ledger/storage/migrate.js';
import { openMigrationPool } from '../../src/ledger/storage/postgres-pool.js';
import { Cast, NOW } from '../ledger/cast.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { anEmptyDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';
import { MAKE_NEWER } from '../support/ledger/newer-ledger.js';
import { everpost } from './fake-terminal.js';

let databaseUrl: string;
let client: Client;

beforeAll(async () => {
  databaseUrl = await anEmptyDatabaseUrl();
  client = new Client({ connectionString: databaseUrl });
  await client.connect();
});

afterAll(async () => {
  await client.end();
  await dropDatabase(databaseUrl);
});

const migrateWith = (env: Record<string, string>, ...args: string[]) => everpost(['migrate', ...args], { env });
const migrate = (...args: string[]) => migrateWith({ DATABASE_URL: databaseUrl }, ...args);
const UP_TO_DATE = { exitCode: 0, out: ['The ledger is up to date.'], err: [] };

it('a dry run lists what is missing, and changes nothing', async () => {
  expect(await migrate('--dry-run')).toEqual({ exitCode: 0, out: ['Missing: 0001-ledger'], err: [] });
  expect(await migrate('--dry-run', '--json')).toMatchObject({
    out: ['{"upToDate":false,"missing":["0001-ledger"]}'],
  });
  expect((await client.query("select from pg_tables where schemaname = 'public'")).rowCount).toBe(0);
});

it('migrate creates the tables, and changes nothing the second time', async () => {
  expect(await migrate()).toMatchObject({ exitCode: 0, out: ['The ledger is up to date. Migrated: 0001-ledger'] });
  const applied = () => client.query('select name, timestamp from kysely_migration order by name');
  const { rows } = await applied();
  expect(rows.length).toBeGreaterThan(0);
  await client.query('select from messages');

  expect(await migrate('--dry-run')).toEqual(UP_TO_DATE);
  expect(await migrate('--json')).toEqual({ exitCode: 0, out: ['{"upToDate":true,"migrated":[]}'], err: [] });
  expect((await applied()).rows).toEqual(rows);
});

it('two at once migrate once (MIGRATE-1)', async () => {
  const url = await anEmptyDatabaseUrl();
  onTestFinished(() => dropDatabase(url));
  const runs = await Promise.all([1, 2].map(() => migrateWith({ DATABASE_URL: url }, '--json')));
  expect(runs.map(({ exitCode }) => exitCode)).toEqual([0, 0]);
  const [ledger, again] = await Promise.all([1, 2].map(() => openLedger({ databaseUrl: url }, UNENCRYPTED)));
  expect(again?.id).toBe(ledger?.id);
  await Promise.all([ledger?.close(), again?.close()]);
});

it('a migration that the database rolls back in favour of a process at work begins again (MIGRATE-1)', async () => {
  const url = await anEmptyDatabaseUrl();
  const atWork = new Client({ connectionString: url });
  await atWork.connect();
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openMigrationPool(url) }) });
  onTestFinished(async () => {
    await Promise.all([atWork.end(), db.destroy()]);
    await dropDatabase(url);
  });
  await migrateTables(db);
  // The migration notices the deadlock first.
  await atWork.query("begin; set local deadlock_timeout = '1min'; lock table attempts");
  let begun = 0;
  let done: Promise<unknown> | undefined;
  const up = async (tx: Kysely<unknown>) => {
    begun += 1;
    await sql`lock table messages`.execute(tx);
    done ??= atWork.query('lock table messages; commit');
    await sql`lock table attempts`.execute(tx);
  };
  expect(await migrateTables(db, { migrations: { ...MIGRATIONS, '0002-add-locks': { up } } })).toEqual([
    '0002-add-locks',
  ]);
  expect(begun).toBe(2);
  await done;
});

it('a role of its own owns the tables, and the role of DATABASE_URL uses them without the right to change them', async () => {
  const url = await anEmptyDatabaseUrl();
  const admin = new Client({ connectionString: url });
  await admin.connect();
  const [owner, user] = ['owner', 'user'].map((name) => `${name}_${randomUUID().slice(0, 8)}`) as [string, string];
  onTestFinished(async () => {
    await admin.query(`drop owned by ${user}, ${owner} cascade`);
    await admin.query(`drop role ${user}, ${owner}`);
    await admin.end();
    await dropDatabase(url);
  });
  for (const role of [owner, user]) await admin.query(`create role ${role} login password 'secret'`);
  await admin.query(`grant create on schema public to ${owner}`);
  const urlOf = (role: string) => Object.assign(new URL(url), { username: role, password: 'secret' }).href;

  const env = { DATABASE_URL: urlOf(user), EVERPOST_MIGRATE_DATABASE_URL: urlOf(owner) };
  expect(await migrateWith(env)).toMatchObject({ exitCode: 0, err: [] });
  const { rows } = await admin.query("select distinct tableowner from pg_tables where schemaname = 'public'");
  expect(rows).toEqual([{ tableowner: owner }]);

  const ledger = await openLedger({ databaseUrl: urlOf(user) }, UNENCRYPTED);
  await ledger.ping();
  await ledger.views.messages({ limit: 1 });
  await ledger.close();
  const asUser = new Client({ connectionString: urlOf(user) });
  await asUser.connect();
  await expect(asUser.query('alter table messages add x integer')).rejects.toThrow(/must be owner/);
  await asUser.end();
});

it('API and worker say that the ledger is older, with the command, and change nothing (MIGRATE-3)', async () => {
  const next: Migration = { up: () => Promise.reject(new Error('a start migrates nothing')) };
  const migrations = MIGRATIONS as Record<string, Migration>;
  migrations['0099-add-tomorrow'] = next;
  onTestFinished(() => void delete migrations['0099-add-tomorrow']);
  for (const part of ['api', 'worker']) {
    const { exitCode, err } = await everpost([part], { env: { DATABASE_URL: databaseUrl } });
    expect(exitCode).toBe(1);
    expect(err.join(' ')).toMatch(/0099-add-tomorrow is missing.*everpost migrate.*\[LEDGER_OLDER\]/s);
  }
  expect((await migrate('--dry-run')).out).toEqual(['Missing: 0099-add-tomorrow']);
});

it('a version that lacks a migration that only adds continues without an error while it is applied (MIGRATE-2, UPGRADE-2)', async () => {
  const ledger = await openLedger({ databaseUrl }, { ...UNENCRYPTED, maxConnections: 1 });
  onTestFinished(() => ledger.close());
  const cast = new Cast(ledger);
  const work = async () => {
    const id = await cast.pending();
    await ledger.eventEndpoints.list();
    await ledger.views.messages({ limit: 10 });
    return ledger.views.message(id, NOW);
  };
  await work();
  await client.query(MAKE_NEWER);
  expect(await work()).toMatchObject({ state: 'pending' });
  expect(await migrate()).toEqual(UP_TO_DATE);
});

it('API, worker and migrate refuse a ledger that a newer version has migrated otherwise, with the remedy (MIGRATE-2)', async () => {
  await client.query("insert into kysely_migration (name, timestamp) values ('0099-tomorrow', '2030')");
  for (const part of ['api', 'worker', 'migrate']) {
    const { exitCode, err } = await everpost([part], { env: { DATABASE_URL: databaseUrl } });
    expect(exitCode).toBe(1);
    expect(err.join('\n')).toMatch(/0099-tomorrow is unknown here.*npm install everpost@latest.*\[LEDGER_NEWER\]/s);
  }
});
