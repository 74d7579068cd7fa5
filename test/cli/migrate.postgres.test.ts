/** `everpost migrate` on an empty database, twice, and on one that a newer version has migrated. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
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

const migrate = (...args: string[]) => everpost(['migrate', ...args], { env: { DATABASE_URL: databaseUrl } });

it('migrate creates the tables, and changes nothing the second time', async () => {
  expect(await migrate()).toEqual({ exitCode: 0, out: ['The ledger is up to date.'], err: [] });
  const applied = () => client.query('select name, timestamp from kysely_migration order by name');
  const { rows } = await applied();
  expect(rows.length).toBeGreaterThan(0);
  await client.query('select from messages');

  expect(await migrate('--json')).toEqual({ exitCode: 0, out: ['{"upToDate":true}'], err: [] });
  expect((await applied()).rows).toEqual(rows);
});

it('migrate refuses a ledger that a newer version has migrated, with the remedy', async () => {
  await client.query("insert into kysely_migration (name, timestamp) values ('0099-tomorrow', '2030')");
  const { exitCode, err } = await migrate();
  expect(exitCode).toBe(1);
  expect(err.join('\n')).toMatch(/0099-tomorrow is unknown here.*npm install everpost@latest.*\[LEDGER_NEWER\]/s);
});
