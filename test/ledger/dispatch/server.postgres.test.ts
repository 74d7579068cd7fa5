/**
 * What needs a database server: two processes at once, and the blocks that a tick reads among many blocked messages.
 */
import { Kysely, PostgresDialect, type PostgresPoolClient } from 'kysely';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Dispatch } from '../../../src/ledger/dispatch/shifts/dispatch.js';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { openPostgresPool } from '../../../src/ledger/storage/postgres-pool.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { Store } from '../../../src/ledger/storage/store.js';
import { aDatabaseUrl, dropDatabase, TEXTS } from '../../support/ledger/ledger.js';
import { CampaignCast } from '../campaigns/campaign-life-cast.js';
import { NOW, SECOND } from '../cast.js';
import { accepted, DispatchCast, other } from './cast.js';
import { eventually } from '../../support/eventually.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

let databaseUrl: string;
let [here, there]: Ledger[] = [];
let client: Client;
let onlooker: Client;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  here = await openLedger({ databaseUrl }, UNENCRYPTED);
  there = await openLedger({ databaseUrl }, UNENCRYPTED);
  [client, onlooker] = [new Client(databaseUrl), new Client(databaseUrl)];
  await Promise.all([client.connect(), onlooker.connect()]);
});

afterAll(async () => {
  await Promise.all([here?.close(), there?.close(), client.end(), onlooker.end()]);
  await dropDatabase(databaseUrl);
});

function ledgers(): readonly [Ledger, Ledger] {
  if (here === undefined || there === undefined) throw new Error('not open');
  return [here, there];
}

describe('two dispatchers of one instance', () => {
  it('never claim a message twice, however their ticks and takeovers interleave (DISPATCH-1)', async () => {
    const [one, two] = ledgers();
    const first = new DispatchCast(one);
    const second = new DispatchCast(two, first.instance);
    const ids = await first.takeMany(200);
    await first.begin(2);
    const tokens = new Map<string, string[]>();
    for (let attempt = 3; attempt < 40; attempt += 1) {
      const taking = attempt % 2 === 0 ? first : second;
      const results = await Promise.all([first.tick({ free: 4 }), taking.begin(attempt), second.tick({ free: 4 })]);
      for (const { claimed } of [results[0], results[2]]) {
        for (const { messageId, token } of claimed) tokens.set(messageId, [...(tokens.get(messageId) ?? []), token]);
      }
    }
    expect([...tokens.values()].filter((claims) => claims.length > 1)).toEqual([]);
    const states = await first.states(ids);
    expect(states.filter((state) => state !== 'pending')).toHaveLength(tokens.size);
    expect(tokens.size).toBeGreaterThan(20);
  });

  it('do not wait for a frozen tick that keeps its row locked, and wait when they list its claims', async () => {
    const c = new DispatchCast(ledgers()[0]);
    await c.begin();
    await c.take();
    await client.query('begin');
    await client.query('select from dispatchers where instance = $1 for no key update', [c.instance]);
    const { claimed, isLost, nextDueMs } = await c.tick();
    expect({ claimed, isLost, nextDueMs }).toEqual({ claimed: [], isLost: undefined, nextDueMs: NOW });
    const found = c.ledger.dispatch.claimed(c.shift);
    await eventually(async () => {
      const waiting = await onlooker.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%from dispatchers where%'`,
      );
      expect(waiting.rowCount).toBe(1);
    });
    await client.query('commit');
    expect(await found).toEqual([]);
    expect(await c.claim()).toHaveLength(1);
  });
});

describe('a pause of a campaign', () => {
  it('waits for the tick under way, and nothing is claimed after it (DISPATCH-5)', async () => {
    const [one, two] = ledgers();
    const campaign = await new CampaignCast(one).running(60);
    const c = new DispatchCast(one, campaign.instance);
    await c.begin();
    const compose = ({ line }: { line: number }) => ({ content: { kind: 'text' as const, text: `Hello ${line}` } });
    await one.dispatch.readAhead(campaign.id, { limit: 60, compose, nowMs: NOW });
    for (let rounds = 0; rounds < 10; rounds += 1) {
      await two.campaigns.resume(campaign.id, NOW);
      const [tick] = await Promise.all([c.tick({ free: 3 }), two.campaigns.pause(campaign.id, NOW)]);
      const after = await c.tick({ free: 3, outcomes: tick.claimed.map((attempt) => accepted(attempt)) });
      expect(after.claimed).toEqual([]);
    }
  });
});

