/** What the suppression list does to messages: SUPPRESS-2, PROTOCOL-12. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { CampaignCast, DAY } from '../campaigns/campaign-life-cast.js';
import { CHAT, Cast, MINUTE, NOW, SECOND } from '../cast.js';

const ledger = useLedger();

const MARKETING = { category: 'marketing' } as const;

/** A contact writes STOP to this instance. */
async function stop(instance: string, chatId: string, atMs = NOW): Promise<void> {
  const word = { what: 'stop', word: 'STOP', idMessage: randomUUID(), atMs, nowMs: atMs } as const;
  await ledger.suppressions.applyWord({ ...word, instance, chatId });
}

async function suppress(instance: string, chatId: string, scope: 'marketing' | 'all' = 'marketing'): Promise<string> {
  return (await ledger.suppressions.add({ chatId, instance, scope, nowMs: NOW })).entry.id;
}

/** Proves PROMISE-9. */
describe('DISPATCH-5 a single message', () => {
  it('is never claimed for a suppressed recipient, and ends suppressed with the entry as evidence', async () => {
    const c = new Cast(ledger);
    const id = await c.pending(MARKETING);
    const entry = await suppress(c.instance, CHAT);

    expect(await c.claim(id)).toBeUndefined();
    expect(await c.view(id)).toMatchObject({
      state: 'suppressed',
      reason: 'suppressed_operator',
      endedAt: new Date(NOW).toISOString(),
      attempts: [],
      evidence: [
        {
          witness: 'suppression',
          what: 'suppressed',
          detail: {
            entry,
            source: 'operator',
            scope: 'marketing',
            since: new Date(NOW).toISOString(),
            instance: c.instance,
          },
        },
      ],
    });
    expect(await c.claim(id)).toBeUndefined();
    expect((await c.view(id)).evidence).toHaveLength(1);
  });

  it('is posted when it is transactional, unless the entry is for all messages', async () => {
    const c = new Cast(ledger);
    await stop(c.instance, CHAT);
    expect(await c.claim(await c.pending())).toBeDefined();
    await suppress(c.instance, CHAT, 'all');
    const id = await c.pending();
    expect(await c.claim(id)).toBeUndefined();
    expect(await c.state(id)).toBe('suppressed');
  });

  it('ends at once, also while it cannot be claimed (SUPPRESS-7)', async () => {
    const c = new Cast(ledger);
    const before = await c.pending(MARKETING);
    await ledger.instances.pause({ instance: c.instance, reason: 'yellowCard', atMs: NOW, witness: 'test' });
    await suppress(c.instance, CHAT);
    const after = await c.pending(MARKETING);
    const states = await Promise.all([before, after].map(async (id) => (await ledger.messages.snapshot(id))?.state));
    expect(states).toEqual(['suppressed', 'suppressed']);
  });

  it('is not affected when its recipient is not a single chat', async () => {
    const c = new Cast(ledger);
    const id = c.anId();
    const content = { kind: 'status', text: 'Open until eight' } as const;
    const request = { instance: c.instance, content, ...MARKETING };
    await ledger.intake.open({ id, requestHash: 'h', request, expiresAtMs: NOW + DAY, nowMs: NOW });
    expect(await c.claim(id)).toBeDefined();
  });

  it('shows its outcome, and can be edited, when it was sending as STOP came', async () => {
    const c = new Cast(ledger);
    const { id, token } = await c.posting(MARKETING);
    await stop(c.instance, CHAT);

    const idMessage = `G-${id}`;
    await c.accept(token, idMessage);
    await c.receive(idMessage, 'sent');

    expect(await c.state(id)).toBe('sent');
    const editId = await c.edit(id, 'corrected');
    expect(await c.claimEdit(editId, NOW + SECOND)).toMatchObject({ post: { text: 'corrected' } });
  });

  it('is not tried again when it was not accepted before STOP came', async () => {
    const c = new Cast(ledger);
    const { id, token } = await c.posting(MARKETING);
    await stop(c.instance, CHAT);
    await c.record(token, { kind: 'not_accepted', code: 'GATEWAY_BUSY', retryAfterMs: SECOND });
    expect(await c.claim(id, NOW + MINUTE)).toBeUndefined();
    expect(await c.view(id)).toMatchObject({ state: 'suppressed', attempts: [{ token }] });
  });

  it('ends with the text of its last edit', async () => {
    const c = new Cast(ledger);
    const { id, token } = await c.posting(MARKETING);
    const editId = await c.edit(id, 'newer');
    await stop(c.instance, CHAT);
    await c.record(token, { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    await c.claim(id);
    // As it became pending again it got the newest text, which was the edit's.
    expect(await c.editState(editId)).toBe('edited');
    expect(await c.view(id)).toMatchObject({ state: 'suppressed', content: { text: 'newer' } });
  });
});

function chatOn(line: number): string {
  return `1555${String(line).padStart(7, '0')}@c.us`;
}

describe('DISPATCH-5 a campaign', () => {
  it('posts to no recipient who is suppressed after its start, and counts them', async () => {
    const cast = await new CampaignCast(ledger).running(3);
    await stop(cast.instance, chatOn(3), NOW + SECOND);

    const claimed = await cast.claim(10);

    expect(claimed.map(({ chatId }) => chatId)).toEqual([chatOn(2), chatOn(4)]);
    expect(await cast.states()).toEqual({ sending: 2, suppressed: 1 });
    const row = (await cast.report()).find(({ state }) => state === 'suppressed');
    expect(row).toMatchObject({
      line: 3,
      attempts: 0,
      reason: 'suppressed_stop_word',
      evidence: 'suppression suppressed',
      endedAt: new Date(NOW).toISOString(),
    });
    const view = await ledger.views.message(row?.messageId as MessageId, NOW);
    expect(view?.evidence).toMatchObject([
      {
        witness: 'suppression',
        detail: {
          entry: expect.stringMatching(/^sup_/),
          source: 'stop_word',
          scope: 'marketing',
          since: new Date(NOW + SECOND).toISOString(),
          instance: cast.instance,
        },
      },
    ]);
  });

  it('is completed when all other recipients were reached, and its totals add up', async () => {
    const cast = await new CampaignCast(ledger).running(2);
    await suppress(cast.instance, chatOn(2));
    await cast.receive(await cast.dispatched(10), 'delivered');
    expect(await cast.endIfDone()).toMatchObject({
      state: 'completed',
      audience: 2,
      counts: { delivered: 1, suppressed: 1 },
    });
  });

  it('skips only recipients who are suppressed for all messages when it is transactional', async () => {
    const cast = await new CampaignCast(ledger).running(2, { category: 'transactional' });
    await suppress(cast.instance, chatOn(2));
    await suppress(cast.instance, chatOn(3), 'all');
    expect((await cast.claim(10)).map(({ chatId }) => chatId)).toEqual([chatOn(2)]);
  });

  it('suppresses a recipient although the message would also break a limit', async () => {
    const cast = await new CampaignCast(ledger).running(1);
    await suppress(cast.instance, chatOn(2));
    const compose = () => ({ content: { kind: 'text' as const, text: '' }, problem: 'message is empty' });
    expect(await ledger.dispatch.readAhead(cast.id, { limit: 1, compose, nowMs: NOW })).toMatchObject({ count: 1 });
    expect(await cast.report()).toMatchObject([{ state: 'suppressed', reason: 'suppressed_operator' }]);
    expect((await cast.report())[0]).not.toHaveProperty('reasonText');
  });

  it('retries recipients whose entries were removed, and ends the others again', async () => {
    const cast = await new CampaignCast(ledger).running(2);
    await suppress(cast.instance, chatOn(2));
    await suppress(cast.instance, chatOn(3));
    await cast.claim(10);
    await cast.endIfDone();
    await ledger.suppressions.remove({ chatId: chatOn(2), instance: cast.instance, nowMs: NOW });

    const later = NOW + MINUTE;
    expect(await ledger.campaigns.retry(cast.id, { scopes: ['suppressed'] }, later)).toMatchObject({ recipients: 2 });
    expect((await cast.claim(10, later)).map(({ chatId }) => chatId)).toEqual([chatOn(2)]);
    expect(await cast.states()).toEqual({ sending: 1, suppressed: 1 });
    const still = (await cast.report()).find(({ line }) => line === 3);
    expect(await cast.told(still?.messageId as MessageId)).toEqual(['suppressed', 'retried', 'suppressed']);
  });

  it('suppresses a recipient also when a request named its id before', async () => {
    const cast = await new CampaignCast(ledger).running(1);
    const id = (await cast.report())[0]?.messageId as MessageId;
    expect((await ledger.views.message(id, NOW))?.state).toBe('pending');
    await suppress(cast.instance, chatOn(2));
    expect(await cast.claim(1)).toEqual([]);
    expect((await ledger.views.message(id, NOW))?.state).toBe('suppressed');
  });
});
