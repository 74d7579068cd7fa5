/** ERASE-6 for every table: what is still to be sent or found by is kept and listed, everything else loses the number. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { PERSONAL_DATA, type Holds } from '../../../src/ledger/privacy/personal-data.js';
import { STILL_NEEDED } from '../../../src/ledger/privacy/still-needed.js';
import { eraseRecipients } from '../../../src/worker/index.js';
import { anEmbeddedDatabase } from '../../support/ledger/embedded-database.js';
import { NOW } from '../cast.js';
import { RawRows } from './raw-rows.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

const NUMBER = '15550420001';
const OTHER = '15559999999@c.us';

let rows: RawRows;
let ledger: Ledger;
beforeAll(async () => {
  const database = await anEmbeddedDatabase();
  rows = new RawRows(database);
  ledger = await openLedger({ database }, UNENCRYPTED);
});
afterAll(() => ledger.close());

type Row = Readonly<Record<string, unknown>>;
type Table = keyof typeof PERSONAL_DATA;

const CALM = { instance: 'calm' };
/** An instance with a message in doubt whose text contains the number. */
const DOUBT = { instance: 'doubt' };
const ENDED = new Date(NOW).toISOString();
const SUPPRESSION = { scope: 'all', source: 'operator', removed_at: ENDED, removed_by: 'operator' };

/** Columns of a row of which nothing is to be sent, and of one that is still needed. Absent: the table has no such row. */
const ROWS: { readonly [Name in Table]?: { readonly over?: Row; readonly needed?: Row } } = {
  amendments: { over: { campaign_id: 'done', ended_at: ENDED }, needed: { campaign_id: 'running' } },
  attempts: { over: { message_id: 'msg_over' }, needed: { message_id: 'msg_needed' } },
  campaigns: {
    over: { id: 'done', state: 'completed' },
    needed: { id: 'running', state: 'running' },
  },
  edits: { over: { state: 'edited' }, needed: { state: 'posted' } },
  events: { over: { seq: -1, type: 'message.received' }, needed: { seq: -2, type: 'message.received' } },
  messages: {
    over: { id: 'msg_over', chat_id: OTHER, recipient_key: OTHER, state: 'sent' },
    needed: { id: 'msg_needed', chat_id: OTHER, recipient_key: OTHER, state: 'pending' },
  },
  notifications: { over: CALM, needed: DOUBT },
  observations: { over: CALM, needed: DOUBT },
  operations: { over: { state: 'done' }, needed: { state: 'pending' } },
  outbox: { over: { campaign_id: 'done' } },
  parked_receipts: { over: CALM, needed: DOUBT },
  queue_readings: { over: CALM, needed: DOUBT },
  possible_opt_outs: { over: { state: 'dismissed' } },
  recipients: { over: { audience_no: 1 }, needed: { audience_no: 2 } },
  recurring_jobs: { over: { kind: 'stories' } },
  schedule_runs: { over: { kind: 'trigger', state: 'failed', campaign_id: 'c' } },
  schedules: { over: { state: 'deleted' }, needed: { state: 'paused' } },
  suppressions: { over: SUPPRESSION },
  templates: { needed: { state: 'submitted' } },
};

const SEARCHED: readonly Holds[] = ['sent', 'words', 'data', 'row', 'whole', 'copy', 'bytes'];

/** A value that contains the number and the word, in each kind of column. */
function mention(type: string, word: string): unknown {
  const text = `call +${NUMBER} ${word}`;
  if (type === 'bytea') return Buffer.from(JSON.stringify({ text }));
  return type === 'json' ? { text } : text;
}

