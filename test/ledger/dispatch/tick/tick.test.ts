import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { AppError, type TemplateKey } from '../../../../src/contract/index.js';
import { runTick } from '../../../../src/ledger/dispatch/tick/tick.js';
import type { Store } from '../../../../src/ledger/storage/store.js';
import { MOST_REJECTED } from '../../../../src/ledger/templates/template-messages.js';
import { useLedger } from '../../../support/ledger/ledger.js';
import { tickAt } from '../../../support/shift.js';
import { DAY } from '../../campaigns/campaign-life-cast.js';
import { MINUTE, NOW, SECOND } from '../../cast.js';
import { accepted, aChat, anId, DispatchCast, other } from '../cast.js';
import { PLAIN_TEMPLATE } from '../../../support/template.js';

const ledger = useLedger();

const cast = (): Promise<DispatchCast> => DispatchCast.begun(ledger);

async function aTemplate({ instance }: DispatchCast): Promise<TemplateKey> {
  const key = { instance, elementName: 'order_ready' };
  await ledger.templates.submit({ ...key, definition: PLAIN_TEMPLATE, definitionHash: 'd', requestedAt: '' }, NOW);
  return key;
}

async function review(key: TemplateKey, status: 'APPROVED' | 'REJECTED' | 'FAILED'): Promise<void> {
  const token = randomUUID();
  await ledger.templates.claim({ key, token, reconcileAfterMs: NOW });
  const reading = { templateId: 'T-1', status, reason: 'because' };
  await ledger.templates.recordOutcome(key, token, { kind: 'accepted', reading, witness: 'response' }, NOW);
}

