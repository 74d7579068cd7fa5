/** What clearing a gateway's queue means for messages: CLEAR-1 to CLEAR-5. */
import { describe, expect, it } from 'vitest';
import type { MessageId, MessageRequest } from '../../../src/contract/index.js';
import type { ListedItem } from '../../../src/domain/index.js';
import type { ListedQueue } from '../../../src/ledger/index.js';
import { claimDue, shiftOf } from '../../support/shift.js';
import { CampaignCast } from '../campaigns/campaign-life-cast.js';
import { CHAT, MINUTE, NOW, SECOND, useOwnCast } from '../cast.js';

const c = useOwnCast();
const MARGIN = 10 * SECOND;
const STATUS = { content: { kind: 'status', text: 'open', font: undefined } } as unknown as Partial<MessageRequest>;

async function anOrder(): Promise<string> {
  const id = `op-${c.instance}`;
  const order = { method: 'clearMessagesQueue', instance: c.instance, requestHash: 'h', request: {}, nowMs: NOW };
  await c.ledger.operations.open({ id, ...order });
  return id;
}

const stop = (id: string, untilMs = NOW + MINUTE) => c.ledger.queueClears.stopPosts(id, c.instance, untilMs);

/** A reading, as an activity makes it. */
async function reading(atMs: number, ...ids: string[]): Promise<ListedQueue> {
  const items = ids.map((one): ListedItem => ({ ids: [one], kind: 'text', chat: CHAT }));
  await c.ledger.queueReadings.record(c.instance, { begunAtMs: atMs, endedAtMs: atMs, items });
  return { begunAtMs: atMs, items: ids.map((one) => [one]) };
}

interface Listed {
  readonly before?: readonly string[] | undefined;
  readonly after?: readonly string[] | undefined;
  readonly tookMs?: number;
}

/** Clears a queue that the readings before and after it listed like this. */
async function clear({ before, after, tookMs = 200 }: Listed): Promise<void> {
  const id = await anOrder();
  await stop(id);
  const first = before === undefined ? {} : { before: await reading(NOW, ...before) };
  expect(await c.ledger.queueClears.begin({ id, instance: c.instance, untilMs: NOW + MINUTE, ...first }, NOW)).toBe(
    true,
  );
  await settle(id, after, tookMs);
}

async function settle(id: string, after: Listed['after'], tookMs = 200) {
  const second = after === undefined ? {} : { after: await reading(NOW + tookMs + 1_100, ...after) };
  const end = { state: 'done', result: { isCleared: true } } as const;
  return c.ledger.queueClears.settle({ id, end, clearedByMs: NOW + tookMs, ...second }, NOW + 2 * SECOND);
}

const kindOf = async (id: Parameters<typeof c.view>[0]) => {
  const { state, reason } = await c.view(id);
  return reason === undefined ? state : `${state} ${reason}`;
};
const IN_DOUBT = 'unresolved QUEUE_CLEARED';
const GONE = 'cancelled QUEUE_CLEARED';

/** Whether a shift claims it now. */
async function isClaimed(id: MessageId, nowMs = NOW): Promise<boolean> {
  const claimed = await claimDue(c.ledger.dispatch, shiftOf(c.instance), nowMs);
  return claimed.some(({ messageId }) => messageId === id);
}

describe('posts, while a queue is cleared (CLEAR-1)', () => {
  it('stop before it is read, and go on once the operation has ended', async () => {
    const id = await anOrder();
    expect(await stop(id)).toBe(0);
    const waiting = await c.pending();
    expect(await isClaimed(waiting)).toBe(false);
    expect((await c.view(waiting)).waiting).toMatchObject({ code: 'QUEUE_CLEARING' });
    expect(await c.ledger.queueClears.begin({ id, instance: c.instance, untilMs: NOW + MINUTE }, NOW)).toBe(true);
    expect(await isClaimed(waiting)).toBe(false);
    await settle(id, []);
    expect(await isClaimed(waiting)).toBe(true);
  });

  it('go on by themselves once the request can no longer be carried out', async () => {
    const id = await anOrder();
    await stop(id, NOW + MINUTE);
    const waiting = await c.pending();
    expect(await isClaimed(waiting, NOW + MINUTE - SECOND)).toBe(false);
    expect(await isClaimed(waiting, NOW + MINUTE)).toBe(true);
  });

  it('that are under way keep the request from leaving', async () => {
    const { token } = await c.posting();
    const id = await anOrder();
    expect(await stop(id)).toBe(1);
    const begin = () => c.ledger.queueClears.begin({ id, instance: c.instance, untilMs: NOW + MINUTE }, NOW);
    expect(await begin()).toBe(false);
    await c.accept(token, 'A');
    expect(await begin()).toBe(true);
    expect(await begin()).toBe(false);
  });

  it('keep it from leaving if they may have gone on since they were stopped', async () => {
    const id = await anOrder();
    await stop(id, NOW + MARGIN);
    const request = { id, instance: c.instance, untilMs: NOW + MINUTE };
    expect(await c.ledger.queueClears.begin(request, NOW)).toBe(false);
    await c.ledger.queueClears.giveBack(id);
    expect(await c.ledger.queueClears.begin(request, NOW)).toBe(false);
  });
});

