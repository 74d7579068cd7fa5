/** deploy/postgres/create-roles.sh on a server with passwords. */
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { openLedger } from '../../src/ledger/index.js';
import { aFolder } from '../support/folder.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';
import { startPostgres } from '../support/ledger/postgres.js';
import { ROOT } from './compose-file.js';

const run = promisify(execFile);

async function aServer() {
  const server = await startPostgres({ password: 'of-the-superuser' });
  onTestFinished(() => server.close());
  const folder = aFolder({ postgres: 'of-the-superuser\n' });
  const env = {
    PATH: process.env['PATH'],
    PGHOST: '127.0.0.1',
    PGPORT: String(server.port),
    PGUSER: 'postgres',
    POSTGRES_PASSWORD_FILE: `${folder}/postgres`,
    DATABASE_URL_FILE: `${folder}/database-url`,
    TEMPORAL_PASSWORD_FILE: `${folder}/temporal`,
  };
  return {
    async createRoles(everpost: string, temporal: string) {
      writeFileSync(env.DATABASE_URL_FILE, `postgres://everpost:${everpost}@postgres:5432/everpost\n`);
      writeFileSync(env.TEMPORAL_PASSWORD_FILE, `${temporal}\n`);
      return run('sh', [`${ROOT}/deploy/postgres/create-roles.sh`], { env });
    },
    urlOf: (role: string, password: string, database: string) =>
      `postgres://${role}:${password}@127.0.0.1:${server.port}/${database}`,
  };
}

/** @returns who is connected */
async function connect(url: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return (await client.query('select current_user as name, usesuper from pg_user where usename = current_user')).rows;
  } finally {
    await client.end();
  }
}

test("each role owns its databases, is no superuser, and cannot connect to the other's", async () => {
  const { createRoles, urlOf } = await aServer();
  await createRoles('first', 'second');
  expect(await connect(urlOf('everpost', 'first', 'everpost'))).toEqual([{ name: 'everpost', usesuper: false }]);
  for (const database of ['temporal', 'temporal_visibility']) {
    expect(await connect(urlOf('temporal', 'second', database))).toEqual([{ name: 'temporal', usesuper: false }]);
    await expect(connect(urlOf('everpost', 'first', database))).rejects.toThrow(/permission denied/);
  }
  for (const database of ['everpost', 'postgres']) {
    await expect(connect(urlOf('temporal', 'second', database))).rejects.toThrow(/permission denied/);
  }
  // Temporal's schema of visibility needs this extension.
  const client = new Client({ connectionString: urlOf('temporal', 'second', 'temporal_visibility') });
  await client.connect();
  onTestFinished(() => client.end());
  await client.query('create extension if not exists btree_gin');
});

test('the role everpost may create the tables of the ledger', async () => {
  const { createRoles, urlOf } = await aServer();
  await createRoles('first', 'second');
  const ledger = await openLedger({ databaseUrl: urlOf('everpost', 'first', 'everpost') }, UNENCRYPTED);
  onTestFinished(() => ledger.close());
  await ledger.ping();
});

test('a second run keeps the databases, and sets passwords that were replaced', async () => {
  const { createRoles, urlOf } = await aServer();
  await createRoles('first', 'second');
  const { stdout } = await createRoles('replaced', 'second');
  expect(stdout).toBe('The roles everpost and temporal are ready.\n');
  expect(await connect(urlOf('everpost', 'replaced', 'everpost'))).toMatchObject([{ name: 'everpost' }]);
  await expect(connect(urlOf('everpost', 'first', 'everpost'))).rejects.toThrow(/password/);
});

test('it refuses a URL whose password it cannot read, and shows no secret', async () => {
  const { createRoles } = await aServer();
  const failed = createRoles('per%20cent', 'second');
  await expect(failed).rejects.toThrow(/must contain postgres:\/\/everpost:PASSWORD@/);
  await expect(failed).rejects.not.toThrow(/per%20cent/);
});
