import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../src/contract/index.js';
import type { ListedItem } from '../../../src/domain/index.js';
import { CHAT, MINUTE, NOW, SECOND, useCast, type Cast } from '../cast.js';

const cast = useCast();
const DAY = 24 * 60 * MINUTE;

function items(...ids: string[]): ListedItem[] {
  return ids.map((id) => ({ ids: [id], kind: 'text', chat: '15550000001@c.us' }));
}

async function read(c: Cast, atMs: number, ...ids: string[]): Promise<void> {
  await c.ledger.queueReadings.record(c.instance, {
    begunAtMs: atMs - 100,
    endedAtMs: atMs,
    items: items(...ids),
  });
}

async function kept(c: Cast, nowMs = NOW) {
  const { readings, longestListing } = await c.ledger.queueReadings.all(c.instance, nowMs);
  return { lists: readings.map((reading) => reading.items.flatMap(({ ids }) => ids)), longestListing, readings };
}

async function claimed(c: Cast, text: string): Promise<{ id: MessageId; token: string }> {
  const { id, token } = await c.posting({ expiresAtMs: NOW + 2 * DAY, content: { kind: 'text', text } });
  return { id, token };
}

async function accepted(c: Cast, idMessage: string): Promise<MessageId> {
  const { id, token } = await claimed(c, `text of ${idMessage}`);
  await c.record(token, { kind: 'accepted', idMessage, httpStatus: 200 });
  return id;
}

describe('readings of a queue', () => {
  it('are replaced while no attempt is open, once a second at most', async () => {
    const c = cast();
    await read(c, NOW, 'A');
    await read(c, NOW + SECOND / 2, 'B');
    expect((await kept(c)).lists).toEqual([['A']]);
    await read(c, NOW + 2 * SECOND, 'C');
    expect((await kept(c)).lists).toEqual([['C']]);
  });

  it('are all kept while an attempt is open, with the last one before its claim', async () => {
    const c = cast();
    await read(c, NOW, 'A');
    await read(c, NOW + 2 * SECOND, 'B');
    const { token } = await claimed(c, 'in doubt');
    for (const [place, id] of ['C', 'D', 'E'].entries()) await read(c, NOW + (3 + place / 10) * SECOND, id);
    expect((await kept(c)).lists).toEqual([['B'], ['C'], ['D'], ['E']]);

    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    await read(c, NOW + 4 * SECOND, 'F');
    expect((await kept(c)).lists).toHaveLength(5);

    await c.record(token, { kind: 'accepted', idMessage: 'X', httpStatus: 200 });
    await read(c, NOW + 6 * SECOND, 'G');
    expect((await kept(c)).lists).toEqual([['G']]);
  });

  it('are ordered by the ledger, together with the claim', async () => {
    const c = cast();
    await read(c, NOW, 'A');
    const { id, token } = await claimed(c, 'in doubt');
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    await read(c, NOW + SECOND, 'B');
    const claimSequence = (await c.ledger.reconciling.attempt(id))?.claimSequence ?? 0;
    const [before, after] = (await kept(c)).readings;
    expect(before?.sequence).toBeLessThan(claimSequence);
    expect(after?.sequence).toBeGreaterThan(claimSequence);
  });

  it('keep the longest listing for a day', async () => {
    const c = cast();
    await read(c, NOW, 'A', 'B', 'C');
    await read(c, NOW + 2 * SECOND, 'A');
    await read(c, NOW + 4 * SECOND);
    expect(await kept(c)).toMatchObject({ longestListing: 3, lists: [['A', 'B', 'C'], []] });
    expect(await kept(c, NOW + DAY + SECOND)).toMatchObject({ longestListing: 0 });
    await read(c, NOW + DAY + 5 * SECOND, 'D');
    expect((await kept(c)).lists).toEqual([['D']]);
  });

  it('are not used for another instance', async () => {
    const [one, other] = [cast(), cast()];
    await read(one, NOW, 'A');
    await other.ledger.queueReadings.record(`${one.instance}-2`, { begunAtMs: NOW, endedAtMs: NOW, items: [] });
    expect((await kept(one)).lists).toEqual([['A']]);
  });
});

describe('the ids in a reading', () => {
  it('include our own ids from a response with their claim, and those accepted since the oldest', async () => {
    const c = cast();
    for (const id of ['A', 'B', 'C']) await accepted(c, `${id}-${c.instance}`);
    const [first, second, third] = ['A', 'B', 'C'].map((id) => `${id}-${c.instance}`);
    const known = await c.ledger.queueReadings.accounted(c.instance, [second!, 'FOREIGN']);
    expect([...known.keys()]).toEqual([second]);
    const own = known.get(second!);
    expect(own?.byResponse).toMatchObject({ kind: 'text', claimedAtMs: NOW });
    expect(own!.byResponse!.claimSequence).toBeLessThan(own!.acceptedSequence!);

    const since = await c.ledger.queueReadings.acceptedSince(c.instance, known);
    expect([...since.keys()]).toEqual([third]);
    expect([...since.keys()]).not.toContain(first);
    expect(await c.ledger.queueReadings.acceptedSince(c.instance, new Map())).toEqual(new Map());
  });

  it('have less detail for an adopted id, which may be another sender’s', async () => {
    const c = cast();
    const { id, token } = await claimed(c, 'in doubt');
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    const attempt = await c.ledger.reconciling.attempt(id);
    await c.ledger.reconciling.adopt(attempt!, `X-${c.instance}`, 'showMessagesQueue', NOW);
    const known = (await c.ledger.queueReadings.accounted(c.instance, [`X-${c.instance}`])).get(`X-${c.instance}`);
    expect(known?.acceptedSequence).toBeGreaterThan(0);
    expect(known?.byResponse).toBeUndefined();
  });
});

