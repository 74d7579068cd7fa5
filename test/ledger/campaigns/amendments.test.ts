import { describe, expect, it } from 'vitest';
import type { Amendment, EditId, MessageId } from '../../../src/contract/index.js';
import type { Ledger } from '../../../src/ledger/index.js';
import { recordEdit, REJECTED } from '../../support/edits.js';
import { useLedger } from '../../support/ledger/ledger.js';
import { MINUTE, NOW, SECOND } from '../cast.js';
import { AmendCast, LATER, RATE, type OpenEdit } from './amend-cast.js';
import { NAMESPACE } from './campaign-life-cast.js';

const ledger = useLedger();

const NEW = 'Dear {{name}}';

const aCampaign = (recipients: number): Promise<AmendCast> => new AmendCast(ledger).running(recipients);

function sum(counts: Amendment['counts']): number {
  return Object.values(counts).reduce((total, count) => total + count, 0);
}

describe('the plan of an amendment', () => {
  it('counts messages that can be edited, are too old, are under way and are not sent yet', async () => {
    const c = await aCampaign(8);
    await c.sent(2, NOW - 16 * MINUTE);
    await c.sent(3);
    await c.dispatched(1);

    expect(await c.plan()).toMatchObject({
      audience: 8,
      editable: 3,
      reachable: 3,
      tooLate: 2,
      underWay: 1,
      unsent: 2,
      newText: 0,
      seconds: 3,
    });
  });

  it('says fewer can be edited where the account has a shorter edit window, and opens no edit of the others', async () => {
    const c = await aCampaign(4);
    await c.sent(1, NOW - 6 * MINUTE);
    await c.sent(3);
    expect(await c.plan()).toMatchObject({ editable: 4, tooLate: 0 });

    await ledger.dispatch.configure([{ instance: c.instance, settings: { editWindowMs: 5 * MINUTE } }]);

    expect(await c.plan()).toMatchObject({ editable: 3, tooLate: 1 });
    await c.amend();
    expect(await c.opened()).toHaveLength(3);
    expect((await c.newest()).before).toMatchObject({ editable: 3, tooLate: 1 });
  });

  it('says how many of the editable can be reached at one edit a second', async () => {
    const c = await aCampaign(4);
    await c.sent(4);

    const at = NOW + 15 * MINUTE - 10 * SECOND - 2_500;
    expect(await c.plan(NEW, at)).toMatchObject({ editable: 4, reachable: 3 });
  });

  it('AMEND-6 uses its share of the rate while other campaigns of the account are amended', async () => {
    const [first, second] = [await aCampaign(4), await aCampaign(4)];
    const other = await new AmendCast(ledger, first.instance).running(4);
    for (const c of [first, second, other]) await c.sent(4);
    await other.amend();
    expect([(await first.plan()).seconds, (await second.plan()).seconds]).toEqual([8, 4]);
    const at = NOW + 15 * MINUTE - 10 * SECOND - 2_500;
    expect(await first.plan(NEW, at)).toMatchObject({ editable: 4, reachable: 2 });
  });

  it('is refused for a draft, and for a campaign without a text', async () => {
    const draft = await new AmendCast(ledger).draft();
    await expect(draft.plan()).rejects.toMatchObject({ code: 'CAMPAIGN_NOT_STARTED' });
    const file = { kind: 'file', url: 'https://example.com/a.pdf', fileName: 'a.pdf' } as const;
    const campaign = await new AmendCast(ledger).running(1, { content: file });
    await expect(campaign.plan()).rejects.toMatchObject({ code: 'EDIT_NOT_TEXT' });
    await expect(campaign.amend()).rejects.toMatchObject({ code: 'EDIT_NOT_TEXT' });
  });
});