describe('a message that the gateway had accepted', () => {
  it('is cancelled if two readings prove that it is gone, and unresolved if it may have left between them', async () => {
    const [first, second, third] = [await c.accepted('A'), await c.accepted('B'), await c.accepted('C')];
    await clear({ before: ['A', 'B', 'C'], after: [], tookMs: 600 });
    expect(await Promise.all([first, second, third].map(kindOf))).toEqual([IN_DOUBT, IN_DOUBT, GONE]);
    expect(await c.evidence(third, 'queue_cleared')).toMatchObject([{ detail: { idMessage: 'C', ahead: 2 } }]);
    expect(await c.evidence(first, 'unresolved')).toMatchObject([{ detail: { why: 'QUEUE_CLEARED' } }]);
  });

  it.each<[string, Listed, string]>([
    ['the queue was not read before', { after: [] }, IN_DOUBT],
    ['the queue was not read after', { before: ['x', 'y', 'A'] }, IN_DOUBT],
    ['the reading after is not complete', { before: ['x', 'y', 'A'], after: ['1', '2', '3'] }, IN_DOUBT],
    ['it is still listed', { before: ['x', 'y', 'A'], after: ['A'] }, 'accepted'],
    ['many items can have left meanwhile', { before: ['x', 'y', 'A'], after: [], tookMs: MINUTE }, IN_DOUBT],
    ['it is proved to be gone', { before: ['x', 'y', 'A'], after: ['z'] }, GONE],
  ])('%s', async (_, listed, expected) => {
    const id = await c.accepted('A');
    await clear(listed);
    expect(await kindOf(id)).toBe(expected);
  });

  it('had left if the complete reading before does not list it', async () => {
    const left = await c.accepted('A');
    await reading(NOW - 10 * SECOND, 'x', 'y', 'A');
    const youngest = await c.accepted('B');
    await clear({ before: ['x', 'B'], after: [] });
    expect([await kindOf(left), await kindOf(youngest)]).toEqual(['accepted', GONE]);
  });

  it('had left if a notification says so', async () => {
    const id = await c.accepted('A');
    const seen = { idMessage: 'A', seenAtMs: NOW } as const;
    await c.receive(seen.idMessage, 'sent');
    await clear({ before: ['x', 'y', 'A'], after: [] });
    expect(await kindOf(id)).toBe('sent');
  });

  it('cannot be proved to be gone if the queue does not list its kind', async () => {
    const id = await c.accepted('S', { ...STATUS, chatId: undefined } as never);
    await clear({ before: ['x', 'y'], after: [] });
    expect(await kindOf(id)).toBe(IN_DOUBT);
  });

  it('is not concerned if it was posted after the clear', async () => {
    await clear({ before: [], after: [] });
    expect(await kindOf(await c.accepted('A'))).toBe('accepted');
  });
});

describe('the recipients of a campaign', () => {
  const DAY_MS = 24 * 60 * MINUTE;

  async function cleared() {
    const campaign = new CampaignCast(c.ledger, c.instance);
    await campaign.running(3, { deadline: new Date(NOW + DAY_MS).toISOString() });
    const attempts = await campaign.dispatched(3);
    const ids = attempts.map(({ messageId }) => `G-${messageId}-${NOW}`);
    await clear({ before: ['x', ...ids.slice(1)], after: [] });
    return campaign;
  }

  it('count in their new states, and keep it running until an operator decides or its deadline passes', async () => {
    const campaign = await cleared();
    // The first one had left.
    expect(await campaign.states()).toEqual({ accepted: 1, cancelled: 2 });
    const other = new CampaignCast(c.ledger, `${c.instance}-2`);
    await other.running(2, { deadline: new Date(NOW + DAY_MS).toISOString() });
    await other.dispatched(2);
    await clearOf(other.instance);
    expect(await other.states()).toEqual({ unresolved: 2 });
    expect((await other.endIfDone(NOW + MINUTE)).state).toBe('running');
    expect(await other.endIfDone(NOW + DAY_MS + SECOND)).toMatchObject({
      state: 'completed_with_failures',
      counts: { unresolved: 2 },
    });
  });

  it('are sent to again only by a retry that names them', async () => {
    const campaign = await cleared();
    const retry = (request: Parameters<typeof c.ledger.campaigns.retry>[1]) =>
      c.ledger.campaigns.retry(campaign.id, request, NOW + MINUTE);
    await retry({ scopes: ['unknown', 'failed'] });
    expect(await campaign.states()).toEqual({ accepted: 1, cancelled: 2 });
    await retry({ scopes: ['cancelled'] });
    expect(await campaign.states()).toEqual({ accepted: 1, pending: 2 });
  });

  it('that are in doubt are not searched for again, and sent to again only if they may be sent twice', async () => {
    const campaign = new CampaignCast(c.ledger, c.instance);
    await campaign.running(2);
    await campaign.dispatched(2);
    await clearOf(c.instance);
    const retry = (more: object) =>
      c.ledger.campaigns.retry(campaign.id, { scopes: ['unknown'], ...more }, NOW + DAY_MS);
    await retry({});
    expect(await campaign.states()).toEqual({ unresolved: 2 });
    await retry({ maySendTwice: true });
    expect(await campaign.states()).toEqual({ pending: 2 });
    const { messageId } = (await campaign.report())[0]!;
    expect(await c.view(messageId)).not.toHaveProperty('idMessage');
  });

  /** Without any reading. */
  async function clearOf(instance: string): Promise<void> {
    const id = `op-${instance}`;
    const order = { method: 'clearMessagesQueue', instance, requestHash: 'h', request: {}, nowMs: NOW };
    await c.ledger.operations.open({ id, ...order });
    await c.ledger.queueClears.stopPosts(id, instance, NOW + MINUTE);
    expect(await c.ledger.queueClears.begin({ id, instance, untilMs: NOW + MINUTE }, NOW)).toBe(true);
    await settle(id, undefined);
  }
});

