import { describe, expect, it } from 'vitest';
import type { ListedItem } from '../../../src/domain/index.js';
import { CHAT, MINUTE, NOW, SECOND, useOwnCast } from '../cast.js';

const c = useOwnCast();
const DAY = 24 * 60 * MINUTE;
const LOST = { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' } as const;

function listing(atMs: number, ...ids: string[]) {
  const items = ids.map((id): ListedItem => ({ ids: [id], kind: 'text', chat: '15550000001@c.us' }));
  return { begunAtMs: atMs - 100, endedAtMs: atMs, items };
}

const read = (atMs: number, ...ids: string[]) => c.ledger.queueReadings.record(c.instance, listing(atMs, ...ids));

async function kept(nowMs = NOW) {
  const { readings, longestListing } = await c.ledger.queueReadings.recent(c.instance, nowMs);
  return { lists: readings.map((reading) => reading.items.flatMap(({ ids }) => ids)), longestListing, readings };
}

/** An attempt whose response was lost. */
async function inDoubt(more: { connectionEnded?: true } = {}) {
  const { id, token } = await c.posting({ expiresAtMs: NOW + 2 * DAY });
  await c.record(token, { ...LOST, ...more });
  return (await c.ledger.reconciling.attempt(id))!;
}

describe('readings of a queue', () => {
  it('are replaced while no attempt is open, once a second at most', async () => {
    await read(NOW, 'A');
    await read(NOW + SECOND / 2, 'B');
    expect((await kept()).lists).toEqual([['A']]);
    await read(NOW + 2 * SECOND, 'C');
    expect((await kept()).lists).toEqual([['C']]);
  });

  it('are all kept while an attempt is open, with the last one before its claim', async () => {
    await read(NOW, 'A');
    await read(NOW + 2 * SECOND, 'B');
    const { token } = await c.posting({ expiresAtMs: NOW + 2 * DAY });
    for (const [place, id] of ['C', 'D', 'E'].entries()) await read(NOW + (3 + place / 10) * SECOND, id);
    expect((await kept()).lists).toEqual([['B'], ['C'], ['D'], ['E']]);

    await c.record(token, LOST);
    await read(NOW + 4 * SECOND, 'F');
    expect((await kept()).lists).toHaveLength(5);

    await c.accept(token, 'X');
    await read(NOW + 6 * SECOND, 'G');
    expect((await kept()).lists).toEqual([['G']]);
  });

  it('are ordered by the ledger, together with the claim', async () => {
    await read(NOW, 'A');
    const { claimSequence } = await inDoubt();
    await read(NOW + SECOND, 'B');
    const [before, after] = (await kept()).readings;
    expect(before?.sequence).toBeLessThan(claimSequence);
    expect(after?.sequence).toBeGreaterThan(claimSequence);
  });

  it('keep the longest listing for a day', async () => {
    await read(NOW, 'A', 'B', 'C');
    await read(NOW + 2 * SECOND, 'A');
    await read(NOW + 4 * SECOND);
    expect(await kept()).toMatchObject({ longestListing: 3, lists: [['A', 'B', 'C'], []] });
    expect(await kept(NOW + DAY + SECOND)).toMatchObject({ longestListing: 0 });
    await read(NOW + DAY + 5 * SECOND, 'D');
    expect((await kept()).lists).toEqual([['D']]);
  });

  it('are given up to 30,000 items, the newest first, with the last one before a claim', async () => {
    const ids = (many: number) => Array.from({ length: many }, (_, at) => `A${at}`);
    const attempt = await inDoubt();
    await read(NOW + SECOND, 'FIRST');
    const younger = await inDoubt();
    for (const many of [10, 20_000, 9_999, 1]) await read(NOW + 2 * SECOND, ...ids(many));
    expect((await kept()).lists.map((list) => list.length)).toEqual([20_000, 9_999, 1]);
    expect(await c.ledger.queueReadings.lastBefore(younger)).toMatchObject({ items: [{ ids: ['FIRST'] }] });
    expect(await c.ledger.queueReadings.lastBefore(attempt)).toBeUndefined();
  });

  it('are not used for another instance', async () => {
    await read(NOW, 'A');
    await c.ledger.queueReadings.record(`${c.instance}-2`, listing(NOW));
    expect((await kept()).lists).toEqual([['A']]);
  });
});

describe('the ids in a reading', () => {
  it('include our own ids from a response with their claim, and those accepted since the oldest', async () => {
    for (const id of ['A', 'B', 'C']) await c.accepted(id);
    const known = await c.ledger.queueReadings.accounted(c.instance, ['B', 'FOREIGN']);
    expect([...known.keys()]).toEqual(['B']);
    const own = known.get('B');
    expect(own?.byResponse).toMatchObject({ kind: 'text', claimedAtMs: NOW });
    expect(own!.byResponse!.claimSequence).toBeLessThan(own!.acceptedSequence!);

    expect([...(await c.ledger.queueReadings.acceptedSince(c.instance, known)).keys()]).toEqual(['C']);
    expect(await c.ledger.queueReadings.acceptedSince(c.instance, new Map())).toEqual(new Map());
  });

  it('have less detail for an adopted id, which may be another sender’s', async () => {
    await c.ledger.reconciling.adopt(await inDoubt(), 'X', 'showMessagesQueue', NOW);
    const known = (await c.ledger.queueReadings.accounted(c.instance, ['X'])).get('X');
    expect(known?.acceptedSequence).toBeGreaterThan(0);
    expect(known?.byResponse).toBeUndefined();
  });
});

it('an attempt has the time at which the loss of its connection was seen, if it was', async () => {
  expect(await inDoubt({ connectionEnded: true })).toMatchObject({ lossSeenMs: NOW });
  expect(await inDoubt()).not.toHaveProperty('lossSeenMs');
});

/** Proves PRESUME-1, PRESUME-4, and PRESUME-7 to PRESUME-9. */
describe('notifications of own messages', () => {
  const notified = (idMessage: string, receivedAtMs: number, leftAtMs: number) =>
    c.ledger.observations.keep(c.instance, idMessage, { idMessage }, receivedAtMs, { receivedAtMs, leftAtMs });

  type Attempt = Awaited<ReturnType<typeof inDoubt>>;

  function facts(attempt: Attempt, leftAtMs = NOW + MINUTE, ...queued: string[]) {
    const about = { decidableFromMs: NOW, nowMs: NOW + 10 * MINUTE };
    return c.ledger.observations.history(attempt, { ...about, completeReading: listing(leftAtMs + 100, ...queued) });
  }

  it('are counted, and so are the missing ones of messages that left the queue', async () => {
    const attempt = await inDoubt();
    for (const id of ['A', 'B', 'C']) await c.accepted(id);
    await notified('A', NOW + 2 * SECOND, NOW + SECOND);
    expect(await facts(attempt)).toEqual({
      notifiedWithinDay: 1,
      missingWithinDay: 2,
      isKindNotified: true,
      isOutOfOrder: false,
      hasUnexplained: false,
      successor: { idMessage: 'A', claimedAtMs: NOW, notifiedAtMs: NOW + 2 * SECOND },
    });
    expect(await facts(attempt, NOW + MINUTE, 'B', 'C')).toMatchObject({ missingWithinDay: 0 });
    expect(await facts(attempt, NOW - MINUTE)).toMatchObject({ missingWithinDay: 0 });
  });

  it('show one that came after another that left more than a second later', async () => {
    const attempt = await inDoubt();
    for (const id of ['A', 'B', 'C']) await c.accepted(id);
    await notified('A', NOW + 9 * SECOND, NOW + 5 * SECOND);
    await notified('B', NOW + 10 * SECOND, NOW + 4 * SECOND);
    expect(await facts(attempt)).toMatchObject({ isOutOfOrder: false });
    await notified('C', NOW + 11 * SECOND, NOW + 3 * SECOND);
    expect(await facts(attempt)).toMatchObject({ isOutOfOrder: true });
  });

  it.each([
    ['one without an explanation', () => notified('FOREIGN', NOW + SECOND, NOW)],
    ['one that waits to be applied', () => c.ledger.receipts.store(c.instance, { typeWebhook: 'x' }, NOW + SECOND)],
  ])('show %s', async (_, comes) => {
    const attempt = await inDoubt();
    await c.accepted('A');
    await comes();
    expect(await facts(attempt)).toMatchObject({ hasUnexplained: true });
  });

  it('PRESUME-4 exclude notifications of another chat, and receipts whose message is known', async () => {
    const attempt = await inDoubt();
    await c.accepted('A');
    const seen = async (idMessage: string, chatId: string) => {
      await c.ledger.observations.keep(c.instance, idMessage, { idMessage, senderData: { chatId } }, NOW + SECOND);
      await c.receive(idMessage, 'sent', { nowMs: NOW + SECOND });
    };

    await seen('elsewhere', '15559999999@c.us');
    await c.ledger.receipts.store(c.instance, { typeWebhook: 'x', chatId: '15559999999@c.us' }, NOW + SECOND);
    expect(await facts(attempt)).toMatchObject({ hasUnexplained: false });
    expect(await c.ledger.observations.parkedIds(attempt)).toEqual([]);

    await seen('group', '120363000000000000@g.us');
    expect(await facts(attempt)).toMatchObject({ hasUnexplained: true });
    await seen('here', CHAT);
    expect(await c.ledger.observations.parkedIds(attempt)).toEqual(['here', 'group']);
  });

  it('presume nothing when no message of the day is known', async () => {
    expect(await facts(await inDoubt())).toMatchObject({ hasUnexplained: true, notifiedWithinDay: 0 });
  });
});
