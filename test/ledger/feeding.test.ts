/**
 * The claim of a batch, condition by condition, and the rows of recipients who were not fed yet: FEED-1 to FEED-7 of
 * the feeding ledger.
 */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  LARGEST_LINE,
  recipientMessageId,
  recipientOfMessageId,
  type EditId,
  type MessageContent,
  type MessageId,
} from '../../src/contract/index.js';
import type { ClaimBatch, FeedingTurn, FeedRecipient, Ledger } from '../../src/ledger/index.js';
import { aLedger } from '../support/ledger.js';
import { CampaignCast, DAY } from './campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from './cast.js';

let ledger: Ledger;
beforeAll(async () => {
  ledger = await aLedger();
});
afterAll(() => ledger.close());

async function running(recipients = 3): Promise<CampaignCast> {
  return new CampaignCast(ledger).running(recipients);
}

async function turnOf({ id }: CampaignCast, nowMs = NOW): Promise<FeedingTurn> {
  const response = await ledger.feeding.take({ campaignId: id, forMs: MINUTE, patienceMs: SECOND, nowMs });
  if (!response.granted) throw new Error(`no turn: ${response.why}`);
  return response.turn;
}

function textFor({ values, row }: FeedRecipient): MessageContent {
  return row?.content ?? { kind: 'text', text: `Hello ${values['name']}` };
}

async function batchOf(cast: CampaignCast, over: Partial<ClaimBatch> = {}, limit = 20): Promise<ClaimBatch> {
  const nowMs = over.nowMs ?? NOW;
  const turn = over.turn ?? (await turnOf(cast, nowMs));
  const next = await ledger.feeding.next(cast.id, limit, nowMs);
  return {
    turn,
    contentVersion: next.contentVersion,
    throughLine: next.throughLine,
    entries: next.recipients.map((recipient) => ({ recipient, token: randomUUID(), content: textFor(recipient) })),
    worker: 'worker-1',
    postingDeadlineMs: nowMs + 5 * SECOND,
    reconcileAfterMs: nowMs + 35 * SECOND,
    nowMs,
    ...over,
  };
}

function campaignKeyOf(id: MessageId): string {
  return recipientOfMessageId(id)?.campaignKey ?? '';
}

async function idOf(cast: CampaignCast, line: number): Promise<MessageId> {
  const next = await ledger.feeding.next(cast.id, 1, NOW);
  const [recipient] = next.recipients;
  if (recipient === undefined) throw new Error('no recipient is left');
  return recipientMessageId(campaignKeyOf(recipient.messageId), line);
}

/** Something sending with the very text and chat of the recipient on line 2. */
async function identicalTo(cast: CampaignCast): Promise<MessageId> {
  const id = `msg_${randomUUID()}` as MessageId;
  const request = {
    instance: cast.instance,
    chatId: '15550000002@c.us',
    content: { kind: 'text', text: 'Hello P2' } as const,
  };
  await ledger.messages.open({ id, requestHash: 'h', request, expiresAtMs: NOW + DAY, nowMs: NOW });
  const deadlines = { postingDeadlineMs: NOW + 5 * SECOND, reconcileAfterMs: NOW + 35 * SECOND };
  await ledger.messages.claim({ id, token: `identical-${id}`, worker: 'w', ...deadlines, nowMs: NOW });
  return id;
}

