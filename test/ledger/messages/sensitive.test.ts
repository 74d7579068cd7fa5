import { type Kysely, sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EVIDENCE_WINDOW_MS, type MessageContent, type MessageId } from '../../../src/contract/index.js';
import { openLedger, type Ledger } from '../../../src/ledger/index.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { bodyHash } from '../../../src/ledger/storage/hashes.js';
import { eventually } from '../../support/eventually.js';
import { ENCRYPTED, UNENCRYPTED } from '../../support/ledger/at-rest.js';
import { anEmbeddedDatabase } from '../../support/ledger/embedded-database.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { perTest } from '../../support/per-test.js';
import { Cast, MINUTE, NOW } from '../cast.js';

let db: Kysely<Schema>;
let ledger: Ledger;
let close: () => Promise<void>;
beforeAll(async () => ({ db, ledger, close } = await aDatabase()));
afterAll(() => close());
const c = perTest(() => new Cast(ledger));

const CODE = 'code 481516';
const sensitive = { sensitive: true, text: CODE } as const;
const DAY = 24 * 60 * MINUTE;

/** Every row of the ledger that contains one of the words. */
async function rowsWith(...words: readonly string[]): Promise<string[]> {
  const { rows: tables } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'`.execute(db);
  const found: string[] = [];
  for (const { name } of tables) {
    const { rows } = await sql<{ row: string }>`select row_to_json(t)::text as row from ${sql.table(name)} t`.execute(
      db,
    );
    found.push(
      ...rows.filter(({ row }) => words.some((word) => row.includes(word))).map(({ row }) => `${name}: ${row}`),
    );
  }
  return found;
}

const removedAt = async (id: MessageId) => (await c.view(id)).textRemovedAt;

const notified = (idMessage: string, textMessage: string) => ({
  typeWebhook: 'outgoingAPIMessageReceived',
  idMessage,
  timestamp: NOW / 1_000,
  senderData: { chatId: '15550001111@c.us' },
  messageData: { typeMessage: 'textMessage', textMessageData: { textMessage } },
});
const EVENT = { event: { type: 'notification.received', key: 'k', raw: Buffer.from(CODE) } } as const;

describe('SECRET-1 the text of a sensitive message', () => {
  it('SECRET-1 is in no view, and in no row in clear, and is posted', async () => {
    const id = await c.pending(sensitive);
    const attempt = await c.claimed(id);

    expect(await c.view(id)).toMatchObject({
      content: { kind: 'text', text: '••••' },
      sensitive: true,
      textLength: 11,
    });
    const { items } = await c.ledger.views.messages({ instance: c.instance });
    expect(items).toMatchObject([{ content: { text: '••••' }, textLength: 11 }]);
    expect(attempt.content).toMatchObject({ text: '••••' });
    expect(ledger.dispatch.reveal(attempt).content).toEqual({ kind: 'text', text: CODE });
    expect(await rowsWith(CODE)).toEqual([]);
  });

  it.each<MessageContent>([
    { kind: 'poll', message: CODE, options: [{ optionName: '481516' }, { optionName: '2342' }] },
    { kind: 'file', url: 'https://x.test/f', fileName: 'a.pdf', caption: CODE },
    { kind: 'template', templateId: 'tpl', params: [CODE] },
  ])('SECRET-1 is posted unchanged: %o', async (content) => {
    const id = await c.pending({ sensitive: true, content });

    expect(ledger.dispatch.reveal(await c.claimed(id)).content).toEqual(content);
    expect(await rowsWith(CODE)).toEqual([]);
  });

  it('SECRET-1 is hidden in edits, before and after the post', async () => {
    const id = await c.pending(sensitive);
    await c.edit(id, 'code 2342');
    const attempt = await c.claimed(id);
    expect(ledger.dispatch.reveal(attempt).content).toEqual({ kind: 'text', text: 'code 2342' });
    expect(await c.view(id)).toMatchObject({
      textLength: 9,
      edits: [{ text: '••••', textLength: 9, state: 'edited' }],
    });

    await c.accept(attempt.token, 'A1');
    await c.receive('A1', 'sent');
    const edit = await c.edit(id, 'code 108');
    expect(c.ledger.dispatch.revealEdit((await c.claimEdit(edit))!)).toBe('code 108');
    const receipt = { kind: 'edited', originalIdMessage: 'A1', idMessage: 'E1', text: 'code 108', atMs: NOW } as const;
    await ledger.receipts.apply(c.instance, receipt, NOW);
    expect(await c.editState(edit)).toBe('edited');
    expect(await rowsWith('code 2342', 'code 108')).toEqual([]);
  });

  it('SECRET-1 comes back with an older attempt that was accepted after all', async () => {
    const { id, token } = await c.posting(sensitive);
    await c.record(token, { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE' });
    const edit = await c.edit(id, 'code 2342');

    await c.accept(token, 'A1');

    expect(await c.view(id)).toMatchObject({ content: { text: '••••' }, textLength: 11 });
    expect(await c.editState(edit)).toBe('unconfirmed');
  });

  it('SECRET-1 is compared in doubt', async () => {
    const { id, token } = await c.posting(sensitive);
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });

    expect(await ledger.reconciling.attempt(id)).toMatchObject({ content: { kind: 'text', text: CODE } });
  });
});