describe('later (CLEAR-4, CLEAR-5)', () => {
  const cleared = async () => {
    const [unresolved, gone] = [await c.accepted('A'), await c.accepted('B')];
    await clear({ before: ['A', 'B'], after: [] });
    return { unresolved, gone };
  };

  it('a receipt wins over both', async () => {
    const { unresolved, gone } = await cleared();
    await c.receive('A', 'sent');
    await c.receive('B', 'delivered');
    expect([await kindOf(unresolved), await kindOf(gone)]).toEqual(['sent', 'delivered']);
    expect(await c.view(gone)).not.toHaveProperty('endedAt');
  });

  it('nothing is posted again, and an identical message is not blocked', async () => {
    const { unresolved, gone } = await cleared();
    expect([await isClaimed(unresolved), await isClaimed(gone)]).toEqual([false, false]);
    const { content } = await c.view(unresolved);
    expect(await isClaimed(await c.pending({ content }))).toBe(true);
  });

  it('an operator may send it again; the old id then only counts as delivered', async () => {
    const { unresolved: id } = await cleared();
    await c.ledger.reconciling.resolve(id, { outcome: 'not_accepted', witness: 'operator' }, NOW + MINUTE);
    expect(await c.view(id)).toMatchObject({ state: 'pending' });
    const { token } = await c.claimed(id, NOW + MINUTE);
    await c.accept(token, 'A2');
    await c.receive('A', 'failed');
    expect(await c.view(id)).toMatchObject({ state: 'accepted', idMessage: 'A2' });
  });

  it.each([undefined, 'A'])('an operator may say that it was sent, with the id %s', async (idMessage) => {
    const { unresolved: id } = await cleared();
    const resolution = { outcome: 'accepted', witness: 'operator', idMessage } as const;
    await c.ledger.reconciling.resolve(id, resolution, NOW + MINUTE);
    await c.ledger.reconciling.resolve(id, resolution, NOW + MINUTE);
    expect(await c.view(id)).toMatchObject({ state: 'sent', idMessage: 'A', reason: 'resolved_by_operator' });
    await c.receive('A', 'read');
    expect(await c.state(id)).toBe('read');
  });

  it('a waiting edit of a message that is gone ends, and one of a message in doubt waits', async () => {
    const [unresolved, gone] = [await c.accepted('A'), await c.accepted('B')];
    const [waits, ends] = [await c.edit(unresolved, 'new'), await c.edit(gone, 'new')];
    await clear({ before: ['A', 'B'], after: [] });
    expect([await c.editState(waits), await c.editState(ends)]).toEqual(['pending', 'not_possible']);
  });

  it('another message seen for the same recipient is not adopted by it', async () => {
    const { unresolved: id } = await cleared();
    expect(await c.ledger.reconciling.attempt(id)).toBeUndefined();
    expect(await c.ledger.reconciling.attemptsTo(c.instance, CHAT)).toEqual([]);
  });

  it('an id that only then shows an acceptance from before is in the same doubt', async () => {
    const late = await c.posting();
    const found = await c.posting();
    for (const { token } of [late, found]) await c.record(token, { kind: 'unknown', code: 'LOST' });
    const attempt = await c.ledger.reconciling.attempt(found.id);
    await clear({ before: ['x'], after: [] });
    await c.accept(late.token, 'L');
    await c.ledger.reconciling.adopt(attempt!, 'F', 'lastOutgoingMessages', NOW);
    expect([await kindOf(late.id), await kindOf(found.id)]).toEqual([IN_DOUBT, IN_DOUBT]);
    expect((await c.ledger.observations.instanceSince(attempt!)).restarted).toBe(true);
  });
});
