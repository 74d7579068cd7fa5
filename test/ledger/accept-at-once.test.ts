/**
 * The one statement by which nearly every message is accepted, held against the general way: whatever happened to the
 * message before, both leave equal rows, or the one statement does nothing at all.
 */
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { sql, type Kysely } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EditId, MessageContent, MessageId, MessageSnapshot } from '../../src/contract/index.js';
import { acceptAtOnce } from '../../src/ledger/accept-at-once.js';
import { Edits } from '../../src/ledger/edits.js';
import { GatewayClocks } from '../../src/ledger/gateway-clocks.js';
import { Messages } from '../../src/ledger/messages.js';
import { recordOutcome } from '../../src/ledger/outcome.js';
import { Receipts } from '../../src/ledger/receipts.js';
import type { Schema } from '../../src/ledger/schema.js';
import { Store } from '../../src/ledger/store.js';
import { aDatabase } from '../support/ledger.js';
import { CHAT, exactly, MINUTE, NOW, SECOND } from './cast.js';

let db: Kysely<Schema>;
let close: () => Promise<void>;
let ledger: { messages: Messages; edits: Edits; receipts: Receipts; gatewayClocks: GatewayClocks };

beforeAll(async () => {
  ({ db, close } = await aDatabase());
  const store = new Store(db);
  ledger = {
    messages: new Messages(store),
    edits: new Edits(store),
    receipts: new Receipts(store),
    gatewayClocks: new GatewayClocks(store),
  };
});
afterAll(() => close());

interface Story {
  readonly content: MessageContent;
  readonly httpStatus: number;
  /** Was posted before, surely without being accepted. */
  readonly isSecondTry: boolean;
  readonly editedBefore: boolean;
  readonly editWaits: boolean;
  readonly cancelRequested: boolean;
  readonly isUnknown: boolean;
  readonly clockKnown: boolean;
  readonly idTaken: boolean;
  readonly parked: readonly ('sent' | 'delivered' | 'failed')[];
}

const ORDINARY: Story = {
  content: { kind: 'text', text: 'hello' },
  httpStatus: 200,
  isSecondTry: false,
  editedBefore: false,
  editWaits: false,
  cancelRequested: false,
  isUnknown: false,
  clockKnown: false,
  idTaken: false,
  parked: [],
};

/** Each message of a test has all its names from one word, so that two may be compared name by name. */
interface Played {
  readonly word: string;
  readonly id: MessageId;
  readonly token: string;
  readonly idMessage: string;
}

/** A message that lived through the story up to the moment before its response came. */
async function play(story: Story): Promise<Played> {
  const word = randomUUID();
  const [id, token, idMessage] = [`msg_${word}` as MessageId, `token-${word}`, `A-${word}`];
  if (story.clockKnown) await ledger.gatewayClocks.narrow(word, exactly(-7 * SECOND), NOW);
  if (story.idTaken) {
    await begin(`msg_other-${word}` as MessageId, word, { kind: 'text', text: 'other' });
    await claim(`msg_other-${word}` as MessageId, `other-${word}`);
    await ledger.messages.recordOutcome(`other-${word}`, { kind: 'accepted', idMessage, httpStatus: 200 }, NOW);
  }
  await begin(id, word, story.content);
  if (story.editedBefore) await edit(id, `edt_early-${word}`, 'edited early');
  if (story.isSecondTry) {
    await claim(id, `first-${word}`);
    await ledger.messages.recordOutcome(`first-${word}`, { kind: 'not_accepted', code: 'GATEWAY_BUSY' }, NOW);
  }
  await claim(id, token);
  if (story.editWaits) await edit(id, `edt_late-${word}`, 'edited late');
  if (story.cancelRequested) await ledger.messages.cancel(id, 'request', NOW);
  if (story.isUnknown) await ledger.messages.reconcileAbandoned(id, NOW + MINUTE);
  for (const status of story.idTaken ? [] : story.parked) {
    await ledger.receipts.apply(word, { kind: 'status', idMessage, status, atMs: NOW }, NOW);
  }
  return { word, id, token, idMessage };
}

async function begin(id: MessageId, instance: string, content: MessageContent, messages = ledger.messages) {
  const request = { instance, content, ...(content.kind === 'status' ? {} : { chatId: CHAT }) };
  await messages.open({ id, requestHash: 'h', request, expiresAtMs: NOW + 60 * MINUTE, nowMs: NOW });
}