/** @returns the rows to insert: one for each column, with the word KEPT where the number has to stay */
async function cast(): Promise<(readonly [Table, Row])[]> {
  const types = await rows.query<{ column: string; type: string }>(
    "select table_name || '.' || column_name as column, data_type as type from information_schema.columns where table_schema = 'public'",
  );
  const typeOf = new Map(types.map(({ column, type }) => [column, type]));
  return Object.entries<Readonly<Record<string, Holds>>>(PERSONAL_DATA).flatMap(([name, columns]) => {
    const table = name as Table;
    const { over = {}, needed } = ROWS[table] ?? {};
    const filled = (kind: readonly Holds[], word: string) =>
      Object.fromEntries(
        Object.entries(columns)
          .filter(([, holds]) => kind.includes(holds))
          .map(([column]) => [column, mention(typeOf.get(`${table}.${column}`) ?? '', word)]),
      );
    const erased = filled(SEARCHED, 'ERASED');
    const hasOver = table !== 'templates' && Object.keys(erased).length > 0;
    const addresses = Object.entries(filled(['address'], 'KEPT')).filter(([column]) => !(column in over));
    return [
      ...(hasOver ? [[table, { ...erased, ...over }] as const] : []),
      ...(needed === undefined ? [] : [[table, { ...filled(SEARCHED, 'KEPT'), ...needed }] as const]),
      ...addresses.map(([column, value]) => [table, { ...over, ...needed, ...again(table), [column]: value }] as const),
    ];
  });
}

/** Another row of a table whose rows above have the same key. */
function again(table: Table): Row {
  if (table === 'events') return { seq: -3, type: 'message.received' };
  return table === 'messages' || table === 'campaigns' ? { id: randomUUID() } : {};
}

it('every table keeps and lists what is still needed, and loses the number everywhere else', async () => {
  // The rows of recipients name the audiences 1 and 2; the database may have been used before.
  await rows.query('alter table audiences alter column no restart with 1');
  for (const campaign_id of ['done', 'running']) await rows.insert('audiences', { campaign_id });
  const planted = await cast();
  for (const [table, row] of planted) await rows.insert(table, row);
  await rows.insert('event_deliveries', { event_seq: -2 });
  await rows.insert('messages', {
    ...DOUBT,
    chat_id: OTHER,
    recipient_key: OTHER,
    state: 'unresolved',
    content: mention('json', 'KEPT'),
  });
  // Every column is in a row.
  const isPlanted = (table: string, column: string) => planted.some(([name, row]) => name === table && column in row);
  for (const [table, columns] of Object.entries<Readonly<Record<string, Holds>>>(PERSONAL_DATA)) {
    for (const [column, holds] of Object.entries(columns)) {
      if (holds === 'sent') expect(STILL_NEEDED, table).toHaveProperty(table);
      if (!['hash', 'keyed', 'chat'].includes(holds)) expect(isPlanted(table, column), `${table}.${column}`).toBe(true);
    }
  }
  const before = await rows.containing(NUMBER);
  expect(before.length).toBe(planted.length + 1);

  const { receipt } = await ledger.erasures.begin({ chatId: `${NUMBER}@c.us`, requestedBy: 'test', nowMs: NOW });
  const job = { ledger, keptForMs: 1_000, clock: { nowMs: () => NOW }, log: () => undefined };
  await eraseRecipients(job).round();

  const kept = before.filter((row) => row.includes('KEPT'));
  expect((await rows.containing(NUMBER)).toSorted()).toEqual(kept.toSorted());
  expect(await rows.containing('ERASED')).toHaveLength(before.length - kept.length - 1);
  const done = await ledger.erasures.find(receipt.id);
  expect(done).toMatchObject({ state: 'done' });
  const counts = Object.fromEntries(Object.entries(done?.kept ?? {}).map(([table, { count }]) => [table, count]));
  const tables = kept.map((row) => row.slice(0, row.indexOf(':')));
  const ofTable = (table: string) => tables.filter((one) => one === table).length;
  expect(counts).toEqual(Object.fromEntries(tables.map((table) => [table, ofTable(table)])));
  expect(done?.kept).toMatchObject({
    recipients: { ids: ['running, line 1'] },
    edits: { ids: [expect.stringMatching(/^any /)] },
  });
  expect(JSON.stringify(done)).not.toContain(NUMBER);
});