describe('a tick', () => {
  it('claims due messages in the order of their intake, with a durable intent (DISPATCH-2)', async () => {
    const c = await cast();
    const ids = await c.takeMany(5);

    const claimed = await c.claim({ free: 3 });

    expect(claimed.map(({ messageId }) => messageId)).toEqual(ids.slice(0, 3));
    expect(claimed[0]).toMatchObject({ instance: c.instance, priority: 'normal', tries: 1 });
    expect(await c.states(ids)).toEqual(['sending', 'sending', 'sending', 'pending', 'pending']);
    const view = await ledger.views.message(ids[0] ?? ('' as never), NOW);
    expect(view?.attempts).toMatchObject([{ token: claimed[0]?.token }]);
    expect(view?.evidence).toMatchObject([{ what: 'claimed', detail: { worker: 'worker-1' } }]);
    expect(await c.claimIds()).toEqual(ids.slice(3));
    expect(await c.claimIds()).toEqual([]);
  });

  it('records outcomes first, and claims the messages that they free', async () => {
    const c = await cast();
    const ids = await c.takeMany(2);
    const first = await c.claimOne({ free: 1 });

    const { claimed } = await c.tick({ outcomes: [accepted(first)] });

    expect(claimed.map(({ messageId }) => messageId)).toEqual([ids[1]]);
    const view = await ledger.views.message(first.messageId, NOW);
    expect(view?.evidence.map(({ what }) => what)).toEqual(['claimed', 'accepted']);
  });

  it('makes a message that was not accepted due again at its time, as the next try', async () => {
    const c = await cast();
    const id = await c.take();
    const first = await c.claimOne();
    const failed = { kind: 'not_accepted', code: 'GATEWAY_UNREACHABLE', retryAfterMs: MINUTE } as const;

    const { claimed, nextDueMs } = await c.tick({ outcomes: [other(first, failed)] });

    expect(claimed).toEqual([]);
    expect(nextDueMs).toBe(NOW + MINUTE);
    expect(await c.claim({ nowMs: NOW + MINUTE })).toMatchObject([{ messageId: id, tries: 2 }]);
  });

  it('returns when the next message is due, and nothing when none is', async () => {
    const c = await cast();
    expect((await c.tick()).nextDueMs).toBeUndefined();
    await c.take({ sendAtMs: NOW + MINUTE });
    expect((await c.tick()).nextDueMs).toBe(NOW + MINUTE);
    expect(await c.claim({ nowMs: NOW + MINUTE })).toHaveLength(1);
  });

  it('skips only messages that cannot leave the gateway’s queue before they expire (DISPATCH-5)', async () => {
    const c = await cast();
    const code = await c.take({ expiresAtMs: NOW + MINUTE });
    const long = await c.take();
    expect(await c.claimIds({ leavesInMs: MINUTE })).toEqual([long]);
    expect(await c.claimIds({ leavesInMs: MINUTE - 1 })).toEqual([code]);
  });

  it('ends expired messages instead of claiming them (DISPATCH-5)', async () => {
    const c = await cast();
    const id = await c.take({ expiresAtMs: NOW + SECOND });
    expect(await c.claim({ nowMs: NOW + SECOND })).toEqual([]);
    expect(await c.state(id)).toBe('expired');
  });

  it('claims nothing while the instance is paused, and reports no due message (DISPATCH-5)', async () => {
    const c = await cast();
    await c.take();
    await ledger.instances.pause({ instance: c.instance, reason: 'yellowCard', witness: 'test', atMs: NOW });
    const { claimed, nextDueMs } = await c.tick();
    expect(claimed).toEqual([]);
    expect(nextDueMs).toBeUndefined();
  });

  it('parks a message behind an identical one until that one has an outcome (DISPATCH-5, DUEROW-2)', async () => {
    const c = await cast();
    const same = { chatId: aChat(), text: 'the same' };
    const [first, second] = [await c.take(same), await c.take(same)];
    const attempt = await c.claimOne();
    expect(attempt.messageId).toBe(first);

    expect(await c.claimIds()).toEqual([]);
    await c.write(other(attempt, { kind: 'unknown', code: 'LOST' }));
    expect(await c.claimIds()).toEqual([]);
    expect((await c.tick()).nextDueMs).toBeUndefined();

    expect(await c.claimIds({ outcomes: [accepted(attempt)] })).toEqual([second]);
  });

  it('keeps the order within a chat, one message at a time (DISPATCH-6)', async () => {
    const c = await cast();
    const chatId = aChat();
    const [first, second, third, elsewhere] = [
      await c.take({ chatId }),
      await c.take({ chatId }),
      await c.take({ chatId }),
      await c.take(),
    ];
    const claimed = await c.claim();
    expect(claimed.map(({ messageId }) => messageId)).toEqual([first, elsewhere]);

    expect(await c.claimIds({ busyRecipients: [chatId] })).toEqual([]);
    const next = await c.claimOne({ outcomes: claimed.slice(0, 1).map((inChat) => accepted(inChat)) });
    expect(next.messageId).toBe(second);
    expect(await c.claimIds({ outcomes: [other(next, { kind: 'rejected', code: 'NO' })] })).toEqual([third]);
  });

  it('serves a class before those below it, within its room, and every eighth post from a lower one (DISPATCH-7)', async () => {
    const c = await cast();
    const low = await c.take({ priority: 'low' });
    const normal = await c.take({ priority: 'normal' });
    const urgent = await c.takeMany(3, { priority: 'urgent' });
    const room = { urgent: 5, high: 3, normal: 2, low: 0 };

    expect(await c.claimIds({ free: 1, room })).toEqual([urgent[0]]);
    expect(await c.claimIds({ free: 1, room, lowerFirst: true })).toEqual([low]);
    expect(await c.claimIds({ free: 2, room, lowerFirst: true })).toEqual([normal, urgent[1]]);
    expect(await c.claimIds({ free: 5, room })).toEqual([urgent[2]]);
  });

  it('does not select a class without room, and reports that it has due messages', async () => {
    const c = await cast();
    await c.take();
    const { claimed, nextDueMs } = await c.tick({ room: { urgent: 1, high: 1, normal: 0, low: 0 } });
    expect(claimed).toEqual([]);
    expect(nextDueMs).toBe(NOW);
  });
});

