/** RETURN-1 to RETURN-6: a ledger that is an older copy of itself. */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CampaignId, LEDGER_WENT_BACK, type MessageId } from '../../../src/contract/index.js';
import type { Shift } from '../../../src/ledger/index.js';
import { recordRestore } from '../../../src/ledger/dispatch/went-back.js';
import { LedgerCopies } from '../../model/sequences/copies.js';
import { startCampaign } from '../../support/campaign.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { NOW, SECOND } from '../cast.js';
import { accepted, aChat, anId, DispatchCast } from './cast.js';

let database: Awaited<ReturnType<typeof aDatabase>>;
let copies: LedgerCopies;
let c: DispatchCast;
/** What Temporal knows of the instance. */
let mark: string | undefined;

beforeEach(async () => {
  database = await aDatabase();
  copies = new LedgerCopies(database.db);
  c = await DispatchCast.begun(database.ledger);
  mark = undefined;
});
afterEach(() => database.close());

/** Claims all that is due, and has it accepted. @returns the last attempt */
async function post(last?: string): Promise<string | undefined> {
  const attempts = await c.claim(last === undefined ? {} : { last });
  await c.write(...attempts.map((attempt) => accepted(attempt)));
  return attempts.at(-1)?.token;
}

async function end(): Promise<void> {
  ({ mark = mark } = await c.ledger.dispatch.endShift(c.shift, NOW));
}

/** The next shift of the run, with what Temporal knows. */
async function next(): Promise<void> {
  const shift: Shift = { ...c.shift, try: { ...c.shift.try, shift: c.shift.try.shift + 1 }, ...(mark && { mark }) };
  const begun = await c.ledger.dispatch.beginShift(shift, NOW, {}, NOW + 40 * SECOND);
  expect(begun.granted).toBe(true);
  c.shift = shift;
}

async function reasons(ids: readonly MessageId[]) {
  const rows = await Promise.all(ids.map((id) => c.ledger.messages.snapshot(id)));
  return rows.map((row) => row && [row.state, row.reason]);
}

const DOUBTED = ['unresolved', LEDGER_WENT_BACK];

async function restores(): Promise<string[]> {
  const { rows } = await sql<{ found_by: string }>`select found_by from restores order by number`.execute(database.db);
  return rows.map(({ found_by }) => found_by);
}

it('RETURN-1 a shift is lost if an older copy has no row of its instance, since it was first served later', async () => {
  await sql`delete from dispatchers where instance = ${c.instance}`.execute(database.db);
  expect(await c.tick()).toMatchObject({ claimed: [], isLost: true });
});

describe('a ledger that was restored while nothing ran', () => {
  it('RETURN-1, RETURN-2 doubts what was due, and posts what is requested later', async () => {
    const ids = await c.takeMany(3);
    await copies.take();
    await post();
    await end();
    await copies.restore();
    await next();
    expect(await reasons(ids)).toEqual([DOUBTED, DOUBTED, DOUBTED]);
    expect(await restores()).toEqual(['dispatcher']);
    const later = await c.take();
    expect(await c.claimIds()).toEqual([later]);
  });

  it('RETURN-2 doubts what was in flight, in parts', async () => {
    const [first = anId()] = await c.takeMany(1);
    await c.claimOne();
    const others = await c.takeMany(501);
    await copies.take();
    await post();
    await end();
    await copies.restore();
    await next();
    expect(await reasons([first])).toEqual([DOUBTED]);
    const found = await c.ledger.views.messages({ reason: LEDGER_WENT_BACK, state: 'unresolved', limit: 500 });
    expect(found.items).toHaveLength(500);
    expect(new Set((await reasons(others)).map((one) => one?.[0]))).toEqual(new Set(['unresolved']));
  }, 180_000);

  it('RETURN-2 doubts each of several identical messages', async () => {
    const same = { chatId: aChat(), text: 'the same' };
    const ids = [await c.take(same), await c.take(same)];
    await copies.take();
    await post();
    await end();
    await copies.restore();
    await next();
    expect(await reasons(ids)).toEqual([DOUBTED, DOUBTED]);
  });

  it('RETURN-2 leaves what was not due yet', async () => {
    const later = await c.take({ sendAtMs: NOW + 60 * SECOND });
    const ids = await c.takeMany(1);
    await copies.take();
    await post();
    await end();
    await copies.restore();
    await next();
    expect(await reasons([...ids, later])).toEqual([DOUBTED, ['pending', undefined]]);
  });

  it('RETURN-4 is found once, however often the shifts begin', async () => {
    await c.takeMany(1);
    await copies.take();
    await post();
    await end();
    await copies.restore();
    await next();
    const later = await c.take();
    // Its try died before Temporal knew a mark of it.
    await next();
    expect(await restores()).toHaveLength(1);
    expect(await c.state(later)).toBe('pending');
  });

  it('RETURN-4 is found again after another restore', async () => {
    await c.takeMany(1);
    await copies.take();
    for (let times = 1; times <= 2; times += 1) {
      await post();
      await end();
      await copies.restore();
      await next();
      expect(await restores()).toEqual(['dispatcher']);
      await c.take();
    }
  });

  it('RETURN-5 gives what may have been sent a place that the copy had given', async () => {
    const [id = anId()] = await c.takeMany(1);
    await copies.take();
    const { rows } = await sql<{ last: string }>`select last_value::text as last from ledger_seq`.execute(database.db);
    await post();
    await end();
    await copies.restore();
    await next();
    const attempt = await c.ledger.reconciling.attempt(id);
    expect(attempt?.claimSequence).toBeLessThanOrEqual(Number(rows[0]?.last));
    expect(attempt?.mayPresume).toBe(false);
  });
});

