/** Proves ERASE-1 to ERASE-7. still-needed.test.ts has ERASE-6 for every table. */
import { randomUUID } from 'node:crypto';
import type { ScheduleId } from '../../../src/contract/index.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import { eraseRecipients } from '../../../src/worker/index.js';
import { anEmbeddedDatabase } from '../../support/ledger/embedded-database.js';
import { Cast, NOW } from '../cast.js';
import { RawRows } from './raw-rows.js';
import { UNENCRYPTED } from '../../support/ledger/at-rest.js';

const DAY = 24 * 60 * 60 * 1000;

let rows: RawRows;
let ledger: Ledger;
beforeAll(async () => {
  const database = await anEmbeddedDatabase();
  rows = new RawRows(database);
  ledger = await openLedger({ database }, UNENCRYPTED);
});
afterAll(() => ledger.close());

const query = <Row>(text: string, parameters?: unknown[]): Promise<Row[]> => rows.query<Row>(text, parameters);
const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<void> => rows.insert(table, row);
const rowsWith = (word: string): Promise<string[]> => rows.containing(word);

let numbers = 15550300000;
/** A recipient of one test, and the words that the erasure must remove. */
function aRecipient() {
  const number = String(++numbers);
  return {
    number,
    chatId: `${number}@c.us`,
    name: `Quill${number.slice(-3)}ina`,
    text: `velvet otter ${randomUUID()}`,
  };
}

function jobAt(nowMs: number) {
  return eraseRecipients({ ledger, keptForMs: 30 * DAY, clock: { nowMs: () => nowMs }, log: () => undefined });
}

async function erased(chatId: string, nowMs = NOW) {
  const { receipt } = await ledger.erasures.begin({ chatId, requestedBy: 'test', nowMs });
  await jobAt(nowMs).round();
  return ledger.erasures.find(receipt.id);
}