describe('a tick of several instances', () => {
  it('gives the claims of each instance its own deadlines', async () => {
    const [c, slow] = [await cast(), await cast()];
    const ids = [await c.take(), await slow.take()];
    const late = { postingDeadlineMs: NOW + 6 * SECOND, reconcileAfterMs: NOW + MINUTE };
    const { claimed } = await tickAt(ledger.dispatch, NOW, { wants: [c.want(), slow.want(late)] });
    const deadlines = new Map(claimed.map((due) => [due.messageId, due.postingDeadlineMs]));
    expect(ids.map((id) => deadlines.get(id))).toEqual([NOW + 5 * SECOND, NOW + 6 * SECOND]);
    await c.write(...claimed.map((due) => other(due, { kind: 'unknown', code: 'LOST' })));
    const attempts = await Promise.all(ids.map((id) => ledger.reconciling.attempt(id)));
    expect(attempts.map((attempt) => attempt?.reconcileAfterMs)).toEqual([NOW + 35 * SECOND, NOW + MINUTE]);
  });

  it('records each outcome and claims for each instance separately when its transaction fails', async () => {
    const [c, neighbour] = [await cast(), await cast()];
    const [first] = await c.takeMany(2);
    const id = await neighbour.take();
    const attempt = await c.claimOne({ free: 1 });
    const stray = { token: 'no-such-token' };

    const result = await tickAt(ledger.dispatch, NOW, {
      wants: [c.want(), neighbour.want()],
      outcomes: [accepted(stray), accepted(attempt), other(stray, { kind: 'unknown', code: 'LOST' })],
    });

    expect([...result.unrecorded.keys()]).toEqual(['no-such-token']);
    expect([...result.byInstance.values()].map(({ error }) => error)).toEqual([undefined, undefined]);
    expect(result.claimed.map(({ messageId }) => messageId)).toContain(id);
    expect(result.claimed).toHaveLength(2);
    expect(await c.state(first ?? ('' as never))).toBe('accepted');
  });

  it('fails as a whole when the commit of one instance may be lost: its claims are asked for (TICKER-4)', async () => {
    const c = await cast();
    const failures = [
      new AppError('INTERNAL', 'A statement failed.'),
      new AppError('LEDGER_UNAVAILABLE', 'No response.'),
    ];
    const store = { transaction: () => Promise.reject(failures.shift()!) } as unknown as Store;
    const want = { ...c.want(), postingDeadlineMs: NOW + MINUTE, reconcileAfterMs: NOW + MINUTE };
    const tick = runTick(store, { wants: [want], outcomes: [], nowMs: NOW });
    await expect(tick).rejects.toMatchObject({ code: 'LEDGER_UNAVAILABLE' });
    expect(failures).toEqual([]);
  });
});

