/** One recipient under two chat ids: everything but the posting treats both as one (NUMBER-6). */
import { describe, expect, it } from 'vitest';
import { useLedger } from '../../support/ledger/ledger.js';
import { shiftOf, tickAt, wantOf } from '../../support/shift.js';
import { Cast, MINUTE, NOW } from '../cast.js';
import { DispatchCast, accepted } from '../dispatch/cast.js';

const ledger = useLedger();

const TWO_SPELLINGS = [
  ['Mexico', '5215512345678@c.us', '525512345678@c.us'],
  ['Argentina', '5491123456789@c.us', '541123456789@c.us'],
  ['Brazil', '5511987654321@c.us', '551187654321@c.us'],
] as const;

describe.each(TWO_SPELLINGS)('in %s, %s and %s', (_, one, other) => {
  it('are found by either, each with the chat id that is posted to', async () => {
    const c = new Cast(ledger);
    await c.pending({ chatId: one, nowMs: NOW - 1 });
    await c.pending({ chatId: other });
    for (const chatId of [one, other]) {
      const { items } = await ledger.views.messages({ instance: c.instance, chatId });
      expect(items.map((message) => message.chatId)).toEqual([other, one]);
    }
  });

  it('have one frequency cap (LIMIT-9)', async () => {
    const frequencyCap = { messages: 2, days: 7 };
    const c = await DispatchCast.begun(ledger, { limits: { timezone: 'UTC', frequencyCap } });
    const ids = [];
    for (const chatId of [one, other, one]) ids.push(await c.take({ chatId, category: 'marketing' }));
    await c.write(accepted(await c.claimOne()));
    await c.write(accepted(await c.claimOne()));
    expect(await c.claim()).toEqual([]);
    expect(await c.states(ids)).toEqual(['accepted', 'accepted', 'suppressed']);

    const plan = { instances: [c.instance], ...frequencyCap, nowMs: NOW };
    expect(await ledger.dispatch.overFrequencyCap([one, other], plan)).toEqual(new Set([one, other]));
  });

  it('have one identical message in flight (PROTOCOL-5)', async () => {
    const c = new Cast(ledger);
    const first = await c.posting({ chatId: one, text: 'Hello' });
    const second = await c.pending({ chatId: other, text: 'Hello' });
    expect(await c.claim(second)).toBeUndefined();
    expect((await c.view(second)).waiting).toMatchObject({ identical: first.id });
    await c.accept(first.token, 'A');
    expect(await c.claim(second)).toMatchObject({ chatId: other });
  });

  it('get messages of one stream one at a time, in their order (DISPATCH-6)', async () => {
    const c = await DispatchCast.begun(ledger);
    const ids = [await c.take({ chatId: one }), await c.take({ chatId: other })];
    const [first, ...more] = await c.claim();
    expect([first?.messageId, more]).toEqual([ids[0], []]);
    const busyRecipients = [first?.recipientKey ?? ''];
    expect(await c.claimIds({ busyRecipients })).toEqual([]);
    await c.write(accepted(first ?? { token: '' }));
    expect(await c.claimIds()).toEqual([ids[1]]);
  });

  it('end together by one entry of the suppression list, also while no shift runs (SUPPRESS-7)', async () => {
    const c = new Cast(ledger);
    const ids = [
      await c.pending({ chatId: one, category: 'marketing' }),
      await c.pending({ chatId: other, category: 'marketing' }),
    ];
    const { instance } = c;
    await ledger.suppressions.add({ chatId: one, instance, scope: 'marketing', nowMs: NOW });
    expect(await Promise.all(ids.map((id) => c.state(id)))).toEqual(['suppressed', 'suppressed']);
  });

  it('offer their attempts in doubt to evidence of either', async () => {
    const c = new Cast(ledger);
    const { id } = await c.posting({ chatId: one });
    await c.takeOver(id);
    for (const chatId of [one, other]) {
      const attempts = await ledger.reconciling.attemptsTo(c.instance, chatId);
      expect(attempts.map(({ messageId }) => messageId)).toEqual([id]);
    }
  });
});

it('a status has no recipient, and two of them are dispatched together', async () => {
  const c = new Cast(ledger);
  for (const text of ['one', 'two']) {
    const request = { instance: c.instance, content: { kind: 'status', text } } as const;
    await ledger.intake.open({ id: c.anId(), requestHash: 'h', request, expiresAtMs: NOW + MINUTE, nowMs: NOW });
  }
  const shift = shiftOf(c.instance);
  await ledger.dispatch.beginShift(shift, NOW);
  const { claimed } = await tickAt(ledger.dispatch, NOW, { wants: [wantOf(shift)] });
  expect(claimed.map(({ recipientKey }) => recipientKey)).toEqual([undefined, undefined]);
});

/** Proves RECIPIENT-1 and RECIPIENT-2. */
describe('a lid that is learned', () => {
  const LID = '99000111222@lid';
  const NUMBER = '15550009001@c.us';
  const learn = (lid: string, chatId: string) => ledger.lids.learn([{ lid, chatId }], 'notification', NOW);

  it('is found with the number, whether the message or the lid came first', async () => {
    const c = new Cast(ledger);
    const before = await c.pending({ chatId: LID });
    await learn(LID, NUMBER);
    const after = await c.pending({ chatId: LID });
    for (const chatId of [LID, NUMBER]) {
      const { items } = await ledger.views.messages({ instance: c.instance, chatId });
      expect(items.map(({ id }) => id).toSorted()).toEqual([before, after].toSorted());
    }
  });

  it('takes its messages to another number when it is shown with that one', async () => {
    const c = new Cast(ledger);
    const lid = '99000111333@lid';
    await learn(lid, '15550009002@c.us');
    const id = await c.pending({ chatId: lid });
    await learn(lid, '15550009003@c.us');
    const found = async (chatId: string) => (await ledger.views.messages({ instance: c.instance, chatId })).items;
    expect(await found('15550009002@c.us')).toEqual([]);
    expect(await found('15550009003@c.us')).toMatchObject([{ id }]);
  });

  it('keeps the order of pending messages to both, and one identical message in flight', async () => {
    const c = await DispatchCast.begun(ledger);
    const [lid, chatId] = ['99000111444@lid', '15550009004@c.us'];
    const first = await c.take({ chatId: lid });
    const sending = await c.claimOne();
    const second = await c.take({ chatId: lid, text: 'Hello' });
    await learn(lid, chatId);
    const third = await c.take({ chatId, text: 'Hello' });
    expect(await c.claimIds({ busyRecipients: [chatId] })).toEqual([]);
    await c.write(accepted(sending));
    expect(await c.claimIds()).toEqual([second]);
    expect(await c.claimIds({ nowMs: NOW + MINUTE })).toEqual([]);
    expect(await c.states([first, second, third])).toEqual(['accepted', 'sending', 'pending']);
  });

  it('gives the hash of a message in flight to the number, so that an identical one waits', async () => {
    const c = new Cast(ledger);
    const [lid, chatId] = ['99000111555@lid', '15550009005@c.us'];
    const flying = await c.posting({ chatId: lid, text: 'Hello' });
    await learn(lid, chatId);
    const identical = await c.pending({ chatId, text: 'Hello' });
    expect(await c.claim(identical)).toBeUndefined();
    await c.accept(flying.token, 'A');
    expect(await c.claim(identical)).toBeDefined();
  });
});
