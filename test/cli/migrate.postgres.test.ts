/** `everpost migrate`: on an empty database, twice, at once, with a role of its own, and on ledgers of other versions. */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openLedger } from '../../src/ledger/index.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { anEmptyDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';
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

it('a version that lacks a migration that only adds works on (MIGRATE-2)', async () => {
  await client.query("insert into kysely_migration (name, timestamp) values ('0098-add-tomorrow', '2030')");
  await client.query('alter table messages add column tomorrow text');
  const ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
  await ledger.ping();
  await ledger.close();
  expect(await migrate()).toEqual(UP_TO_DATE);
});

it('migrate refuses a ledger that a newer version has migrated, with the remedy (MIGRATE-2)', async () => {
  await client.query("insert into kysely_migration (name, timestamp) values ('0099-tomorrow', '2030')");
  const { exitCode, err } = await migrate();
  expect(exitCode).toBe(1);
  expect(err.join('\n')).toMatch(/0099-tomorrow is unknown here.*npm install everpost@latest.*\[LEDGER_NEWER\]/s);
});