describe('a pending message', () => {
  it('is stored once, and another request with its key is refused', async () => {
    const c = await cast();
    const id = anId();
    const both = await Promise.all([c.take({ id }), c.take({ id })]);
    expect(both).toEqual([id, id]);
    const request = { instance: c.instance, chatId: aChat(), content: { kind: 'text', text: 'other' } } as const;
    const again = ledger.intake.open({ id, requestHash: 'other', request, expiresAtMs: NOW + DAY, nowMs: NOW });
    await expect(again).rejects.toMatchObject({ code: 'IDEMPOTENCY_MISMATCH' });
    expect(await c.claim()).toHaveLength(1);
  });

  it('is due again when it was parked behind an identical one and is then edited', async () => {
    const c = await cast();
    const same = { chatId: aChat(), text: 'the same' };
    const [, second] = [await c.take(same), await c.take(same)];
    const attempt = await c.claimOne();
    await c.write(other(attempt, { kind: 'unknown', code: 'LOST' }));
    await c.claim();
    await ledger.edits.open({ editId: 'edt_parked' as never, messageId: second, text: 'another', nowMs: NOW });
    expect(await c.claim()).toMatchObject([{ messageId: second, content: { text: 'another' } }]);
  });

  it('waits for a template that is not approved, and is due once it is (DISPATCH-4)', async () => {
    const c = await cast();
    const key = await aTemplate(c);
    const id = await c.take({ content: { kind: 'template', elementName: key.elementName, params: [] } });
    const { claimed, nextDueMs } = await c.tick();
    expect(claimed).toEqual([]);
    expect(nextDueMs).toBeUndefined();
    expect(await c.state(id)).toBe('pending');
    await review(key, 'APPROVED');
    expect(await c.claim()).toMatchObject([{ messageId: id, templateId: 'T-1' }]);
  });

  it('ends at once when its template can never be sent', async () => {
    const c = await cast();
    const key = await aTemplate(c);
    const named = { kind: 'template', elementName: key.elementName } as const;
    const unknown = await c.take({ content: { ...named, elementName: 'no_such' } });
    const unfilled = await c.take({ content: { ...named, params: ['one too many'] } });
    const waiting = await c.take({ content: { ...named } });
    await review(key, 'REJECTED');
    const late = await c.take({ content: { ...named } });
    const ids = [unknown, unfilled, waiting, late];
    const ends = await Promise.all(ids.map((id) => ledger.views.message(id, NOW)));
    expect(ends.map((view) => [view?.state, view?.reason])).toEqual([
      ['rejected', 'template_unknown'],
      ['rejected', 'template_parameters'],
      ['rejected', 'template_rejected'],
      ['rejected', 'template_rejected'],
    ]);
    expect(ends[2]?.evidence.map(({ what }) => what)).toEqual(['template_rejected']);
    expect(ends[3]?.reasonText).toBe('because');
    expect((await c.tick()).nextDueMs).toBeUndefined();
  });

  it('ends by a bounded sweep when the verdict on its template left more than it could end at once', async () => {
    const c = await cast();
    const key = await aTemplate(c);
    const content = { kind: 'template', elementName: key.elementName } as const;
    const ids = await c.takeMany(MOST_REJECTED + 2, { content });
    await review(key, 'FAILED');
    expect((await c.states(ids)).filter((state) => state === 'pending')).toHaveLength(2);
    expect(await ledger.dispatch.rejectByTemplate(100, NOW)).toBe(2);
    expect(await ledger.dispatch.rejectByTemplate(100, NOW)).toBe(0);
    expect(new Set(await c.states(ids))).toEqual(new Set(['rejected']));
  });

  it('is not selected while its operation is delayed, and hides no other message', async () => {
    const c = await cast();
    await c.take();
    const poll = await c.take({
      content: { kind: 'poll', message: 'Which?', options: [{ optionName: 'a' }, { optionName: 'b' }] },
    });
    const { claimed } = await c.tick({ delayed: ['sendMessage'] });
    expect(claimed.map(({ messageId }) => messageId)).toEqual([poll]);
    expect((await c.tick({ delayed: ['sendMessage'] })).nextDueMs).toBeUndefined();
    expect(await c.claim()).toHaveLength(1);
  });

  it('expires by a bounded sweep, whatever its stream waits for', async () => {
    const c = await cast();
    const ids = await c.takeMany(3, { expiresAtMs: NOW + SECOND });
    await ledger.instances.pause({ instance: c.instance, reason: 'yellowCard', witness: 'test', atMs: NOW });
    expect(await ledger.dispatch.expireDue(2, NOW + SECOND)).toBe(2);
    expect(await ledger.dispatch.expireDue(2, NOW + SECOND)).toBeLessThan(2);
    expect(await c.states(ids)).toEqual(['expired', 'expired', 'expired']);
  });
});