describe('SECRET-2 hashes of texts', () => {
  it('SECRET-2 have a key, so that a code cannot be found by trying all', async () => {
    const id = await c.sent('A1', { ...sensitive, id: c.anId() });
    await c.edit(id, 'code 2342');
    const hashes = [CODE, 'code 2342'].map((text) => bodyHash({ kind: 'text', text }));

    expect(await rowsWith(...hashes)).toEqual([]);
    const { rows } = await sql<Record<string, string>>`
      select m.body_hash, m.request_hash, a.body_hash as of_attempt, e.body_hash as of_edit from messages m
      join attempts a on a.message_id = m.id join edits e on e.message_id = m.id where m.id = ${id}`.execute(db);
    for (const hash of Object.values(rows[0] ?? {})) expect(hash).toMatch(/^(?:keyed|hash):[0-9a-f]{64}$/);
  });

  it('SECRET-2 find an identical message that is not sensitive', async () => {
    const first = await c.pending({ ...sensitive, text: 'same text' });
    const second = await c.pending({ text: 'same text' });
    await c.claimed(first);

    expect(await c.claim(second)).toBeUndefined();
    expect((await c.view(second)).waiting).toMatchObject({ identical: first });
  });

  it('SECRET-2 know a repeated request and a repeated edit, also after the removal', async () => {
    const id = await c.sent('A1', sensitive);
    const edit = await c.edit(id, 'new code');
    await c.claimEdit(edit);
    await c.readEdit(edit, 'new code');
    await ledger.retention.removeTexts(NOW + DAY);
    expect(await removedAt(id)).toBeDefined();

    expect(await ledger.messages.isRequestOf(id, 'h')).toBe(true);
    expect(await ledger.messages.isRequestOf(id, 'another')).toBe(false);
    const again = { id, requestHash: 'another', request: c.request(sensitive), expiresAtMs: NOW + DAY, nowMs: NOW };
    await expect(ledger.intake.open(again)).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    expect(await ledger.edits.known(edit, 'new code')).toMatchObject({ state: 'edited', text: '••••' });
    await expect(ledger.edits.known(edit, 'old code')).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
  });

  it('SECRET-2 have a key that is sealed again with new keys, and that nothing replaces while that key is missing', async () => {
    const database = await anEmbeddedDatabase();
    const plain = new Cast(await openLedger({ database }, UNENCRYPTED));
    const id = await plain.pending(sensitive);

    const sealed = await openLedger({ database }, ENCRYPTED);
    expect(await sealed.messages.isRequestOf(id, 'h')).toBe(true);

    const without = new Cast(await openLedger({ database }, UNENCRYPTED));
    const missing = { code: 'ENCRYPTION_KEY_MISSING' };
    await expect(without.ledger.messages.isRequestOf(id, 'h')).rejects.toMatchObject(missing);
    await expect(without.pending()).rejects.toMatchObject(missing);
    expect(await without.ledger.views.message(id, NOW)).toMatchObject({ state: 'pending' });
    await sealed.close();
  });
});