describe('a ledger in another database', () => {
  it('RETURN-1 is found by its first shift', async () => {
    const ids = await c.takeMany(2);
    await database.db.updateTable('ledger_identity').set({ origin: 'another' }).execute();
    await next();
    expect(await restores()).toEqual(['database']);
    expect(await reasons(ids)).toEqual([DOUBTED, DOUBTED]);
    await next();
    expect(await restores()).toEqual(['database']);
  });

  it('RETURN-1 is not found when nothing has changed', async () => {
    const ids = await c.takeMany(2);
    await end();
    for (const _ of [1, 2]) await next();
    expect(await restores()).toEqual([]);
    expect(await reasons(ids)).toEqual([
      ['pending', undefined],
      ['pending', undefined],
    ]);
  });
});

describe('a ledger that goes back under a live shift', () => {
  it('RETURN-1 is found by the last claim of the shift', async () => {
    await c.takeMany(1);
    const known = await post();
    const ids = await c.takeMany(2);
    await copies.take();
    const last = await post(known);
    await copies.restore();
    const { claimed, isLost } = await c.tick(last === undefined ? {} : { last });
    expect([claimed, isLost]).toEqual([[], true]);
    await next();
    expect(await restores()).toEqual(['dispatcher']);
    expect(await reasons(ids)).toEqual([DOUBTED, DOUBTED]);
  });

  it('RETURN-3 does not stop a shift whose last claim is there', async () => {
    await c.takeMany(1);
    const last = await post();
    const ids = await c.takeMany(2);
    await recordRestore(database.db, 'database');
    expect(await c.claimIds(last === undefined ? {} : { last })).toEqual(ids);
    await end();
    await next();
    expect((await reasons(ids)).map((one) => one?.[0])).toEqual(['unknown', 'unknown']);
  });
});

describe('a campaign', () => {
  it('RETURN-6 doubts as many of its next recipients as could be sent since', async () => {
    const { ledger } = c;
    const id = 'c-back' as CampaignId;
    const definition = { instance: c.instance };
    await startCampaign({ ledger, clock: { nowMs: () => NOW } }, { id, recipients: 400, definition });
    await recordRestore(database.db, 'dispatcher', sql`${new Date(NOW)}::timestamptz`);
    const { doubtful } = await database.db.selectFrom('campaigns').select('doubtful').executeTakeFirstOrThrow();
    expect(doubtful).toBeGreaterThanOrEqual(128);
    expect(doubtful).toBeLessThan(400);
    const compose = () => ({ content: { kind: 'text', text: 'Hello' } }) as const;
    for (let read = 1; read > 0;)
      ({ count: read } = await ledger.dispatch.readAhead(id, { limit: 100, compose, nowMs: NOW }));
    const { rows } = await sql<{ state: string; first: number; last: number }>`
      select state, min(line) as first, max(line) as last from messages group by state order by first`.execute(
      database.db,
    );
    expect(rows).toEqual([
      { state: 'unresolved', first: 2, last: doubtful + 1 },
      { state: 'pending', first: doubtful + 2, last: 401 },
    ]);
  });
});