describe('a shift', () => {
  it('replaces earlier shifts, whose claims take nothing and whose outcomes count (DISPATCH-1, DISPATCH-3)', async () => {
    const c = await cast();
    const [first, second] = await c.takeMany(2);
    const old = c.shift;
    const attempt = await c.claimOne({ free: 1 });

    expect(await c.begin()).toEqual([first]);
    expect(await c.state(attempt.messageId)).toBe('unknown');
    const frozen = await c.tick({ outcomes: [accepted(attempt)] }, old);

    expect(frozen).toMatchObject({ claimed: [], isLost: true });
    expect(await c.state(attempt.messageId)).toBe('accepted');
    expect(await ledger.dispatch.beginShift(old, NOW)).toEqual({ granted: false });
    expect(await c.claimIds()).toEqual([second]);
  });

  it('is ordered by run, shift and attempt, and a try of a former run begins no more (DISPATCH-1)', async () => {
    const c = await cast();
    const begin = async (run: string, shift: number, attempt: number) =>
      (await ledger.dispatch.beginShift({ ...c.shift, try: { run, shift, attempt } }, NOW)).granted;
    expect(await begin('a', 2, 3)).toBe(true);
    expect(await begin('a', 2, 3)).toBe(true);
    expect([await begin('a', 2, 2), await begin('a', 1, 9)]).toEqual([false, false]);
    expect(await begin('a', 3, 1)).toBe(true);

    expect(await begin('b', 1, 1)).toBe(true);
    expect([await begin('a', 4, 1), await begin('b', 1, 1)]).toEqual([false, true]);
    for (let later = 0; later < 20; later += 1) expect(await begin(`later ${later}`, 1, 1)).toBe(true);
    expect([await begin('later 18', 5, 1), await begin('later 12', 5, 1)]).toEqual([false, false]);
  });

  it('finds its claims when the response to its tick was lost', async () => {
    const c = await cast();
    const ids = await c.takeMany(2);
    const claimed = await c.claim();
    expect(claimed).toHaveLength(2);
    expect(await ledger.dispatch.claimed(c.shift)).toEqual(claimed);
    expect(await c.begin(c.shift.try.attempt)).toEqual([]);
    expect(await c.begin()).toEqual(ids);
    expect(await ledger.dispatch.claimed(c.shift)).toEqual([]);
  });

  it('frees the chats to which the previous shift was posting', async () => {
    const c = await cast();
    const chatId = aChat();
    await c.take({ chatId });
    const second = await c.take({ chatId });
    await c.claim();
    await c.claim({ busyRecipients: [chatId] });
    await c.begin();
    expect(await c.claimIds()).toEqual([second]);
  });

  it('ends and records what the instance waits for', async () => {
    const c = await cast();
    await c.take();
    await ledger.instanceStates.record({ instance: c.instance, state: 'notAuthorized', atMs: NOW });
    expect(await ledger.dispatch.endShift(c.shift, NOW)).toEqual({
      mark: expect.stringMatching(/^\d+$/) as string,
      waitingFor: 'INSTANCE_NOT_AUTHORIZED: notAuthorized',
    });
    await ledger.instances.pause({ instance: c.instance, reason: 'yellowCard', witness: 'test', atMs: NOW });
    expect(await ledger.dispatch.endShift(c.shift, NOW)).toMatchObject({
      waitingFor: expect.stringMatching(/^INSTANCE_PAUSED: .*yellowCard/) as string,
    });
  });

  it('ends and returns when it is due next; the sweeper finds an instance that no shift serves', async () => {
    const c = await cast();
    await c.take({ sendAtMs: NOW + MINUTE });
    const found = async (nowMs: number) => (await ledger.dispatch.dueInstances(1_000, nowMs)).includes(c.instance);
    expect(await ledger.dispatch.endShift(c.shift, NOW)).toMatchObject({ nextDueMs: NOW + MINUTE });
    expect(await found(NOW)).toBe(false);
    expect(await found(NOW + MINUTE)).toBe(true);
    await c.begin(c.shift.try.attempt + 1, NOW + MINUTE);
    expect(await found(NOW + MINUTE)).toBe(false);
    // A shift that is silent for so long is gone.
    expect(await found(NOW + 2 * MINUTE)).toBe(true);
  });
});
