/** A stream that is removed while a message returns to it, which needs a database server. Proves STREAM-2. */
import { Kysely, PostgresDialect } from 'kysely';
import { Client, Pool } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { recordOutcomes } from '../../../src/ledger/dispatch/outcomes/record-outcomes.js';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { eventually } from '../../support/eventually.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';
import { aDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { CampaignCast } from './campaign-life-cast.js';
import { NOW } from '../cast.js';

let databaseUrl: string;
let ledger: Ledger;
let store: Store;
let other: Client;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
  const pool = new Pool({ connectionString: databaseUrl });
  store = new Store(new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) }));
  other = new Client({ connectionString: databaseUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await store.close();
  await ledger.close();
  await dropDatabase(databaseUrl);
});

/** Both recipients are claimed with the former text, so that its stream is empty. */
async function aChangedCampaign() {
  const campaign = await new CampaignCast(ledger).running(2);
  const claimed = await campaign.claim(2);
  expect(claimed).toHaveLength(2);
  await ledger.campaigns.update(campaign.id, { content: { kind: 'text', text: 'Dear {{name}}' } }, NOW);
  const outcome = { kind: 'not_accepted', code: 'GATEWAY_BUSY', text: 'later' } as const;
  const outcomes = claimed.map(({ token }) => ({ token, outcome, atMs: NOW }));
  const texts = async () => (await campaign.claim(2, NOW + 1)).map(({ content }) => content);
  return { campaign, outcomes, texts };
}

const AGAIN = expect.arrayContaining([expect.objectContaining({ text: expect.stringMatching(/^Dear /) })]);

it('a message that returns keeps the stream of its former text until it was composed again (STREAM-2)', async () => {
  const { campaign, outcomes, texts } = await aChangedCampaign();
  await store.transaction(async (tx) => {
    await recordOutcomes(tx, outcomes);
    await ledger.dispatch.removeEndedStreams();
  });
  expect(await campaign.states()).toEqual({ pending: 2 });
  expect(await texts()).toEqual(AGAIN);
  await ledger.dispatch.removeEndedStreams();
  const { rows } = await other.query('select content_version from streams where campaign_id = $1', [campaign.id]);
  expect(rows).toEqual([{ content_version: 2 }]);
});

it('a message that returns while the stream of its former text is removed waits for the next one (STREAM-2)', async () => {
  const { campaign, outcomes, texts } = await aChangedCampaign();
  await other.query('begin');
  await other.query('select from streams where campaign_id = $1 for update', [campaign.id]);
  const recorded = ledger.dispatch.recordOutcomes(outcomes);
  await eventually(async () => {
    const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    expect((await other.query(waiting)).rowCount).toBe(1);
  });
  await other.query('delete from streams where campaign_id = $1', [campaign.id]);
  await other.query('commit');
  await recorded;
  expect(await texts()).toEqual(AGAIN);
});
