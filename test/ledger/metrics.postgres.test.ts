/** METRICS-2: the cost of a reading does not grow with the ledger. */
import { Kysely, PostgresDialect, sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import { Metrics } from '../../src/ledger/metrics.js';
import { openPostgresPool } from '../../src/ledger/storage/postgres-pool.js';
import type { Schema } from '../../src/ledger/storage/schema.js';
import { Store, type Tx } from '../../src/ledger/storage/store.js';
import { aDatabaseUrl, dropDatabase } from '../support/ledger/ledger.js';
import { Cast, NOW, SECOND } from './cast.js';
import { UNENCRYPTED } from '../support/ledger/at-rest.js';

const ROWS = 20_000;
/** These grow with every message. Their rows are found by an index, or are not read. */
const GROWING = ['messages', 'due_messages', 'notifications', 'event_deliveries', 'attempts'];

let databaseUrl: string;
let ledger: Ledger;
let db: Kysely<Schema>;

beforeEach(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl }, UNENCRYPTED);
  db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: openPostgresPool(databaseUrl, 1) }) });
});

afterEach(async () => {
  await Promise.all([db.destroy(), ledger.close()]);
  await dropDatabase(databaseUrl);
});

/** Rows of this transaction that sequential scans read. */
async function scanned(tx: Tx): Promise<number> {
  const { rows } = await sql<{ scanned: number }>`
    select sum(seq_tup_read)::integer as scanned from pg_stat_xact_user_tables where relname = any(${GROWING})`.execute(
    tx,
  );
  return rows[0]?.scanned ?? 0;
}

async function addSent(c: Cast): Promise<void> {
  const id = await c.sent('A');
  await sql`
    insert into messages (id, instance, chat_id, recipient_key, kind, content, body_hash, request_hash, state, priority, category,
      on_unknown, created_at, expires_at, ended_at)
    select id || n, instance, chat_id, recipient_key, kind, content, body_hash, request_hash, state, priority, category,
      on_unknown, created_at, expires_at, created_at
    from messages, generate_series(1, ${ROWS}) n where id = ${id}`.execute(db);
}

async function addWaiting(c: Cast): Promise<void> {
  const id = await c.pending();
  await sql`
    insert into due_messages (stream_id, due_at, place, message_id, expires_at)
    select stream_id, due_at + interval '1 day', place + n, message_id || n, expires_at
    from due_messages, generate_series(1, ${ROWS}) n where message_id = ${id}`.execute(db);
  await sql`
    insert into notifications (hash, received_at, instance, body)
    select gen_random_uuid(), ${new Date(NOW)}::timestamptz, ${c.instance}::text, '{}' from generate_series(1, ${ROWS})`.execute(
    db,
  );
  await sql`insert into pending_notifications select max(id) from notifications`.execute(db);
}

it('a reading scans no table that grows, and counts what one statement inserted', async () => {
  const c = new Cast(ledger);
  await addSent(c);
  await addWaiting(c);
  await sql`analyze`.execute(db);

  const { readings, rows } = await db.transaction().execute(async (tx) => {
    const before = await scanned(tx);
    const read = await new Metrics(new Store(tx)).read([c.instance], NOW + SECOND);
    return { readings: read, rows: (await scanned(tx)) - before };
  });

  expect(rows).toBe(0);
  expect(readings.transitions).toContainEqual({ instance: c.instance, from: null, state: 'sent', messages: ROWS });
  expect(readings.notifications).toEqual([{ instance: c.instance, waiting: 1, setAside: 0 }]);
  expect(readings.due).toEqual([{ instance: c.instance, priority: 'normal', source: 'single', ageMs: SECOND }]);
});

it('counts that are written during a fold are neither lost nor counted twice', async () => {
  const c = new Cast(ledger);
  const writing = Array.from({ length: 300 }, () => c.pending());
  const folding = Array.from({ length: 10 }, () => ledger.metrics.fold());
  await Promise.all([...writing, ...folding]);
  await ledger.metrics.fold();

  const { transitions } = await ledger.metrics.read([c.instance], NOW);
  expect(transitions).toEqual([{ instance: c.instance, from: null, state: 'pending', messages: 300 }]);
});