describe('SECRET-3 the removal of a text', () => {
  const later = (ms: number) => ledger.retention.removeTexts(NOW + ms);
  const WINDOW_OVER = 17 * MINUTE;

  it.each<[string, () => Promise<MessageId>]>([
    ['is pending', () => c.pending(sensitive)],
    ['is being posted', async () => (await c.posting(sensitive)).id],
    ['waits in the gateway’s queue', () => c.accepted('A1', sensitive)],
    [
      'is in doubt',
      async () => {
        const { id, token } = await c.posting(sensitive);
        await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
        return id;
      },
    ],
    [
      'has an edit under way',
      async () => {
        const id = await c.sent('A1', sensitive);
        await c.edit(id, 'new code');
        return id;
      },
    ],
  ])('SECRET-3 waits while its message %s', async (_, message) => {
    const id = await message();

    await later(DAY);

    expect(await removedAt(id)).toBeUndefined();
  });

  it.each<[string, () => Promise<MessageId>]>([
    ['was sent', () => c.sent('A1', sensitive)],
    [
      'was rejected',
      async () => {
        const { id, token } = await c.posting(sensitive);
        await c.record(token, { kind: 'rejected', code: 'GATEWAY_REJECTED' });
        return id;
      },
    ],
    [
      'was cancelled',
      async () => {
        const id = await c.pending(sensitive);
        await ledger.messages.cancel(id, 'request', NOW);
        return id;
      },
    ],
  ])('SECRET-3 follows the window for edits once its message %s', async (_, message) => {
    const id = await message();

    await later(14 * MINUTE);
    expect(await removedAt(id)).toBeUndefined();
    await later(WINDOW_OVER);

    expect(await c.view(id)).toMatchObject({
      content: { text: '••••' },
      textLength: 11,
      textRemovedAt: new Date(NOW + WINDOW_OVER).toISOString(),
    });
    const { rows } = await sql`
      select 1 from messages m left join attempts a on a.message_id = m.id left join edits e on e.message_id = m.id
      where m.id = ${id} and coalesce(m.hidden, a.hidden, e.hidden) is not null`.execute(db);
    expect(rows).toEqual([]);
  });

  it('SECRET-3 refuses later edits', async () => {
    const id = await c.sent('A1', sensitive);
    await later(WINDOW_OVER);

    await expect(c.edit(id, 'new code')).rejects.toMatchObject({
      code: 'EDIT_NOT_POSSIBLE',
      message: expect.stringContaining('its text was removed at'),
    });
  });

  it('SECRET-3 waits for an unresolved message until it has expired and no evidence is possible', async () => {
    const { id, token } = await c.posting(sensitive);
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    const attempt = await ledger.reconciling.attempt(id);
    await ledger.reconciling.markUnresolved(attempt!, 'no_witness', NOW);

    await later(DAY);
    expect(await removedAt(id)).toBeUndefined();
    await later(EVIDENCE_WINDOW_MS + MINUTE);

    expect(await removedAt(id)).toBeDefined();
    expect(
      await ledger.reconciling.resolve(id, { outcome: 'accepted', witness: 'operator' }, NOW + 3 * DAY),
    ).toMatchObject({ state: 'sent' });
  });

  it('SECRET-3 waits while a late notification may show an attempt without a proven outcome', async () => {
    const { id, token } = await c.posting(sensitive);
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    const resolution = { outcome: 'accepted', witness: 'operator' } as const;
    await ledger.reconciling.resolve(id, resolution, NOW);

    await later(DAY);
    expect(await removedAt(id)).toBeUndefined();
    await later(EVIDENCE_WINDOW_MS + MINUTE);

    expect(await removedAt(id)).toBeDefined();
  });
});

describe('a notification of a sensitive message', () => {
  const stored = async () =>
    (await ledger.receipts.unapplied(1_000)).filter(({ instance }) => instance === c.instance).map(({ body }) => body);

  async function endpoint(): Promise<void> {
    const given = { instance: c.instance, url: 'https://x.test/', events: ['*'], raw: false, requestHash: 'h' };
    await ledger.eventEndpoints.create({ id: `evp_${c.instance}`, ...given }, NOW);
  }

  it.each([
    ['whose id is known', () => c.sent('A1', sensitive)],
    ['that is being posted', async () => (await c.posting(sensitive)).id],
  ])('is stored and delivered without the text of a message %s, and applied with it', async (_, message) => {
    await endpoint();
    await message();
    const body = notified('A1', CODE);

    await ledger.receipts.store(c.instance, body, NOW, EVENT);
    await ledger.receipts.store(c.instance, body, NOW, EVENT);

    expect(await rowsWith(CODE)).toEqual([]);
    // On a server an event is listed when no older transaction of any database is open.
    await eventually(async () => {
      const { items } = await ledger.events.list({ instance: c.instance, type: 'notification.received', limit: 10 });
      expect(items).toMatchObject([{ data: { messageData: { textMessageData: { textMessage: '••••' } } } }]);
    });
    expect(await stored()).toEqual([body]);
  });

  it('decides about a message in doubt', async () => {
    const { id, token } = await c.posting(sensitive);
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    const body = notified('A1', CODE);

    await ledger.observations.keep(c.instance, 'A1', body, NOW);

    const attempt = await ledger.reconciling.attempt(id);
    expect(await ledger.observations.unowned(attempt!)).toEqual([body]);
    expect(await rowsWith(CODE)).toEqual([]);
  });

  it('is applied as it is shown while the key of its text is missing', async () => {
    const id = await c.sent('A1', sensitive);
    await ledger.receipts.store(c.instance, notified('A1', CODE), NOW);
    await sql`update notifications set hidden = 'enc:gone:AAAA' where about = ${id}`.execute(db);

    expect(await stored()).toMatchObject([{ messageData: { textMessageData: { textMessage: '••••' } } }]);
  });

  it('loses the text with its message', async () => {
    const { id, token } = await c.posting(sensitive);
    await ledger.observations.keep(c.instance, 'A1', notified('A1', CODE), NOW);
    await ledger.receipts.store(c.instance, notified('A1', CODE), NOW);
    await c.accept(token, 'A1');
    await c.receive('A1', 'sent');
    await ledger.retention.removeTexts(NOW + DAY);

    expect(await removedAt(id)).toBeDefined();
    const { rows } = await sql`
      select hidden from notifications where about = ${id} union select hidden from observations where about = ${id}`.execute(
      db,
    );
    expect(rows).toEqual([{ hidden: null }]);
    await ledger.receipts.store(c.instance, { ...notified('A1', CODE), late: true }, NOW + DAY);
    expect(JSON.stringify(await stored())).not.toContain(CODE);
  });
});
