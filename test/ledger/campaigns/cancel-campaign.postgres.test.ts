/** Two transactions that wait for each other, which needs a database server. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { eventually } from '../../support/eventually.js';
import { aDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { CampaignCast } from './campaign-life-cast.js';
import { NOW } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

let databaseUrl: string;
let ledger: Ledger;
let other: Client;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
  other = new Client({ connectionString: databaseUrl });
  await other.connect();
  // The server ends the transaction that checks first: the cancellation, which checks after a second.
  await other.query("set deadlock_timeout = '30s'");
});
afterAll(async () => {
  await other.end();
  await ledger.close();
  await dropDatabase(databaseUrl);
});

it('a cancellation that the server ends as a deadlock is retried', async () => {
  const campaign = await new CampaignCast(ledger).running(2);
  const [first, second] = (await campaign.claim(2)).map(({ messageId }) => messageId).toSorted();
  const lock = (id: string | undefined) => other.query('select from messages where id = $1 for update', [id]);

  await other.query('begin');
  await lock(second);
  const cancelled = ledger.campaigns.cancel(campaign.id, 'request', NOW);
  await eventually(async () => expect(await waiting()).toBe(1));
  await lock(first);
  await other.query('commit');

  expect(await cancelled).toMatchObject({ state: 'cancelling', counts: { sending: 2 } });
  await eventually(async () => expect(await deadlocks()).toBe(1));
});

/** The number of transactions that wait for a row. */
async function waiting(): Promise<number> {
  const { rows } = await other.query<{ count: number }>(
    "select count(*)::integer from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
  );
  return rows[0]?.count ?? 0;
}

/** The number of deadlocks that the server has ended; its statistics come a little later. */
async function deadlocks(): Promise<number> {
  const { rows } = await other.query<{ deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  );
  return rows[0]?.deadlocks ?? 0;
}
