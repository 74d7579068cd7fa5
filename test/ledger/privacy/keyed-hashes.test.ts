/**
 * Every hash that the ledger stores of a number, a text or a request is keyed, from its first write on: no row confirms
 * a guess, and an erasure leaves the hash, by which repeated requests and notifications are recognized.
 */
import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { RECIPIENT_VERDICTS, type CampaignId, type ScheduleId, zeroOfEach } from '../../../src/contract/index.js';
import { jsonHash } from '../../../src/ledger/index.js';
import { recordCommand } from '../../../src/ledger/storage/commands.js';
import { PERSONAL_DATA } from '../../../src/ledger/privacy/personal-data.js';
import { eraseRecipients } from '../../../src/worker/index.js';
import { readLines } from '../../support/campaign.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { Cast, NOW } from '../cast.js';

const DAY = 24 * 60 * 60_000;

let opened: Awaited<ReturnType<typeof aDatabase>>;
beforeAll(async () => {
  opened = await aDatabase();
});
afterAll(() => opened.close());

const FIRST = '15550310001';
const SECOND = '15550310002';
const [CHAT, OTHER_CHAT] = [`${FIRST}@c.us`, `${SECOND}@c.us`];

async function erase(chatId: string): Promise<void> {
  const { ledger } = opened;
  const { receipt } = await ledger.erasures.begin({ chatId, requestedBy: 'test', nowMs: NOW });
  await eraseRecipients({ ledger, keptForMs: 30 * DAY, clock: { nowMs: () => NOW }, log: () => undefined }).round();
  expect(await ledger.erasures.find(receipt.id)).toMatchObject({ state: 'done' });
}

async function everyRow(): Promise<string> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(opened.db);
  const dumps = await Promise.all(
    tables.map(({ name }) => sql<{ row: string }>`select t::text as row from ${sql.table(name)} t`.execute(opened.db)),
  );
  return dumps.flatMap(({ rows }) => rows.map(({ row }) => row)).join('\n');
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