describe('an attempt whose lost connection was seen', () => {
  it.each([
    ['is', { connectionEnded: true as const }, NOW],
    ['is not', {}, undefined],
  ])('%s known to be settled earlier', async (_, more, lossSeenMs) => {
    const c = cast();
    const { id, token } = await claimed(c, 'in doubt');
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN', ...more });
    const attempt = await c.ledger.reconciling.attempt(id);
    expect(attempt?.lossSeenMs === undefined).toBe(lossSeenMs === undefined);
  });
});

/** Proves PRESUME-1, PRESUME-4, and PRESUME-7 to PRESUME-9. */
describe('notifications of own messages', () => {
  async function notified(c: Cast, idMessage: string, receivedAtMs: number, leftAtMs: number): Promise<void> {
    const when = { receivedAtMs, leftAtMs };
    await c.ledger.observations.keep(c.instance, idMessage, { idMessage }, receivedAtMs, when);
  }

  async function facts(c: Cast, id: MessageId, leftAt = NOW + MINUTE, queued: string[] = []) {
    const attempt = await c.ledger.reconciling.attempt(id);
    const completeReading = { begunAtMs: leftAt, endedAtMs: leftAt, items: items(...queued) };
    return c.ledger.observations.history(attempt!, { decidableFromMs: NOW, nowMs: NOW + 10 * MINUTE, completeReading });
  }

  async function inDoubt(c: Cast): Promise<MessageId> {
    const { id, token } = await claimed(c, 'in doubt');
    await c.record(token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    return id;
  }

  it('are counted, and so are the missing ones of messages that left the queue', async () => {
    const c = cast();
    const id = await inDoubt(c);
    for (const name of ['A', 'B', 'C']) await accepted(c, `${name}-${c.instance}`);
    await notified(c, `A-${c.instance}`, NOW + 2 * SECOND, NOW + SECOND);
    expect(await facts(c, id)).toEqual({
      notifiedWithinDay: 1,
      missingWithinDay: 2,
      isKindNotified: true,
      isOutOfOrder: false,
      hasUnexplained: false,
      successor: { idMessage: `A-${c.instance}`, claimedAtMs: NOW, notifiedAtMs: NOW + 2 * SECOND },
    });
    expect(await facts(c, id, NOW + MINUTE, [`B-${c.instance}`, `C-${c.instance}`])).toMatchObject({
      missingWithinDay: 0,
    });
    expect(await facts(c, id, NOW - MINUTE)).toMatchObject({ missingWithinDay: 0 });
  });

  it('show one that came after another that left more than a second later', async () => {
    const c = cast();
    const id = await inDoubt(c);
    for (const name of ['A', 'B']) await accepted(c, `${name}-${c.instance}`);
    await notified(c, `A-${c.instance}`, NOW + 9 * SECOND, NOW + 5 * SECOND);
    await notified(c, `B-${c.instance}`, NOW + 10 * SECOND, NOW + 4 * SECOND);
    expect(await facts(c, id)).toMatchObject({ isOutOfOrder: false });
    await accepted(c, `C-${c.instance}`);
    await notified(c, `C-${c.instance}`, NOW + 11 * SECOND, NOW + 3 * SECOND);
    expect(await facts(c, id)).toMatchObject({ isOutOfOrder: true });
  });

  it('show one without an explanation, and one that waits to be applied', async () => {
    const [one, other] = [cast(), cast()];
    const [id, second] = [await inDoubt(one), await inDoubt(other)];
    await accepted(one, `A-${one.instance}`);
    await notified(one, `FOREIGN-${one.instance}`, NOW + SECOND, NOW);
    expect(await facts(one, id)).toMatchObject({ hasUnexplained: true });
    await accepted(other, `B-${other.instance}-2`);
    await other.ledger.receipts.store(other.instance, { typeWebhook: 'x' }, NOW + SECOND);
    expect(await facts(other, second)).toMatchObject({ hasUnexplained: true });
  });

  it('PRESUME-4 exclude notifications of another chat, and receipts whose message is known', async () => {
    const c = cast();
    const id = await inDoubt(c);
    await accepted(c, `A-${c.instance}`);
    const chats = { here: CHAT, elsewhere: '15559999999@c.us', group: '120363000000000000@g.us' };
    const seen = async (name: keyof typeof chats): Promise<string> => {
      const idMessage = `${name}-${c.instance}`;
      const notification = { idMessage, senderData: { chatId: chats[name] } };
      await c.ledger.observations.keep(c.instance, idMessage, notification, NOW + SECOND);
      const receipt = { kind: 'status', idMessage, status: 'sent', atMs: NOW } as const;
      await c.ledger.receipts.apply(c.instance, receipt, NOW + SECOND);
      return idMessage;
    };
    const attempt = (await c.ledger.reconciling.attempt(id))!;

    await seen('elsewhere');
    await c.ledger.receipts.store(c.instance, { typeWebhook: 'x', chatId: chats.elsewhere }, NOW + SECOND);
    expect(await facts(c, id)).toMatchObject({ hasUnexplained: false });
    expect(await c.ledger.observations.parkedIds(attempt)).toEqual([]);

    const group = await seen('group');
    expect(await facts(c, id)).toMatchObject({ hasUnexplained: true });
    const here = await seen('here');
    expect(await c.ledger.observations.parkedIds(attempt)).toEqual([here, group]);
  });

  it('presume nothing when no message of the day is known', async () => {
    const c = cast();
    expect(await facts(c, await inDoubt(c))).toMatchObject({ hasUnexplained: true, notifiedWithinDay: 0 });
  });
});