async function claim(id: MessageId, token: string, messages = ledger.messages) {
  const times = { postingDeadlineMs: NOW + 5 * SECOND, reconcileAfterMs: NOW + 35 * SECOND, nowMs: NOW };
  expect(await messages.claim({ id, token, worker: 'worker-1', ...times })).toMatchObject({ kind: 'claimed' });
}

async function edit(messageId: MessageId, editId: string, text: string): Promise<void> {
  await ledger.edits.open({ editId: editId as EditId, messageId, text, nowMs: NOW });
}

function response({ idMessage }: Played, { httpStatus }: Story) {
  return { kind: 'accepted', idMessage, httpStatus } as const;
}

/** Every row that tells of the message, in order, with the names and without the numbers that are its own. */
async function rowsOf({ word, id, token }: Played, snapshot?: MessageSnapshot): Promise<unknown> {
  const of = (table: 'attempts' | 'evidence' | 'edits') =>
    db.selectFrom(table).selectAll().where('message_id', '=', id).orderBy('seq').execute();
  const rows = {
    snapshot,
    message: await db.selectFrom('messages').selectAll().where('id', '=', id).execute(),
    attempts: await of('attempts'),
    evidence: await of('evidence'),
    edits: await of('edits'),
    ids: await db.selectFrom('message_ids').selectAll().where('instance', '=', word).orderBy('id_message').execute(),
    parked: await db.selectFrom('parked_receipts').selectAll().where('instance', '=', word).orderBy('seq').execute(),
  };
  const accepted = await db.selectFrom('attempts').select('outcome_seq').where('token', '=', token).executeTakeFirst();
  const text = JSON.stringify(rows, (name, value: unknown) =>
    ['seq', 'outcome_seq', 'receipt_hash'].includes(name) ? typeof value : value,
  );
  const comparable = text.replaceAll(word, 'word').replaceAll(/receipt:[\w-]{22}/g, 'receipt');
  return { ...(JSON.parse(comparable) as object), numbered: accepted?.outcome_seq !== null };
}

describe('accepting in one statement', () => {
  it('leaves the rows of an ordinary message as the general way does', async () => {
    const [one, other] = [await play(ORDINARY), await play(ORDINARY)];

    const snapshot = await acceptAtOnce(db, one.token, response(one, ORDINARY), NOW + SECOND);

    expect(snapshot).toMatchObject({ id: one.id, state: 'accepted', version: 3, idMessage: one.idMessage, edits: [] });
    const general = await db
      .transaction()
      .execute((tx) => recordOutcome(tx, other.token, response(other, ORDINARY), NOW + SECOND));
    expect(await rowsOf(one, snapshot)).toEqual(await rowsOf(other, general));
  });

  it('leaves the rows of any message as the general way does', async () => {
    const stories = fc.record<Story>({
      content: fc.constantFrom<MessageContent>(
        ORDINARY.content,
        { kind: 'status', text: 'hello' },
        { kind: 'file', url: 'https://example.com/a.pdf', fileName: 'a.pdf' },
      ),
      httpStatus: fc.constantFrom(200, 201),
      isSecondTry: fc.boolean(),
      editedBefore: fc.boolean(),
      editWaits: fc.boolean(),
      cancelRequested: fc.boolean(),
      isUnknown: fc.boolean(),
      clockKnown: fc.boolean(),
      idTaken: fc.boolean(),
      parked: fc.subarray(['sent', 'delivered', 'failed'] as const),
    });
    // Only a text can be edited.
    const possible = stories.map((story) =>
      story.content.kind === 'text' ? story : { ...story, editedBefore: false, editWaits: false },
    );
    await fc.assert(
      fc.asyncProperty(possible, async (story) => {
        const [one, other] = [await play(story), await play(story)];
        const snapshot = await ledger.messages.recordOutcome(one.token, response(one, story), NOW + MINUTE);
        const general = await db
          .transaction()
          .execute((tx) => recordOutcome(tx, other.token, response(other, story), NOW + MINUTE));
        expect(await rowsOf(one, snapshot)).toEqual(await rowsOf(other, general));
      }),
      { numRuns: 15 },
    );
  });

  it.each<[string, Partial<Story>]>([
    ['an edit waits', { editWaits: true }],
    ['an edit came before it', { editedBefore: true }],
    ['it was not accepted the first time', { isSecondTry: true }],
    ['a cancellation came too late', { cancelRequested: true }],
    ['it goes to no single recipient', { content: { kind: 'status', text: 'hello' } }],
  ])('suffices when %s', async (_, over) => {
    const story = { ...ORDINARY, ...over };
    const played = await play(story);

    expect(await acceptAtOnce(db, played.token, response(played, story), NOW)).toMatchObject({ state: 'accepted' });
  });

  it.each<[string, Partial<Story>]>([
    ['the row is unknown', { isUnknown: true }],
    ['a receipt waits for the id', { parked: ['sent'] }],
    ['another message has the id', { idTaken: true }],
  ])('does nothing when %s', async (_, over) => {
    const story = { ...ORDINARY, ...over };
    const played = await play(story);
    const before = await rowsOf(played);

    expect(await acceptAtOnce(db, played.token, response(played, story), NOW)).toBeUndefined();
    expect(await rowsOf(played)).toEqual(before);
  });

  it('does nothing a second time, nor for an attempt whose text an edit has replaced since', async () => {
    const [again, replaced] = [await play(ORDINARY), await play(ORDINARY)];
    await acceptAtOnce(db, again.token, response(again, ORDINARY), NOW);
    await ledger.messages.recordOutcome(replaced.token, { kind: 'not_accepted', code: 'GATEWAY_BUSY' }, NOW);
    await edit(replaced.id, `edt_${replaced.word}`, 'other');
    await claim(replaced.id, `second-${replaced.word}`);

    for (const played of [again, replaced]) {
      const before = await rowsOf(played);
      expect(await acceptAtOnce(db, played.token, response(played, ORDINARY), NOW)).toBeUndefined();
      expect(await rowsOf(played)).toEqual(before);
    }
  });

  it('does nothing for an attempt that no one made', async () => {
    const missing = { kind: 'accepted', idMessage: 'A1', httpStatus: 200 } as const;
    expect(await acceptAtOnce(db, 'missing', missing, NOW)).toBeUndefined();
  });
});

