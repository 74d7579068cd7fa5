/**
 * What is deleted when, and what an unresolved message keeps. Each test has its own ledger, because it counts whole
 * tables.
 */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CampaignId, EVIDENCE_WINDOW_MS } from '../../src/contract/index.js';
import type { Ledger } from '../../src/ledger/index.js';
import type { Schema } from '../../src/ledger/storage/schema.js';
import { readLines } from '../support/campaign.js';
import { aDatabase } from '../support/ledger/ledger.js';
import { Cast, MINUTE, NOW, SECOND } from './cast.js';

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const KEPT = 30 * DAY;
const INSTANCE = 'main';

let db: Kysely<Schema>;
let close: () => Promise<void>;
let ledger: Ledger;
let the: Cast;
beforeEach(async () => {
  ({ db, ledger, close } = await aDatabase());
  the = new Cast(ledger);
});
afterEach(() => close());

async function count(table: keyof Schema): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

/** The number of deleted rows of each of these tables; tables without any are omitted. */
async function removed(nowMs: number, keptForMs = KEPT): Promise<Record<string, number>> {
  const rows = await ledger.retention.removeOld({ nowMs, keptSinceMs: nowMs - keptForMs });
  return Object.fromEntries(Object.entries(rows).filter(([, deleted]) => deleted > 0));
}

/** A message that was written on the phone: its notification and its receipt. */
async function anUnmatchedMessage(idMessage: string, nowMs = NOW): Promise<void> {
  await ledger.observations.keep(the.instance, idMessage, { idMessage }, nowMs);
  const receipt = { kind: 'status', idMessage, status: 'delivered', atMs: nowMs } as const;
  await ledger.receipts.apply(the.instance, receipt, nowMs);
}

/** A message that was claimed at {@link NOW}. */
async function anOpenMessage(state: 'sending' | 'unknown' | 'unresolved') {
  const { id, token } = await the.posting();
  if (state !== 'sending') await the.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
  const attempt = await ledger.reconciling.attempt(id);
  if (state === 'unresolved' && attempt !== undefined)
    await ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
  return { id, token };
}

/** Proves RETENTION-1 and RETENTION-2. */
describe('the observation of an unmatched message', () => {
  it('is deleted once it can belong to no message of ours', async () => {
    await anUnmatchedMessage('OLD');
    await anUnmatchedMessage('NEW', NOW + HOUR);
    expect(await removed(NOW + EVIDENCE_WINDOW_MS)).toEqual({});
    expect(await removed(NOW + EVIDENCE_WINDOW_MS + SECOND)).toEqual({ observations: 1, parked_receipts: 1 });
    expect(await removed(NOW + EVIDENCE_WINDOW_MS + 2 * HOUR)).toEqual({ observations: 1, parked_receipts: 1 });
  });

  it.each(['sending', 'unknown', 'unresolved'] as const)(
    "stays for a message that is %s only if it came soon enough after the claim, and until that time's records are deleted",
    async (state) => {
      await anUnmatchedMessage('BEFORE', NOW - SECOND);
      const { id } = await anOpenMessage(state);
      await anUnmatchedMessage('PERHAPS-OURS', NOW + HOUR);
      await anUnmatchedMessage('TOO-LATE', NOW + EVIDENCE_WINDOW_MS);
      await anUnmatchedMessage('LATER', NOW + 10 * DAY);

      expect(await removed(NOW + 20 * DAY)).toEqual({ observations: 3, parked_receipts: 3 });
      expect(await count('observations')).toBe(1);
      expect((await the.view(id)).state).toBe(state);
      expect(await removed(NOW + HOUR + KEPT + SECOND)).toEqual({ observations: 1, parked_receipts: 1 });
    },
  );

  it('is deleted once its message has an outcome', async () => {
    const { token } = await anOpenMessage('unknown');
    await anUnmatchedMessage('NOT-OURS', NOW + HOUR);
    expect(await removed(NOW + 10 * DAY)).toEqual({});
    await the.accept(token, 'OURS');
    expect(await removed(NOW + 10 * DAY)).toEqual({ observations: 1, parked_receipts: 1 });
  });

  it('stays long enough for a decision, however short the retention is', async () => {
    await anOpenMessage('unknown');
    await anUnmatchedMessage('PERHAPS-OURS', NOW + SECOND);
    expect(await removed(NOW + DAY, MINUTE)).toEqual({});
  });

  it('is deleted in parts, however many there are', async () => {
    await sql`insert into observations (instance, id_message, notification, seen_at)
      select 'main', 'S' || n, '{}', ${new Date(NOW)} from generate_series(1, 2500) n`.execute(db);
    expect(await removed(NOW + 3 * DAY)).toEqual({ observations: 2_500 });
  });
});