describe('an erasure', () => {
  it('removes number, name and text from every column that may contain them, and keeps the rows (ERASE-2)', async () => {
    const { number, chatId, name, text } = aRecipient();
    const c = new Cast(ledger);
    const asked = { chatId, text, reference: name, statusCallback: `https://a.example/${number}` };
    const id = await c.accepted('ACCEPTED', asked);
    const { instance } = c;
    const said = { chatId, senderName: name, textMessage: text, at: 1 };
    const other = { chatId: '15559999999@c.us', senderName: 'Other', textMessage: 'stays', at: 2 };
    const participants = [
      { id: chatId, isAdmin: true },
      { id: '15559999999@c.us', isAdmin: false },
    ];
    const notification = {
      typeWebhook: 'incomingMessageReceived',
      idMessage: 'KEPT',
      timestamp: 7,
      senderData: { chatId, senderName: name },
      messageData: { textMessageData: { textMessage: text } },
    };
    const planted: readonly (readonly [string, Record<string, unknown>])[] = [
      ['edits', { id: `edt_${id}`, message_id: id, text, state: 'edited' }],
      [
        'operations',
        {
          id: `op_${id}`,
          state: 'done',
          request: { chatId, message: text },
          result: [said, other],
          text: `for ${number}`,
        },
      ],
      [
        'notifications',
        {
          hash: randomUUID(),
          received_at: new Date(NOW).toISOString(),
          kind: 'incomingMessageReceived',
          body: notification,
        },
      ],
      ['observations', { instance, id_message: id, notification: { ...said, idMessage: 'KEPT' } }],
      ['parked_receipts', { instance, id_message: id, receipt: said }],
      ['queue_readings', { instance, length: 2, items: [said, other] }],
      ['stories', { instance, id_message: id, story: said }],
      ['group_snapshots', { instance, data: { fields: { subject: 'stays' }, participants } }],
      ['recipient_rejects', { audience_no: 999, line: 1, value: `+${number}`, columns: { phone: 'x', name } }],
      ['commands', { id, result: { chatId } }],
      [
        'schedule_runs',
        { schedule_id: id, kind: 'trigger', campaign_id: 'c', state: 'failed', text: `line 3: ${number}` },
      ],
      ['start_words', { instance, id_message: id, chat_id: chatId, word: text }],
      [
        'events',
        { seq: -1, type: 'message.unresolved', message_id: id, callback_url: `https://example.com/${number}` },
      ],
      ['events', { seq: -2, type: 'message.received', data: { senderData: { sender: chatId } } }],
      ['events', { seq: -3, type: 'notification.received', raw: Buffer.from(`{"é":"${chatId}"}`) }],
      ['event_deliveries', { event_seq: -3 }],
    ];
    for (const [table, row] of planted) await insert(table, row);
    const before = await rowsWith(id);

    const receipt = await erased(chatId);

    for (const word of [number, name, text]) expect(await rowsWith(word), word).toEqual([]);
    const isCopy = (row: string) => /^event(?:s|_deliveries): /.test(row);
    const left = await rowsWith(id);
    expect(left).toHaveLength(before.filter((row) => !isCopy(row)).length);
    expect(left.filter(isCopy)).toEqual([]);
    expect(await query('select from events where seq < 0')).toEqual([]);
    expect(await query('select from event_deliveries where event_seq < 0')).toEqual([]);
    expect((await rowsWith('15559999999')).length).toBeGreaterThanOrEqual(3);
    expect(await rowsWith('KEPT')).toHaveLength(2);
    expect(await c.view(id)).toMatchObject({ state: 'accepted', content: { text: '[erased]' } });
    expect(receipt).toMatchObject({
      state: 'done',
      requestedBy: 'test',
      endedAt: new Date(NOW).toISOString(),
      waiting: {},
      rows: { messages: 1, attempts: 1, edits: 1, operations: 1, notifications: 1, queue_readings: 1, start_words: 1 },
    });
    expect(JSON.stringify(receipt)).not.toContain(number);
    // A repeated erasure finds nothing.
    expect(await erased(chatId)).toMatchObject({ state: 'done', rows: {} });
  });

  it('cancels pending messages, and waits for those in flight (ERASE-1)', async () => {
    const { number, chatId } = aRecipient();
    const c = new Cast(ledger);
    const sending = await c.pending({ chatId });
    const { token } = await c.claimed(sending);
    const pending = await c.pending({ chatId });

    const waits = await erased(chatId);

    expect(waits).toMatchObject({ state: 'pending', waiting: { messages: 1 }, rows: {} });
    expect(await c.view(pending)).toMatchObject({ state: 'cancelled' });
    expect(await ledger.erasures.begin({ chatId, requestedBy: 'again', nowMs: NOW })).toMatchObject({ isNew: false });
    await c.accept(token, 'ACCEPTED');
    await jobAt(NOW).round();
    expect(await ledger.erasures.find(waits?.id ?? '')).toMatchObject({ state: 'done', rows: { messages: 2 } });
    expect(await rowsWith(number)).toEqual([]);
  });

  it('sends texts of others that contain the number as they are written (ERASE-6)', async () => {
    const { number, chatId } = aRecipient();
    const c = new Cast(ledger);
    const group = `${number}-1400000000@g.us`;
    const text = `call +${number}`;
    const statusCallback = `https://a.example/${number}`;
    const toOther = await c.pending({ text, statusCallback });
    const toGroup = await c.pending({ chatId: group, text: 'hello group' });
    const edited = await c.accepted('EDITED', { text: 'before' });
    const editId = await c.edit(edited, text);

    const receipt = await erased(chatId);

    expect(receipt).toMatchObject({
      state: 'done',
      kept: { messages: { count: 1, ids: [toOther] }, edits: { count: 1 } },
    });
    const posted = await c.claimed(toOther);
    expect(posted).toMatchObject({ content: { text } });
    expect(await c.claimed(toGroup)).toMatchObject({ chatId: group });
    expect(await c.view(toOther)).toMatchObject({ statusCallback });
    expect(await ledger.edits.view(editId)).toMatchObject({ text });
    // A later erasure removes what has ended since.
    await c.accept(posted.token, 'OTHER');
    await ledger.edits.eraseWaiting([editId], NOW);
    expect(await erased(chatId)).toMatchObject({ kept: { messages: { count: 1 } }, rows: { messages: 1, edits: 1 } });
    expect(await c.view(toOther)).toMatchObject({ content: { text: 'call +0' }, statusCallback });
  });

  it('sends nothing to the recipient from its beginning: schedules end with it, new messages are suppressed (ERASE-7)', async () => {
    const { number, chatId } = aRecipient();
    const c = new Cast(ledger);
    const sending = await c.posting({ chatId });
    const id = `s-${number}` as ScheduleId;
    const content = { kind: 'text', text: `for ${number}` } as const;
    const definition = { message: { instance: c.instance, to: chatId, content }, cron: ['0 10 * * *'] };
    const created = { id, commandId: id, requestHash: 'h', definition, isPaused: false, note: `asked by ${number}` };
    await ledger.schedules.create({ ...created, namespace: 'default', nowMs: NOW - DAY });

    const { receipt } = await ledger.erasures.begin({ chatId, requestedBy: 'test', nowMs: NOW });

    const ended = await ledger.schedules.view(id);
    expect(ended).toMatchObject({ state: 'ended', isSynced: false, note: `its recipient was erased: ${receipt.id}` });
    expect(JSON.stringify(ended?.definition)).not.toContain(number);
    const at = new Date(NOW).toISOString();
    const command = { commandId: 'late', nowMs: NOW };
    expect(await ledger.schedules.beginRun(id, at, NOW)).toMatchObject({ run: { reason: 'schedule_ended' } });
    await expect(ledger.schedules.steered(id, 'resume', command)).rejects.toMatchObject({ code: 'SCHEDULE_ENDED' });
    await expect(ledger.schedules.trigger(id, 'late', NOW)).rejects.toMatchObject({ code: 'SCHEDULE_ENDED' });
    expect(await c.state(await c.pending({ chatId }))).toBe('suppressed');
    await ledger.suppressions.remove({ chatId, nowMs: NOW });
    expect(await c.state(await c.pending({ chatId }))).toBe('suppressed');
    await c.accept(sending.token, 'SENT');
    await jobAt(NOW).round();
    expect(await ledger.erasures.find(receipt.id)).toMatchObject({ state: 'done', kept: { schedules: { count: 1 } } });
    // What an operator sends after the erasure is new.
    expect(await c.claim(await c.pending({ chatId }))).toBeDefined();
  });

  it('deletes files that only the recipient got', async () => {
    const { chatId } = aRecipient();
    const c = new Cast(ledger);
    const files = await Promise.all(
      ['own', 'shared'].map((text) => ledger.files.store([Buffer.from(`${text} of ${chatId}`)], 'image/png', NOW)),
    );
    const [own, shared] = files.map(({ fileId }) => ({ kind: 'file', fileId, fileName: 'a.png' }) as const);
    if (own === undefined || shared === undefined) throw new Error('no files');
    await c.accepted('OWN1', { chatId, content: own });
    await c.accepted('OWN2', { chatId, content: shared });
    await c.accepted('OTHER1', { content: shared });

    expect(await erased(chatId)).toMatchObject({ rows: { files: 1 } });

    expect(await ledger.files.read(own.fileId)).toBeUndefined();
    expect(await ledger.files.read(shared.fileId)).toBeDefined();
  });

  it('of a number that nothing contains ends at once', async () => {
    expect(await erased(aRecipient().chatId)).toMatchObject({ state: 'done', rows: {}, kept: {} });
    expect(await erased('998877665544332@lid')).toMatchObject({ state: 'done', rows: {}, kept: {} });
  });

  it('keeps an opt-out by its hash: the recipient stays suppressed until a START (ERASE-4)', async () => {
    const { number, chatId } = aRecipient();
    const c = new Cast(ledger);
    const { instance } = c;
    const word = { what: 'stop', word: 'STOP', idMessage: 'S1', atMs: NOW, nowMs: NOW } as const;
    await ledger.suppressions.applyWord({ ...word, instance, chatId });
    await ledger.suppressions.add({ chatId, instance, scope: 'marketing', note: `asked by ${number}`, nowMs: NOW });

    await erased(chatId);

    expect(await rowsWith(number)).toEqual([]);
    const marketing = { chatId, category: 'marketing' } as const;
    const id = await c.pending(marketing);
    expect(await c.claim(id)).toBeUndefined();
    expect(await c.view(id)).toMatchObject({ state: 'suppressed' });
    const asked = { instance, category: 'marketing' } as const;
    expect(await ledger.suppressions.among([chatId, '15550000000@c.us'], asked)).toEqual(new Set([chatId]));
    // Transactional messages are still sent.
    expect(await c.claim(await c.pending({ chatId }))).toBeDefined();
    const { left } = await ledger.suppressions.applyWord({
      ...word,
      what: 'start',
      word: 'START',
      idMessage: 'S2',
      atMs: NOW + 1,
      instance,
      chatId,
    });
    expect(left).toHaveLength(1);
    await ledger.suppressions.remove({ chatId, nowMs: NOW });
    expect(await c.claim(await c.pending(marketing))).toBeDefined();
  });

  it('erases the known lids of the recipient, who stays suppressed under them (ERASE-4)', async () => {
    const { number, chatId } = aRecipient();
    const c = new Cast(ledger);
    const lid = `9${number}77@lid`;
    await ledger.lids.learn([{ lid, chatId }], 'group', NOW);
    await ledger.suppressions.add({ chatId, instance: c.instance, scope: 'marketing', nowMs: NOW });
    const toLid = await c.pending({ chatId: lid });

    expect(await erased(chatId)).toMatchObject({ state: 'done', rows: { known_lids: 1, messages: 1 } });

    expect(await c.view(toLid)).toMatchObject({ state: 'cancelled', chatId: expect.stringMatching(/^erased:/) });
    expect(await rowsWith(number)).toEqual([]);
    const asked = { instance: c.instance, category: 'marketing' } as const;
    expect(await ledger.suppressions.among([lid, chatId], asked)).toEqual(new Set([lid, chatId]));
  });

  it('keeps the totals of a campaign, and the campaign never messages the recipient (ERASE-4)', async () => {
    const { number, chatId, name } = aRecipient();
    await insert('audiences', { campaign_id: 'none' });
    const [audience] = await query<{ no: number }>('select max(no) as no from audiences');
    await insert('recipients', { audience_no: audience?.no, line: 2, chat_id: chatId, values: { name } });

    const receipt = await erased(chatId);

    expect(await rowsWith(number)).toEqual([]);
    expect(await rowsWith(name)).toEqual([]);
    const alias = `erased:${receipt?.id}:0`;
    expect(await ledger.suppressions.among([alias], { instance: 'any', category: 'transactional' })).toEqual(
      new Set([alias]),
    );
    expect(receipt).toMatchObject({ rows: { recipients: 1 } });
  });

  it('erases a late receipt from the inbox once it is applied, but not what the recipient writes later (ERASE-5)', async () => {
    const { number, chatId } = aRecipient();
    await erased(chatId);
    await insert('event_endpoints', { id: 'evt_all', instance: 'i', events: '{*}', raw: true, secrets: [] });
    const stored = { instance: 'i', nowMs: NOW, event: { type: 'notification.received', key: chatId } } as const;
    const store = (kind: string) =>
      ledger.receipts.store(stored.instance, { typeWebhook: kind }, stored.nowMs, { kind, event: stored.event });
    expect(await store('outgoingMessageStatus')).toMatchObject({ hasEvents: false });
    expect(await store('incomingMessageReceived')).toMatchObject({ hasEvents: true });
    await query('delete from events');
    await query('delete from event_deliveries');
    await query('delete from pending_notifications');
    const notified = (kind: string, body: object) =>
      query<{ id: number }>(
        `insert into notifications (hash, received_at, instance, kind, body) values ($1, $2, 'i', $3, $4) returning id`,
        [randomUUID(), new Date(NOW).toISOString(), kind, JSON.stringify({ typeWebhook: kind, ...body })],
      );
    const shown = `${number}:3@s.whatsapp.net`;
    const late = { chatId: shown, idMessage: 'LATE', status: 'read', timestamp: 9 };
    const [first] = await notified('outgoingMessageStatus', late);
    await query('insert into pending_notifications values ($1)', [first?.id]);

    await jobAt(NOW + DAY).round();
    expect(await rowsWith(number)).toHaveLength(1);
    await query('delete from pending_notifications');
    await notified('incomingMessageReceived', { senderData: { chatId } });
    await jobAt(NOW + DAY).round();

    expect(await rowsWith(number)).toEqual([expect.stringContaining('incomingMessageReceived')]);
    expect(await rowsWith('LATE')).toEqual([expect.stringMatching(/"status":"read"/)]);
  });
});
