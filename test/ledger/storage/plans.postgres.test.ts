/** A connection keeps its plans while the tables grow. Here a table is analyzed only when a test does it. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { claimEdits, nextEdits } from '../../../src/ledger/dispatch/tick/claim-edits.js';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { readSnapshot } from '../../../src/ledger/messages/message-row.js';
import { openPostgresPool, type PoolTimes } from '../../../src/ledger/storage/postgres-pool.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import type { Tx } from '../../../src/ledger/storage/store.js';
import { aDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { Cast, MINUTE, NOW } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

/** More executions than the server plans individually before it keeps a generic plan. */
const READS = 10;
const ROWS = 2_000;

let databaseUrl: string;
let ledger: Ledger;
let db: Kysely<Schema>;

beforeEach(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
});

afterEach(async () => {
  await Promise.all([db.destroy(), ledger.close()]);
  await dropDatabase(databaseUrl);
});

/** The one connection that reads messages, after it has planned for empty, analyzed tables. */
async function planForEmptyTables(times: PoolTimes): Promise<void> {
  db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPostgresPool(databaseUrl, 1, times) }) });
  const { rows } = await sql<{ name: string }>`
    select format('%I', relname) as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
  for (const { name } of rows) {
    await sql.raw(`alter table ${name} set (autovacuum_enabled = off)`).execute(db);
    await sql.raw(`analyze ${name}`).execute(db);
  }
  for (let reads = 0; reads < READS; reads += 1) await scannedByRead(db);
}

/** How many messages a read of one of them scans in the whole table. */
async function scannedByRead(reading: Kysely<Schema>): Promise<number> {
  const id = await new Cast(ledger).pending();
  return reading.transaction().execute(async (tx) => {
    const before = await scannedMessages(tx);
    expect(await readSnapshot(tx, id)).toMatchObject({ state: 'pending' });
    return (await scannedMessages(tx)) - before;
  });
}

/** Includes statistics of earlier transactions: the connection reports none while a transaction is open. */
async function scannedMessages(tx: Tx): Promise<number> {
  const { rows } = await sql<{ scanned: number }>`
    select seq_tup_read::integer as scanned from pg_stat_xact_user_tables where relname = 'messages'`.execute(tx);
  return rows[0]?.scanned ?? 0;
}

async function addRows(): Promise<void> {
  const id = await new Cast(ledger).pending({ expiresAtMs: NOW + MINUTE });
  await sql`
    insert into messages (id, instance, chat_id, recipient_key, kind, content, body_hash, request_hash, state, priority, category, on_unknown,
      created_at, expires_at)
    select id || n, instance, chat_id, recipient_key, kind, content, body_hash || n, request_hash, state, priority, category, on_unknown,
      created_at, expires_at
    from messages, generate_series(1, ${ROWS}) n where id = ${id}`.execute(db);
}

describe('the plan of a prepared statement', () => {
  it('is replaced while the tables grow, when it was made for empty ones', async () => {
    await planForEmptyTables({ planLifetimeMs: 0 });
    await addRows();

    expect(await scannedByRead(db)).toBe(0);
  });

  it('scans the whole table if it is kept', async () => {
    await planForEmptyTables({ planLifetimeMs: Infinity });
    await addRows();

    expect(await scannedByRead(db)).toBeGreaterThan(ROWS);
  });

  it('is kept twice as long as the one before, up to a minute', async () => {
    const pool = openPostgresPool(databaseUrl, 1);
    db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    const query = vi.spyOn(Client.prototype, 'query');
    const clock = vi.spyOn(performance, 'now');
    const discardedAt: number[] = [];
    for (let second = 0; second < 200; second += 1) {
      clock.mockReturnValue(second * 1_000);
      query.mockClear();
      (await pool.connect()).release();
      const asked = query.mock.calls.map(([given]) => (given as unknown as { readonly text: string }).text);
      if (asked.includes('discard plans')) discardedAt.push(second);
    }
    query.mockRestore();
    clock.mockRestore();

    expect(discardedAt).toEqual([10, 30, 70, 130, 190]);
  });

  it('is dropped on a connection on which a statement took too long', async () => {
    await planForEmptyTables({ planLifetimeMs: Infinity });
    await addRows();
    const slow = db.transaction().execute(async (tx) => {
      await sql`select set_config('statement_timeout', '20ms', true)`.execute(tx);
      await sql`select pg_sleep(60)`.execute(tx);
    });
    await expect(slow).rejects.toMatchObject({ code: '57014' });

    expect(await scannedByRead(db)).toBe(0);
  });
});

it('a claim of edits fetches the next ones of its instance, not all that are due', async () => {
  db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPostgresPool(databaseUrl, 1) }) });
  const c = new Cast(ledger);
  const id = await c.sent('A1');
  await sql`
    insert into edits (id, message_id, instance, text, body_hash, state, requested_at, campaign_id, content_version,
      closes_at, step, due_at)
    select 'edt_' || n, ${id}, ${c.instance}, 'new', 'hash', case when n % 4 = 3 then 'posted' else 'pending' end, ${new Date(NOW)},
      case when n % 4 = 1 then 'c-1' end, case when n % 4 = 1 then 2 end, ${new Date(NOW)}::timestamptz + n * interval '1 s',
      case when n % 4 = 3 then 'read' else 'post' end, ${new Date(NOW)}
    from generate_series(1, ${10 * ROWS}) n`.execute(db);
  await sql`analyze edits`.execute(db);

  const fetched = await db.transaction().execute(async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ fetched: number }>`
        select (seq_tup_read + idx_tup_fetch)::integer as fetched from pg_stat_xact_user_tables where relname = 'edits'`.execute(
        tx,
      );
      return rows[0]?.fetched ?? 0;
    };
    const shift = { instance: c.instance, try: { run: 'r', shift: 1, attempt: 1 }, worker: 'w' };
    const want = { shift, posts: 1, reads: 4, spacingMs: 1_100, postingDeadlineMs: NOW, settlesAtMs: NOW };
    const before = await count();
    const claimed = await claimEdits(tx, [want], NOW);
    expect(claimed.filter(({ post }) => post !== undefined)).toHaveLength(1);
    await nextEdits(tx, [c.instance]);
    return (await count()) - before;
  });

  // One of a single message, at most a thousand of amendments, four to read, and their own rows again.
  expect(fetched).toBeLessThan(1_100);
});