describe('AMEND-1 and AMEND-2: which messages get an edit', () => {
  it("AMEND-1 edits sent messages with each recipient's values, and pending ones get the new text at their claim", async () => {
    const c = await aCampaign(3);
    const [sent] = await c.sent(1);
    await c.amend();

    const [edit, ...more] = await c.opened();
    expect(more).toEqual([]);
    expect(edit).toMatchObject({ messageId: sent?.messageId, state: 'pending' });
    expect(await c.editOf(sent?.messageId as MessageId)).toMatchObject([{ text: 'Dear P2', state: 'pending' }]);
    const later = await c.dispatched(2, 'accepted', LATER);
    expect(later.map(({ content }) => content)).toMatchObject([{ text: 'Dear P3' }, { text: 'Dear P4' }]);
    expect(await c.opened()).toHaveLength(1);
  });

  it('AMEND-2 waits for a message under way, and edits it after it is sent', async () => {
    const c = await aCampaign(1);
    const claimed = await c.dispatched(1);
    await c.amend();
    const [waiting] = await c.opened();
    expect(waiting).toMatchObject({ state: 'pending' });
    await expect(c.claimEdit(waiting!)).rejects.toThrow('is not due');

    await c.receive(claimed, 'sent', LATER, NOW);

    const due = await c.claimEdit(waiting!, LATER + 15 * MINUTE - 11 * SECOND);
    expect(due.post?.deadlineMs).toBe(LATER + 15 * MINUTE - 10 * SECOND);
  });

  it('AMEND-2 posts the new text when the gateway did not accept the request', async () => {
    const c = await aCampaign(1);
    const [claimed] = await c.claim(1);
    await c.amend();
    await c.opened();

    await ledger.dispatch.recordOutcomes([
      { token: claimed?.token ?? '', outcome: { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE' }, atMs: LATER },
    ]);

    expect(await c.open()).toEqual([]);
    const [again] = await c.claim(1, LATER + MINUTE);
    expect(again?.content).toMatchObject({ text: 'Dear P2' });
    expect(await ledger.amendments.endIfDone(c.id, LATER)).toBe(false);
    expect((await c.newest()).counts).toMatchObject({ newText: 1, edited: 0 });
  });

  it('needs no workflow for the messages that it edits', async () => {
    const c = await aCampaign(1);
    const [sent] = await c.sent(1);
    await c.amend();
    await c.opened();

    const unfinished = await ledger.messages.unfinished({ namespace: NAMESPACE, nowMs: LATER, limit: 500 });
    expect(unfinished.map(({ id }) => id)).not.toContain(sent?.messageId);
  });

  it('AMEND-2 edits each message once, however often the amendment continues', async () => {
    const c = await aCampaign(101);
    await c.sent(101);
    await c.amend();

    const first = await c.opened();
    expect(first).toHaveLength(101);
    expect(await c.opened()).toEqual(first);
  });

  it('ends the edit of a message that fails, or that is never reported sent', async () => {
    const c = await aCampaign(2);
    const claimed = await c.dispatched(2);
    await c.amend();
    await c.opened();
    await c.receive(claimed.slice(0, 1), 'failed', LATER, NOW);

    expect(await c.open()).toMatchObject([{ messageId: claimed[1]?.messageId }]);
    const DAY_LATER = NOW + 25 * 60 * MINUTE;
    await ledger.messages.expire(claimed[1]?.messageId as MessageId, DAY_LATER);
    expect(await c.open()).toEqual([]);
    expect(await c.editOf(claimed[1]?.messageId as MessageId)).toMatchObject([{ state: 'not_possible' }]);
  });

  it('AMEND-4 keeps a text that an operator gave to one recipient', async () => {
    const c = await aCampaign(3);
    const [first, second] = await c.sent(2);
    const own = { editId: 'edt_own0000000000001', messageId: first?.messageId, text: 'Only for you', nowMs: NOW };
    await ledger.edits.open(own as Parameters<Ledger['edits']['open']>[0]);

    expect(await c.plan()).toMatchObject({ ownText: 1, editable: 1, unsent: 1 });
    await c.amend();
    expect(await c.opened()).toMatchObject([{ editId: own.editId }, { messageId: second?.messageId }]);
  });

  it('is refused when a recipient lacks a value of the new text', async () => {
    const c = await aCampaign(1);
    await expect(c.amend('Dear {{title}}')).rejects.toMatchObject({ code: 'CAMPAIGN_INCOMPLETE' });
    expect(await ledger.amendments.list(c.id, RATE)).toEqual([]);
  });
});

describe('the end of an amendment', () => {
  it('AMEND-5 has counts that add up to the audience, and the report agrees', async () => {
    const c = await aCampaign(7);
    await c.sent(1, NOW - 16 * MINUTE);
    const sent = await c.sent(3);
    await c.amend();
    const edits = await c.opened();
    const of = (at: number) => edits.find(({ messageId }) => messageId === sent[at]?.messageId) as OpenEdit;
    await c.finish(of(0));
    await recordEdit(ledger, await c.claimEdit(of(1)), REJECTED, LATER);
    expect((await c.newest()).counts).toMatchObject({ edited: 1, refused: 1, pending: 1, tooLate: 1, unsent: 3 });
    expect(await ledger.amendments.endIfDone(c.id, LATER)).toBe(true);
    await ledger.edits.endByTime(500, NOW + 15 * MINUTE);
    await c.dispatched(1, 'accepted', LATER);

    const running = (await c.newest()).counts;
    expect(sum(running)).toBe(7);
    expect(await ledger.amendments.endIfDone(c.id, LATER)).toBe(false);

    const ended = await c.newest();
    expect(ended).toMatchObject({ state: 'ended', text: NEW, textBefore: 'Hello {{name}}', contentVersion: 2 });
    expect(ended.counts).toEqual(running);
    expect(ended.counts).toMatchObject({ edited: 1, refused: 1, tooLate: 2, newText: 1, unsent: 2, pending: 0 });
    expect(
      (await c.report()).map(({ sentVersion, shownVersion, editOutcome }) => [sentVersion, shownVersion, editOutcome]),
    ).toEqual([
      ['1', '1', 'too_late'],
      ['1', '2', 'edited'],
      ['1', '1', 'refused'],
      ['1', '1', 'too_late'],
      ['2', undefined, undefined],
      [undefined, undefined, undefined],
      [undefined, undefined, undefined],
    ]);
  });

  it('cancels pending recipients when it stops the campaign, and still edits sent messages', async () => {
    const c = await aCampaign(4);
    await c.sent(1);
    await c.amend(NEW, { stop: true });

    const [edit] = await c.opened();
    await c.finish(edit as OpenEdit);
    expect(await ledger.amendments.endIfDone(c.id, LATER)).toBe(false);

    expect((await c.newest()).counts).toMatchObject({ edited: 1, notSent: 3, unsent: 0 });
    expect(await c.endIfDone(LATER)).toMatchObject({ state: 'cancelled' });
  });

  it('edits the sent messages of a paused campaign, and of an ended one', async () => {
    const paused = await aCampaign(2);
    await paused.sent(1);
    await ledger.campaigns.pause(paused.id, NOW);
    await paused.amend();
    expect(await paused.opened()).toHaveLength(1);
    expect(await ledger.campaigns.state(paused.id)).toBe('paused');

    const ended = await aCampaign(1);
    await ended.sent(1);
    await ended.endIfDone(NOW);
    expect(await ledger.campaigns.state(ended.id)).toBe('completed');
    await ended.amend(NEW, { stop: true });
    expect(await ended.opened()).toHaveLength(1);
    expect(await ledger.campaigns.state(ended.id)).toBe('completed');
  });
});

describe('AMEND-3 a second amendment', () => {
  it('AMEND-3 supersedes waiting edits of the first one, and edits the messages that it had edited', async () => {
    const c = await aCampaign(2);
    await c.sent(2);
    await c.amend('First {{name}}');
    const [done, waiting] = await c.opened();
    await c.finish(done as OpenEdit);

    await c.amend('Second {{name}}', { nowMs: LATER + SECOND });
    const edits = await c.opened();

    expect(edits).toHaveLength(2);
    expect(await ledger.edits.view(waiting?.editId as EditId)).toMatchObject({
      state: 'superseded',
      reason: 'newer_amendment',
    });
    for (const edit of edits) await c.finish(edit, LATER + 2 * SECOND);
    expect(await ledger.amendments.endIfDone(c.id, LATER + 3 * SECOND)).toBe(false);
    const [second, first] = await ledger.amendments.list(c.id, RATE);
    expect(second).toMatchObject({ state: 'ended', counts: { edited: 2 } });
    expect(first).toMatchObject({ state: 'replaced', counts: { superseded: 2 } });
    expect((await c.report()).map(({ shownVersion }) => shownVersion)).toEqual(['3', '3']);
  });

  it('back to the first text edits only messages that show another text', async () => {
    const c = await aCampaign(2);
    await c.sent(2);
    await c.amend();
    const [done] = await c.opened();
    await c.finish(done as OpenEdit);

    await c.amend('Hello {{name}}');

    expect(await c.opened()).toMatchObject([{ messageId: done?.messageId }]);
    expect((await c.newest()).counts).toMatchObject({ edited: 1, pending: 1 });
  });

  it('is the first one again when it has the same text', async () => {
    const c = await aCampaign(1);
    await c.sent(1);
    const first = await c.amend();
    const again = await c.amend(NEW, { nowMs: LATER + MINUTE });
    expect(again.contentVersion).toBe(first.contentVersion);
    expect(await ledger.amendments.list(c.id, RATE)).toHaveLength(1);
  });

  it('takes effect once for its id', async () => {
    const c = await aCampaign(2);
    const begin = () => ledger.amendments.begin(c.id, { text: NEW }, RATE, { id: 'a' });
    const begun = await begin();
    expect(await begin()).toEqual(begun);
  });
});
