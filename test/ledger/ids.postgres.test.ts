/** Ids are found by their prefix whatever the collation of the database is, and by the primary key. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CampaignId, MessageId } from '../../src/contract/index.js';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import { anEmptyDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';
import { NOW } from './cast.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';

let databaseUrl: string;
let ledger: Ledger;

beforeAll(async () => {
  // In Czech `ch` sorts after `h`, and `_` weighs less than letters.
  databaseUrl = await anEmptyDatabaseUrl(`locale_provider icu icu_locale 'cs' locale 'C'`);
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
});

afterAll(async () => {
  await ledger.close();
  await dropDatabase(databaseUrl);
});

async function aMessage(id: string): Promise<void> {
  const request = { instance: 'main', chatId: '15550000001@c.us', content: { kind: 'text', text: id } } as const;
  await ledger.intake.open({ id: id as MessageId, requestHash: 'h', request, expiresAtMs: NOW + 1_000, nowMs: NOW });
}

it('an id is found by its prefix although the collation sorts it elsewhere', async () => {
  for (const id of ['msg_abcc', 'msg_abch', 'msg_abcz', 'msg_abcdz', 'msg_abd']) await aMessage(id);
  expect(await ledger.ids.beginningWith({ kind: 'message' }, 'msg_abc', 10)).toEqual([
    'msg_abcc',
    'msg_abcdz',
    'msg_abch',
    'msg_abcz',
  ]);
  for (const id of ['sale', 'sale-10', 'sale_1', 'salec', 'salech']) {
    const definition = { instance: 'main', content: { kind: 'text', text: 'Hello' } } as const;
    await ledger.audiences.open({ id: id as CampaignId, requestHash: 'h', definition, nowMs: NOW });
  }
  expect(await ledger.ids.beginningWith({ kind: 'campaign' }, 'sale', 3)).toEqual(['sale', 'sale-10', 'sale_1']);
  expect(await ledger.ids.beginningWith({ kind: 'campaign' }, 'salec', 3)).toEqual(['salec', 'salech']);
});

it('a search by prefix reads a range of the primary key', async () => {
  const client = new Client(databaseUrl);
  await client.connect();
  try {
    await client.query('set enable_seqscan = off');
    for (const [table, index] of [
      ['messages', 'messages_pkey'],
      ['campaigns', 'campaigns_pkey'],
      ['operations', 'operations_pkey'],
    ]) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `explain select id from ${table} where id >= 'msg_abc' and id < 'msg_abc~' order by id limit 6`,
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain(`using ${index}`);
      expect(plan).toContain('Index Cond');
      expect(plan).not.toContain('Sort');
    }
  } finally {
    await client.end();
  }
});
