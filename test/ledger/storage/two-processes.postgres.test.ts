/**
 * Two ledgers on one database, as two workers have them, each with its own connections. The locks of a server cannot be
 * seen on the embedded one, which runs one transaction at a time.
 */
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acceptedAs } from '../../support/edits.js';
import { openLedger, type Ledger, type StoredReceipt } from '../../../src/ledger/index.js';
import { eventually } from '../../support/eventually.js';
import { aDatabaseUrl, dropDatabase } from '../../support/ledger/ledger.js';
import { aWait, Cast, NOW, SECOND } from '../cast.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

let databaseUrl: string;
let ledgers: [Ledger, Ledger];

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  ledgers = await Promise.all([openLedger({ databaseUrl }, UNENCRYPTED), openLedger({ databaseUrl }, UNENCRYPTED)]);
});

afterAll(async () => {
  await Promise.all(ledgers.map((ledger) => ledger.close()));
  await dropDatabase(databaseUrl);
});

/** The same instance, seen by two workers. */
function workers(): [Cast, Cast] {
  const one = new Cast(ledgers[0]);
  return [one, Object.assign(new Cast(ledgers[1]), { instance: one.instance })];
}

const ROUNDS = Array.from({ length: 20 }, (_, round) => round);

describe('two workers', () => {
  it('write one message once when they open it at once', async () => {
    const [one, two] = workers();
    for (const _ of ROUNDS) {
      const id = one.anId();
      const request = one.request();
      const open = ({ ledger }: Cast, requestHash: string) =>
        ledger.intake.open({ id, requestHash, request, expiresAtMs: NOW + SECOND, nowMs: NOW });
      const [a, b] = await Promise.all([open(one, 'h'), open(two, 'h')]);
      expect(a).toEqual(b);
      await expect(open(two, 'another')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    }
  });

  it('either post or cancel a message that they claim and cancel at once', async () => {
    const [one, two] = workers();
    for (const round of ROUNDS) {
      const id = await one.pending();
      const claim = () => one.claim(id);
      const cancel = () => two.ledger.messages.cancel(id, 'operator', NOW);
      const [a, b] = round % 2 === 0 ? [claim(), cancel()] : [cancel(), claim()];
      const [claimed] = await Promise.all(round % 2 === 0 ? [a, b] : [b, a]);
      const state = await one.state(id);
      // What the claim found locked is due again at once; by then it is cancelled.
      expect(state).toBe(claimed === undefined ? 'cancelled' : 'sending');
    }
  });

  it('leave no receipt parked when they store an id and its receipts at once', async () => {
    const [one, two] = workers();
    const posted = await Promise.all(
      ROUNDS.map(async () => {
        const { id, token } = await one.posting();
        return { id, token, idMessage: randomUUID() };
      }),
    );
    await Promise.all(
      posted.flatMap(({ token, idMessage }) => [
        one.accept(token, idMessage),
        two.receive(idMessage, 'sent'),
        two.receive(idMessage, 'delivered'),
      ]),
    );
    expect(await Promise.all(posted.map(({ id }) => one.state(id)))).toEqual(posted.map(() => 'delivered'));
    expect(await parkedOf(one.instance)).toBe(0);
  });

  it('never deadlock when they move the same few messages in every way at once', async () => {
    const [one, two] = workers();
    const messages = await Promise.all(
      ROUNDS.slice(0, 5).map(async () => {
        const { id, token } = await one.posting();
        return { id, token, idMessage: randomUUID(), responded: randomUUID(), editId: await one.edit(id, 'edited') };
      }),
    );
    // Everything that either worker may record about a message, in any order.
    const moves: (() => Promise<unknown>)[] = messages.flatMap(({ id, token, idMessage, responded, editId }) =>
      [one, two].flatMap((worker) => [
        () => worker.accept(token, idMessage),
        () => worker.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' }),
        () => worker.receive(idMessage, 'sent'),
        () => worker.receive(idMessage, 'read'),
        () => worker.receive(responded, 'failed', { description: 'too late' }),
        async () => {
          const due = await worker.claimEdit(editId);
          if (due !== undefined) await worker.recordEdit(due, acceptedAs(responded));
        },
        () => worker.readEdit(editId, 'edited'),
        () => worker.ledger.edits.endByTime(10, NOW),
        () =>
          worker.ledger.receipts.apply(
            worker.instance,
            { kind: 'edited', originalIdMessage: idMessage, idMessage: randomUUID(), text: 'edited', atMs: NOW },
            NOW,
          ),
        () => worker.ledger.messages.cancel(id, 'operator', NOW),
        () => worker.ledger.messages.expire(id, NOW),
        () => worker.edit(id, 'edited again').catch(isNoLongerPossible),
      ]),
    );
    // All of them at once, by each worker in another order.
    const all = messages.map(({ idMessage }, at) => told(one, String(at), idMessage, 'delivered'));
    moves.push(
      () => one.ledger.receipts.applyTogether(all, NOW),
      () => two.ledger.receipts.applyTogether(all.toReversed(), NOW),
      () => one.ledger.receipts.applyTogether(all.toReversed(), NOW),
    );
    // The server would break a deadlock by ending one of them: it would be rejected here.
    const order = moves.map((move, at) => ({ move, at: (at * 37) % moves.length })).toSorted((a, b) => a.at - b.at);
    await Promise.all(order.map(({ move }) => move()));

    // Once more, now that everything is recorded: nothing depends on the order any more.
    for (const { token, idMessage } of messages) await one.accept(token, idMessage);
    expect(await Promise.all(messages.map(({ id }) => two.state(id)))).toEqual(messages.map(() => 'read'));
    for (const { id } of messages) expect(await two.evidence(id, 'accepted')).toHaveLength(1);
  });
});

it('several workers create the tables once when they begin on an empty database at once', async () => {
  const url = await anEmptyDatabase();
  try {
    const opened = await Promise.all(
      [1, 2, 3, 4].map(() => openLedger({ databaseUrl: url }, { ...UNENCRYPTED, maxConnections: 2 })),
    );
    await Promise.all(opened.map((ledger) => ledger.ping()));
    await Promise.all(opened.map((ledger) => ledger.close()));
    expect(await rows(url, 'select name from kysely_migration')).not.toEqual([]);
  } finally {
    await dropDatabase(url);
  }
});

describe('receipts that are applied together', () => {
  let other: Client;
  beforeEach(async () => {
    other = new Client(databaseUrl);
    await other.connect();
    await other.query('begin');
  });
  afterEach(() => other.end());

  it('skip a message that another transaction changes, and apply the others', async () => {
    const [c] = workers();
    const [one, two] = [await c.accepted(`A1-${c.instance}`), await c.accepted(`A2-${c.instance}`)];
    await other.query('update messages set version = version + 1 where id = $1', [one]);

    const applying = c.ledger.receipts.applyTogether(
      [told(c, '1', `A1-${c.instance}`, 'sent'), told(c, '2', `A2-${c.instance}`, 'sent')],
      NOW,
    );
    await untilBlocked();
    await other.query('commit');

    expect((await applying).outcomes).toEqual(
      new Map([
        ['1', 'busy'],
        ['2', 'applied'],
      ]),
    );
    expect([await c.state(one), await c.state(two)]).toEqual(['accepted', 'sent']);
  });

  it('do not wait for a transaction that is about to give their id an owner, and are not parked', async () => {
    const [c] = workers();
    await other.query('select lock_id_message($1, $2)', [c.instance, 'A1']);

    const { outcomes } = await c.ledger.receipts.applyTogether(
      [told(c, '1', 'A1', 'sent'), told(c, '2', 'A2', 'sent')],
      NOW,
    );

    expect(outcomes).toEqual(
      new Map([
        ['1', 'busy'],
        ['2', 'parked'],
      ]),
    );
    expect(await parkedOf(c.instance)).toBe(1);
  });

  async function untilBlocked(): Promise<void> {
    const waiting = "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()";
    await eventually(async () => expect(await rows(databaseUrl, waiting)).not.toEqual([]));
  }
});

describe('what a run has to get', () => {
  it('is given to one worker until its time is over or it is released', async () => {
    const [one, two] = workers();
    const id = await one.accepted(`A-${one.instance}`, { run: 'started' });
    await one.ledger.outbox.awaitState(aWait(id));
    await one.ledger.receipts.applyTogether([told(one, '1', `A-${one.instance}`, 'sent')], NOW);
    const claim = async (worker: Cast, nowMs: number) => {
      const claimed = await worker.ledger.outbox.claim({ nowMs, forMs: 15 * SECOND, limit: 1_000 });
      return claimed.find(({ messageId }) => messageId === id)?.seq;
    };

    const seq = await claim(one, NOW);
    expect([seq, await claim(two, NOW)]).toEqual([expect.any(String), undefined]);
    expect([await claim(two, NOW + 15 * SECOND), await claim(one, NOW + 15 * SECOND)]).toEqual([seq, undefined]);
    await two.ledger.outbox.release([seq ?? ''], NOW);
    expect(await claim(one, NOW)).toBe(seq);
  });
});

function told(c: Cast, id: string, idMessage: string, status: 'sent' | 'delivered'): StoredReceipt {
  return { id, instance: c.instance, receipt: { kind: 'status', idMessage, status, atMs: NOW } };
}

function isNoLongerPossible(error: unknown): void {
  expect(error).toMatchObject({ code: 'EDIT_NOT_POSSIBLE' });
}

async function parkedOf(instance: string): Promise<number> {
  return (await rows(databaseUrl, 'select from parked_receipts where instance = $1', instance)).length;
}

async function anEmptyDatabase(): Promise<string> {
  const url = new URL(databaseUrl);
  url.pathname = `/everpost_${randomUUID().replaceAll('-', '')}`;
  await rows(databaseUrl, `create database ${url.pathname.slice(1)}`);
  return url.href;
}

async function rows(url: string, statement: string, ...parameters: unknown[]): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement, parameters)).rows;
  } finally {
    await client.end();
  }
}