describe('the statements of a tick', () => {
  it('are planned once for each connection, not for each tick', async () => {
    const [ledger] = ledgers();
    const pool = openPostgresPool(databaseUrl, 1);
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    const c = new DispatchCast({ ...ledger, dispatch: new Dispatch(new Store(db), TEXTS) });
    await c.begin();
    await c.takeMany(8);
    for (let ticks = 0; ticks < 8; ticks += 1) {
      const attempt = await c.claimOne({ free: 1 });
      await c.write(accepted(attempt));
    }
    const connection = await pool.connect();
    const { rows } = await connection.query(
      `select name, custom_plans::integer as plans from pg_prepared_statements
      where name in ('dispatch_accept', 'dispatch_claim') order by name`,
      [],
    );
    connection.release();
    await db.destroy();
    expect(rows).toEqual([
      { name: 'dispatch_accept', plans: 0 },
      { name: 'dispatch_claim', plans: 0 },
    ]);
  });
});

describe('the rows that a tick reads', () => {
  /** A ledger whose claims are explained when they are made. @param read gets the number of blocks of each read */
  function explained(read: (blocks: number) => void): { dispatch: Dispatch; close: () => Promise<void> } {
    const pool = openPostgresPool(databaseUrl, 1);
    const connect = async (): Promise<PostgresPoolClient> => {
      const { query, release } = await pool.connect();
      const explain = async (text: string, values: readonly unknown[]) => {
        if (!text.startsWith('/* dispatch_claim */')) return query(text, values);
        const { rows } = await query(`explain (analyze, buffers, format json) ${text}`, values);
        const plan = (rows as { 'QUERY PLAN': { Plan: Record<string, number> }[] }[])[0]?.['QUERY PLAN'][0]?.Plan;
        read((plan?.['Shared Hit Blocks'] ?? 0) + (plan?.['Shared Read Blocks'] ?? 0));
        return { command: 'SELECT', rowCount: 0, rows: [] };
      };
      return { query: explain as PostgresPoolClient['query'], release };
    };
    const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }) });
    return { dispatch: new Dispatch(new Store(db), TEXTS), close: () => db.destroy() };
  }

  it('are as few with 100,000 blocked messages ahead as without (DISPATCH-4)', async () => {
    const [ledger] = ledgers();
    const c = await DispatchCast.begun(ledger);
    const campaign = await new CampaignCast(ledger, c.instance).running(1);
    const compose = () => ({ content: { kind: 'text' as const, text: 'blocked' } });
    await ledger.dispatch.readAhead(campaign.id, { limit: 1, compose, nowMs: NOW });
    await ledger.campaigns.pause(campaign.id, NOW);
    const same = { chatId: '15557770000@c.us', text: 'the same' };
    await c.take(same);
    const attempt = await c.claimOne();
    await c.write(other(attempt, { kind: 'unknown', code: 'LOST' }));
    await c.takeMany(40, { nowMs: NOW + SECOND });
    const blocks: number[] = [];
    const { dispatch, close } = explained((read) => blocks.push(read));
    const alone = new DispatchCast({ ...ledger, dispatch }, c.instance);
    alone.shift = c.shift;
    const claimTen = () => alone.claim({ free: 10, nowMs: NOW + SECOND });
    await claimTen();
    await claimTen();

    const stream = `(select stream_id from messages where id = $1)`;
    // In a paused campaign, and parked behind the unknown message, in the stream that is served.
    for (const [many, behind] of [
      [`(select id from streams where campaign_id = '${campaign.id}')`, null],
      [stream, attempt.messageId],
    ] as const) {
      await client.query(
        `insert into due_messages (stream_id, due_at, place, message_id, recipient_key, expires_at, behind)
        select ${many}, ${behind === null ? `'2026-01-01'::timestamptz` : `'infinity'::timestamptz`},
          nextval('ledger_seq'), coalesce($1, '') || 'b' || n, 'c' || n, '2027-01-01', $2
        from generate_series(1, 50000) n`,
        [attempt.messageId, behind],
      );
    }
    await client.query('analyze due_messages');
    await claimTen();
    await claimTen();
    await close();

    const [, without = 0, , withBlocked = 0] = blocks;
    const { rows } = await client.query(`select count(*)::integer as claimed from messages where state = 'sending'
      and instance = '${c.instance}'`);
    expect(rows).toEqual([{ claimed: 40 }]);
    expect(without).toBeGreaterThan(50);
    // Pages that were just split cost up to 50 blocks, in either of them. The blocked rows fill more than a thousand.
    expect(withBlocked).toBeLessThan(without + 100);
  });
});