it('no stored hash is that of a number, a text or a request without the key, before and after an erasure', async () => {
  const { db, ledger } = opened;
  const c = new Cast(ledger);
  const { instance } = c;
  await c.sent('SENT', { chatId: '15550310003@c.us' });
  // As callers compute them.
  const requestHash = sha256(`call ${FIRST}`);
  const sourceHash = sha256(CHAT);
  const content = { kind: 'text', text: `call ${FIRST}` } as const;
  const id = c.anId();
  const message = { id, requestHash, request: c.request({ chatId: CHAT }), expiresAtMs: NOW + DAY, nowMs: NOW };
  const open = () => ledger.intake.open({ ...message, run: 'none' });
  await open();

  const campaign = `c-${randomUUID()}` as CampaignId;
  const definition = { instance, content };
  await ledger.audiences.open({ id: campaign, requestHash, definition, nowMs: NOW });
  const importOf = async (no: string, line: number, chatId: string, accepted: number) => {
    await ledger.audiences.addLines(no, readLines([{ line, chatId, values: {} }]));
    const verdicts = { ...zeroOfEach(RECIPIENT_VERDICTS), accepted };
    const source = { hash: line < 10 ? sourceHash : sha256(OTHER_CHAT), lines: accepted, verdicts, columns: {} };
    return ledger.audiences.finishImport(campaign, no, source, NOW);
  };
  await importOf(await ledger.audiences.beginImport(campaign, NOW), 2, CHAT, 1);
  const addition = () => ledger.audiences.beginAddition(campaign, NOW);
  await importOf((await addition()).no, 1_000_002, OTHER_CHAT, 2);

  const schedule = { id: `s-${instance}` as ScheduleId, commandId: 'cmd', requestHash, namespace: 'n', nowMs: NOW };
  const scheduled = { message: { instance, to: '15550310003@c.us', content }, cron: ['0 10 * * *'] };
  await ledger.schedules.create({ ...schedule, definition: scheduled, isPaused: false });
  const endpoint = {
    id: `evp_${instance}`,
    instance,
    url: `https://a.example/${FIRST}`,
    events: ['edit.ended'],
    raw: false,
  };
  const endpointOf = () => ledger.eventEndpoints.create({ ...endpoint, requestHash }, NOW);
  await endpointOf();
  const operation = { id: `op_${instance}`, method: 'showMessagesQueue', instance, requestHash, nowMs: NOW };
  await ledger.operations.open({ ...operation, request: { chatId: CHAT } });
  const command = { id: 'upd_1', requestHash };
  const commanded = () => recordCommand(db, `campaign:${campaign}`, 'update', command, NOW);
  await commanded();

  const snapshot = { fields: { subject: `of ${FIRST}` }, participants: [] };
  await ledger.account.storeSnapshot(instance, 'g@g.us', snapshot, NOW);
  const text = `please stop ${FIRST}`;
  const possible = { instance, idMessage: 'P1', word: 'stop', language: 'en', atMs: NOW, nowMs: NOW };
  await ledger.possibleOptOuts.record({ ...possible, chatId: '15550310003@c.us', text });
  const { fileId, sha256: ofFile } = await ledger.files.store([Buffer.from(`for ${CHAT}`)], 'text/plain', NOW);

  const edited = { kind: 'edited', originalIdMessage: 'SENT', idMessage: 'EDIT', text, atMs: NOW } as const;
  await ledger.receipts.apply(instance, edited, NOW);
  const parked = { kind: 'status', idMessage: 'PARKED', status: 'sent', atMs: NOW, description: text } as const;
  await ledger.receipts.apply(instance, parked, NOW);
  const body = { typeWebhook: 'incomingMessageReceived', senderData: { chatId: CHAT, sender: OTHER_CHAT } };
  const notified = () => ledger.receipts.store(instance, body, NOW);
  const stored = await notified();
  const together = { id: stored.id, instance, receipt: { ...parked, idMessage: 'TOGETHER' } };
  await ledger.receipts.applyTogether([together], NOW);

  const unkeyed = {
    requestHash,
    sourceHash,
    addition: sha256(OTHER_CHAT),
    snapshot: jsonHash(snapshot),
    possible: sha256(JSON.stringify(['15550310003@c.us', text])),
    chat: sha256(CHAT),
    file: sha256(`text/plain\n${ofFile}`).slice(0, 24),
    edited: jsonHash(edited).slice(0, 32),
    parked: jsonHash(parked).slice(0, 32),
    together: jsonHash(together.receipt).slice(0, 32),
  };
  const findUnkeyed = async () => {
    // A uuid is written with dashes.
    const rows = (await everyRow()).replaceAll(/(?<=[0-9a-f])-(?=[0-9a-f])/g, '');
    return Object.entries(unkeyed).filter(([, hash]) => rows.includes(hash));
  };
  expect(await findUnkeyed()).toEqual([]);

  // The notification names both recipients. The second erasure finds it again.
  await erase(CHAT);
  await erase(OTHER_CHAT);

  expect(await findUnkeyed()).toEqual([]);
  for (const [table, columns] of Object.entries<Readonly<Record<string, string>>>(PERSONAL_DATA)) {
    for (const column of Object.keys(columns).filter((name) => columns[name] === 'keyed')) {
      const { rows } = await sql`select from ${sql.table(table)} where ${sql.ref(column)} is not null`.execute(db);
      expect(rows.length, `${table}.${column} is played`).toBeGreaterThan(0);
    }
  }
  expect(await notified()).toMatchObject({ id: stored.id, duplicate: true });
  expect(await open()).toMatchObject({ id, state: 'cancelled' });
  expect(await endpointOf()).toMatchObject({ endpoint: { id: endpoint.id } });
  expect(await commanded()).toMatchObject({ kind: 'update' });
  expect(await ledger.files.store([Buffer.from(`for ${CHAT}`)], 'text/plain', NOW)).toMatchObject({ fileId });
  const other = { ...message, requestHash: 'other', run: 'none' } as const;
  await expect(ledger.intake.open(other)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  // The source that was added is still known.
  expect(await importOf((await addition()).no, 2_000_002, OTHER_CHAT, 2)).toMatchObject({ unchanged: true });
  const notPersonal = await everyRow();
  for (const number of [FIRST, SECOND]) expect(notPersonal).not.toMatch(new RegExp(`sender[^}]*${number}`));
});
