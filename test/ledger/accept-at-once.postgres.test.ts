/** What others commit while the one statement waits for them is not overlooked. */
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MessageSnapshot } from '../../src/contract/index.js';
import { openLedger, type Ledger } from '../../src/ledger/index.js';
import { aDatabaseUrl, dropDatabase } from '../support/ledger.js';
import { Cast, NOW } from './cast.js';
import { eventually } from '../support/eventually.js';

let databaseUrl: string;
let ledger: Ledger;
let other: Client;
let onlooker: Client;

beforeAll(async () => {
  databaseUrl = await aDatabaseUrl();
  ledger = await openLedger({ databaseUrl });
  [other, onlooker] = [new Client(databaseUrl), new Client(databaseUrl)];
  await Promise.all([other.connect(), onlooker.connect()]);
});

afterAll(async () => {
  await Promise.all([ledger.close(), other.end(), onlooker.end()]);
  await dropDatabase(databaseUrl);
});

/** Accepts the message once someone else has done these statements and before they are committed. */
async function acceptDuring(
  c: Cast,
  token: string,
  statements: readonly [string, unknown[]][],
): Promise<MessageSnapshot> {
  await other.query('begin');
  for (const [text, values] of statements) await other.query(text, values);
  const accepted = c.accept(token, `A-${token}`);
  await eventually(async () => {
    const waiting = await onlooker.query(
      `select from pg_stat_activity where wait_event_type = 'Lock' and query like '/* accept_message */%'`,
    );
    expect(waiting.rowCount).toBe(1);
  });
  await other.query('commit');
  return accepted;
}

describe('accepting in one statement', () => {
  it('takes the receipt that is parked while it waits for the id', async () => {
    const c = new Cast(ledger);
    const id = await c.pending();
    const { token } = await c.claimed(id);
    const receipt = { kind: 'status', idMessage: `A-${token}`, status: 'sent', atMs: NOW };

    const snapshot = await acceptDuring(c, token, [
      ['select lock_id_message($1, $2)', [c.instance, `A-${token}`]],
      [
        `insert into parked_receipts (instance, id_message, receipt, receipt_hash, parked_at) values ($1, $2, $3, 'h', now())`,
        [c.instance, `A-${token}`, JSON.stringify(receipt)],
      ],
    ]);

    expect(snapshot).toMatchObject({ state: 'sent', idMessage: `A-${token}` });
  });

  it('shows the edit that is written while it waits for the row', async () => {
    const c = new Cast(ledger);
    const id = await c.pending();
    const { token } = await c.claimed(id);
    const editId = c.anEditId();

    const snapshot = await acceptDuring(c, token, [
      ['update messages set version = version + 1 where id = $1', [id]],
      [
        `insert into edits (id, message_id, text, state, requested_at) values ($1, $2, 'new', 'pending', now())`,
        [editId, id],
      ],
    ]);

    expect(snapshot).toMatchObject({ state: 'accepted', version: 4, edits: [{ id: editId, state: 'pending' }] });
  });
});
