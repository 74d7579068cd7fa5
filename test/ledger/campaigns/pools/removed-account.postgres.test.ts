/** A claim that began before its account was removed, which needs two connections to a database server. */
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../../src/ledger/index.js';
import { eventually } from '../../../support/eventually.js';
import { UNENCRYPTED } from '../../../support/ledger/at-rest.js';
import { aDatabaseUrl, dropDatabase } from '../../../support/ledger/ledger.js';
import { NOW } from '../../cast.js';
import { PoolCast } from './pool-cast.js';

/** The number of the lock at which claims wait. */
const HELD = 4_207_322;

let databaseUrl: string;
let ledger: Ledger;
let other: Client;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
  other = new Client({ connectionString: databaseUrl });
  await other.connect();
});
afterAll(async () => {
  await other.end();
  await ledger.close();
  await dropDatabase(databaseUrl);
});

/**
 * Claims wait where they read the state of the account: after the moment that they see, and before they lock the
 * campaign.
 */
async function holdClaims(): Promise<void> {
  await other.query(`
    create function held() returns boolean language plpgsql as $$ begin
      if current_query() like '/* dispatch_claim */%' then perform pg_advisory_xact_lock_shared(${HELD}); end if;
      return true;
    end $$;
    alter table instance_states rename to seen_states;
    create view instance_states as select * from seen_states where held()`);
  await other.query('select pg_advisory_lock($1)', [HELD]);
}

const release = () => other.query('select pg_advisory_unlock($1)', [HELD]);

it('takes none of its messages, which move to the others (POOL-2)', async () => {
  const pool = await new PoolCast(ledger).begun(6);
  const [removed, left] = pool.accounts as [string, string];
  const seen = { instance: removed, state: 'authorized', witness: 'getStateInstance', atMs: NOW } as const;
  await ledger.instanceStates.record(seen);
  await pool.read();
  await holdClaims();
  const claim = pool.claimAt(0);
  await eventually(async () => {
    const waiting = await other.query(
      "select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'",
    );
    expect(waiting.rowCount).toBe(1);
  });
  await pool.update([left]);
  await release();
  expect(await claim).toEqual([]);

  expect((await pool.read()).count).toBe(3);
  expect(await pool.shares()).toEqual([0, 6]);
  expect(await pool.claimAt(1)).toHaveLength(6);
});