describe('the statements that every message passes through', () => {
  // In a database of its own: too few rows change for the server to analyze a table, so a plan depends on no statistics.
  let empty: { db: Kysely<Schema>; close: () => Promise<void> };
  beforeAll(async () => {
    empty = await aDatabase();
  });
  afterAll(() => empty.close());

  it('find each row by its key though the tables are empty', async () => {
    await empty.db.connection().execute(async (connection) => {
      const messages = new Messages(new Store(connection));
      const id = `msg_${randomUUID()}` as MessageId;
      await begin(id, 'main', ORDINARY.content, messages);
      await claim(id, id, messages);
      await acceptAtOnce(connection, id, { kind: 'accepted', idMessage: id, httpStatus: 200 }, NOW);

      const scans = await scansOf(connection, 'claim_message');
      // No table is gone through. Two indexes lead to what is sending or unknown in an instance, and to nothing else:
      // either will do, and which one is cheaper depends on what the table holds at the time.
      expect(scans).not.toContain('Seq');
      const [ofIdentical = '', ...others] = scans.filter(
        (scan) => scan.startsWith('messages_') && scan !== 'messages_pkey',
      );
      expect(['messages_open', 'messages_identical']).toContain(ofIdentical);
      expect(others).toEqual([]);
      expect(scans).toContain('messages_pkey');
      expect(await scansOf(connection, 'accept_message')).toEqual([
        'attempts_token_key',
        'edits_of_message',
        'gateway_clocks_pkey',
        'messages_pkey',
      ]);
    });
  });
});

/** How the plan of a prepared statement finds its rows: the indexes, and whatever else it scans. */
async function scansOf(connection: Kysely<Schema>, name: string): Promise<string[]> {
  const prepared = await sql<{ parameters: number }>`
    select cardinality(parameter_types) as parameters from pg_prepared_statements where name = ${name}`.execute(
    connection,
  );
  const nulls = Array.from({ length: prepared.rows[0]?.parameters ?? 0 }, () => 'null').join(', ');
  await sql`set plan_cache_mode = force_generic_plan`.execute(connection);
  const plan = await sql.raw<{ 'QUERY PLAN': string }>(`explain execute ${name}(${nulls})`).execute(connection);
  const scans = plan.rows.flatMap(
    (row) => /(?:Index.* Scan using |Bitmap Index Scan on |(?=Seq ))(\w+)/.exec(row['QUERY PLAN'])?.[1] ?? [],
  );
  return [...new Set(scans)].toSorted();
}