describe('records of finished work', () => {
  it('are deleted after a while for operations, replays and commands, unless they are unfinished', async () => {
    const operation = (id: string) => ({
      id,
      method: 'showMessagesQueue',
      instance: INSTANCE,
      requestHash: 'h',
      request: {},
      nowMs: NOW,
    });
    await ledger.operations.open(operation('done'));
    await ledger.operations.finish('done', { state: 'done', result: [] }, NOW);
    await ledger.operations.open(operation('open'));
    await ledger.instances.askResume(INSTANCE, 'command', 'loopback', NOW);
    expect(await removed(NOW + KEPT)).toEqual({});
    expect(await removed(NOW + KEPT + SECOND)).toEqual({ operations: 1, commands: 1 });
    expect(await ledger.operations.view('open')).toMatchObject({ state: 'pending' });
  });

  it('are deleted after a while for an account’s states and ended pauses; its state at the start of that time stays', async () => {
    const see = (state: string, atMs: number) => ledger.instanceStates.record({ instance: INSTANCE, state, atMs });
    await see('yellowCard', NOW);
    await see('authorized', NOW + DAY);
    await ledger.instances.resume(INSTANCE, 'operator', NOW + DAY);
    await see('blocked', NOW + 2 * DAY);
    await see('authorized', NOW + 3 * DAY);
    expect(await removed(NOW + 40 * DAY)).toEqual({ instance_states: 3, instance_pauses: 1 });
    expect(await ledger.instanceStates.current(INSTANCE)).toMatchObject({ state: 'authorized' });
    expect(await ledger.instances.pauses(INSTANCE)).toMatchObject([{ reason: 'blocked' }]);
  });

  it('are deleted after a while for START words, except the last one of each chat', async () => {
    const word = { instance: INSTANCE, id_message: 'S', chat_id: '15550000001@c.us', word: 'start' };
    await db
      .insertInto('start_words')
      .values([0, 1, 2].map((n) => ({ ...word, id_message: `S${n}`, at: new Date(NOW + n * DAY) })))
      .execute();
    expect(await removed(NOW + 40 * DAY)).toEqual({ start_words: 2 });
    expect(await db.selectFrom('start_words').select('id_message').execute()).toEqual([{ id_message: 'S2' }]);
  });

  it('are deleted after a while for lids that are not shown any more, unless there is a message', async () => {
    const pairs = [1, 2, 3].map((n) => ({ lid: `7700000000${n}@lid`, chatId: `1555000000${n}@c.us` }));
    await ledger.lids.learn(pairs, 'group', NOW);
    await ledger.lids.learn(pairs.slice(0, 1), 'group', NOW + 39 * DAY);
    await the.pending({ chatId: '15550000002@c.us' });
    expect(await removed(NOW + 40 * DAY)).toEqual({ known_lids: 1 });
    expect(await ledger.lids.keysOf(pairs.map(({ lid }) => lid))).toEqual(
      new Map([
        [pairs[0]!.lid, pairs[0]!.chatId],
        [pairs[1]!.lid, pairs[1]!.chatId],
        [pairs[2]!.lid, pairs[2]!.lid],
      ]),
    );
  });

  it('are deleted after a while for an import that was interrupted and never repeated', async () => {
    const id = `c-${randomUUID()}` as CampaignId;
    const content = { kind: 'text', text: 'Hello' } as const;
    await ledger.audiences.open({ id, requestHash: 'h', definition: { instance: INSTANCE, content }, nowMs: NOW });
    const audience = await ledger.audiences.beginImport(id, NOW);
    await ledger.audiences.addLines(audience, readLines([{ line: 2, chatId: '15550000001@c.us', values: {} }]));
    expect(await removed(NOW + KEPT)).toEqual({});
    expect(await removed(NOW + KEPT + SECOND)).toEqual({ audiences: 1 });
    expect(await count('recipients')).toBe(0);
    expect(await ledger.audiences.view(id, NOW)).not.toHaveProperty('importing');
  });
});

it('the document names the bound of every table, and names no other table', () => {
  const tables = [
    ...readFileSync('src/ledger/storage/schema.sql', 'utf8').matchAll(/^create (?:unlogged )?table (\w+)/gm),
  ];
  const document =
    readFileSync('docs/guarantees.md', 'utf8').split('## What is kept, and for how long')[1]?.split('\n## ')[0] ?? '';
  const listed = [...document.matchAll(/^\|(?<cell>[^|]+)\|/gm)].flatMap(({ groups }) => [
    ...(groups?.cell ?? '').matchAll(/`(\w+)`/g),
  ]);
  expect(new Set(listed.map(([, name]) => name))).toEqual(new Set(tables.map(([, name]) => name)));
  expect(listed).toHaveLength(tables.length);
});
