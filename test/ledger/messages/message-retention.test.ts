/**
 * Which messages and campaigns are deleted for their age. Each test has its own ledger, because it counts whole tables.
 */
import { sql, type Kysely } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EVIDENCE_WINDOW_MS, type MessageId } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import type { Schema } from '../../../src/ledger/storage/schema.js';
import { aDatabase } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from '../campaigns/campaign-life-cast.js';
import { aWait, Cast, CHAT, NOW, SECOND } from '../cast.js';

const KEPT = 30 * DAY;
/** The age limit at which everything that ended at {@link NOW} is too old. */
const LATER = NOW + KEPT + SECOND;
const REFUSED = { kind: 'rejected', code: 'GATEWAY_REJECTED', text: 'bad chat', httpStatus: 400 } as const;
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;

let db: Kysely<Schema>;
let close: () => Promise<void>;
let ledger: Ledger;
let the: Cast;
beforeEach(async () => {
  ({ db, ledger, close } = await aDatabase());
  the = new Cast(ledger);
});
afterEach(() => close());

const remove = (nowMs = LATER, keptForMs = KEPT) =>
  ledger.retention.removeMessages({ nowMs, keptSinceMs: nowMs - keptForMs });

async function count(table: keyof Schema): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from ${sql.table(table)}`.execute(db);
  return rows[0]?.count ?? 0;
}

async function kept(): Promise<MessageId[]> {
  const rows = await db.selectFrom('messages').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

/** Proves RETENTION-3. */
describe('a message', () => {
  it('is deleted with its attempts, evidence, ids and edits when it ended longer ago than the age', async () => {
    const id = await the.sent('G1');
    await the.edit(id, 'other words');
    await ledger.messages.cancel(await the.pending(), 'request', NOW);
    await the.record((await the.claimed(await the.pending())).token, REFUSED);
    await db
      .updateTable('edits')
      .set({ state: 'edited', ended_at: new Date(NOW) })
      .execute();
    await ledger.outbox.awaitState({ ...aWait(id), until: ['read'] });

    expect(await remove(NOW + KEPT)).toEqual({ campaigns: 0, messages: 0 });
    expect(await remove()).toEqual({ campaigns: 0, messages: 3 });
    for (const table of ['messages', 'attempts', 'evidence', 'message_ids', 'edits', 'outbox'] as const) {
      expect({ table, rows: await count(table) }).toEqual({ table, rows: 0 });
    }
    expect(await ledger.views.message(id, LATER)).toBeUndefined();
    expect(await remove()).toEqual({ campaigns: 0, messages: 0 });
  });

  it('stays while it waits for its POST, an outcome, an operator or a receipt', async () => {
    const sending = await the.pending();
    await the.claimed(sending);
    const unknown = await the.pending();
    await the.record((await the.claimed(unknown)).token, LOST);
    const unresolved = await the.pending();
    await the.record((await the.claimed(unresolved)).token, LOST);
    const attempt = await ledger.reconciling.attempt(unresolved);
    if (attempt !== undefined) await ledger.reconciling.markUnresolved(attempt, 'no_witness', NOW);
    const ids = [sending, unknown, unresolved, await the.accepted('G1'), await the.pending()];

    expect(await remove()).toEqual({ campaigns: 0, messages: 0 });
    expect(await kept()).toEqual(ids.toSorted());
    expect(await the.state(unresolved)).toBe('unresolved');
  });

  it.each([
    ['a workflow that is still to be started', () => db.updateTable('messages').set({ run: 'wanted' }).execute()],
    ['an edit', (id: MessageId) => the.edit(id, 'other words')],
    ['a later receipt', () => the.receive('G1', 'read', { nowMs: NOW + DAY })],
  ])('stays for %s', async (_, happens) => {
    const id = await the.sent('G1');
    await happens(id);
    expect(await remove()).toEqual({ campaigns: 0, messages: 0 });
    expect(await kept()).toEqual([id]);
  });

  it('is a new message when its key is used again', async () => {
    const id = await the.sent('G1');
    await remove();
    expect(await the.pending({ id, nowMs: LATER, expiresAtMs: LATER + DAY })).toBe(id);
    expect(await the.state(id)).toBe('pending');
  });

  it('is found among more messages than one transaction deletes, some of which stay', async () => {
    const id = await the.sent('G1');
    await sql`
      insert into messages (id, instance, chat_id, recipient_key, kind, content, body_hash, request_hash, state, priority, category, on_unknown,
        created_at, expires_at, sent_seen_at)
      select id || n, instance, chat_id, recipient_key, kind, content, body_hash, request_hash,
        case when n % 3 = 0 then 'unresolved' else 'sent' end, priority, category, on_unknown,
        created_at + n * interval '1 microsecond', expires_at, sent_seen_at
      from messages, generate_series(1, 1800) n where id = ${id}`.execute(db);
    expect(await remove()).toEqual({ campaigns: 0, messages: 1_201 });
    expect(await count('messages')).toBe(600);
  });
});

/** Proves RETENTION-5. */
describe('the minimum age of deletion', () => {
  it('keeps everything that evidence may still concern', async () => {
    await the.sent('G1');
    expect(await remove(NOW + EVIDENCE_WINDOW_MS, SECOND)).toMatchObject({ messages: 0 });
    expect(await remove(NOW + EVIDENCE_WINDOW_MS + SECOND, SECOND)).toMatchObject({ messages: 1 });
  });

  it('keeps everything that a frequency cap counts', async () => {
    await the.sent('G1', { chatId: CHAT, category: 'marketing' });
    await db.updateTable('streams').set({ frequency_messages: 1, frequency_days: 60 }).execute();
    expect(await remove()).toMatchObject({ messages: 0 });
    expect(await remove(NOW + 60 * DAY + SECOND)).toMatchObject({ messages: 1 });
  });
});

/** Proves RETENTION-4. */
describe('a campaign', () => {
  async function ended(): Promise<{ campaign: CampaignCast; first: MessageId }> {
    const campaign = await new CampaignCast(ledger).running(4);
    const sent = await campaign.dispatched(3);
    await campaign.receive(sent, 'sent');
    await ledger.campaigns.cancel(campaign.id, 'request', NOW);
    await campaign.endIfDone();
    const [{ messageId: first } = { messageId: undefined }] = sent;
    if (first === undefined) throw new Error('nothing was posted');
    return { campaign, first };
  }

  it('loses its recipients and messages, and keeps its totals', async () => {
    const { campaign, first } = await ended();
    const before = await campaign.states();
    expect(await remove(NOW + KEPT)).toEqual({ campaigns: 0, messages: 0 });
    expect(await remove()).toEqual({ campaigns: 1, messages: 3 });

    for (const table of ['messages', 'attempts', 'evidence', 'message_ids', 'recipients', 'audiences'] as const) {
      expect({ table, rows: await count(table) }).toEqual({ table, rows: 0 });
    }
    expect(await campaign.states()).toEqual(before);
    expect(before).toEqual({ sent: 3, cancelled: 1 });
    expect(await ledger.audiences.view(campaign.id, LATER)).toMatchObject({
      state: 'cancelled',
      recipientsRemovedAt: new Date(LATER).toISOString(),
    });
    expect(await ledger.views.message(first, LATER)).toBeUndefined();
    expect(await remove()).toEqual({ campaigns: 0, messages: 0 });
  });

  it('has no report, rejected lines or retry afterwards, and never starts again', async () => {
    const { campaign } = await ended();
    await remove();
    const gone = { code: 'CAMPAIGN_RECIPIENTS_REMOVED' };
    await expect(campaign.report()).rejects.toMatchObject(gone);
    await expect(ledger.audiences.rejects(campaign.id, 0, 10)).rejects.toMatchObject(gone);
    const retried = ledger.campaigns.retry(campaign.id, { scopes: ['cancelled'] }, LATER);
    await expect(retried).rejects.toMatchObject(gone);
    await campaign.draft();
    await expect(campaign.start(LATER)).rejects.toMatchObject({ code: 'CAMPAIGN_ENDED' });
    expect(await campaign.claim(4, LATER)).toEqual([]);
  });

  it('stays complete while it is unfinished, however old its messages are', async () => {
    const campaign = await new CampaignCast(ledger).running(4);
    await campaign.receive(await campaign.dispatched(2), 'sent');
    expect(await remove()).toEqual({ campaigns: 0, messages: 0 });
    expect(await campaign.report()).toHaveLength(4);
  });

  it('is removed by the next round when one was interrupted, or a request was under way', async () => {
    const { first } = await ended();
    await db.updateTable('messages').set({ run: 'wanted' }).where('id', '=', first).execute();
    expect(await remove()).toEqual({ campaigns: 1, messages: 2 });
    expect(await kept()).toEqual([first]);
    await db.updateTable('messages').set({ run: 'started' }).execute();
    expect(await remove()).toEqual({ campaigns: 0, messages: 1 });
  });
});