/** Proves PROTOCOL-9. */
describe('the claim of a batch', () => {
  it('FEED-5 makes the intent of every recipient in it durable, in the order of the lines', async () => {
    const cast = await running();
    const batch = await batchOf(cast);
    const { claimed, isOpen } = await ledger.feeding.claim(batch);

    expect(isOpen).toBe(true);
    expect(claimed.map(({ attempt }) => attempt.content)).toEqual([
      { kind: 'text', text: 'Hello P2' },
      { kind: 'text', text: 'Hello P3' },
      { kind: 'text', text: 'Hello P4' },
    ]);
    expect(await cast.states()).toEqual({ sending: 3 });
    for (const { messageId, attempt } of claimed) {
      expect(await ledger.messages.view(messageId)).toMatchObject({
        state: 'sending',
        campaignId: cast.id,
        attempts: [{ token: attempt.token }],
        evidence: [{ witness: 'claim', what: 'claimed', detail: { attempt: attempt.token, worker: 'worker-1' } }],
      });
    }
  });

  it('FEED-5 gives the same attempts when it is made again, and posts no recipient twice', async () => {
    const cast = await running();
    const batch = await batchOf(cast);
    const first = await ledger.feeding.claim(batch);
    expect(await ledger.feeding.claim(batch)).toEqual(first);
    const [one] = first.claimed;
    if (one === undefined) throw new Error('no recipient was claimed');
    await ledger.messages.recordOutcome(one.attempt.token, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' }, NOW);
    const again = await ledger.feeding.claim(batch);
    expect(again.claimed.map(({ messageId }) => messageId)).not.toContain(one.messageId);
  });

  it('FEED-5 gives no deadline after the campaign’s own, in its first claim and in any later one', async () => {
    const cast = await running(2);
    const atMs = NOW + DAY;
    await ledger.campaigns.update(cast.id, { deadline: new Date(atMs + 2 * SECOND).toISOString() }, NOW);
    const batch = await batchOf(cast, { nowMs: atMs });

    const { claimed } = await ledger.feeding.claim(batch);
    expect(claimed.map(({ attempt }) => attempt.postingDeadlineMs)).toEqual([atMs + 2 * SECOND, atMs + 2 * SECOND]);
    expect(await ledger.feeding.claim(batch)).toMatchObject({ claimed });

    for (const { attempt } of claimed) {
      await ledger.messages.recordOutcome(attempt.token, { kind: 'not_accepted', code: 'GATEWAY_BUSY' }, atMs);
    }
    const again = await ledger.feeding.claim(await batchOf(cast, { nowMs: atMs + SECOND }));
    expect(again.claimed.map(({ attempt }) => attempt.postingDeadlineMs)).toEqual([
      atMs + 2 * SECOND,
      atMs + 2 * SECOND,
    ]);
  });

  it('FEED-4 takes no recipient once a pause has been committed', async () => {
    const cast = await running();
    const batch = await batchOf(cast);
    await ledger.campaigns.pause(cast.id, NOW);
    expect(await ledger.feeding.claim(batch)).toEqual({ claimed: [], rejected: 0, suppressed: 0, isOpen: false });
    expect(await cast.states()).toEqual({ pending: 3 });
  });

  it('FEED-4 takes no recipient once the campaign’s text has been changed', async () => {
    const cast = await running();
    const batch = await batchOf(cast);
    await ledger.campaigns.update(cast.id, { content: { kind: 'text', text: 'Good evening {{name}}' } }, NOW);
    expect(await ledger.feeding.claim(batch)).toMatchObject({ claimed: [], isOpen: false });
  });

  it('FEED-1 takes no recipient under an older epoch, also of the same campaign', async () => {
    const cast = await running();
    const batch = await batchOf(cast);
    await turnOf(cast);
    expect(await ledger.feeding.claim(batch)).toMatchObject({ claimed: [], isOpen: false });
  });

  it('FEED-1 takes no recipient after the turn’s time, nor after it was given back', async () => {
    const cast = await running();
    const late = await batchOf(cast, { nowMs: NOW });
    const nowMs = NOW + MINUTE;
    expect(await ledger.feeding.claim({ ...late, nowMs })).toMatchObject({ claimed: [], isOpen: false });

    const given = await batchOf(cast);
    await ledger.feeding.leave(given.turn, { hungryForMs: 0, nowMs: NOW });
    expect(await ledger.feeding.claim(given)).toMatchObject({ claimed: [], isOpen: false });
  });

  it('FEED-1 takes no recipient once another campaign of the instance has the turn', async () => {
    const cast = await running();
    const other = await new CampaignCast(ledger).running(1, { instance: cast.instance, priority: 'urgent' });
    const batch = await batchOf(cast);
    await ledger.feeding.leave(batch.turn, { hungryForMs: 0, nowMs: NOW });
    const { epoch } = await turnOf(other);
    const turn = { ...batch.turn, epoch };
    expect(await ledger.feeding.claim({ ...batch, turn })).toMatchObject({ claimed: [], isOpen: false });
  });

  it('FEED-4 is seen by a pause that it was faster than, and refused by one that was faster', async () => {
    for (let round = 0; round < 10; round += 1) {
      const cast = await running(2);
      const batch = await batchOf(cast);
      const [response, paused] = await Promise.all([ledger.feeding.claim(batch), ledger.campaigns.pause(cast.id, NOW)]);
      expect(paused.counts.sending).toBe(response.claimed.length);
    }
  });

  it('FEED-4 takes no recipient past the deadline', async () => {
    const cast = await running();
    const nowMs = NOW + 7 * DAY;
    const batch = await batchOf(cast, { nowMs });
    expect(await ledger.feeding.claim(batch)).toMatchObject({ claimed: [], isOpen: false });
  });

  it('FEED-4 does not take one who was cancelled meanwhile, but the others', async () => {
    const cast = await running();
    const id = await idOf(cast, 3);
    await ledger.messages.view(id);
    const batch = await batchOf(cast);
    await ledger.messages.cancel(id, 'operator', NOW);
    const { claimed } = await ledger.feeding.claim(batch);
    expect(claimed.map(({ messageId }) => messageId)).not.toContain(id);
    expect(await cast.states()).toEqual({ sending: 2, cancelled: 1 });
  });

  it('FEED-7 does not take one who got a row and was cancelled after being read, nor makes a second row', async () => {
    const cast = await running();
    const batch = await batchOf(cast);
    const id = await idOf(cast, 3);
    await ledger.messages.cancel(id, 'operator', NOW);
    expect((await ledger.feeding.claim(batch)).claimed).toHaveLength(2);
    expect(await cast.states()).toEqual({ sending: 2, cancelled: 1 });
  });

  it('FEED-4 does not take the old text of one who was edited meanwhile, and takes the new one next', async () => {
    const cast = await running();
    const id = await idOf(cast, 3);
    await ledger.messages.view(id);
    const batch = await batchOf(cast);
    await ledger.edits.open({ editId: `edt_${id}` as EditId, messageId: id, text: 'For you alone', nowMs: NOW });
    expect((await ledger.feeding.claim(batch)).claimed).toHaveLength(2);

    const { claimed } = await ledger.feeding.claim(await batchOf(cast));
    expect(claimed).toMatchObject([{ messageId: id, attempt: { content: { text: 'For you alone' } } }]);
  });

  it('FEED-4 does not take one whose identical message is sending; they wait, and are taken when the identical message is known', async () => {
    const cast = await running();
    const identical = await identicalTo(cast);
    const { claimed } = await ledger.feeding.claim(await batchOf(cast));
    expect(claimed).toHaveLength(2);
    expect(await cast.states()).toEqual({ sending: 2, pending: 1 });
    expect(await ledger.feeding.next(cast.id, 20, NOW)).toMatchObject({ recipients: [], isMore: false, later: {} });

    await ledger.messages.recordOutcome(`identical-${identical}`, { kind: 'rejected', code: 'GATEWAY_REJECTED' }, NOW);
    expect((await ledger.feeding.claim(await batchOf(cast))).claimed).toHaveLength(1);
  });

  it('FEED-4 does not take one whose identical message began after they were pending', async () => {
    const cast = await running(1);
    const batch = await batchOf(cast);
    await ledger.feeding.claim(batch);
    await ledger.messages.recordOutcome(
      batch.entries[0]?.token ?? '',
      { kind: 'not_accepted', code: 'GATEWAY_BUSY' },
      NOW,
    );
    const again = await batchOf(cast);
    await identicalTo(cast);
    expect(await ledger.feeding.claim(again)).toMatchObject({ claimed: [], isOpen: true });
    expect(await cast.states()).toEqual({ pending: 1 });
  });

  it('takes one who was surely not accepted again when it is time, counting the tries', async () => {
    const cast = await running(2);
    await cast.fed(2, { kind: 'not_accepted', code: 'GATEWAY_BUSY', retryAfterMs: 10 * SECOND });
    expect(await ledger.feeding.next(cast.id, 20, NOW)).toMatchObject({
      recipients: [],
      isMore: false,
      later: { atMs: NOW + 10 * SECOND },
    });
    const nowMs = NOW + 10 * SECOND;
    const { claimed } = await ledger.feeding.claim(await batchOf(cast, { nowMs }));
    expect(claimed.map(({ tries }) => tries)).toEqual([2, 2]);
  });

  it('FEED-6 rejects one whose content breaks a limit, for good, and never posts to them', async () => {
    const cast = await running(2);
    const batch = await batchOf(cast);
    const [first, ...rest] = batch.entries;
    if (first === undefined) throw new Error('no recipient is left');
    const problem = "'message' must not begin with a byte order mark";
    const response = await ledger.feeding.claim({ ...batch, entries: [{ ...first, problem }, ...rest] });
    expect(response).toMatchObject({ rejected: 1, claimed: [{ messageId: rest[0]?.recipient.messageId }] });
    expect(await ledger.messages.view(first.recipient.messageId)).toMatchObject({
      state: 'rejected',
      reason: 'content_invalid',
      reasonText: problem,
      attempts: [],
      evidence: [{ what: 'content_invalid', detail: { limit: problem } }],
    });
  });

  it('FEED-6 rejects one who was retried and whose content still breaks a limit once more', async () => {
    const cast = await running(1);
    const problem = "'message' must not begin with a byte order mark";
    for (const nowMs of [NOW, NOW + MINUTE]) {
      const batch = await batchOf(cast, { nowMs });
      const entries = batch.entries.map((entry) => ({ ...entry, problem }));
      expect(await ledger.feeding.claim({ ...batch, entries })).toMatchObject({ rejected: 1, claimed: [] });
      expect(await cast.states()).toEqual({ rejected: 1 });
      if (nowMs === NOW) await ledger.campaigns.retry(cast.id, { scopes: ['rejected'] }, nowMs);
    }
  });

  it('FEED-6 goes on behind those who were settled by themselves', async () => {
    const cast = await running(3);
    const ids = [await idOf(cast, 2), await idOf(cast, 3)];
    for (const id of ids) await ledger.messages.cancel(id, 'operator', NOW);
    const next = await ledger.feeding.next(cast.id, 2, NOW);
    expect(next).toMatchObject({ recipients: [], isMore: true, throughLine: 3 });
    await ledger.feeding.claim(await batchOf(cast, {}, 2));
    expect(await ledger.feeding.next(cast.id, 2, NOW)).toMatchObject({ recipients: [{ line: 4 }] });
  });

  it('makes the text again of one who was pending again after the campaign’s text was changed', async () => {
    const cast = await running(1);
    await cast.fed(1, { kind: 'not_accepted', code: 'GATEWAY_BUSY' });
    await ledger.campaigns.update(cast.id, { content: { kind: 'text', text: 'Good evening {{name}}' } }, NOW);
    const next = await ledger.feeding.next(cast.id, 1, NOW);
    expect(next.content).toEqual({ kind: 'text', text: 'Good evening {{name}}' });
    expect(next.recipients[0]?.row).not.toHaveProperty('content');
  });

  it('leaves a campaign’s messages alone where single ones are claimed', async () => {
    const cast = await running(1);
    const id = await idOf(cast, 2);
    await ledger.messages.view(id);
    const deadlines = { postingDeadlineMs: NOW + 5 * SECOND, reconcileAfterMs: NOW + 35 * SECOND };
    const claim = { id, token: randomUUID(), worker: 'w', ...deadlines, nowMs: NOW };
    expect(await ledger.messages.claim(claim)).toMatchObject({
      kind: 'settled',
      snapshot: { state: 'pending', campaignId: cast.id },
    });
    const unfinished = await ledger.messages.unfinished({ namespace: 'default', nowMs: NOW + DAY, limit: 1_000 });
    expect(unfinished.map((one) => one.id)).not.toContain(id);
  });
});

describe('a recipient who was not fed yet', () => {
  it('FEED-7 has a row as soon as they are asked for by id, and is counted once', async () => {
    const cast = await running(3);
    const id = await idOf(cast, 4);
    expect(await ledger.messages.view(id)).toMatchObject({
      state: 'pending',
      campaignId: cast.id,
      line: 4,
      content: { kind: 'text', text: 'Hello P4' },
    });
    expect(await cast.states()).toEqual({ pending: 3 });
    expect((await ledger.feeding.claim(await batchOf(cast))).claimed).toHaveLength(3);
  });

  it('FEED-7 can be edited, and is sent their own text whatever becomes of the campaign’s', async () => {
    const cast = await running(2);
    const id = await idOf(cast, 3);
    const { edit } = await ledger.edits.open({
      editId: `edt_${id}` as EditId,
      messageId: id,
      text: 'For you alone',
      nowMs: NOW,
    });
    expect(edit).toMatchObject({ state: 'edited', via: 'before_send' });
    await ledger.campaigns.update(cast.id, { content: { kind: 'text', text: 'Changed for {{name}}' } }, NOW);
    const next = await ledger.feeding.next(cast.id, 2, NOW);
    expect(next.recipients.map(({ row }) => row?.content)).toEqual([
      undefined,
      { kind: 'text', text: 'For you alone' },
    ]);
  });

  it('FEED-7 is cancelled alone', async () => {
    const cast = await running(2);
    const id = await idOf(cast, 3);
    expect(await ledger.messages.cancel(id, 'operator', NOW)).toMatchObject({ state: 'cancelled' });
    expect(await cast.states()).toEqual({ pending: 1, cancelled: 1 });
  });

  it('FEED-7 is shown cancelled once the campaign is', async () => {
    const cast = await running(2);
    const id = await idOf(cast, 3);
    await ledger.campaigns.cancel(cast.id, 'operator', NOW);
    expect(await ledger.messages.view(id)).toMatchObject({ state: 'cancelled', reason: 'cancelled' });
    expect(await cast.states()).toEqual({ cancelled: 2 });
  });

  it('is no recipient while the campaign is a draft, nor on a line that holds no one', async () => {
    const draft = await new CampaignCast(ledger).draft();
    await draft.imported(1);
    const cast = await running(1);
    const id = await idOf(cast, 2);
    const campaignKey = campaignKeyOf(id);
    expect(await ledger.messages.view(recipientMessageId(campaignKey, 99))).toBeUndefined();
    expect(await ledger.messages.view(`msg_${'ab'.repeat(8)}` as MessageId)).toBeUndefined();
    expect(await ledger.messages.view(recipientMessageId(campaignKey, LARGEST_LINE))).toBeUndefined();
    expect(await draft.states()).toEqual({ pending: 1 });
  });
});

describe('the feeding turn', () => {
  async function two(): Promise<[CampaignCast, CampaignCast]> {
    const first = await running(5);
    const second = new CampaignCast(ledger);
    await second.running(5, { instance: first.instance });
    return [first, second];
  }
  const take = (cast: CampaignCast, nowMs: number) =>
    ledger.feeding.take({ campaignId: cast.id, forMs: 10 * SECOND, patienceMs: SECOND, nowMs });

  it('FEED-1 is one campaign’s at a time, until it is given back or has run out', async () => {
    const [a, b] = await two();
    const first = await take(a, NOW);
    if (!first.granted) throw new Error('no turn');
    expect(await take(b, NOW)).toEqual({ granted: false, why: 'FEEDING_TURN', retryAfterMs: 500 });
    await ledger.feeding.leave(first.turn, { hungryForMs: 0, nowMs: NOW });
    const second = await take(b, NOW);
    expect(second).toMatchObject({ granted: true });
    expect(await take(a, NOW + 11 * SECOND)).toMatchObject({ granted: true });
    if (second.granted) expect(Number(second.turn.epoch)).toBe(Number(first.turn.epoch) + 1);
  });

  it('FEED-2 is the one’s fed longest ago, while that one is hungry', async () => {
    const [a, b] = await two();
    const first = await take(a, NOW);
    if (!first.granted) throw new Error('no turn');
    await ledger.feeding.claim(await batchOf(a, { turn: first.turn }, 1));
    await ledger.feeding.leave(first.turn, { hungryForMs: MINUTE, nowMs: NOW });
    await take(b, NOW + SECOND).then(async (response) => {
      if (response.granted) await ledger.feeding.leave(response.turn, { hungryForMs: 5 * SECOND, nowMs: NOW + SECOND });
    });
    expect(await take(a, NOW + 2 * SECOND)).toMatchObject({ granted: false, why: 'FEEDING_TURN' });
    expect(await take(a, NOW + 20 * SECOND)).toMatchObject({ granted: true });
  });

  it('is refused to a campaign that does not run', async () => {
    const cast = await running(1);
    await ledger.campaigns.pause(cast.id, NOW);
    expect(await take(cast, NOW)).toMatchObject({ granted: false, why: 'NOT_RUNNING' });
  });

  it('does nothing to the turn of another when it is given back late', async () => {
    const [a, b] = await two();
    const first = await take(a, NOW);
    if (!first.granted) throw new Error('no turn');
    const later = NOW + 11 * SECOND;
    expect(await take(b, later)).toMatchObject({ granted: true });
    await ledger.feeding.leave(first.turn, { hungryForMs: 0, nowMs: later });
    expect(await take(a, later)).toMatchObject({ granted: false });
  });
});

describe('what is open of a campaign', () => {
  it('is who can be reconciled, who is unknown, and who was not heard of for a day', async () => {
    const cast = await running(3);
    const [lost] = await cast.fed(1, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    const [taken] = await cast.fed(1);
    const [sending] = await cast.claim(1);
    expect(await ledger.feeding.open(cast.id, NOW)).toEqual({
      abandoned: [],
      nextReconcileMs: NOW + 35 * SECOND,
      unknown: [lost?.messageId],
      unheard: [],
    });
    expect(await ledger.feeding.open(cast.id, NOW + 2 * DAY)).toEqual({
      abandoned: [sending?.messageId],
      unknown: [lost?.messageId],
      unheard: [taken?.messageId],
    });
    expect(await ledger.feeding.unknownOutcomes(cast.instance, 3)).toBe(1);
  });

  it('is, of the unresolved, no matter who comes after a line', async () => {
    const cast = await running(3);
    const lost = await cast.fed(3, { kind: 'unknown', code: 'GATEWAY_OUTCOME_UNKNOWN' });
    for (const { messageId } of lost) await cast.markUnresolved(messageId);
    expect((await ledger.feeding.unresolved(cast.id, 2, 1)).map(({ line }) => line)).toEqual([3]);
  });
});
